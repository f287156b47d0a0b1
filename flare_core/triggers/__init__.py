"""Triggers: whether to retrieve, decided from the tokens of a draft."""
