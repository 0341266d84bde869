"""Lines of stdin: those that are asked for, and no byte more."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from zconsole.cli.stdin_lines import MOST_BYTES, read_from, read_lines
from zconsole.storage.run_in_thread import TookTooLong


@contextmanager
def written(data: bytes, *, ends: bool = True) -> Iterator[int]:
    """A pipe with something in it, closed or not."""
    read, write = os.pipe()
    os.write(write, data)
    if ends:
        os.close(write)
    try:
        yield read
    finally:
        os.close(read)
        if not ends:
            os.close(write)


@pytest.mark.parametrize(
    ("expected", "data"),
    [
        (["one", "two"], b"one\ntwo\nthree\n"),
        (["one", "two"], b"one\ntwo"),
        (["one", ""], b"one\n"),
        (["", "two"], b"\ntwo\n"),
        (["", ""], b""),
        (["\udcff\xe4", " blank "], b"\xff\xc3\xa4\n blank \n"),
    ],
)
def test_lines_are_read_one_by_one(expected: list[str], data: bytes) -> None:
    with written(data) as descriptor:
        assert expected == read_from(descriptor, 2)


def test_what_follows_the_lines_is_left_to_others() -> None:
    with written(b"secret\nmore\n") as descriptor:
        assert ["secret"] == read_from(descriptor, 1)
        assert b"more\n" == os.read(descriptor, 100)


def test_a_line_without_an_end_is_none(tmp_path: Path) -> None:
    file = tmp_path / "endless"
    file.write_bytes(b"x" * (MOST_BYTES + 1))
    with file.open("rb") as stream:
        assert [""] == read_from(stream.fileno(), 1)


async def test_stdin_that_stays_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with written(b"", ends=False) as descriptor, os.fdopen(os.dup(descriptor)) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        with pytest.raises(TookTooLong):
            await read_lines(1, within_s=0)


async def test_stdin_that_is_no_file_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\ntwo\n"))
    assert ["one", "two", ""] == await read_lines(3, within_s=1)
