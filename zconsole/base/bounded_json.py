"""Parser of JSON printed by a host, with bounds on its size, depth and numbers."""

from __future__ import annotations

import json
from typing import Final

from zconsole.base.errors import ParseError

MOST_BYTES: Final = 8 << 20  # three thousand vdevs
TOO_MUCH: Final = "more JSON than any host has to print"
MOST_VALUES: Final = 1_000_000
MOST_HOLDERS: Final = 250_000  # lists and objects; the interpreter builds them without releasing the GIL


def load_json(tool: str, text: str) -> object:
    """Parse a document. Raises ParseError when it is truncated, too large or nested too deeply."""
    holders = text.count("[") + text.count("{")
    if len(text) > MOST_BYTES or holders > MOST_HOLDERS or text.count(",") > MOST_VALUES:
        raise ParseError(tool, 1, text, TOO_MUCH)
    try:
        loaded: object = json.loads(text)
    except RecursionError:
        failure = ParseError(tool, 1, text, "nested too deeply")
    except ValueError:
        line_no, rest = text.count("\n") + 1, text[text.rfind("\n") + 1 :]
        failure = ParseError(tool, line_no, rest[-80:], "truncated, or not JSON")
    else:
        return loaded
    raise failure  # without its cause, which holds the whole text
