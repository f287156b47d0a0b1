"""The bytes that a fake server sends for an answer."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from tests.fake_lm.script import Call, Entry, Quirks, Reply, Tok

Chunk = dict[str, Any]


def limited(tokens: Iterable[Tok], call: Call) -> tuple[Iterator[Entry], list[str]]:
    """The tokens up to `max_tokens`; the reason for ending is appended to the list when they have run out."""
    reason: list[str] = []

    def run() -> Iterator[Entry]:
        count = 0
        for tok in islice(tokens, call.max_tokens):
            count += 1
            yield Entry.of(tok)
        reason.append("length" if count == call.max_tokens else "stop")

    return run(), reason


def deltas(call: Call, reply: Reply | Iterable[Tok], quirks: Quirks) -> Iterator[Chunk | None]:
    """The chunks of an answer. None stands for "nothing comes any more"; an early end for a broken connection."""
    told = reply if isinstance(reply, Reply) else None
    entries, reason = limited(reply.tokens if isinstance(reply, Reply) else reply, call)
    stops = [call.body["stop"]] if isinstance(call.body.get("stop"), str) else list(call.body.get("stop") or ())
    decoder, sent, text = codecs.getincrementaldecoder("utf-8")("replace"), 0, ""
    yield from opening(call, quirks)
    group: list[Entry] = []
    pending = ""

    def flush(final: bool = False) -> Iterator[Chunk]:
        nonlocal group, pending
        if group or pending:
            yield chunk(call, quirks, pending, group, sent)
        group, pending = [], ""

    if quirks.stall_after == 0:
        yield None
    for entry in entries:
        sent += 1
        piece = decoder.decode(entry.data)
        hit = min((at for stop in stops if (at := (text + piece).find(stop)) >= 0), default=-1)
        if hit >= 0:
            pending += (text + piece)[len(text) : hit]
            if quirks.stop_in_tokens or pending:
                group.append(entry)
            reason.append("stop")
            break
        text, pending = text + piece, pending + piece
        group.append(entry)
        if len(group) >= quirks.per_chunk:
            yield from flush()
        if quirks.odd is not None:
            yield {"choices": quirks.odd}
            return
        if quirks.error_in_stream:
            yield {"error": {"message": quirks.error_in_stream, "code": 500, "type": "server_error"}}
            return
        if sent == quirks.stall_after:
            yield None
        if sent == quirks.cut_after:
            return
    yield from flush()
    yield ending(call, quirks, (told.finish if told else "") or (reason or ["stop"])[0])
    if quirks.streams and (call.body.get("stream_options") or {}).get("include_usage"):
        yield {"choices": [], **counts(call, quirks, sent)}


def opening(call: Call, quirks: Quirks) -> Iterator[Chunk]:
    first: Chunk = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}]}
    if quirks.llama and call.body.get("return_progress"):
        size, cached = prompt_size(call), quirks.cached or 0
        for done in (cached, size):
            yield {**first, "prompt_progress": {"total": size, "cache": cached, "processed": done, "time_ms": 0}}
    else:
        yield first


def chunk(call: Call, quirks: Quirks, text: str, entries: Sequence[Entry], sent: int) -> Chunk:
    choice: Chunk = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    choice |= logprobs(call, quirks, entries)
    out: Chunk = {"choices": [choice]}
    if quirks.llama and call.body.get("timings_per_token"):
        out["timings"] = timings(call, quirks, sent)
    return out


def logprobs(call: Call, quirks: Quirks, entries: Sequence[Entry]) -> Chunk:
    if not call.body.get("logprobs") or quirks.logprobs == "missing":
        return {}
    if quirks.logprobs == "null":
        return {"logprobs": None}
    if quirks.logprobs == "empty":
        return {"logprobs": {"content": []}}
    top = int(call.body.get("top_logprobs") or 0)
    content = [entry.json(quirks, top) for entry in entries]
    if quirks.logprobs == "legacy":
        values = [one["logprob"] for one in content]
        ranks = [{other["token"]: other["logprob"] for other in one["top_logprobs"]} for one in content]
        names = [one["token"] for one in content]
        return {"logprobs": {"content": None, "tokens": names, "token_logprobs": values, "top_logprobs": ranks}}
    return {"logprobs": {"content": content, "refusal": None}}


def ending(call: Call, quirks: Quirks, reason: str) -> Chunk:
    choice: Chunk = {"index": 0, "delta": {}, "finish_reason": None if quirks.no_finish else reason, "logprobs": None}
    if quirks.end_token and call.body.get("logprobs"):
        choice["logprobs"] = {"content": [{"token": "", "bytes": [], "logprob": -9999.0, "top_logprobs": []}]}
    return {"choices": [choice]}


def prompt_size(call: Call) -> int:
    """Words of the prompt stand for its tokens."""
    return sum(len(str(message["content"]).split()) for message in call.body["messages"])


def counts(call: Call, quirks: Quirks, sent: int) -> Chunk:
    usage: Chunk = {"prompt_tokens": prompt_size(call), "completion_tokens": sent}
    usage["total_tokens"] = usage["prompt_tokens"] + sent
    if quirks.cached is not None:
        usage["prompt_tokens_details"] = {"cached_tokens": quirks.cached}
    return {"usage": usage} | ({"timings": timings(call, quirks, sent)} if quirks.llama else {})


def timings(call: Call, quirks: Quirks, sent: int) -> Chunk:
    cached = quirks.cached or 0
    return {"cache_n": cached, "prompt_n": prompt_size(call) - cached, "predicted_n": sent}


def whole(chunks: Iterable[Chunk | None], call: Call, quirks: Quirks) -> Chunk:
    """The same answer in one piece, for servers that do not stream."""
    text, content, finish, sent = "", [], None, 0
    for part in chunks:
        for choice in (part or {}).get("choices", ()):
            text += choice["delta"].get("content") or ""
            content += (choice.get("logprobs") or {}).get("content") or []
            finish = choice["finish_reason"] or finish
            sent += 1
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    choice["logprobs"] = {"content": content} if content else None
    return {"object": "chat.completion", "choices": [choice], **counts(call, quirks, sent)}


def event(part: Mapping[str, Any]) -> bytes:
    """One server-sent event."""
    base = {"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": 0, "model": "fake-model"}
    return b"data: " + json.dumps({**base, **part}, allow_nan=True).encode() + b"\n\n"
