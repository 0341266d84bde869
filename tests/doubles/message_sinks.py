"""Sinks on loopback: a mail server and an HTTP server that keep what they get."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller


@dataclass(slots=True)
class Post:
    """One request."""

    path: str
    headers: dict[str, str]
    document: Any


@dataclass(slots=True)
class HttpSink:
    """Requests so far; `answers` are the next codes, then 200."""

    port: int = 0
    posts: list[Post] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    redirect: str = ""
    changed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wait_for(self, count: int, timeout_s: float = 60.0) -> list[Post]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.posts) >= count, timeout_s), self.posts
            return list(self.posts)


@contextmanager
def http_sink() -> Iterator[HttpSink]:
    """An HTTP server that runs."""
    sink = HttpSink()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            code = sink.answers.pop(0) if sink.answers else 200
            self.send_response(code)
            if 300 <= code < 400:
                self.send_header("Location", sink.redirect)
            self.end_headers()
            with suppress(ConnectionError):  # who asked may be gone
                self.wfile.write(b"said\x1b[31m so" if code != 200 else b"{}")
            with sink.changed:
                if code == 200:
                    sink.posts.append(Post(self.path, dict(self.headers), json.loads(body)))
                sink.changed.notify_all()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name there
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        sink.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield sink
        finally:
            server.shutdown()
            thread.join()


@dataclass(slots=True)
class MailSink:
    """Mails so far; `refusals` are the next answers, then 250."""

    port: int = 0
    mails: list[EmailMessage] = field(default_factory=list)
    envelopes: list[tuple[str, list[str]]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:  # noqa: N802
        if self.refusals:
            return self.refusals.pop(0)
        mail = BytesParser(policy=default).parsebytes(envelope.content.replace(b"\r\n", b"\n"))
        assert isinstance(mail, EmailMessage)
        with self.changed:
            self.mails.append(mail)
            self.envelopes.append((envelope.mail_from, envelope.rcpt_tos))
            self.changed.notify_all()
        return "250 OK"

    def wait_for(self, count: int, timeout_s: float = 60.0) -> list[EmailMessage]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.mails) >= count, timeout_s), self.mails
            return list(self.mails)


class _AnyPort(Controller):
    """aiosmtpd connects to its own port once to see that it runs; it must be told which one it got."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@contextmanager
def mail_sink() -> Iterator[MailSink]:
    """A mail server that runs."""
    sink = MailSink()
    controller = _AnyPort(sink, hostname="127.0.0.1", port=0)
    controller.start()
    try:
        sink.port = controller.port
        yield sink
    finally:
        controller.stop()
