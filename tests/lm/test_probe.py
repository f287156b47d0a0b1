"""What the probe finds out, and that it asks only once."""

from __future__ import annotations

from pathlib import Path

import pytest

from flare_core.errors import ModelError
from flare_core.events import Capabilities
from flare_core.lm.address import Address
from flare_core.lm.choice import context_of, first_chat_model, open_model
from flare_core.lm.probe import QUESTIONS
from flare_core.lm.probe_cache import probed
from flare_core.paths import cache_dir, data_dir
from tests.fake_lm import Quirks, fake_lm
from tests.lm.helpers import TELL, ask


def found(quirks: Quirks) -> Capabilities:
    with fake_lm(quirks=quirks) as server:
        model = open_model(server.base_url, env={})
        assert len(server.all_requests) <= 6
    return model.info.capabilities


def test_well_behaved_server() -> None:
    knows = found(Quirks())
    assert (knows.logprobs, knows.streaming, knows.continues, knows.context) == (True, True, True, 4096)
    assert knows.probed_at is not None
    assert knows.notes == ()


def test_two_calls_are_enough_where_all_is_well() -> None:
    with fake_lm() as server:
        open_model(server.base_url, env={})
        assert len(server.all_requests) == 2
        assert server.requests == []


@pytest.mark.parametrize("habit", ["missing", "null", "empty"])
def test_no_probabilities(habit: str) -> None:
    knows = found(Quirks(logprobs=habit))  # type: ignore[arg-type]
    assert (knows.logprobs, knows.top_logprobs) == (False, 0)
    assert knows.notes


def test_logprobs_refused() -> None:
    knows = found(Quirks(logprobs="refused"))
    assert knows.logprobs is False
    assert "refuses" in knows.notes[0]


def test_faked_logprobs_are_recognised() -> None:
    knows = found(Quirks(logprobs="faked"))
    assert knows.logprobs is False
    assert "certain of every token" in knows.notes[0]


@pytest.mark.parametrize(("limit", "asked"), [(20, [20, 20]), (5, [20, 5, 5]), (0, [20, 5, None, None])])
def test_alternatives_step_down(limit: int, asked: list[int | None]) -> None:
    with fake_lm(top_limit=limit) as server:
        knows = open_model(server.base_url, env={}).info.capabilities
        assert [request.body.get("top_logprobs") for request in server.all_requests] == asked
    assert knows.logprobs is True
    assert (knows.top_logprobs == 0) == (limit == 0)


@pytest.mark.parametrize("quirks", [Quirks(continues=False), Quirks(refuses_started=True)])
def test_does_not_continue_a_started_answer(quirks: Quirks) -> None:
    knows = found(quirks)
    assert (knows.continues, knows.logprobs) == (False, True)


def test_does_not_stream() -> None:
    with fake_lm([["Hello"]], streams=False) as server:
        model = open_model(server.base_url, env={})
        assert model.info.capabilities.streaming is False
        assert ask(model).text == "Hello"


def test_refused_fields_are_left_out_ever_after() -> None:
    with fake_lm([["Hello"]], rejects=("max_tokens", "temperature", "stream_options")) as server:
        model = open_model(server.base_url, env={})
        assert ask(model, max_tokens=9).text == "Hello"
        sent = server.requests[0].body
    assert sent["max_completion_tokens"] == 9
    assert not {"max_tokens", "temperature", "stream_options"} & sent.keys()
    assert any("temperature" in note for note in model.info.capabilities.notes)


def test_vllm_is_told_to_continue_and_counts_as_it_streams() -> None:
    with fake_lm([[" x"]], owner="vllm") as server:
        model = open_model(server.base_url, env={})
        ask(model)
        assert server.all_requests[1].body["continue_final_message"] is True
        assert server.requests[0].body["stream_options"]["continuous_usage_stats"] is True
        assert "continue_final_message" not in server.requests[0].body


def test_asked_once_then_remembered_until_refreshed_or_old() -> None:
    with fake_lm() as server:
        model = server.model()
        first = probed(model, now=lambda: 1000.0)
        assert probed(model, now=lambda: 2000.0) == first
        assert len(server.all_requests) == 2
        assert probed(model, refresh=True, now=lambda: 3000.0).capabilities.probed_at == 3000.0
        assert probed(model, now=lambda: 1e8).capabilities.probed_at == 1e8
        assert len(server.all_requests) == 6


def test_broken_cache_is_started_anew(flare_home: Path) -> None:
    (cache_dir() / "endpoints.json").write_text("{ not json")
    with fake_lm() as server:
        assert probed(server.model()).capabilities.logprobs
    assert (flare_home / "cache" / "endpoints.json").read_text().startswith("{")


def test_failure_is_not_remembered() -> None:
    with fake_lm(status=500) as server, pytest.raises(ModelError):
        probed(server.model(retries=0))
    assert not (cache_dir() / "endpoints.json").exists()


def test_first_chat_model_is_taken_where_none_is_named() -> None:
    with fake_lm(models=("text-embedding-3", "chatty", "other")) as server:
        assert open_model(server.base_url, "", env={}).info.name == "chatty"
    assert first_chat_model([{"id": "bge-embed"}]) == "bge-embed"
    assert first_chat_model([]) == ""


def test_environment_names_the_endpoint() -> None:
    with fake_lm([["Hi"]], key="k-123456") as server:
        env = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k-123456"}
        model = open_model(env=env)
        assert ask(model, TELL).text == "Hi"
        assert server.requests[0].headers["authorization"] == "Bearer k-123456"


def test_without_a_key_none_is_sent() -> None:
    with fake_lm([["Hi"]]) as server:
        ask(open_model(server.base_url, env={}))
        assert "authorization" not in server.requests[0].headers


def test_address_is_shown_without_credentials() -> None:
    address = Address.parse("https://me:hunter22@example.org:8443/v1/?api-version=2&sig=topsecret")
    assert address.shown == "https://example.org:8443/v1"
    assert address.query == {"api-version": "2", "sig": "topsecret"}
    assert {"hunter22", "topsecret"} <= set(address.secrets)


def test_query_of_the_address_is_sent_and_not_shown() -> None:
    with fake_lm([["Hi"]]) as server:
        model = open_model(f"{server.base_url}?version=7", env={})
        ask(model)
        assert server.requests[0].path.endswith("/chat/completions?version=7")
    assert model.info.base_url == server.base_url


def test_context_size_under_its_many_names() -> None:
    assert context_of({"max_model_len": 10}) == 10
    assert context_of({"meta": {"n_ctx": 20}}) == 20
    assert context_of({"id": "x"}) is None


def test_flare_home_holds_all_files(flare_home: Path) -> None:
    assert cache_dir() == flare_home / "cache"
    assert data_dir() == flare_home / "data"
    assert QUESTIONS
