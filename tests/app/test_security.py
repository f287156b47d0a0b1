"""Who is let in to the routes, and the headers of every answer."""

from __future__ import annotations

import pytest

from tests.app.routes import client
from tests.runs import fakes


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8501", "127.0.0.1:80", "[::1]:8501", "LOCALHOST", "localhost."]
)
def test_this_machine_is_let_in(service, host):
    assert client(service(fakes.fast)).get("/api/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil@localhost", "localhost/x", "[::1", ":80",
     "localhost:x", "127.0.0.1#.evil.example"],
)  # fmt: skip
def test_names_of_others_are_refused(service, host):
    answer = client(service(fakes.fast)).get("/api/health", headers={"Host": host})
    assert answer.status_code == 403
    assert "FLARE_ALLOWED_HOSTS" in answer.json()["error"]


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:8501", 200),
        ("http://evil.example", 403),
        ("null", 403),
        ("", 403),
        ("http://localhost.evil.example", 403),
    ],
)
def test_pages_of_others_are_refused(service, origin, status):
    assert client(service(fakes.fast)).get("/api/health", headers={"Origin": origin}).status_code == status


@pytest.mark.parametrize(
    ("setting", "host", "status"),
    [
        ("flare.example.org", "flare.example.org", 200),
        ("a.example, *.Example.org", "b.example.org:443", 200),
        ("*.example.org", "example.org", 403),
        ("*.example.org", "badexample.org", 403),
        ("192.168.0.2", "192.168.0.2:8501", 200),
        ("*", "whatever.example", 200),
        ("", "whatever.example", 403),
    ],
)
def test_further_names_are_let_in_by_setting(service, monkeypatch, setting, host, status):
    monkeypatch.setenv("FLARE_ALLOWED_HOSTS", setting)
    assert client(service(fakes.fast)).get("/api/health", headers={"Host": host}).status_code == status


def test_every_answer_carries_the_headers(service):
    for path in ("/api/health", "/api/runs/unknown/events", "/nowhere"):
        headers = client(service(fakes.fast)).get(path).headers
        assert "img-src 'self' data: blob:;" in headers["content-security-policy"]
        assert "object-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "SAMEORIGIN"
        assert headers["referrer-policy"] == "same-origin"
