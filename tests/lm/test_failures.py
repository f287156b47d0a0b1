"""Each thing that goes wrong, in words for the user; a key is never among them."""

from __future__ import annotations

from pathlib import Path

import pytest

from flare_core.errors import ModelError, UsageError
from flare_core.lm.choice import open_model
from flare_core.lm.failures import ContextExceeded, NotUnderstood, Place, UnknownModel
from flare_core.ports import Prompt
from tests.fake_lm import fake_lm
from tests.lm.helpers import ask

KEY = "sk-secret-1234567890abcdef"


def test_wrong_key_echoed_by_the_server_is_not_shown() -> None:
    with fake_lm(key="another") as server:
        with pytest.raises(ModelError, match="401") as caught:
            open_model(server.base_url, env={"OPENAI_API_KEY": KEY})
        model = server.model(api_key=KEY)
        with pytest.raises(ModelError) as streamed:
            ask(model)
    for error in (caught.value, streamed.value):
        assert KEY not in str(error)
        assert "OPENAI_API_KEY" in error.remedy
        assert error.__cause__ is None


@pytest.mark.parametrize(
    ("status", "said", "shown"),
    [
        (403, f"key {KEY} may not do this", "403"),
        (429, f"rate limit for {KEY}", "slow down"),
        (429, "You exceeded your current quota", "used up"),
        (500, f"boom Bearer {KEY}", "failed (500)"),
        (400, f"odd field, {KEY}", "refused the request (400)"),
        (404, "no such page", "does not answer like"),
    ],
)
def test_status_is_explained_without_the_key(status: int, said: str, shown: str) -> None:
    with fake_lm(status=status, message=said) as server, pytest.raises(ModelError) as caught:
        ask(server.model(api_key=KEY, retries=0))
    assert shown in str(caught.value)
    assert KEY not in str(caught.value)
    assert caught.value.remedy


def test_redaction_covers_keys_that_are_not_ours() -> None:
    place = Place("http://x/v1", secrets=("p4ssw0rd",))
    assert place.clean("a p4ssw0rd, sk-proj-abcdef123456, Bearer abc.def.ghi\x1b[31m") == "a ***, ***, *** [31m"


def test_long_words_of_a_server_are_cut() -> None:
    assert len(Place("http://x").clean("la " * 1000)) <= 300


def test_context_exceeded() -> None:
    with fake_lm(context=10) as server, pytest.raises(ContextExceeded, match="longer than the model"):
        ask(server.model(), Prompt("", "word " * 20))


def test_unreachable_endpoint() -> None:
    with fake_lm() as server:
        address = server.base_url
    with pytest.raises(ModelError, match="Cannot reach"):
        open_model(address, env={})


def test_unknown_model_names_those_that_exist() -> None:
    with fake_lm(models=("one", "two")) as server, pytest.raises(UnknownModel) as caught:
        open_model(server.base_url, "three", env={})
    assert "“three”" in str(caught.value)
    assert "one, two" in caught.value.remedy


def test_no_such_gguf(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model file"):
        open_model(str(tmp_path / "none.gguf"), env={})


def test_broken_gguf(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + b"\xff" * 64)
    with pytest.raises(ModelError, match="not a GGUF"):
        open_model(str(path), env={})


@pytest.mark.parametrize("lm", ["ftp://host/v1", "not a url", "http://", "http://host:port/v1", "localhost:8080"])
def test_not_a_url(lm: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_model(lm, env={})
    assert "http" in caught.value.remedy


def test_wrong_address_shows_no_password() -> None:
    with pytest.raises(UsageError) as caught:
        open_model("ftp://me:hunter22@host/v1?key=abc", env={})
    assert "hunter22" not in str(caught.value)
    assert "abc" not in str(caught.value)


def test_something_else_answers() -> None:
    with fake_lm([["x"]], streams=False) as server, pytest.raises(NotUnderstood):
        ask(server.model())


@pytest.mark.parametrize(
    "odd", ["x", [7], [{"delta": "x"}], [{"delta": {}, "logprobs": {"content": [{"bytes": [999]}]}}]]
)
def test_malformed_chunk(odd: object) -> None:
    with fake_lm([["a", "b"]], odd=odd) as server, pytest.raises(NotUnderstood):
        ask(server.model())
