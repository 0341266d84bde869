"""A file that is none cannot hold up or flood who reads it."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from zconsole.base.bounded_user_file import check_replaceable, expanded, is_file, open_regular, read_bounded


def test_a_file_is_read_whole_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "plan"
    path.write_bytes(b"x" * 100)

    assert b"x" * 100 == read_bounded(path, 100)
    with pytest.raises(OSError, match="longer than 99 bytes"):
        read_bounded(path, 99)


def test_a_link_that_the_user_names_is_followed(tmp_path: Path) -> None:
    (tmp_path / "plan").write_bytes(b"x")
    (tmp_path / "link").symlink_to("plan")

    assert b"x" == read_bounded(tmp_path / "link", 10)


def test_what_is_no_file_is_named_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "to-fifo").symlink_to("fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))

        for path, words in (
            (tmp_path / "fifo", "a FIFO"),
            (tmp_path / "to-fifo", "a FIFO"),
            (tmp_path, "a folder"),
            (tmp_path / "socket", "a socket"),
            (Path("/dev/zero"), "a device"),
        ):
            with pytest.raises(OSError, match=f"{words}, not a regular file"):
                read_bounded(path, 10)


def test_the_null_device_is_an_empty_file_and_nothing_to_replace() -> None:
    assert b"" == read_bounded("/dev/null", 10)
    with pytest.raises(OSError, match="a device"):
        check_replaceable("/dev/null")


def test_beneath_a_folder_no_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "link").symlink_to("../secret")
    folder = os.open(tmp_path / "kept", os.O_RDONLY | os.O_DIRECTORY)
    try:
        with pytest.raises(OSError, match="a symbolic link") as caught:
            open_regular("link", folder=folder)
    finally:
        os.close(folder)

    assert errno.ELOOP == caught.value.errno


@pytest.mark.parametrize(
    "name", ["n" * 300, "/" + "n/" * 3000, "a\0b", ""], ids=["long", "deep", "NUL", "none"]
)
def test_there_is_no_file_of_a_name_that_none_can_have(name: str) -> None:
    assert not is_file(name)
    assert not is_file(expanded(f"~nobody-at-all/{name}"))
