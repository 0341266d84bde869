"""`zfs holds`: tags that prevent the destruction of snapshots."""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Iterable, Iterator, Sequence
from time import strptime
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.host.plan_facts import Hold

TOOL: Final = "zfs holds"
AT_ONCE: Final = 200  # snapshots per command: each one costs ZFS an open of its dataset
MAX_BYTES: Final = 48 * 1024  # of names per command, far below the limit of one command line
TIMEOUT_S: Final = 60.0
_DATE: Final = re.compile(r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [ \d]?\d:\d\d \d{4}", re.ASCII)
_MAX_DIGITS: Final = 12


def list_holds(snapshots: Sequence[str]) -> Command:
    """Print the holds of some snapshots. Without -p, which OpenZFS before 2.2 lacks."""
    return Command(("zfs", "holds", "-H", *snapshots), timeout_s=TIMEOUT_S)


def batches(snapshots: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The snapshots in batches that fit one command."""
    batch: list[str] = []
    length = 0
    for name in snapshots:
        length += len(name.encode()) + 3
        if batch and (len(batch) == AT_ONCE or length > MAX_BYTES):
            yield tuple(batch)
            batch, length = [], len(name.encode()) + 3
        batch.append(name)
    if batch:
        yield tuple(batch)


def parse_holds(text: str) -> tuple[Hold, ...]:
    """Parse the output of `list_holds`; a tag may be any text, only the outer columns are reliable."""
    return tuple(_holds(text))


def _holds(text: str) -> Iterator[Hold]:
    for line_no, line in whole_lines(TOOL, text):
        fields = line.split("\t")
        name, tag, since = fields[0], "\t".join(fields[1:-1]), fields[-1]
        if "@" not in name or not tag:
            raise ParseError(TOOL, line_no, line, "expected a snapshot, a tag and a time")
        try:
            yield Hold(name, tag, _moment(since))
        except ValueError as error:
            raise ParseError(TOOL, line_no, line, str(error)) from error


def _moment(text: str) -> int | None:
    """Epoch seconds of a date in UTC, or of a number."""
    if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
        return int(text)
    if text == "-":
        return None
    if not _DATE.fullmatch(text):
        raise ValueError(f"not a time: {text!r}")
    return timegm(strptime(text, "%a %b %d %H:%M %Y"))
