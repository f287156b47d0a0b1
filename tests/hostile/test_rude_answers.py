"""Answers of a model server that are built wrongly: a ModelError or a good answer, never anything else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from flare_core.errors import ModelError
from flare_core.events import EVENT, Capabilities, SentenceDrafted
from flare_core.lm.openai_chat import OpenAIChat
from flare_core.ports import Never, Piece, Prompt
from tests.hostile.rude import Said, chunk, rude, said, tok, whole

KNOWN = Capabilities(logprobs=True, top_logprobs=5, streaming=True, continues=True, context=4096)
HI = " Hi there."

WRONG = {
    "content_is_a_number": [chunk(5)],
    "content_is_a_list": [chunk([{"type": "text", "text": "hi"}])],
    "content_is_true": [chunk(True)],
    "token_is_a_number": [chunk(HI, [tok(7)])],
    "bytes_out_of_range": [chunk(HI, [tok(HI, bytes=[300, -4])])],
    "bytes_are_text": [chunk(HI, [tok(HI, bytes="abc")])],
    "bytes_are_a_huge_number": [chunk(HI, [tok(HI, bytes=9_000_000_000)])],
    "logprob_of_5000_digits": [
        b'data: {"choices": [{"delta": {"content": " Hi."}, "logprobs": {"content": [{"token": " Hi.", "logprob": -'
        + b"9" * 5000
        + b"}]}}]}\n\n"
    ],
    "nested_too_deeply": [b"data: " + b"[" * 100_000 + b"]" * 100_000 + b"\n\n"],
    "a_list": [b"data: [1, 2]\n\n"],
    "a_number": [b"data: 5\n\n"],
    "choices_are_a_mapping": [{"choices": {"a": 1}}],
    "delta_is_text": [{"choices": [{"delta": "abc"}]}],
    "50_000_000_characters_at_once": [chunk("word " * 10_000_000)],
    "a_million_characters_at_once": [chunk("word " * 200_000)],
    "200_000_tokens_at_once": [chunk(HI, [tok("")] * 200_000)],
}


def ask(url: str) -> list[Piece]:
    model = OpenAIChat(url, "m", capabilities=KNOWN, retries=0)
    completion = model.stream(Prompt("", "x"), max_tokens=64, cancel=Never())
    try:
        return list(completion)
    finally:
        completion.close()
        model.close()


@pytest.mark.parametrize("name", WRONG)
def test_wrongly_built_answer_is_a_model_error(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    with rude(lambda: itertools.chain(said("Once upon a"), WRONG[name])) as url, pytest.raises(ModelError) as caught:
        ask(url)
    assert "does not answer like" in str(caught.value) or "much more than" in str(caught.value)
    assert not capfd.readouterr().err


@pytest.mark.parametrize(
    "usage",
    [
        "lots",
        {"prompt_tokens": "many", "completion_tokens": 1.5},
        {"prompt_tokens": [1], "completion_tokens": None},
        {"prompt_tokens": -7, "completion_tokens": 10**30},
        {"prompt_tokens": float("nan"), "completion_tokens": float("inf")},
        {"prompt_tokens": True, "prompt_tokens_details": "none"},
    ],
)
def test_usage_that_is_no_number_is_unknown(usage: Any) -> None:
    model_said = itertools.chain(said("All is well."), [chunk("", finish="stop"), {"choices": [], "usage": usage}])
    with rude(lambda: model_said) as url:
        model = OpenAIChat(url, "m", capabilities=KNOWN, retries=0)
        completion = model.stream(Prompt("", "x"), max_tokens=64, cancel=Never())
        assert "".join(piece.text for piece in completion) == " All is well."
        model.close()
    assert completion.usage.prompt_tokens is None
    assert completion.usage.generated_tokens == 3


@pytest.mark.parametrize("token", [" Marie \ud800 was", "\udfff", " 😀\ud83d"])
def test_lone_surrogates_become_replacement_characters(token: str) -> None:
    with rude(lambda: iter([chunk(token, [tok(token)]), chunk("", finish="stop")])) as url:
        (piece,) = ask(url)
    assert piece.text == token.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert "".join(t.text for t in piece.tokens) == piece.text
    event = SentenceDrafted(sentence=1, text=piece.text, tokens=piece.tokens, aligned=True, passages=())
    assert EVENT.validate_json(event.model_dump_json()) == event


def test_alternatives_beyond_what_was_asked_for_are_left_out() -> None:
    many = [tok("a")] * 100_000
    with rude(lambda: iter([chunk(HI, [tok(HI, top_logprobs=many)]), chunk("", finish="stop")])) as url:
        (piece,) = ask(url)
    assert len(piece.tokens[0].top) <= 20


def test_broken_chunk_behind_the_end_does_not_break_the_close() -> None:
    with rude(lambda: itertools.chain(whole(), [{"choices": 5}, {"choices": [{"delta": 5}]}])) as url:
        model = OpenAIChat(url, "m", capabilities=KNOWN, retries=0)
        completion = model.stream(Prompt("", "x"), max_tokens=64, cancel=Never())
        pieces = iter(completion)
        next(pieces)
        completion.close()
        model.close()


def endless(part: dict[str, Any] | bytes) -> Iterator[dict[str, Any] | bytes]:
    return itertools.repeat(part)


ENDLESS: dict[str, dict[str, Any] | bytes] = {
    "white_space": chunk("   \n", [tok("   \n")]),
    "nothing": chunk("", []),
    "tokens_without_text": chunk("", [tok("x")]),
    "thoughts": {"choices": [{"delta": {"reasoning_content": "hmm "}}]},
    "one_line": b"a" * 65536,
    "comments": b": still here" * 1000,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_answer_without_end_is_ended(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    opening: Said = [b'data: {"choices": [{"delta": {"content": "'] if name == "one_line" else []
    with rude(lambda: itertools.chain(opening, endless(ENDLESS[name]))) as url, pytest.raises(ModelError) as caught:
        ask(url)
    assert "much more than it was asked for" in str(caught.value)
    assert not capfd.readouterr().err


def test_compressed_answer_is_not_unpacked_without_bounds() -> None:
    import zlib

    def bomb() -> Iterator[bytes]:
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        for _ in range(20_000):
            yield packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)

    with rude(bomb, headers={"Content-Encoding": "gzip"}) as url, pytest.raises(ModelError):
        ask(url)


def test_redirect_is_not_followed_with_the_prompt() -> None:
    reached: list[str] = []

    def other() -> Said:
        reached.append("the prompt")
        return whole()

    with (
        rude(other) as elsewhere,
        rude(redirect=f"{elsewhere}/chat/completions") as url,
        pytest.raises(ModelError, match="elsewhere"),
    ):
        ask(url)
    assert not reached
