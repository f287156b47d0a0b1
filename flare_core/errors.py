"""Errors that are meant for the user: each says what happened and what to do."""

from __future__ import annotations


class FlareError(Exception):
    """An expected failure. `str(error)` is shown to the user; `remedy` says what to do next."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class UsageError(FlareError):
    """The request itself is wrong (exit code 2)."""


class ModelError(FlareError):
    """The language model did not answer as it must: unreachable, refused, out of context, broken."""


class SourceError(FlareError):
    """A source cannot be used at all, as opposed to a search or a page that fails (those are outcomes)."""


class LogError(FlareError):
    """A log of events cannot be read."""


class Stopped(Exception):
    """The user asked to stop; raised inside a wait, turned into `RunEnded(status="stopped")`."""
