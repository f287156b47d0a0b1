"""Bytes to text. Runs in a process that may be killed (`extract_worker.py`): what is parsed here is hostile."""

from __future__ import annotations

import io
import re
from typing import Any

from flare_core.events import PageOutcome
from flare_core.sources.contracts import Extracted, Kind
from flare_core.sources.verdicts import LEAST, judge, weight

ENOUGH = 300
"""Characters (CJK count threefold) at which an extraction is taken without trying the next."""
MOST_CHARS = 300_000
MOST_PDF_PAGES = 200

_META_CHARSET = re.compile(rb"<meta[^>]+charset|<\?xml[^>]+encoding", re.IGNORECASE)
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060-\u2064\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""Characters that show nothing: controls, direction overrides, and tags that smuggle text past a reader."""
_PDF_DATE = re.compile(r"D?:?(\d{4})(\d{2})?(\d{2})?")


def read(content: bytes, *, kind: Kind, url: str, charset: str | None) -> Extracted:
    """Text, title and date of one page, or why it has none. `charset` is what the HTTP header declares."""
    if kind == "pdf":
        found = _read_pdf(content)
    elif kind == "text":
        found = Extracted(PageOutcome.READ, _decoded(content, charset), extractor="plain text")
    else:
        found = _read_html(_whole(_recoded(content, charset)), url)
    if found.outcome is not PageOutcome.READ:
        return found
    text, detail = clean(found.text), found.detail
    outcome, why = judge(found.title, text, content if kind == "html" else b"")
    if len(text) > MOST_CHARS:
        text, detail = text[:MOST_CHARS], f"only the first {MOST_CHARS} characters were used"
    title = " ".join(clean(found.title or "").split())[:300] or None
    return Extracted(outcome, text, title, found.date, found.extractor, why or detail)


def clean(text: str) -> str:
    """The text without what shows nothing, and without white space at the ends of its lines."""
    lines = (" ".join(line.split()) for line in _UNSEEN.sub("", text).replace("\r\n", "\n").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _read_html(markup: bytes, url: str) -> Extracted:
    """trafilatura with precision; where that leaves little, with recall; then all text of the page.

    The settings are those measured best in the article extraction benchmark: F1 .964 with precision.
    """
    import trafilatura

    best = Extracted(PageOutcome.READ)
    for mode in ("precision", "recall"):
        document: Any = trafilatura.bare_extraction(
            markup,
            url=url,
            with_metadata=True,
            include_comments=False,
            include_tables=True,
            favor_precision=mode == "precision",
            favor_recall=mode == "recall",
            fast=True,
        )
        text = (document.text or "") if document is not None else ""
        if weight(text) > weight(best.text) or best.extractor is None:
            title = document.title if document is not None else best.title
            date = document.date if document is not None else best.date
            best = Extracted(PageOutcome.READ, text, title, date, f"trafilatura ({mode})")
        if weight(best.text) >= ENOUGH:
            return best
    if weight(best.text) >= 2 * LEAST:
        return best  # a short article beats the menus around it
    everything = trafilatura.html2txt(markup) or ""
    if weight(everything) > weight(best.text):
        return Extracted(PageOutcome.READ, everything, best.title, best.date, "trafilatura (all text)")
    return best


def _read_pdf(content: bytes) -> Extracted:
    """PDFium. Lines of a page are joined: a PDF knows no paragraphs."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(io.BytesIO(content))
    except pypdfium2.PdfiumError as error:
        return Extracted(PageOutcome.NOT_TEXT, extractor="pdfium", detail=f"the PDF cannot be opened ({error})")
    count = len(document)
    parts = []
    for number in range(min(count, MOST_PDF_PAGES)):
        lines = document[number].get_textpage().get_text_bounded()
        joined = re.sub(r"(?:[\x02\ufffe]|(?<=[a-z])-)[\r\n]+(?=[a-z])", "", lines)
        parts.append(" ".join(joined.split()))
    text = "\n\n".join(part for part in parts if part)
    meta = document.get_metadata_dict()
    title = re.sub(r"^Microsoft \w+ - ", "", meta.get("Title") or "") or None
    date = _PDF_DATE.match(meta.get("CreationDate") or "")
    stated = "-".join(part for part in date.groups() if part) if date else None
    if not text:
        detail = "the PDF holds pictures, no text"
        return Extracted(PageOutcome.NO_TEXT, title=title, date=stated, extractor="pdfium", detail=detail)
    detail = f"only the first {MOST_PDF_PAGES} of {count} pages were read" if count > MOST_PDF_PAGES else ""
    return Extracted(PageOutcome.READ, text, title, stated, "pdfium", detail)


def _recoded(content: bytes, charset: str | None) -> bytes:
    """HTML whose character set only the HTTP header tells, as UTF-8; all else as it is.

    trafilatura guesses from the bytes and the page's own declaration; it never sees the header.
    """
    if charset is None or content.startswith(tuple(bom for bom, _ in _BOMS)):
        return content
    if _valid(content, "utf-8") is not None or _META_CHARSET.search(content[:4096]):
        return content
    text = _valid(content, charset)
    return content if text is None else text.encode("utf-8")


def _whole(markup: bytes) -> bytes:
    """A fragment as a page: trafilatura finds nothing in some fragments."""
    if b"<html" in markup[:4096].replace(b"\x00", b"").lower() or b"\x00" in markup[:64]:
        return markup
    return b"<html><body>" + markup + b"</body></html>"


def _decoded(content: bytes, charset: str | None) -> str:
    """Plain text: byte order mark, then valid UTF-8, then the header, then a guess."""
    for bom, name in _BOMS:
        if content.startswith(bom):
            return content.decode(name, errors="replace")
    for candidate in ("utf-8", charset):
        text = _valid(content, candidate) if candidate else None
        if text is not None and "\x00" not in text:
            return text
    from charset_normalizer import from_bytes

    guess = from_bytes(content).best()
    return content.decode("utf-8", errors="replace") if guess is None else str(guess)


def _valid(content: bytes, charset: str) -> str | None:
    try:
        return content.decode("cp1252" if charset.lower() in ("iso-8859-1", "latin-1", "ascii") else charset)
    except (UnicodeDecodeError, LookupError):
        return None
