"""A small file of a user: what is read of it, and what is said of one that cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.base.errors import ZConsoleError
from zconsole.storage.json_list_file import JsonListFile


class NumbersUnread(ZConsoleError):
    """What is raised."""


NUMBERS = JsonListFile(2, "numbers", int, 100, NumbersUnread, "Wait for another version.", "Move it away.")


def test_without_a_file_the_list_is_empty(tmp_path: Path) -> None:
    assert () == NUMBERS.read(tmp_path / "none.json")


def test_the_list_is_read(tmp_path: Path) -> None:
    file = tmp_path / "numbers.json"
    file.write_text('{"schema": 2, "numbers": ["1", 2]}')

    assert (1, 2) == NUMBERS.read(file)


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ('{"schema": 3, "numbers": []}', "is of another version of zconsole", "Wait for another version."),
        ('{"schema": 2}', "is damaged", "Move it away."),
        ('{"schema": 2, "numbers": ["one"]}', "is damaged", "Move it away."),
        ('{"schema": 2, "numbers": [1e999]}', "is damaged", "Move it away."),
        ("[" * 90, "is damaged", "Move it away."),
        ("1" * 101, "cannot be read: longer than 100 bytes", ""),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_left(
    text: str, said: str, hint: str, tmp_path: Path
) -> None:
    file = tmp_path / "numbers.json"
    file.write_text(text)

    with pytest.raises(NumbersUnread, match=said) as raised:
        NUMBERS.read(file)

    assert str(file) in str(raised.value)
    assert hint == raised.value.hint
    assert text == file.read_text()


def test_a_folder_in_its_place_is_told(tmp_path: Path) -> None:
    with pytest.raises(NumbersUnread, match="cannot be read: a folder"):
        NUMBERS.read(tmp_path)
