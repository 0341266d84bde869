"""The recorded answers of real hosts, found by their files' names: new ones are taken up by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

CAPTURES = Path(__file__).parents[1] / "captures"
STATUS_TEXT = "zpool_status*.txt"
STATUS_JSON = "zpool_status*.json"
NOT_ASKED_FOR = {"zpool_status_flat.json", "zpool_status_T.txt"}  # no tree, and a date before each answer


def recorded(pattern: str) -> list[Path]:
    """Every recorded answer whose name matches, without those of commands that failed."""
    found = [
        path
        for path in sorted(CAPTURES.glob(f"*/*/{pattern}"))
        if path.name not in NOT_ASKED_FOR and not path.with_name(f"{path.name}.rc").exists()
    ]
    assert found, f"no capture is called {pattern}"
    return found


def each(pattern: str) -> pytest.MarkDecorator:
    """Run a test once for each recorded answer whose name matches."""
    return pytest.mark.parametrize("path", recorded(pattern), ids=identity)


def identity(path: Path) -> str:
    """`2.1/replacing/zpool_status_v.txt`: what to call a recorded answer."""
    return path.relative_to(CAPTURES).as_posix()


def cuts(whole: bytes, *, is_long: bool, samples: int) -> Iterator[int]:
    """Where to cut an answer short: everywhere, or around each line break and at some places between."""
    if is_long:
        yield from range(len(whole))
        return
    lines = [at for at, byte in enumerate(whole) if byte == ord("\n")]
    step = max(1, len(lines) // samples)
    around = {at + offset for at in lines[::step] for offset in (-1, 0, 1, 2)}
    between = range(0, len(whole), max(1, len(whole) // samples))
    ends = range(max(0, len(whole) - 30), len(whole))
    yield from sorted(at for at in around | set(between) | set(ends) if 0 <= at < len(whole))
