"""The checklist of server habits, one test each."""

from __future__ import annotations

import math
from typing import Any

import pytest

from flare_core.events import Token
from flare_core.lm.align import Aligner
from flare_core.lm.normalise import Delta, normalise, read, real


def chunk(content: str | None = None, logprobs: Any = "absent", **delta: Any) -> dict[str, Any]:
    choice: dict[str, Any] = {"index": 0, "delta": {"content": content, **delta}, "finish_reason": None}
    if logprobs != "absent":
        choice["logprobs"] = logprobs
    return {"choices": [choice]}


def entry(token: str, logprob: float | None = -0.5, data: list[int] | None = None, top: Any = ()) -> dict[str, Any]:
    return {"token": token, "logprob": logprob, "bytes": data, "top_logprobs": top}


def aligned(*deltas: Delta) -> list[tuple[str, tuple[Token, ...]]]:
    aligner = Aligner()
    pieces = [aligner.feed(delta) for delta in deltas]
    return [(piece.text, piece.tokens) for piece in pieces if piece is not None]


@pytest.mark.parametrize(
    "logprobs", ["absent", None, {}, {"content": []}, {"content": None}, {"content": [], "refusal": None}, True]
)
def test_text_without_logprobs_is_a_token_of_unknown_probability(logprobs: Any) -> None:
    piece = normalise(chunk("Paris", logprobs))
    assert piece.text == "Paris"
    assert piece.tokens == (Token("Paris", None),)


@pytest.mark.parametrize(
    "empty",
    [{"choices": []}, {}, {"choices": [{"delta": None}]}, chunk(None), chunk(""), {"usage": {"prompt_tokens": 3}}],
)
def test_chunk_without_text_adds_nothing(empty: dict[str, Any]) -> None:
    piece = normalise(empty)
    assert (piece.text, piece.tokens) == ("", ())


@pytest.mark.parametrize("value", [None, -math.inf, math.inf, math.nan, -9999, -9999.0, 0.7, "x", True])
def test_what_is_no_probability_is_unknown(value: Any) -> None:
    assert real(value) is None


@pytest.mark.parametrize(("value", "logprob"), [(0, 0.0), (-0.0, 0.0), (-3.5, -3.5), (-700, -700.0), (1e-6, 0.0)])
def test_what_is_a_probability_stays(value: float, logprob: float) -> None:
    assert real(value) == logprob


def test_bytes_null_means_the_text_is_the_token() -> None:
    (token,) = normalise(chunk("é", {"content": [entry("é", data=None)]})).tokens
    assert (token.text, token.raw, token.data) == ("é", None, "é".encode())


def test_raw_is_kept_only_where_it_differs_from_the_text() -> None:
    (whole,) = normalise(chunk("é", {"content": [entry("é", data=[0xC3, 0xA9])]})).tokens
    (half,) = normalise(chunk("\ufffd", {"content": [entry("\ufffd", data=[0xC3])]})).tokens
    assert whole.raw is None
    assert (half.text, half.raw) == ("\ufffd", (0xC3,))


def test_escaped_token_text_gives_way_to_its_bytes() -> None:
    (token,) = normalise(
        chunk("🦊", {"content": [entry("bytes:\\xf0\\x9f\\xa6\\x8a", data=list("🦊".encode()))]})
    ).tokens
    assert (token.text, token.raw) == ("🦊", None)


def test_trailing_empty_token_is_dropped() -> None:
    piece = normalise(chunk("end", {"content": [entry("end"), entry("", -9999, [])]}))
    assert [token.text for token in piece.tokens] == ["end"]


def test_several_tokens_a_chunk() -> None:
    piece = normalise(chunk("a b", {"content": [entry("a", -0.1), entry(" b", -0.2)]}))
    assert [token.logprob for token in piece.tokens] == [-0.1, -0.2]


