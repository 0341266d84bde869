"""TOML of plain lines, read without the standard library's parser, which takes 3 ms to load.

A line is empty, a comment, a `[table]`, or a key with a text or a flag. Whatever else a file has, and what is
wrong in it, is left to the whole parser.
"""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.errors import ConfigError

_LINE: Final = re.compile(
    r"""[ \t]*(?:\#[ -~]*|\[(?P<table>[A-Za-z0-9_-]{1,64})\]
    |(?P<key>[A-Za-z0-9_-]{1,64})[ ]=[ ](?:"(?P<text>[ !\#-\[\]-~]{0,200})"|(?P<flag>true|false)))?[ \t]*""",
    re.VERBOSE,
)


def parse_toml(text: str) -> dict[str, object]:
    """The tables and values of a file. Raises ConfigError without the file's name."""
    found = _simple(text)
    if found is not None:
        return found
    import tomllib  # noqa: PLC0415  # see above

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"not valid TOML: {error}") from error


def _simple(text: str) -> dict[str, object] | None:
    """The same of plain lines; None for any other file."""
    whole: dict[str, object] = {}
    into = whole
    for line in text.split("\n"):
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        if (table := match["table"]) is not None:
            if table in whole:
                return None
            whole[table] = into = {}
        elif (key := match["key"]) is not None:
            if key in into:
                return None
            into[key] = match["text"] if match["flag"] is None else match["flag"] == "true"
    return whole
