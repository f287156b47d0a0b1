"""The embedded model, really running."""

from __future__ import annotations

import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

from flare_core.lm.choice import open_model
from flare_core.lm.cores import usable_cores
from flare_core.lm.embedded import Dry, bundled, open_embedded
from flare_core.lm.failures import ContextExceeded
from flare_core.lm.gguf import trained_context
from flare_core.lm.openai_chat import OpenAIChat
from flare_core.ports import Never, Prompt
from tests.lm.helpers import ask

PROMPT = Prompt("You are an encyclopedia.", "Write an article about photosynthesis.", "Photosynthesis is")


def test_it_knows_itself(embedded: OpenAIChat) -> None:
    info = embedded.info
    assert (info.kind, info.slots, info.capabilities.context) == ("embedded", 2, 8192)
    assert info.capabilities.logprobs
    assert info.capabilities.continues
    assert info.capabilities.streaming
    assert info.name.startswith("SmolLM2-135M-Instruct")


def test_it_continues_with_probabilities(embedded: OpenAIChat) -> None:
    answer = ask(embedded, PROMPT, max_tokens=8)
    assert answer.text.startswith(" ")
    assert answer.text == answer.spelled
    assert all(token.logprob is not None and len(token.top) == 5 for token in answer.tokens)
    assert (answer.finish, answer.usage.generated_tokens) == ("length", 8)


def test_lanes_keep_their_prompts_and_closed_streams_are_accounted_for(embedded: OpenAIChat) -> None:
    ask(embedded, PROMPT, max_tokens=1, lane=0)
    ask(embedded, Prompt("", "Quite another prompt on the other slot."), max_tokens=1, lane=1)
    completion = embedded.stream(PROMPT, max_tokens=200, lane=0, cancel=Never())
    next(iter(completion))
    completion.close()
    usage = completion.usage
    assert usage.closed_early
    assert usage.prompt_tokens is not None
    assert (usage.cached_tokens, usage.evaluated_tokens) == (usage.prompt_tokens - 1, 1)


def test_call_closed_while_the_prompt_is_read_frees_its_slot(embedded: OpenAIChat) -> None:
    completion = embedded.stream(Prompt("", "word " * 3000), max_tokens=5, lane=1, cancel=Never())
    time.sleep(0.1)
    start = time.perf_counter()
    completion.close()
    assert time.perf_counter() - start < 1.0  # the issue: within a second
    assert list(completion) == []
    assert ask(embedded, PROMPT, max_tokens=1, lane=1).text


def test_prompt_beyond_the_context(embedded: OpenAIChat) -> None:
    with pytest.raises(ContextExceeded):
        ask(embedded, Prompt("", "word " * 9000), max_tokens=1)


def test_it_is_shared_and_silent(embedded: OpenAIChat, capfd: pytest.CaptureFixture[str]) -> None:
    again = open_model("embedded", env={})
    assert again.info.base_url == embedded.info.base_url
    assert capfd.readouterr() == ("", "")
    again.close()
    assert ask(embedded, PROMPT, max_tokens=1).text


def test_nobody_else_may_ask_it(embedded: OpenAIChat) -> None:
    address = f"{embedded.info.base_url}/chat/completions"
    request = urllib.request.Request(address, data=b"{}", headers={"Origin": "http://evil.example"})
    with pytest.raises(HTTPError) as caught:
        urllib.request.urlopen(request, timeout=5)
    with caught.value as refusal:
        assert refusal.code == 401
        assert refusal.headers["Access-Control-Allow-Origin"] != "*"
    assert embedded.info.base_url.startswith("http://127.0.0.1:")


def test_guard_against_repetition_can_be_set(embedded: OpenAIChat) -> None:
    without = open_embedded(dry=Dry(multiplier=0))
    assert without.dialect.varying == {}
    assert embedded.dialect.varying["dry_multiplier"] == 0.8
    without.close()


def test_decoding_is_greedy_unless_other_words_are_asked_for(embedded: OpenAIChat) -> None:
    prompt = Prompt(
        "You repeat.", "Say it again and again.", started="The red car stops. The red car stops. The red car"
    )
    plain, other = (
        "".join(piece.text for piece in embedded.stream(prompt, max_tokens=8, vary=vary, cancel=Never()))
        for vary in (False, True)
    )
    assert plain.startswith(" stops. The red car")
    assert other != plain


def test_gguf_header_tells_the_context() -> None:
    assert trained_context(bundled()) == 8192


def test_environment_without_anything_means_embedded(embedded: OpenAIChat) -> None:
    model = open_model(env={"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""})
    assert model.info.kind == "embedded"
    model.close()


def test_model_file_by_path(embedded: OpenAIChat) -> None:
    model = open_model(str(Path(bundled())), env={})
    assert model.info.base_url == embedded.info.base_url
    model.close()


def test_at_least_one_core() -> None:
    assert usable_cores() >= 1
