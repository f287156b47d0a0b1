"""Flare: researched reports by Forward-Looking Active REtrieval (Jiang et al., EMNLP 2023)."""

__version__ = "0.1.0"
