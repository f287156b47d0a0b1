"""The report as Markdown: citations before the full stop, sources by number, and how it was written."""

from __future__ import annotations

import re
import time
from urllib.parse import quote

from flare_core.events import SentenceAccepted, Status
from flare_core.report.citations import CitedSource, cited_numbers, numbered, sources
from flare_core.report.fold import ReportState
from flare_core.text.printable import printable

_SPECIAL = re.compile(r"[\\`*_\[\]<>|~$]|&(?=#?\w+;)|(?<=:)/(?=/)|(?<=\bwww)\.|@(?=\w)|(?:(?<=\s)|^)#(?=#*$)")
"""What has a meaning anywhere: marks, entities, addresses that GitHub links by itself, a heading's closing marks."""
_AT_START = re.compile(r"#{1,6}(?=\s|$)|[-+](?=\s|$)|={3,}|-{3,}")
_NUMBER = re.compile(r"(\d+)([.)](?:\s|$))")
_STOPS = ".!?…。！？؟।"
_CLOSERS = "\"'”’»」』)]）】》〉"
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\s<>\\`|\u202d\u202e\ud800-\udfff]")


def render(state: ReportState) -> str:
    """The whole report. Text from the model and from pages is escaped: nothing in it is read as markup."""
    title = escape(state.started.spec.topic) if state.started else "Report"
    numbers = numbered(state)
    body = "".join(_gap(sentence, first=index == 0) + _sentence(sentence, state, numbers)
                   for index, sentence in enumerate(state.accepted))  # fmt: skip
    parts = [f"# {title}", body or "*Nothing was written.*", *_sources(sources(state)), _colophon(state)]
    return "\n\n".join(part for part in parts if part) + "\n"


def escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    text = _SPECIAL.sub(r"\\\g<0>", " ".join(printable(text).split()))
    if _AT_START.match(text):
        return f"\\{text}"
    return _NUMBER.sub(r"\1\\\2", text, count=1) if _NUMBER.match(text) else text


def plain_text(state: ReportState) -> str:
    """The report without any markup."""
    return printable(state.text) + "\n"


def _gap(sentence: SentenceAccepted, *, first: bool) -> str:
    if first or not sentence.before:
        return ""
    return "\n\n" if "\n" in sentence.before else " "


def _sentence(sentence: SentenceAccepted, state: ReportState, numbers: dict[str, int]) -> str:
    cited = " ".join(f"[{number}]" for number in cited_numbers(sentence, state, numbers))
    if not cited:
        return escape(sentence.text)
    place = _full_stop(sentence.text)
    return f"{escape(sentence.text[:place])} {cited}{escape(sentence.text[place:])}".lstrip()


def _full_stop(text: str) -> int:
    """Where the full stop at the end begins, closing marks behind it counted in; the end of a text without one."""
    unclosed = text.rstrip(_CLOSERS)
    said = unclosed.rstrip(_STOPS)
    return len(text) if said == unclosed else len(said)


def _sources(listed: list[CitedSource]) -> list[str]:
    cited = [source for source in listed if source.number is not None]
    unused = [source for source in listed if source.number is None]
    parts = []
    if cited:
        lines = [f"{source.number}. {_described(source)}" for source in cited]
        links = [f"[{s.number}]: <{address}>" for s in cited if (address := _address(s.passage.url))]
        parts += ["## Sources", "\n".join(lines), *(["\n".join(links)] if links else [])]
    if unused:
        parts += ["### Read, not cited", "\n".join(f"- {_described(source)}" for source in unused)]
    return parts


def _described(source: CitedSource) -> str:
    p = source.passage
    name = escape(p.title) or escape(p.host)
    address = _address(p.url)
    details = [escape(p.host), escape(p.date or ""), _read_on(p.retrieved_at), escape(p.licence or "")]
    return f"{f'[{name}](<{address}>)' if address else name} — {', '.join(detail for detail in details if detail)}"


def _read_on(at: float) -> str:
    try:
        return time.strftime("read %Y-%m-%d", time.gmtime(at))
    except (ValueError, OverflowError, OSError):
        return ""


def _address(url: str) -> str:
    """An address that cannot leave its angle brackets; empty where it is no web page, which is not linked."""
    if not url.startswith(("http://", "https://")):
        return ""
    return re.sub(r"&(?=#?\w+;)", "&amp;", _UNSAFE.sub(lambda m: quote(m.group(), errors="replace"), url))


def _colophon(state: ReportState) -> str:
    """Who wrote it, how much of it stands on sources, and whether it is whole."""
    if state.started is None:
        return ""
    accepted = state.accepted
    numbers = numbered(state)
    backed = sum(1 for sentence in accepted if cited_numbers(sentence, state, numbers))
    lines = [
        f"*Written by Flare with the model {escape(state.started.model.name)}. "
        f"For {backed} of {len(accepted)} sentences the words stand in a cited passage, which does not prove them; "
        "what has no citation comes from the model's memory or goes beyond what was found. Check before relying on it.*"
    ]
    if state.ended is None or state.ended.status != Status.COMPLETE:
        why = state.ended.message if state.ended else "The run has no end."
        lines.append(f"*{f'The report is not complete. {escape(why)}'.strip()}*")
    lines += [f"*{credit}*" for credit in map(escape, state.started.attributions) if credit]
    return "---\n\n" + "\n\n".join(lines)
