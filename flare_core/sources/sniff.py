"""What a page is, by its first bytes: servers mislabel, and what is not text is not worth its bytes."""

from __future__ import annotations

from flare_core.sources.contracts import Kind

HEAD = 2048
"""Bytes that decide."""

_BINARY: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"Rar!", "application/vnd.rar"),
    (b"7z\xbc\xaf", "application/x-7z-compressed"),
    (b"\x7fELF", "application/x-executable"),
    (b"MZ", "application/x-msdownload"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"RIFF", "application/octet-stream"),
    (b"wOF", "font/woff"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"\xd0\xcf\x11\xe0", "application/msword"),
)
_MARKUP = (b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<article", b"<main", b"<div", b"<h1", b"<meta")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_OTHER_TEXT = {"application/json", "application/ld+json", "text/css", "text/javascript", "application/javascript"}


def sniff(head: bytes, declared: str | None) -> tuple[Kind | None, str]:
    """Kind of page and its media type. Kind None: not text that a person reads.

    `declared` is the media type of the HTTP header, without its parameters.
    """
    head = head[:HEAD]
    start = head.lstrip()[:16]
    if b"%PDF-" in head[:1024]:
        return "pdf", "application/pdf"
    for magic, media_type in _BINARY:
        if start.startswith(magic) and not (magic == b"MZ" and _looks_like_text(head)):
            return None, media_type
    if start[4:8] == b"ftyp":
        return None, "video/mp4"
    if not _looks_like_text(head):
        return None, declared if declared and not declared.startswith("text/") else "application/octet-stream"
    letters = head.replace(b"\x00", b"").lower()
    if any(mark in letters for mark in _MARKUP[:4]):
        return "html", "text/html"
    if declared in ("text/html", "application/xhtml+xml") or (not declared and any(m in letters for m in _MARKUP)):
        return "html", "text/html"
    if declared in _OTHER_TEXT or (declared or "").endswith(("+json", "/xml", "+xml")):
        return None, declared or "application/octet-stream"
    if letters.lstrip().startswith((b"<?xml", b"<rss", b"<svg")):
        return None, "application/xml"
    return "text", declared if declared and declared.startswith("text/") else "text/plain"


def _looks_like_text(head: bytes) -> bool:
    """Few control characters, once the zero bytes of UTF-16 are accounted for."""
    if head.startswith(_BOMS):
        return True
    zeros = head.count(0)
    if zeros:
        even, odd = head[::2].count(0), head[1::2].count(0)
        if min(even, odd) > max(even, odd) // 8 or max(even, odd) < len(head) // 8:
            return False  # not the pattern of UTF-16 that holds markup
        head = head.replace(b"\x00", b"")
    control = sum(1 for byte in head if byte < 32 and byte not in b"\t\n\r\f\x1b")
    return control <= len(head) // 50
