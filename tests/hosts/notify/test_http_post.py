"""A document posted to a real server on loopback."""

from __future__ import annotations

import pytest

from tests.doubles.message_sinks import http_sink
from zconsole.base.secret import Secret
from zconsole.hosts.notify.delivery_error import DeliveryFailed
from zconsole.hosts.notify.http_post import HttpEndpoint, post


def test_a_document_arrives_with_its_token() -> None:
    with http_sink() as sink:
        post(HttpEndpoint(Secret(f"{sink.url}/hook?a=1"), Secret("t0ken")), b'{"a": 1}')

    (found,) = sink.posts
    assert ("/hook?a=1", {"a": 1}) == (found.path, found.document)
    assert "Bearer t0ken" == found.headers["Authorization"]
    assert "application/json" == found.headers["Content-Type"]


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_refused_so_that_the_token_goes_nowhere_else(code: int) -> None:
    with http_sink() as sink, http_sink() as thief:
        sink.answers.append(code)
        sink.redirect = thief.url
        with pytest.raises(DeliveryFailed, match=f"answered {code}"):
            post(HttpEndpoint(Secret(sink.url), Secret("t0ken")), b"{}")
    assert [] == thief.posts


@pytest.mark.parametrize("code", [400, 404, 429, 500, 503])
def test_an_error_is_a_sentence_with_what_was_said_and_without_the_address(code: int) -> None:
    with http_sink() as sink:
        sink.answers.append(code)
        with pytest.raises(DeliveryFailed) as caught:
            post(HttpEndpoint(Secret(f"{sink.url}/s3cret"), Secret("t0ken")), b"{}")
    assert f"127.0.0.1 answered {code}: said^[[31m so" == caught.value.message
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/s3cret", "file:///etc/passwd", "http://[bad/s3cret"])
def test_what_cannot_be_reached_is_a_sentence_without_the_address(url: str) -> None:
    with pytest.raises(DeliveryFailed) as caught:
        post(HttpEndpoint(Secret(url)), b"{}")
    assert "s3cret" not in str(caught.value)


def test_a_token_with_a_line_end_sends_no_header_of_its_own() -> None:
    with http_sink() as sink, pytest.raises(DeliveryFailed):
        post(HttpEndpoint(Secret(sink.url), Secret("a\r\nX-Evil: 1")), b"{}")
    assert [] == sink.posts
