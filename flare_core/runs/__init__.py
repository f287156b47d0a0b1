"""Runs: start, follow, stop, keep."""
