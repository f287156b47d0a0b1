"""Strategies: when and what to retrieve."""
