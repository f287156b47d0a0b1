"""A server named on the page must not get the key of another one."""

from __future__ import annotations

import pytest

from pages.service import _environment

KEY = {"OPENAI_API_KEY": "secret", "PATH": "/bin"}
OWN = {**KEY, "OPENAI_BASE_URL": "https://models.example.org/v1"}


@pytest.mark.parametrize(
    ("lm", "env", "sent"),
    [
        (None, KEY, True),
        ("", OWN, True),
        ("https://models.example.org/v1", OWN, True),
        ("https://models.example.org:444/v1", OWN, False),
        ("http://models.example.org/v1", OWN, False),
        ("https://evil.example.org/v1", OWN, False),
        ("https://evil.example.org/v1", KEY, False),
        ("https://api.openai.com/v1", KEY, True),
        ("https://api.openai.com@evil.example.org/v1", KEY, False),
        ("embedded", KEY, False),
    ],
)
def test_the_key_goes_only_to_the_server_it_was_given_for(lm: str | None, env: dict[str, str], sent: bool) -> None:
    assert ("OPENAI_API_KEY" in _environment(lm, env)) is sent
    assert _environment(lm, env)["PATH"] == "/bin"
