"""`zfs send -n`: estimated size of a stream. It sends nothing."""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.zfs.zfs_numbers_and_dates import exact_number

TOOL: Final = "zfs send -n"
TIMEOUT_S: Final = 60.0


def measure_increment(base: str, snapshot: str) -> Command:
    """Estimate the size of an increment; `base` is a snapshot or bookmark."""
    return Command(("zfs", "send", "-nvP", "-i", base, snapshot), timeout_s=TIMEOUT_S)


def parse_send_size(text: str) -> int:
    """The total estimate in bytes. Raises ParseError."""
    for line_no, line in bounded_lines(TOOL, text):
        word, tab, rest = line.partition("\t")
        if word == "size" and tab:
            try:
                return exact_number(rest.strip())
            except ValueError as error:
                raise ParseError(TOOL, line_no, line, str(error)) from error
    raise ParseError(TOOL, 1, text, "no line with the size")
