"""What the pages draw with, where Streamlit has nothing of the kind."""

from __future__ import annotations

from pages.components.element import live_run, reading, token_strip
from pages.components.plain import plain

__all__ = ["live_run", "plain", "reading", "token_strip"]