def test_fewer_alternatives_than_asked_and_chosen_token_absent() -> None:
    top = [{"token": "x", "logprob": -0.1, "bytes": None}, {"token": "y", "logprob": -9999.0}]
    (token,) = normalise(chunk("z", {"content": [entry("z", -4.0, top=top)]})).tokens
    assert [(one.text, one.logprob) for one in token.top] == [("x", -0.1), ("y", None)]


def test_missing_keys_in_an_entry() -> None:
    (token,) = normalise(chunk("z", {"content": [{"token": "z"}]})).tokens
    assert token == Token("z")


def test_legacy_arrays() -> None:
    legacy = {
        "content": None,
        "tokens": ["a", " b"],
        "token_logprobs": [0.3, -0.2],
        "top_logprobs": [None, {"q": -3, " b": -0.2}],
    }
    first, second = normalise(chunk("a b", legacy)).tokens
    assert (first.logprob, second.logprob) == (None, -0.2)
    assert [one.text for one in second.top] == [" b", "q"]


def test_reasoning_is_no_text_and_its_tokens_are_dropped() -> None:
    delta = read(chunk(None, {"content": [entry("hmm")]}, reasoning_content="hmm"))
    assert (delta.text, delta.tokens) == ("", None)


def test_finish_reason_is_read() -> None:
    assert read({"choices": [{"delta": {}, "finish_reason": "length"}]}).finish == "length"


def test_split_character_waits_for_its_text() -> None:
    first, second = Token("\ufffd", -0.1, raw=(0xE2, 0x82)), Token("\ufffd", -0.2, raw=(0xAC,))
    assert aligned(Delta("", (first,)), Delta("€", (second,))) == [("€", (first, second))]


def test_held_back_text_waits_with_its_tokens() -> None:
    a, b = Token(" foo", -1.0), Token(" bar", -2.0)
    assert aligned(Delta("", (a,)), Delta(" foo bar", (b,))) == [(" foo bar", (a, b))]


def test_part_of_a_token_held_back_keeps_its_probability() -> None:
    pieces = aligned(Delta("Hel", (Token("Hello", -1.0),)), Delta("lo", ()))
    assert pieces == [("Hel", (Token("Hel", -1.0),)), ("lo", (Token("lo", -1.0),))]


def test_stop_string_in_tokens_but_not_in_text_is_dropped() -> None:
    end, stop = Token("end", -1.0), Token("\n\n", -2.0)
    assert aligned(Delta("end", (end, stop)), Delta("", None, "stop")) == [("end", (end,))]


def test_token_cut_by_a_stop_string_is_cut() -> None:
    assert aligned(Delta("end.", (Token("end", -1.0), Token(".\n", -2.0))))[0][1][1] == Token(".", -2.0)


def test_end_of_turn_token_is_never_shown() -> None:
    assert aligned(Delta("a", (Token("a"),)), Delta("", (Token("<|im_end|>", -0.1),), "stop")) == [("a", (Token("a"),))]


def test_lost_bytes_are_filled_in_from_the_text() -> None:
    lost = Token("\ufffd", -0.5)
    ((text, tokens),) = aligned(Delta("", (Token("a"), lost, lost)), Delta("a€b", (Token("b"),)))
    assert b"".join(token.data for token in tokens).decode() == text == "a€b"
    assert [token.logprob for token in tokens] == [None, -0.5, -0.5, None]


def test_tokens_that_spell_something_else_are_handed_out_as_they_are() -> None:
    odd = (Token("æĺ¯", -0.5),)
    assert aligned(Delta("是", odd)) == [("是", odd)]


def test_text_beyond_the_tokens_is_a_token_of_unknown_probability() -> None:
    ((_, tokens),) = aligned(Delta("ab", (Token("a", -0.1),)))
    assert tokens == (Token("a", -0.1), Token("b", None))


def test_no_tokens_where_none_were_asked_for() -> None:
    piece = Aligner(tokens=False).feed(Delta("ab", (Token("ab", -1.0),)))
    assert piece is not None
    assert piece.tokens == ()
