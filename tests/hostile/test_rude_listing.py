"""Lists of models, names and addresses that are built wrongly."""

from __future__ import annotations

import gzip
import json

import pytest

from flare_core.errors import FlareError, ModelError, UsageError
from flare_core.lm.choice import context_of, open_model
from tests.hostile.rude import rude

DEEP = b'{"data": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"


@pytest.mark.parametrize("listing", [DEEP, b"9" * 5000, b"\xff\xfe", b" " * 20_000_000])
def test_listing_that_is_no_sane_json_is_a_model_error(listing: bytes) -> None:
    with rude(models=listing) as url, pytest.raises((ModelError, UsageError)):
        open_model(url, env={})


def test_packed_listing_is_not_unpacked_without_bounds() -> None:
    bomb = gzip.compress(gzip.compress(b"") * 200_000, 0)
    with rude(models=bomb) as url, pytest.raises((ModelError, UsageError)):
        open_model(url, env={})


@pytest.mark.parametrize("name", ["m\x1b[2J", "m\nfoo", "\ud800", "x" * 5000, "\u202em"])
def test_name_that_cannot_be_shown_is_neither_taken_nor_sent(name: str) -> None:
    with rude(models=json.dumps({"data": [{"id": name}, {"id": 7}, {"id": None}]}).encode()) as url:
        with pytest.raises(UsageError, match="does not list"):
            open_model(url, env={})
        with pytest.raises(UsageError, match="name of the model"):
            open_model(url, name, env={})


@pytest.mark.parametrize("size", ["4096", -5, 0, True, 1e5, 10**30, None, [1]])
def test_context_that_is_no_size_is_unknown(size: object) -> None:
    assert context_of({"id": "m", "meta": "text", "max_model_len": size}) is None


def test_context_inside_meta_is_known() -> None:
    assert context_of({"id": "m", "meta": {"n_ctx": 8192}}) == 8192


@pytest.mark.parametrize(
    "lm",
    [
        "http://" + "a" * 300 + "/v1",
        "http://a\udcffb/v1",
        "http://a..b/v1",
        "http://exa mple/v1",
        "http://x/v1\udcff",
        "a" * 5000,
        "~nobody-here/model",
        "x\0y",
    ],
)
def test_address_that_no_server_can_have_is_a_usage_error(lm: str) -> None:
    with pytest.raises(UsageError):
        open_model(lm, env={})


def test_long_file_name_is_an_error_in_words() -> None:
    with pytest.raises(FlareError):
        open_model("a" * 5000 + ".gguf", env={})
