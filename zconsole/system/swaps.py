"""/proc/swaps: devices and files used as swap."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.bounded_lines import line_list
from zconsole.base.errors import ParseError

TOOL: Final = "swaps"
SWAPS: Final = "/proc/swaps"
_FIELDS: Final = 5
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


def parse_swaps(text: str) -> tuple[str, ...]:
    """The path of each swap device or file."""
    lines = line_list(TOOL, text, reason="the file is truncated")
    found: list[str] = []
    for line_no, line in enumerate(lines[1:], start=2):
        fields = line.split()
        if len(fields) != _FIELDS or not fields[0].startswith("/"):
            raise ParseError(TOOL, line_no, line, f"expected a path and {_FIELDS - 1} fields")
        found.append(_ESCAPED.sub(lambda octal: chr(int(octal[1], 8)), fields[0]))
    return tuple(found)
