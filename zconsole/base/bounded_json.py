"""Parser of JSON printed by a host, with bounds on its size, depth and numbers."""

from __future__ import annotations

import json
from typing import Final

from zconsole.base.errors import ParseError

MOST_BYTES: Final = 32 << 20
MOST_VALUES: Final = 2_000_000
MOST_HOLDERS: Final = 250_000  # lists and objects; the interpreter builds them without releasing the GIL


def load_json(tool: str, text: str) -> object:
    """Parse a document. Raises ParseError when it is truncated, too large or nested too deeply."""
    holders = text.count("[") + text.count("{")
    if len(text) > MOST_BYTES or holders > MOST_HOLDERS or text.count(",") > MOST_VALUES:
        raise ParseError(tool, 1, text, "more JSON than any host has to print")
    try:
        loaded: object = json.loads(text)
    except RecursionError as error:
        raise ParseError(tool, 1, text, "nested too deeply") from error
    except ValueError as error:
        line_no, rest = text.count("\n") + 1, text[text.rfind("\n") + 1 :]
        raise ParseError(tool, line_no, rest[-80:], "truncated, or not JSON") from error
    return loaded
