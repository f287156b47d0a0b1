"""Pages that are answers of another kind: errors, empty shells, dialogues. Simple rules, in plain sight.

They look at little text only: a long article that mentions cookies, or the number 404, is an article.
"""

from __future__ import annotations

import re

from flare_core.events import PageOutcome

SHORT = 700
"""Characters (CJK count threefold) up to which a page may be something else than an article."""

LEAST = 60
"""Characters (CJK count threefold) that are worth a passage."""

_NOT_FOUND = re.compile(
    r"\b(?:error )?404\b|(?:page|file|article|document|requested url)[^.\n]{0,40}(?:not|n't|no longer)[^.\n]{0,20}"
    r"(?:found|exist|available)|not found\b|internal server error|service unavailable|bad gateway"
    r"|seite (?:wurde )?(?:leider )?nicht gefunden|page (?:introuvable|non trouvée)|página no (?:encontrada|existe)"
    r"|pagina non trovata|página não encontrada|pagina niet gevonden|страница не найдена"
    r"|ページが見つかりません|页面不存在|找不到(?:该|此)?页面|頁面不存在|페이지를 찾을 수 없",
    re.IGNORECASE,
)
_SCRIPT_NEEDED = re.compile(
    r"(?:enable|activate|requires?|turn on|need)[^.\n]{0,30}java\s?script|java\s?script[^.\n]{0,40}(?:enabled?|disabled"
    r"|required|aktivier|activ|habilit)|bitte[^.\n]{0,20}javascript|включите javascript|javascriptを有効",
    re.IGNORECASE,
)
_CHALLENGE = re.compile(
    r"just a moment\b|attention required|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|captcha"
    r"|unusual traffic|access (?:to this page )?(?:has been )?denied|checking your browser",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"before you continue|(?:we|our partners|site|wir|nous)\b[^.\n]{0,60}cookies|cookies?[^.\n]{0,60}(?:consent|accept"
    r"|agree|zustimm|accept|préférences)|accept all|alle akzeptieren|tout accepter|manage (?:options|preferences)",
    re.IGNORECASE,
)
_PAYWALL = re.compile(
    r"subscribe (?:now )?to (?:continue|read)|(?:log|sign) in to (?:continue|read)|for subscribers only"
    r"|nur für abonnenten|réservé aux abonnés",
    re.IGNORECASE,
)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EMPTY_ROOT = re.compile(rb"""<div[^>]+id=["']?(?:root|app|__next|__nuxt)\b[^>]*>\s*</div>""", re.IGNORECASE)


def weight(text: str) -> int:
    """Length in Latin-script characters: a CJK character says about as much as three."""
    return len(text) + 2 * len(_WIDE.findall(text))


def judge(title: str | None, text: str, markup: bytes = b"") -> tuple[PageOutcome, str]:
    """READ, or what a page with this little text is. `text` is everything the page shows."""
    heavy = weight(text)
    if heavy <= SHORT:
        shown = f"{title or ''}\n{text}"
        if _CHALLENGE.search(shown):
            return PageOutcome.BLOCKED, "the site asks to prove that a person is visiting"
        if _SCRIPT_NEEDED.search(shown) or (heavy < LEAST and _EMPTY_ROOT.search(markup)):
            return PageOutcome.NEEDS_JAVASCRIPT, "the page is built by JavaScript, which is not run"
        if _NOT_FOUND.search(f"{title or ''}\n{text[:300]}"):
            return PageOutcome.ERROR_PAGE, "an error page, though its status says that all is well"
        if _PAYWALL.search(shown):
            return PageOutcome.BLOCKED, "the page is behind a login or a subscription"
        if len(_CONSENT.findall(shown)) >= 2:
            return PageOutcome.NO_TEXT, "the page shows only a consent dialogue"
    if heavy < LEAST:
        return PageOutcome.NO_TEXT, "the page holds hardly any text"
    return PageOutcome.READ, ""
