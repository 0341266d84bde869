"""Answers of hosts made worse: what is damaged, forged, doubled, cut, and far too large or too deep."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

WORDS = (
    *(b"9" * 19, b"9" * 20, b"9" * 21, b"9" * 400, b"9" * 5000, b"-1", b"-0", b"-9223372036854775809"),
    *(b"18446744073709551615", b"18446744073709551616", b"18446744073709551617E", b"16.0E", b"99999999999Z"),
    *(b"Infinity", b"-Infinity", b"NaN", b"nan", b"inf", b"1e999", b"1e-999", b"1_000", b"0x" + b"f" * 16),
    *(b"Fri Feb 31 23:52:16 2026", b"Fri Nov 20 24:00:00 2026", b"Fri Nov 20 23:52:16 0000"),
    *(b"Fri Nov 20 23:52:16 9999", b"2026-13-45.25:61:61", b"0000-00-00.00:00:00", b"99999999 days 00:00:00"),
    *(b"\xff", b"\xed\xa0\x80", b"\xc3", b"\x00", b"\r", b"\x1b[2J", b"\x0b", b"\x1c", b"\x85"),
    *("\u2028".encode(), "\u0663".encode(), "²".encode(), "\u202e".encode(), "é".encode(), "🧀".encode()),
    *(
        b"\t",
        b"\n",
        b"  ",
        b"\n\n\n",
        b"'",
        b'"',
        b"\\",
        b"\\ud800",
        b"[",
        b"{",
        b"}",
        b",",
        b":",
        b"-",
        b"@",
        b"#",
    ),
    *(b"none", b"null", b"true", b"(", b")", b"%", b"0", b"00", b"1", b""),
)
LARGE = 1 << 20
_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_SPLIT = re.compile(rb"([\t\n ,:\"]++)")


def always() -> Iterator[bytes]:
    """What every parser is given, whatever it reads."""
    yield b""
    yield from WORDS
    yield from (word + b"\n" for word in WORDS)
    yield from (b"[" * 100_000, b'{"a":' * 100_000, b'{"pools":' + b"[" * 900 + b"]" * 900 + b"}")
    yield b'{"pools": {"tank": ' + b'{"vdevs": {"x": ' * 400 + b"1" + b"}}" * 401
    yield b'{"pools": %s}' % (b"9" * 4000)
    yield b'{"blockdevices": ' + b'[{"kname": "a", "children": ' * 300 + b"[]" + b"}]" * 300 + b"}"
    yield b'{"blockdevices": [{"kname": "a", "size": %s}]}\n' % (b"9" * 4000)
    yield b"x" * LARGE
    yield b"x" * LARGE + b"\n"
    yield b"\t" * LARGE + b"\n"
    yield b" " * LARGE + b"\n"
    yield b"\n" * LARGE
    yield b"1\t2\t3\n" * (LARGE // 6)
    yield b"\xff" * LARGE
    yield b"9" * LARGE + b"\n"
    yield b"\x00" * LARGE
    yield bytes(range(256)) * 64


def mutated(data: bytes, random: Random) -> bytes:
    """The answer with one to four things wrong."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        data = random.choice(_WAYS)(data, random)
    return data


def stretched(data: bytes, random: Random) -> bytes:
    """The answer with one place that goes on for a megabyte: of a word, of what parts words, or of lines."""
    parts = _SPLIT.split(data)
    start = random.randrange(len(parts))
    piece = b"".join(parts[start : start + random.choice((1, 1, 2, 3, 4))]) or b"a"
    lines = data.split(b"\n")
    if random.random() < 0.3:
        piece = random.choice(lines) + b"\n"
    many = LARGE // len(piece)
    at = sum(map(len, parts[:start]))
    return data[:at] + piece * many + data[at:]


def _flip(data: bytes, random: Random) -> bytes:
    found = bytearray(data)
    for _ in range(random.choice((1, 2, 8))):
        if found:
            found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found)


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _cut_at_a_line(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    return b"\n".join(lines[: random.randrange(len(lines) + 1)]) + b"\n"


def _without_a_part(data: bytes, random: Random) -> bytes:
    start = random.randrange(len(data) + 1)
    return data[:start] + data[start + random.choice((1, 2, 20, 400)) :]


def _inserted(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.choice(WORDS) + data[at:]


def _another_number(data: bytes, random: Random) -> bytes:
    numbers = list(_NUMBER.finditer(data))
    if not numbers:
        return _inserted(data, random)
    number = random.choice(numbers)
    return data[: number.start()] + random.choice(WORDS) + data[number.end() :]


def _another_word(data: bytes, random: Random) -> bytes:
    parts = _SPLIT.split(data)
    parts[random.randrange(len(parts))] = random.choice((*WORDS, random.choice(parts)))
    return b"".join(parts)


def _a_line_twice(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    lines[at:at] = [lines[at]] * random.choice((1, 2, 50))
    return b"\n".join(lines)


def _lines_swapped(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _with_returns(data: bytes, random: Random) -> bytes:
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"\n\r", b"\n\n")))


def _twice(data: bytes, _: Random) -> bytes:
    return data + data


_WAYS: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_flip, _cut, _cut_at_a_line, _without_a_part, _inserted, _inserted, _another_number, _another_number),
    *(_another_word, _another_word, _a_line_twice, _lines_swapped, _with_returns, _twice),
)
