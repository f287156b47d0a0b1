"""The vocabulary: every event survives JSON, is frozen, forgives what it does not know, refuses what is wrong."""

from __future__ import annotations

import json
import math
import typing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from flare_core.events import EVENT, AnyEvent, Decided, Event, ModelInfo, SentenceDrafted, Token, Warned
from flare_core.presets import PRESETS
from flare_core.spec import RunSpec, make_spec

EVENTS: tuple[type[Event], ...] = typing.get_args(typing.get_args(AnyEvent)[0])

finite = st.floats(allow_nan=False, allow_infinity=False)
specs = st.builds(
    make_spec,
    topic=st.text(min_size=1, max_size=40).map(lambda text: text + "a"),
    preset=st.sampled_from(sorted(PRESETS)),
    theta=st.one_of(st.none(), st.sampled_from(["auto", "never", "always"]), st.floats(0, 1)),
    beta=st.one_of(st.none(), st.floats(0, 1)),
    sources=st.sampled_from([("encyclopedia",), ("web", "encyclopedia"), ("site:https://example.org/a?b=ü",)]),
    sentences=st.integers(1, 1000),
)
st.register_type_strategy(float, finite)
st.register_type_strategy(RunSpec, specs)
st.register_type_strategy(
    ModelInfo, st.builds(ModelInfo, name=..., kind=..., base_url=..., slots=st.integers(1, 64), capabilities=...)
)


def any_of(event: type[Event]) -> st.SearchStrategy[Any]:
    """Events of a kind, every field drawn."""
    return st.builds(event, **{name: ... for name in event.model_fields if name != "type"})


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
@given(data=st.data())
def test_an_event_survives_json(event: type[Event], data: st.DataObject) -> None:
    before = data.draw(any_of(event))
    line = before.model_dump_json()
    assert "\n" not in line
    after = EVENT.validate_json(line)
    assert after == before and type(after) is event
    assert after.model_dump_json() == line


@given(data=st.data())
def test_fields_from_a_later_version_are_ignored_at_every_depth(data: st.DataObject) -> None:
    event = data.draw(st.one_of(*map(any_of, EVENTS)))

    def with_news(value: Any) -> Any:
        if isinstance(value, dict):
            return {**{key: with_news(inner) for key, inner in value.items()}, "from_the_future": {"deep": [1]}}
        return [with_news(inner) for inner in value] if isinstance(value, list) else value

    assert EVENT.validate_json(json.dumps(with_news(event.model_dump(mode="json")))) == event


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
@given(data=st.data())
def test_an_event_is_frozen(event: type[Event], data: st.DataObject) -> None:
    drawn = data.draw(any_of(event))
    for name in event.model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(drawn, name, getattr(drawn, name))


def test_a_token_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Token(" a").text = "b"  # type: ignore[misc]


def test_each_kind_has_its_own_name() -> None:
    kinds = [event.model_fields["type"].default for event in EVENTS]
    assert len(set(kinds)) == len(EVENTS) >= 14


def test_only_what_is_shown_live_is_not_durable() -> None:
    assert [event.__name__ for event in EVENTS if not event.durable] == ["Drafting"]


def test_every_field_says_what_it_means() -> None:
    def models(kind: Any) -> set[type[BaseModel]]:
        found = {kind} if isinstance(kind, type) and issubclass(kind, BaseModel) else set()
        for inner in typing.get_args(kind):
            found |= models(inner)
        return found.union(*(models(field.annotation) for each in list(found) for field in each.model_fields.values()))

    silent = [
        f"{model.__name__}.{name}"
        for model in set().union(*map(models, EVENTS))
        for name, field in model.model_fields.items()
        if name != "type" and not field.description
    ]
    assert silent == []


WARNED = {"type": "warned", "code": "weak_model", "message": "Small."}
DRAFTED: dict[str, Any] = {
    "type": "sentence_drafted", "sentence": 1, "text": "A.", "tokens": [], "aligned": True, "passages": [],
}  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"type": "no_such_event"},
        {"type": "warned"},
        {**WARNED, "code": None},
        {**WARNED, "message": 3},
        {**WARNED, "seq": "first"},
        {**WARNED, "seq": 1.5},
        {**DRAFTED, "sentence": "one"},
        {**DRAFTED, "tokens": [{"logprob": -1.0}]},
        {**DRAFTED, "tokens": [{"text": "A", "logprob": "sure"}]},
        {**DRAFTED, "tokens": "A."},
        {**DRAFTED, "aligned": "perhaps"},
        {**DRAFTED, "type": "run_ended"},
        {"type": "decided", "sentence": 1, "verdict": "unsure", "retrieve": True, "rule": "",
         "theta": 0.5, "beta": 0.5, "lowest": 0.1},
    ],
)  # fmt: skip
def test_a_wrong_event_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        EVENT.validate_json(json.dumps(wrong))


@pytest.mark.parametrize("line", ["", "null", "[]", '"warned"', "{", '{"type": "warned"'])
def test_what_is_no_event_is_an_error(line: str) -> None:
    with pytest.raises(ValidationError):
        EVENT.validate_json(line)


def test_unknown_is_null_and_stays_unknown() -> None:
    event = EVENT.validate_json(json.dumps({**DRAFTED, "tokens": [{"text": "A", "logprob": None}, {"text": "."}]}))
    assert isinstance(event, SentenceDrafted)
    assert [(token.logprob, token.p) for token in event.tokens] == [(None, None)] * 2
    assert '"logprob":null' in event.model_dump_json()


@given(st.lists(st.floats(-40, 0), min_size=1))
def test_probabilities_come_back_exactly(logprobs: list[float]) -> None:
    drafted = SentenceDrafted(
        sentence=1, text="x", tokens=tuple(Token("x", p) for p in logprobs), aligned=True, passages=()
    )
    after = EVENT.validate_json(drafted.model_dump_json())
    assert isinstance(after, SentenceDrafted)
    assert [token.p for token in after.tokens] == [math.exp(p) for p in logprobs]


@given(st.binary(min_size=1, max_size=4))
def test_a_split_character_keeps_its_bytes(data: bytes) -> None:
    token = Token(data.decode("utf-8", "replace"), raw=tuple(data))
    drafted = SentenceDrafted(sentence=1, text="x", tokens=(token,), aligned=True, passages=())
    after = EVENT.validate_json(drafted.model_dump_json())
    assert isinstance(after, SentenceDrafted) and after.tokens[0].data == data


def test_text_of_any_script_is_written_as_it_is() -> None:
    assert "東京 — θ 🙂" in Warned(code="x", message="東京 — θ 🙂").model_dump_json()


def test_defaults_are_part_of_a_line() -> None:
    decided = Decided(
        sentence=1,
        verdict="confident",
        retrieve=False,
        rule="",
        theta=0.4,
        beta=None,
        lowest=0.9,  # type: ignore[arg-type]
    )
    assert json.loads(decided.model_dump_json())["unknown"] == 0
