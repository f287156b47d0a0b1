"""Messages between this process and the one that extracts: a JSON head and bytes, with their lengths.

JSON and not pickle: the other side has parsed hostile files and is not trusted with objects.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

MOST_BYTES = 64_000_000


def write(stream: BinaryIO, head: dict[str, Any], body: bytes = b"") -> None:
    """Send one message. Raises OSError when the other side is gone."""
    encoded = json.dumps(head).encode()
    stream.write(struct.pack(">II", len(encoded), len(body)) + encoded)
    stream.write(body)
    stream.flush()


def read(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next message, or None when the other side is gone. Raises ValueError for what is none."""
    lengths = stream.read(8)
    if len(lengths) < 8:
        return None
    head_length, body_length = struct.unpack(">II", lengths)
    if head_length + body_length > MOST_BYTES:
        raise ValueError("a message that is too long")
    encoded, body = stream.read(head_length), stream.read(body_length)
    if len(encoded) < head_length or len(body) < body_length:
        return None
    head = json.loads(encoded)
    if not isinstance(head, dict):
        raise ValueError("a message without a head")
    return head, body
