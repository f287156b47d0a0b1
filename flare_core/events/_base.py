"""What all events and all values inside them have in common."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1
"""Raised when a field changes its meaning or goes away; a new field with a default needs no new version."""


class Value(BaseModel):
    """An immutable value that round-trips through JSON; fields unknown to this version are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", use_attribute_docstrings=True)


class Event(Value):
    """Something that happened in a run. A log is a sequence of events with rising `seq`."""

    durable: ClassVar[bool] = True
    """False for what is only worth showing live and is never written to a log."""

    seq: int = 0
    """Position in the log, from 1, without gaps."""
    at: float = 0.0
    """When it happened, in seconds since the Unix epoch."""
