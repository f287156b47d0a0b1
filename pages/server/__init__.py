"""What the server answers beside the pages: the events of a run, its trace, its own health; and its headers."""

from __future__ import annotations

from pages.server.channel import Hub, released_on_signals
from pages.server.events import routes
from pages.server.security import HostGuard, SecurityHeaders

__all__ = ["HostGuard", "Hub", "SecurityHeaders", "released_on_signals", "routes"]
