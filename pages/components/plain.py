"""Text from users, models and web pages, made safe for Streamlit's Markdown."""

from __future__ import annotations

import re

JOINER = "\u2060"
"""WORD JOINER: shows nothing and breaks nothing."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:=^&@])")
_AFTER_PARSING = re.compile(r":(?=[\w/])|(?i:\bwww)(?=\.)|@|[<>~-](?=[-=>])")
"""What Streamlit finds in text that is parsed already, so that a backslash does not help: `:material/icon:`,
`:streamlit:`, addresses of pages and people, arrows and dashes."""


def plain(text: str) -> str:
    """The same text when Markdown shows it: no link, image, formula, colour, icon or markup comes of it.

    One line: line breaks become spaces.
    """
    held = _AFTER_PARSING.sub(lambda found: found.group() + JOINER, " ".join(text.split()))
    return _SPECIAL.sub(r"\\\1", held)
