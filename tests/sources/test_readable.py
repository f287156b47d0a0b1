"""Bytes to text, in this process."""

from __future__ import annotations

import pytest

from flare_core.events import PageOutcome
from flare_core.sources.contracts import Extracted, Kind
from flare_core.sources.readable import clean, read
from flare_core.sources.sniff import sniff
from flare_core.sources.verdicts import judge
from tests.local_site.page import article_html
from tests.local_site.pdf import make_pdf

TEXT = [
    "The Veldmark Observatory stands on the Hollen ridge and was built by the engineer Ilse Brandvoll before the war.",
    "Its main instrument is a telescope whose mirror of two metres was ground by hand during four long winters.",
    "Visitors may climb the ridge on foot, or take the cog railway, which runs from May until the end of October.",
]


def html(markup: str | bytes, charset: str | None = None) -> Extracted:
    raw = markup.encode() if isinstance(markup, str) else markup
    return read(raw, kind="html", url="http://a.example/x", charset=charset)


def test_article_title_and_date_come_without_menus() -> None:
    found = html(article_html("The observatory", TEXT, date="2019-03-14"))
    assert (found.outcome, found.title, found.date) == (PageOutcome.READ, "The observatory", "2019-03-14")
    assert found.extractor == "trafilatura (precision)"
    assert all(paragraph in found.text for paragraph in TEXT)
    assert "Imprint" not in found.text
    assert "Most read" not in found.text


def test_a_page_without_article_markup_falls_back_and_says_how() -> None:
    found = html(f"<html><body><table><tr><td>{TEXT[0]}</td></tr></table></body></html>")
    assert found.outcome is PageOutcome.READ
    assert TEXT[0] in found.text
    assert found.extractor


def test_a_fragment_is_a_page_too() -> None:
    assert html(f"<article><p>{TEXT[0]}</p></article>").text == TEXT[0]


def test_a_long_article_about_cookies_and_404_is_an_article() -> None:
    text = [*TEXT, *TEXT, "We and our partners use cookies; error 404 means that a page was not found. " * 4]
    assert html(article_html("Page not found: a history of error 404", text)).outcome is PageOutcome.READ


@pytest.mark.parametrize(
    ("title", "text", "outcome"),
    [
        ("404", "Nothing here.", PageOutcome.ERROR_PAGE),
        ("Seite nicht gefunden", "Leider gibt es diese Seite nicht mehr.", PageOutcome.ERROR_PAGE),
        ("Erreur", "Page introuvable. Retour à l'accueil.", PageOutcome.ERROR_PAGE),
        ("Страница не найдена", "Вернуться на главную", PageOutcome.ERROR_PAGE),
        ("エラー", "お探しのページが見つかりません。", PageOutcome.ERROR_PAGE),
        ("提示", "找不到该页面", PageOutcome.ERROR_PAGE),
        ("App", "Please enable JavaScript to continue.", PageOutcome.NEEDS_JAVASCRIPT),
        ("App", "JavaScript is required to use this site.", PageOutcome.NEEDS_JAVASCRIPT),
        ("Just a moment...", "Checking your browser before accessing", PageOutcome.BLOCKED),
        ("News", "Subscribe to continue reading this story.", PageOutcome.BLOCKED),
        ("Welcome", "We use cookies to improve this site. Accept all or manage preferences.", PageOutcome.NO_TEXT),
        ("Map", "Zoom in", PageOutcome.NO_TEXT),
        ("短い", "東京大学は東京都文京区に本部を置く国立大学で、1877年に設立された。", PageOutcome.READ),
        ("A fact", "The deepest shaft of the mine, Long Anna, reaches 1,004 metres below ground.", PageOutcome.READ),
    ],
)
def test_pages_that_are_something_else(title: str, text: str, outcome: PageOutcome) -> None:
    got, why = judge(title, text)
    assert got is outcome
    assert bool(why) == (outcome is not PageOutcome.READ)


def test_text_that_shows_nothing_is_dropped() -> None:
    hidden = "Seen\U000e0049\U000e0067\u202e \u200bhere\u00ad\x07.\ufeff"
    assert clean(hidden) == "Seen here."
    assert clean("a\u200db \u0645\u06cc\u200c\u062e") == "a\u200db \u0645\u06cc\u200c\u062e"  # joiners carry meaning


def test_a_pdf_gives_text_title_and_date() -> None:
    found = read(make_pdf(["The pier was sur-", "veyed by (Jon) Ask " * 4], "Microsoft Word - Pier"), kind="pdf",
                 url="http://a.example/p.pdf", charset=None)  # fmt: skip
    assert "The pier was surveyed by (Jon) Ask" in found.text
    assert (found.title, found.date, found.extractor) == ("Pier", "2017-05-21", "pdfium")


@pytest.mark.parametrize("charset", ["windows-1251", "WINDOWS-1251", "cp1251"])
def test_the_header_tells_the_encoding_of_a_page_that_does_not(charset: str) -> None:
    body = "<html><head><title>Т</title></head><body><p>Шахта закрыта. " + "Её глубина тысяча метров. " * 4
    found = html(body.encode("cp1251"), charset)
    assert "Шахта закрыта" in found.text


@pytest.mark.parametrize(
    ("head", "declared", "kind", "media_type"),
    [
        (b"<!DOCTYPE html><html>", None, "html", "text/html"),
        (b"<!DOCTYPE html><html>", "text/plain", "html", "text/html"),
        (b"\n\n <HTML>", "application/octet-stream", "html", "text/html"),
        (b"<p>hello", "text/html", "html", "text/html"),
        (b"<div>hello", None, "html", "text/html"),
        ("<html>".encode("utf-16"), None, "html", "text/html"),
        ("<html><body>".encode("utf-16-be"), None, "html", "text/html"),
        (b"%PDF-1.7", "text/html", "pdf", "application/pdf"),
        (b"junk before\n%PDF-1.7", None, "pdf", "application/pdf"),
        (b"plain words", "text/plain", "text", "text/plain"),
        (b"# Heading", "text/markdown", "text", "text/markdown"),
        (b"plain words", None, "text", "text/plain"),
        ("日本語".encode("iso-2022-jp") * 20, "text/plain", "text", "text/plain"),
        (b"{}", "application/json", None, "application/json"),
        (b"<?xml version='1.0'?><feed>", "application/atom+xml", None, "application/atom+xml"),
        (b"\x89PNG\r\n", "text/html", None, "image/png"),
        (b"PK\x03\x04", None, None, "application/zip"),
        (b"\x00\x00\x00 ftypisom", None, None, "video/mp4"),
        (bytes(range(256)), "text/html", None, "application/octet-stream"),
        (b"MZ was the hero of the story", "text/plain", "text", "text/plain"),
    ],
)
def test_pages_are_what_their_bytes_say(head: bytes, declared: str | None, kind: Kind | None, media_type: str) -> None:
    assert sniff(head, declared) == (kind, media_type)
