"""How a run ends: the model stops, falls silent, fails; the user stops it. What was written is kept."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from flare_core.engine import run
from flare_core.errors import ModelError
from flare_core.events import CallMade, RunEnded, RunStarted, SentenceAccepted
from flare_core.spec import make_spec
from tests.engine.story import tale, write
from tests.fakes import FakeClock, FakeModel, FakeSource, author, passage, toks

FOUND = [passage("P1")]


# --- the model stops


def test_until_stop_the_model_ends_the_report() -> None:
    written = write(lambda n, _: tale(n), end=3, sentences=9, until="stop")
    assert (written.ended.status, written.ended.reason) == ("complete", "model_stopped")
    assert len(written.texts) == 3 and len(written.model.asked) == 1


def test_until_length_a_new_paragraph_begins() -> None:
    model = FakeModel([toks(f"{tale(1)} {tale(2)}"), toks(tale(3)), toks(tale(4))])
    written = write(model, sentences=4)
    assert written.state.text == f"{tale(1)} {tale(2)}\n\n{tale(3)}\n\n{tale(4)}"
    assert model.asked[1].prompt.started == f"{tale(1)} {tale(2)}\n\n"
    assert written.ended.reason == "sentences"


def test_until_stop_a_rewrite_that_ends_the_answer_ends_the_report() -> None:
    def story(n: int, passages: list[str]) -> str:
        return "" if n == 3 and passages else tale(n, unsure=(2,))

    written = write(story, FakeSource(lambda q: FOUND if q != "Marie Curie" else []), until="stop", sentences=9)
    assert written.ended.reason == "model_stopped"
    assert len(written.texts) == 2 and len(written.model.asked) == 2


@pytest.mark.parametrize("drafting", ["stream", "sentence"])
@pytest.mark.parametrize("end", [["\n\n"], [], [" "]])
def test_a_rewrite_is_known_to_be_the_last_although_its_end_was_plain_at_once(drafting: Any, end: list[str]) -> None:
    model = FakeModel(
        [["東京は", ("首都", 0.05), "だ", "。", "次は", "大阪だ", "。"], ["東京は", "都だ", "。", *end], ["違う。"]]
    )
    source = FakeSource(lambda query: [] if query == "Marie Curie" else FOUND)
    written = write(model, source, until="stop", drafting=drafting, lang="ja", sentences=9)
    assert written.texts == ["東京は都だ。"]
    assert written.ended.reason == "model_stopped" and len(model.asked) == 2


def test_a_model_that_only_falls_silent_is_asked_twice_more() -> None:
    written = write(lambda n, _: tale(n), end=2, sentences=9)
    assert (written.ended.status, written.ended.reason) == ("complete", "model_stopped")
    assert len(written.texts) == 2
    assert len(written.model.asked) == 3


def test_a_model_that_writes_nothing_at_all_fails() -> None:
    written = write(FakeModel([]), sentences=3)
    assert (written.ended.status, written.ended.message) == ("failed", "The model wrote nothing.")


@pytest.mark.parametrize("until", ["length", "stop"])
@pytest.mark.parametrize("before", ["", tale(1)])
def test_endless_white_space_ends(until: str, before: str) -> None:
    def say(asked: Any) -> Any:
        yield from toks(before if asked.number == 1 else "")
        while True:
            yield "\n"

    written = write(FakeModel(say), sentences=5, until=until)
    assert written.ended.reason == "model_stopped"
    assert written.texts == ([before] if before else [])
    assert len(written.model.asked) <= 3


def test_a_text_without_full_stops_from_a_model_without_tokens_is_kept() -> None:
    model = FakeModel(lambda asked: [f" w{asked.number}-{n}" for n in range(999)], with_tokens=False)
    written = write(model, sentences=2, draft_tokens=8, theta="never")
    assert written.texts and written.texts[0].startswith("w1-0 w1-1")


def test_a_piece_of_many_tokens_leaves_no_unfinished_sentence_behind() -> None:
    model = FakeModel(author(lambda n, _: tale(n)), per_piece=50, with_tokens=False)
    written = write(model, sentences=3, draft_tokens=8, theta="never")
    assert len(written.texts) >= 3


# --- the user stops it


@pytest.mark.parametrize("drafting", ["stream", "sentence"])
def test_stop_in_the_middle_of_a_draft_keeps_the_text_and_enters_the_call(drafting: Any) -> None:
    cancel = threading.Event()

    def say(asked: Any) -> Any:
        for n in (1, 2) if asked.max_tokens > 64 else (asked.prompt.started.count(".") + 1,):
            yield from toks(tale(n) if n == 1 else f" {tale(n)}")
            if n == 2:
                cancel.set()
        yield from toks(" She never")

    written = write(FakeModel(say), cancel=cancel, drafting=drafting, sentences=9, initial=False)
    assert (written.ended.status, written.ended.reason) == ("stopped", "user")
    assert written.texts == [tale(1)]
    assert written.model.asked[-1].completion.closed


def test_stop_in_the_middle_of_a_search_enters_the_draft_once() -> None:
    cancel = threading.Event()

    def find(query: str) -> list[Any]:
        cancel.set()
        return FOUND

    sources = [FakeSource(find, "one"), FakeSource(find, "two")]
    written = write(lambda n, _: tale(n, unsure=(2,)), sources, cancel=cancel, initial=False, sentences=9)
    assert written.ended.status == "stopped"
    assert written.purposes == ["draft"]


def test_stop_in_the_middle_of_a_question_enters_it_too() -> None:
    cancel = threading.Event()

    def say(asked: Any) -> Any:
        if "Ask one question" not in asked.prompt.user:
            yield from author(lambda n, _: tale(n, unsure=(2,)))(asked)
        yield from ["Who", cancel.set, " was", " it?"]

    written = write(FakeModel(say), cancel=cancel, query="question", sentences=9)
    assert written.ended.status == "stopped"
    assert written.purposes == ["draft", "question"]
    assert written.texts == [tale(1)]


def test_stop_before_anything_was_written() -> None:
    cancel = threading.Event()
    cancel.set()
    written = write(lambda n, _: tale(n), cancel=cancel)
    assert written.ended.status == "stopped" and written.texts == []


def test_whoever_stops_listening_closes_the_call() -> None:
    model = FakeModel(author(lambda n, _: tale(n)))
    events = run(make_spec("Marie Curie", theta=0.25), model=model, sources=[FakeSource()], clock=FakeClock())
    assert isinstance(next(events), RunStarted)
    next(event for event in events if isinstance(event, SentenceAccepted))
    assert not model.asked[0].completion.closed
    events.close()  # type: ignore[attr-defined]
    assert model.asked[0].completion.closed


# --- the model fails

BROKEN = ModelError("The server broke off.", "Try again.")


@pytest.mark.parametrize("drafting", ["stream", "sentence"])
def test_an_error_in_the_middle_of_a_stream_keeps_the_text(drafting: Any) -> None:
    def say(asked: Any) -> Any:
        done = asked.prompt.started.count(".")
        if not done:
            yield from toks(f"{tale(1)} They")
        if done or asked.max_tokens > 64:
            yield from [" then", BROKEN]

    written = write(FakeModel(say), drafting=drafting, sentences=9)
    assert (written.ended.status, written.ended.reason) == ("failed", "error")
    assert (written.ended.message, written.ended.remedy) == ("The server broke off.", "Try again.")
    assert written.texts == [tale(1)]
    assert written.all(CallMade)[-1].error == "The server broke off. Try again."


def test_an_error_while_a_question_is_asked_is_in_the_ledger() -> None:
    def say(asked: Any) -> Any:
        if "Ask one question" in asked.prompt.user:
            yield from ["Who", BROKEN]
        yield from author(lambda n, _: tale(n, unsure=(2,)))(asked)

    written = write(FakeModel(say), query="question", sentences=9)
    assert written.ended.status == "failed"
    assert written.purposes == ["draft", "question"]
    assert written.all(CallMade)[-1].error


def test_an_error_of_the_model_before_it_says_anything() -> None:
    class Refusing(FakeModel):
        def stream(self, *args: Any, **settings: Any) -> Any:
            raise BROKEN

    written = write(Refusing([]), sentences=2)
    assert written.ended.status == "failed" and written.purposes == []


def test_ports_that_cannot_be_opened_are_the_only_event() -> None:
    events = list(run(make_spec("Marie Curie", lm="http://user@:bad:/v1"), env={}))
    assert [type(event) for event in events] == [RunEnded]
    assert events[0].status == "failed"  # type: ignore[union-attr]


def test_ports_that_were_given_are_neither_opened_nor_closed() -> None:
    model, source = FakeModel(author(lambda n, _: tale(n))), FakeSource()
    write(model, source, sentences=1)
    assert not model.closed and not source.closed


def test_dots_and_invisible_signs_are_no_sentences() -> None:
    written = write(lambda n, _: "\u200d\u200d. ... \n\n***" if n == 2 else tale(n), sentences=3)
    assert all(any(sign.isalnum() for sign in text) for text in written.texts)
