"""Results of programs: replies, refusals, streams, and the JSON of the ZFS commands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar, runtime_checkable

from zconsole.base.lazy_dataclass import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Reply:
    """Output and exit status of a program that ended."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """A program that blocks until something in the world is over, and then says this."""

    is_over: Callable[[], bool]
    reply: Reply


@dataclass(frozen=True, slots=True)
class Sending:
    """A program that prints bytes, piece by piece, and then ends so."""

    chunks: Iterator[bytes]
    reply: Reply


@runtime_checkable
class Taking(Protocol):
    """A program that reads its stdin."""

    def feed(self, data: bytes) -> Reply | None:
        """Take some bytes; returns the reply where they end the program."""

    def end(self) -> Reply:
        """End of input; returns the reply."""


class Refusal(Exception):
    """A program that fails; its output until then is kept."""

    def __init__(self, stderr: str, status: int = 1, *, stdout: str = "") -> None:
        super().__init__(stderr)
        self.reply = Reply(stdout, stderr, status)


def for_each(things: Iterable[T], act: Callable[[T], str | None]) -> Reply:
    """Run `act` for each thing, which returns its output; a refusal does not stop the others."""
    said = complaints = ""
    for thing in things:
        try:
            said += act(thing) or ""
        except Refusal as refusal:
            complaints += refusal.reply.stderr
    return Reply(said, complaints, 1 if complaints else 0)


def json_text(document: object) -> str:
    """A document as libnvpair prints it: one line, ASCII, nothing beyond the basic plane."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False) + "\n"
    if text.isascii():
        return text
    return "".join(
        char if ord(char) < 0x80 else f"\\u{ord(char):04x}" for char in text if ord(char) < 0x10000
    )


def json_head(command: str) -> dict[str, object]:
    """The first member of every JSON document of the ZFS commands."""
    return {"output_version": {"command": command, "vers_major": 0, "vers_minor": 1}}
