"""Lines from stdin, awaited: signals are handled while nobody types."""

from __future__ import annotations

import os
import sys
from typing import Final

from zconsole.storage.run_in_thread import patiently

MOST_BYTES: Final = 64 * 1024


async def read_lines(count: int, *, within_s: float) -> list[str]:
    """The first lines of stdin, "" for each that is missing. Raises TookTooLong."""
    try:
        descriptor = sys.stdin.fileno()
    except (OSError, ValueError):  # no file: nothing to wait for
        return [sys.stdin.readline().removesuffix("\n") for _ in range(count)]
    return await patiently(read_from, descriptor, count, within_s=within_s)


def read_from(descriptor: int, count: int) -> list[str]:
    """The first lines of a file, and no byte more: `sys.stdin` would lock its buffer against the exit."""
    lines: list[str] = []
    line = b""
    while len(lines) < count and len(line) < MOST_BYTES:
        byte = os.read(descriptor, 1)
        if byte not in {b"\n", b""}:
            line += byte
            continue
        lines.append(line.decode("utf-8", "surrogateescape"))
        line = b""
    return [*lines, *[""] * (count - len(lines))]
