"""Real endpoints, good and bad, on loopback: each failure says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import speaking
from tests.engine.story import TALES, tale
from tests.fake_lm import Quirks, Reply, fake_lm

Flare = Callable[..., Any]


def told(n: int, _: list[str]) -> str:
    return tale(n, unsure=(2,)) if n <= len(TALES) else ""


def test_a_report_from_an_endpoint(flare: Flare) -> None:
    with fake_lm(speaking(told)) as server:
        said = flare("write", "Marie Curie", "--lm", server.base_url, "--theta", "0.3", "--sentences", "3")
    assert said.code == 0
    assert all(tale(n) in said.out for n in (1, 2, 3))
    assert "  2 ● retrieved" in said.err or "  2 ○ retrieved" in said.err


def test_the_environment_names_the_endpoint(flare: Flare, monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_lm(speaking(told), key="sk-right") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-right")
        assert flare("write", "Marie Curie", "--sentences", "1", "--theta", "never").code == 0


@pytest.mark.parametrize("command", [["write", "Marie Curie"], ["doctor"]])
def test_an_unreachable_endpoint(flare: Flare, command: list[str]) -> None:
    said = flare(*command, "--lm", "http://127.0.0.1:9/v1")
    assert said.code == 1
    assert "127.0.0.1:9" in said.err + said.out and "Traceback" not in said.err


def test_an_address_that_is_none(flare: Flare) -> None:
    said = flare("write", "Marie Curie", "--lm", "nonsense")
    assert said.code in (1, 2) and "nonsense" in said.err


def test_a_wrong_key_is_said_and_not_shown(flare: Flare, monkeypatch: pytest.MonkeyPatch) -> None:
    with fake_lm(speaking(told), key="sk-right") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-0123456789")
        said = flare("write", "Marie Curie")
    assert said.code == 1
    assert "key" in said.err.lower() and "OPENAI_API_KEY" in said.err
    assert "0123456789" not in said.err + said.out


def test_a_model_that_the_endpoint_does_not_have(flare: Flare) -> None:
    with fake_lm(speaking(told)) as server:
        said = flare("write", "Marie Curie", "--lm", server.base_url, "--model", "gpt-99")
    assert said.code in (1, 2) and "gpt-99" in said.err and "fake-model" in said.err


@pytest.mark.parametrize("habit", ["missing", "null", "refused"])
def test_a_model_without_probabilities_is_told_to_use_always_or_never(flare: Flare, habit: Any) -> None:
    with fake_lm(speaking(told), logprobs=habit) as server:
        said = flare("write", "Marie Curie", "--lm", server.base_url)
        assert said.code == 1
        assert "gives no token probabilities" in said.err and "always" in said.err and "never" in said.err
        for theta in ("always", "never"):
            done = flare("write", "Marie Curie", "--lm", server.base_url, "--theta", theta, "--sentences", "2")
            assert done.code == 0 and tale(2) in done.out


def test_a_model_that_cannot_continue_a_started_answer_is_asked_to_go_on(flare: Flare, trace: Path) -> None:
    """As the larger providers' models: the report so far is part of the question."""

    def say(call: Any) -> Any:
        n = call.user.partition("<answer_so_far>")[2].partition("</answer_so_far>")[0].count(".") + 1
        for word in f"{tale(n, unsure=(2,))}".replace("{.05}", "").split(" "):
            yield (f" {word}", -4.0 if n == 2 and "boys" in word and "Search results" not in call.user else -0.1)
        yield " And"

    with fake_lm(say, continues=False) as server:
        said = flare("write", "Marie Curie", "--lm", server.base_url, "--theta", "0.3", "--sentences", "3",
                     "--trace", str(trace))  # fmt: skip
    assert said.code == 0, said.err
    assert "Traceback" not in said.err
    assert len(server.requests) >= 2


def test_a_connection_that_breaks_keeps_the_report_so_far(flare: Flare) -> None:
    words = [f" {word}" for n in (1, 2, 3) for word in tale(n).split(" ")]
    with fake_lm([Reply(words, Quirks(cut_after=20))]) as server:
        said = flare("write", "Marie Curie", "--lm", server.base_url, "--theta", "never")
    assert said.code == 3
    assert tale(1) in said.out and "not complete" in said.out
    assert "Traceback" not in said.err


def test_a_server_that_is_overloaded_half_way(flare: Flare) -> None:
    with fake_lm([[(" Marie", -0.1), (" rested", -0.1), (".", -0.1)]]) as server:
        said = flare("write", "Marie Curie", "--lm", server.base_url, "--theta", "never", "--sentences", "3")
    assert said.code == 3 and "Marie rested." in said.out


def test_doctor_says_what_an_endpoint_can_do(flare: Flare) -> None:
    with fake_lm(speaking(told)) as server:
        said = flare("doctor", "--lm", server.base_url)
    assert "✓  model: fake-model (endpoint)" in said.out
    assert "token probabilities: yes" in said.out and "continues a started answer: yes" in said.out
    assert "context: 4096 tokens" in said.out


def test_doctor_says_what_to_do_without_probabilities(flare: Flare) -> None:
    with fake_lm(speaking(told), logprobs="refused") as server:
        said = flare("doctor", "--lm", server.base_url)
    assert "token probabilities: no" in said.out and "--theta always or --theta never" in said.out
