"""Text: sentences, tokens, words. Pure functions."""
