"""Ways in which a file is damaged, by seed: cut, changed, stuffed, doubled, and its values replaced."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

DEEP: Final = 100_000
NASTY: Final[tuple[object, ...]] = (
    *(None, True, False, 0, -1, 1 << 63, 1 << 64, 10**400, 1e308, -1e308, float("nan"), float("inf")),
    *("", "x", "\0", "\x1b[2J", "\ud800", "\u202e", "../../etc/passwd", "a" * 100_000, "1" * 5000),
    *([], {}, [[]], {"": None}, [None] * 1000, ["x"], {"a": 1}),
)
RAW: Final = (
    *(
        b"",
        b"\0",
        b"\n",
        b"\xff\xfe",
        b"\xc0\x80",
        b"\x1b[2J",
        b'"',
        b"[" * DEEP,
        b"{" * DEEP,
        b'{"a":' * DEEP,
    ),
    *(
        b"9" * 5000,
        b"1e999",
        b"-",
        b"Infinity",
        b"NaN",
        b"[[" * 500,
        b"'''",
        b"x = " + b"[" * 5000,
        b"\t" * 5000,
    ),
    *(b"a" * 200_000, b"\xf0\x9f\x98\x80" * 10, b"=" * 1000, b"\x80" * 8, b"\xff" * 8, b"\0" * 1000),
)

Break = Callable[[bytes, Random], bytes]


def cut(content: bytes, chance: Random) -> bytes:
    """Its beginning, or its end."""
    at = chance.randrange(len(content) + 1)
    return content[:at] if chance.random() < 0.7 else content[at:]


def spotted(content: bytes, chance: Random) -> bytes:
    """Some bytes are others."""
    found = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 4, 40))):
        if found:
            found[chance.randrange(len(found))] = chance.choice((0, 255, chance.randrange(256), 10, 34))
    return bytes(found)


def stuffed(content: bytes, chance: Random) -> bytes:
    """Something stands within it, or in the place of some of it."""
    at = chance.randrange(len(content) + 1)
    end = at if chance.random() < 0.5 else min(len(content), at + chance.randrange(1, 40))
    return content[:at] + chance.choice(RAW) + content[end:]


def doubled(content: bytes, chance: Random) -> bytes:
    """Some of it comes again."""
    start, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    return content[:end] + content[start:end] * chance.choice((1, 2, 50)) + content[end:]


def replaced(content: bytes, chance: Random) -> bytes:
    """Of JSON, one object a line, or of another text: a value is another one, is gone, or is new."""
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        document = json.loads(lines[at])
    except (ValueError, RecursionError):
        return stuffed(content, chance)
    lines[at] = json.dumps(_changed(document, chance)).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def _changed(document: Any, chance: Random) -> Any:
    """One place, at any depth, has another value."""
    if not isinstance(document, dict | list) or not document or chance.random() < 0.15:
        return chance.choice(NASTY)
    if isinstance(document, list):
        at = chance.randrange(len(document))
        return [*document[:at], _changed(document[at], chance), *document[at + 1 :]]
    key = chance.choice(list(document))
    if chance.random() < 0.1:
        return {name: value for name, value in document.items() if name != key}
    return document | {key: _changed(document[key], chance)}


BREAKS: Final[tuple[Break, ...]] = (cut, spotted, stuffed, doubled, replaced, replaced)


def broken(content: bytes, seed: int) -> bytes:
    """The same content, broken in one to three ways by seed."""
    chance = Random(seed)  # noqa: S311  # to break files, not to keep secrets
    for _ in range(chance.choice((1, 1, 2, 3))):
        content = chance.choice(BREAKS)(content, chance)
    return content
