"""The report as Markdown: citations before the full stop, sources by number, and how it was written."""

from __future__ import annotations

import re
import time

from flare_core.events import SentenceAccepted, Status
from flare_core.report.citations import CitedSource, cited_numbers, numbered, sources
from flare_core.report.fold import ReportState

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$])")
_AT_START = re.compile(r"^(\s*)(#{1,6}(?=\s)|[-+>](?=\s)|\d+(?=[.)]\s)|={3,}|-{3,})", re.M)
_END = re.compile(r"[.!?…。！？؟।]+[\"'”’»」』)\]]*$|[.!?…。！？؟।]*$")


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
    text = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _AT_START.sub(lambda m: f"{m.group(1)}\\{m.group(2)}" if not m.group(2).isdigit() else
                         f"{m.group(1)}{m.group(2)}\\", text)  # fmt: skip


def plain_text(state: ReportState) -> str:
    """The report without any markup."""
    return state.text + "\n"


def _gap(sentence: SentenceAccepted, *, first: bool) -> str:
    if first or not sentence.before:
        return ""
    return "\n\n" if "\n" in sentence.before else " "


def _sentence(sentence: SentenceAccepted, state: ReportState, numbers: dict[str, int]) -> str:
    cited = " ".join(f"[{number}]" for number in cited_numbers(sentence, state, numbers))
    if not cited:
        return escape(sentence.text)
    end = _END.search(sentence.text)
    place = end.start() if end else len(sentence.text)
    return f"{escape(sentence.text[:place])} {cited}{escape(sentence.text[place:])}"


def _sources(listed: list[CitedSource]) -> list[str]:
    cited = [source for source in listed if source.number is not None]
    unused = [source for source in listed if source.number is None]
    parts = []
    if cited:
        lines = [f"{source.number}. {_described(source)}" for source in cited]
        links = [f"[{s.number}]: <{_address(s.passage.url)}>" for s in cited]
        parts += ["## Sources", "\n".join(lines), "\n".join(links)]
    if unused:
        parts += ["### Read, not cited", "\n".join(f"- {_described(source)}" for source in unused)]
    return parts


def _described(source: CitedSource) -> str:
    p = source.passage
    read = time.strftime("%Y-%m-%d", time.gmtime(p.retrieved_at))
    details = [
        escape(p.host),
        *([escape(p.date)] if p.date else []),
        f"read {read}",
        *([p.licence] if p.licence else []),
    ]
    return f"[{escape(p.title)}](<{_address(p.url)}>) — {', '.join(details)}"


def _address(url: str) -> str:
    """An address that cannot leave its angle brackets; anything but http and https is not linked."""
    return re.sub(r"[<>\s\\]", "", url) if url.startswith(("http://", "https://")) else "about:blank"


def _colophon(state: ReportState) -> str:
    """Who wrote it, how much of it stands on sources, and whether it is whole."""
    if state.started is None:
        return ""
    accepted = state.accepted
    backed = sum(1 for sentence in accepted if sentence.evidence)
    lines = [
        f"*Written by Flare with the model {escape(state.started.model.name)}. "
        f"{backed} of {len(accepted)} sentences are backed by a cited passage, compared by words alone; the others "
        "come from the model's memory or go beyond what was found. Check before you rely on it.*"
    ]
    if state.ended is None or state.ended.status != Status.COMPLETE:
        why = state.ended.message if state.ended else "The run has no end."
        lines.append(f"*The report is not complete. {escape(why)}*")
    lines += [f"*{escape(credit)}*" for credit in state.started.attributions]
    return "---\n\n" + "\n\n".join(lines)
