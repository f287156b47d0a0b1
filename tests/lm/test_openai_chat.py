"""The adapter against a server that speaks real HTTP."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import repeat

import pytest

from flare_core.errors import ModelError, Stopped
from flare_core.lm.completion import Patience
from flare_core.lm.dialect import LLAMA_CPP
from flare_core.ports import Never, Prompt
from tests.fake_lm import Call, Quirks, Reply, Tok, fake_lm
from tests.fake_lm.server import ALL
from tests.lm.helpers import TELL, ask

PARIS: list[Tok] = [("Paris", -0.1, {"London": -2.5}), (" is", -0.2), (" big", -1.5), (".", -0.3)]
STARTED = replace(TELL, started="Paris is a city.")


def for_ever(_: Call) -> Iterable[Tok]:
    return repeat((" word", -0.5))


def test_text_tokens_and_alternatives_arrive_exactly() -> None:
    with fake_lm([PARIS]) as server:
        answer = ask(server.model())
    assert answer.text == answer.spelled == "Paris is big."
    assert [token.logprob for token in answer.tokens] == [-0.1, -0.2, -1.5, -0.3]
    assert [other.text for other in answer.tokens[0].top] == ["Paris", "London"]
    assert answer.finish == "stop"


def test_request_is_greedy_streamed_and_asks_for_probabilities() -> None:
    with fake_lm([PARIS]) as server:
        ask(server.model(alternatives=3), max_tokens=7, stop=["\n\n"])
        (request,) = server.requests
    wanted = {"temperature": 0, "stream": True, "logprobs": True, "top_logprobs": 3, "max_tokens": 7, "stop": ["\n\n"]}
    assert wanted.items() <= request.body.items()
    assert request.body["stream_options"] == {"include_usage": True}
    assert request.messages == [{"role": "system", "content": TELL.system}, {"role": "user", "content": TELL.user}]


def test_started_answer_is_a_trailing_assistant_message() -> None:
    with fake_lm([[" It is big."]]) as server:
        assert ask(server.model(), STARTED).text == " It is big."
        assert server.requests[0].messages[-1] == {"role": "assistant", "content": STARTED.started}


def test_without_prefill_an_instruction_carries_the_text_and_the_space_is_put_in() -> None:
    with fake_lm([["It", " is big."]], continues=False) as server:
        answer = ask(server.model(ALL.model_copy(update={"continues": False})), STARTED)
        (request,) = server.requests
    assert request.messages[-1]["role"] == "user"
    assert STARTED.started in request.messages[-1]["content"]
    assert TELL.user in request.messages[-1]["content"]
    assert answer.text == answer.spelled == " It is big."


def test_wording_of_the_instruction_can_be_given() -> None:
    with fake_lm([["再"]]) as server:
        model = server.model(
            ALL.model_copy(update={"continues": False}), continue_with=lambda user, started: f"{user}|{started}"
        )
        assert ask(model, replace(TELL, started="東京。")).text == "再"
        assert server.requests[0].messages[-1]["content"] == f"{TELL.user}|東京。"


def test_usage_counts_prompt_cached_evaluated_generated() -> None:
    with fake_lm([PARIS], cached=3) as server:
        usage = ask(server.model()).usage
    assert (usage.prompt_tokens, usage.cached_tokens, usage.evaluated_tokens) == (7, 3, 4)
    assert (usage.generated_tokens, usage.closed_early) == (4, False)
    assert usage.ttft_ms is not None
    assert 0 < usage.ttft_ms <= usage.ms


def test_closed_stream_is_seen_by_the_server_and_its_prompt_is_unknown() -> None:
    with fake_lm(for_ever, delay=0.005) as server:
        completion = server.model().stream(TELL, max_tokens=10_000, cancel=Never())
        for count, _ in enumerate(completion, start=1):
            if count == 5:
                completion.close()
        assert server.requests[0].closed.wait(2.0)
    usage = completion.usage
    assert usage.closed_early
    assert usage.prompt_tokens is None
    assert usage.generated_tokens >= 5
    assert completion.finish is None


def test_closed_stream_of_llama_cpp_is_accounted_for() -> None:
    with fake_lm(for_ever, delay=0.002, llama=True, cached=3) as server:
        completion = server.model(dialect=LLAMA_CPP).stream(TELL, max_tokens=10_000, cancel=Never())
        next(iter(completion))
        completion.close()
        assert server.requests[0].closed.wait(2.0)
    usage = completion.usage
    assert (usage.prompt_tokens, usage.cached_tokens, usage.evaluated_tokens) == (7, 3, 4)


@pytest.mark.parametrize("how", ["cancel", "close"])
def test_waiting_for_the_first_token_ends_within_a_fifth_of_a_second(how: str) -> None:
    cancel = threading.Event()
    with fake_lm([PARIS], stall_after=0) as server:
        completion = server.model().stream(TELL, max_tokens=9, cancel=cancel)
        while not server.requests:
            time.sleep(0.005)
        asked: list[float] = []

        def stop() -> None:
            asked.append(time.perf_counter())
            (cancel.set if how == "cancel" else completion.close)()

        threading.Timer(0.1, stop).start()
        if how == "cancel":
            with pytest.raises(Stopped):
                list(completion)
        else:
            assert list(completion) == []
        assert time.perf_counter() - asked[0] < 1.0  # within a second, on a busy machine too
        assert server.requests[0].closed.wait(2.0)
    assert completion.usage.closed_early


def test_close_twice_from_two_threads_and_after_the_end() -> None:
    with fake_lm([PARIS, PARIS]) as server:
        model = server.model()
        completion = model.stream(TELL, max_tokens=9, cancel=Never())
        threads = [threading.Thread(target=completion.close) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        done = model.stream(TELL, max_tokens=9, cancel=Never())
        assert len(list(done)) == 4
        done.close()
        assert not done.usage.closed_early
        model.close()
        model.close()


def test_iteration_can_be_left_and_taken_up_again() -> None:
    with fake_lm([PARIS]) as server:
        completion = server.model().stream(TELL, max_tokens=9, cancel=Never())
        first = next(iter(completion)).text
        assert first + "".join(piece.text for piece in completion) == "Paris is big."


def test_max_tokens_ends_with_length() -> None:
    with fake_lm(for_ever) as server:
        answer = ask(server.model(), max_tokens=6)
    assert (answer.finish, answer.usage.generated_tokens) == ("length", 6)


def test_calls_run_side_by_side() -> None:
    with fake_lm([PARIS] * 4, delay=0.02) as server:
        model = server.model()
        calls = [model.stream(TELL, max_tokens=9, cancel=Never()) for _ in range(4)]
        assert ["".join(piece.text for piece in call) for call in calls] == ["Paris is big."] * 4


@pytest.mark.parametrize("habit", ["missing", "null", "empty"])
def test_no_logprobs_gives_tokens_of_unknown_probability(habit: str) -> None:
    with fake_lm([PARIS], logprobs=habit) as server:
        answer = ask(server.model())
    assert answer.text == answer.spelled
    assert {token.logprob for token in answer.tokens} == {None}


def test_model_known_to_give_none_is_not_asked_and_pieces_have_no_tokens() -> None:
    with fake_lm([PARIS]) as server:
        answer = ask(server.model(ALL.model_copy(update={"logprobs": False})))
        assert "logprobs" not in server.requests[0].body
    assert (answer.text, answer.tokens) == ("Paris is big.", [])


@pytest.mark.parametrize(
    "quirks",
    [
        Quirks(per_chunk=3),
        Quirks(bytes_null=True),
        Quirks(end_token=True),
        Quirks(logprobs="legacy"),
        Quirks(per_chunk=2, end_token=True),
    ],
    ids=str,
)
def test_joined_tokens_equal_the_text_whatever_the_habit(quirks: Quirks) -> None:
    with fake_lm([Reply(PARIS, quirks)], quirks=quirks) as server:
        answer = ask(server.model())
    assert answer.text == answer.spelled == "Paris is big."
    assert [token.logprob for token in answer.tokens] == [-0.1, -0.2, -1.5, -0.3]


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("per_chunk", [1, 2, 5])
def test_character_split_between_tokens(per_chunk: int, lost: bool) -> None:
    fox = "🦊".encode()
    tokens: list[Tok] = ["A ", (fox[:2], -0.4), (fox[2:], -0.6), " ran", "."]
    with fake_lm([tokens], per_chunk=per_chunk, lost_bytes=lost) as server:
        answer = ask(server.model())
    assert answer.text == answer.spelled == "A 🦊 ran."
    assert [token.logprob for token in answer.tokens][1:3] == [-0.4, -0.6]


@pytest.mark.parametrize("kept", [False, True])
def test_stop_string_ends_the_answer_and_is_not_among_the_tokens(kept: bool) -> None:
    with fake_lm([["One", ".", "\n\n", "Two"]], stop_in_tokens=kept) as server:
        answer = ask(server.model(), stop=["\n\n"])
    assert answer.text == answer.spelled == "One."
    assert answer.finish == "stop"


def test_server_that_does_not_stream() -> None:
    with fake_lm([PARIS], streams=False) as server:
        answer = ask(server.model(ALL.model_copy(update={"streaming": False})))
    assert answer.text == answer.spelled == "Paris is big."
    assert answer.usage.prompt_tokens == 7


def test_lanes_pin_slots_only_where_there_are_slots() -> None:
    pinned = LLAMA_CPP.model_copy(update={"pins_slots": True})
    with fake_lm([PARIS] * 3) as server:
        model = server.model(dialect=pinned, slots=2)
        ask(model, lane=0)
        ask(model, lane=1)
        ask(server.model(), lane=1)
        assert [request.body.get("id_slot") for request in server.requests] == [0, 1, None]


def test_stalled_stream_is_given_up() -> None:
    with fake_lm([PARIS], stall_after=2) as server:
        completion = server.model(patience=Patience(5, 0.2)).stream(TELL, max_tokens=9, cancel=Never())
        with pytest.raises(ModelError, match=r"sent nothing for 0\.2 seconds"):
            list(completion)
        assert server.requests[0].closed.wait(2.0)


def test_cut_connection_is_an_error_after_what_came() -> None:
    with fake_lm([PARIS], cut_after=2) as server:
        got = []
        with pytest.raises(ModelError, match="broke off"):
            for piece in server.model().stream(TELL, max_tokens=9, cancel=Never()):
                got.append(piece.text)
    assert got == ["Paris", " is"]


def test_polite_end_without_a_reason_is_an_error() -> None:
    with fake_lm([PARIS], no_finish=True) as server, pytest.raises(ModelError, match="broke off"):
        ask(server.model())


def test_error_inside_the_stream() -> None:
    with fake_lm([PARIS], error_in_stream="out of memory") as server, pytest.raises(ModelError, match="out of memory"):
        ask(server.model())


def test_content_filter_is_an_error() -> None:
    with fake_lm([Reply(PARIS, finish="content_filter")]) as server, pytest.raises(ModelError, match="filter"):
        ask(server.model())


def test_passing_failure_is_tried_again() -> None:
    with fake_lm([PARIS], status=429, fails=2) as server:
        assert ask(server.model()).text == "Paris is big."
        assert len(server.requests) == 3


def test_function_script_sees_the_prompt() -> None:
    def echo(call: Call) -> list[Tok]:
        return [f"{call.number}|{call.system}|{call.user}|{call.started}"]

    with fake_lm(echo) as server:
        assert ask(server.model(), Prompt("s", "u", "a")).text == "1|s|u|a"


def test_cancel_between_tokens_closes_the_call() -> None:
    cancel = threading.Event()
    with fake_lm(for_ever, delay=0.005) as server:
        with pytest.raises(Stopped):
            for _ in server.model().stream(TELL, max_tokens=10_000, cancel=cancel):
                cancel.set()
        assert server.requests[0].closed.wait(2.0)
