"""What a GGUF model file says of itself, read from its header without loading the model.

Format: magic, version, number of tensors, number of entries; then the entries, each a key, a type and a value
(all little-endian; specification: ggml, docs/gguf.md).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any, BinaryIO

from flare_core.errors import ModelError

MAGIC = b"GGUF"
STRING, ARRAY = 8, 9
NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
LONGEST = 1 << 24
"""Bytes of the longest string, and entries of the longest list, that are believed."""


def trained_context(path: Path) -> int | None:
    """Context size in tokens that the model was trained with, or None where the file does not say.

    Raises ModelError where there is no such file or it is no GGUF file.
    """
    try:
        with path.open("rb") as file:
            return _find(file, ".context_length")
    except OSError as error:
        raise ModelError(f"Cannot read the model file {path}: {error.strerror}.", "Check its path.") from None
    except (struct.error, ValueError):
        raise ModelError(f"{path} is not a GGUF model file.", "Download the model again, as a .gguf file.") from None


def _find(file: BinaryIO, ending: str) -> int | None:
    """The first whole number whose key ends so."""
    if file.read(4) != MAGIC:
        raise ValueError("wrong magic")
    version, _tensors, entries = _unpack(file, "<IQQ")
    if not 2 <= version <= 3 or entries > LONGEST:
        raise ValueError("unknown version")
    for _ in range(entries):
        key = _string(file)
        value = _value(file, _unpack(file, "<I")[0])
        if key.endswith(ending) and isinstance(value, int):
            return value
    return None


def _value(file: BinaryIO, kind: int) -> Any:
    """A number or a string; lists are skipped and are None."""
    if kind == STRING:
        return _string(file)
    if kind != ARRAY:
        return _unpack(file, _format(kind))[0]
    inner, count = _unpack(file, "<IQ")
    if count > LONGEST:
        raise ValueError("list too long")
    if inner in (STRING, ARRAY):
        for _ in range(count):
            _value(file, inner)
    else:
        file.seek(struct.calcsize(_format(inner)) * count, 1)
    return None


def _string(file: BinaryIO) -> str:
    (size,) = _unpack(file, "<Q")
    if size > LONGEST:
        raise ValueError("string too long")
    return file.read(size).decode("utf-8", "replace")


def _format(kind: int) -> str:
    if kind not in NUMBERS:
        raise ValueError("unknown type")
    return NUMBERS[kind]


def _unpack(file: BinaryIO, form: str) -> tuple[Any, ...]:
    return struct.unpack(form, file.read(struct.calcsize(form)))
