"""Queries: what to retrieve, made from a draft and its tokens."""
