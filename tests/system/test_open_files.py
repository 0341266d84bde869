"""What processes hold open: hostile names, answers cut short, and a real /proc."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.system.open_files import OPEN_FILES, OpenFile, parse_open_files

PATHS = st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), max_size=40)
FILES = st.builds(
    OpenFile, st.integers(1, 4194304), st.sampled_from(["cwd", "root", "exe", "fd"]), PATHS.map("/".__add__)
)


def _as_find_prints_it(file: OpenFile) -> str:
    how = "fd/7" if file.how == "fd" else file.how
    return f"/proc/{file.process}/{how}\0{file.path}\0"


@given(files=st.lists(FILES))
def test_whatever_find_can_print_is_read_back(files: list[OpenFile]) -> None:
    assert tuple(files) == parse_open_files("".join(map(_as_find_prints_it, files)))


def test_an_answer_cut_short_is_an_error_or_the_first_links() -> None:
    files = (OpenFile(1, "exe", "/sbin/init"), OpenFile(42, "fd", "/tank/vm/a\nb.raw"))
    whole = "".join(map(_as_find_prints_it, files))

    for at in range(len(whole)):
        try:
            part = parse_open_files(whole[:at])
        except ParseError:
            continue
        assert files[: len(part)] == part


@pytest.mark.parametrize("link", ["/proc/self/fd/1", "/etc/passwd", "/proc/1/fd/x", "/proc/1/mem"])
def test_another_link_is_an_error(link: str) -> None:
    with pytest.raises(ParseError, match="not a link of a process"):
        parse_open_files(f"{link}\0/x\0")


def test_a_real_find_sees_what_this_process_holds(tmp_path: Path) -> None:
    """The expression is right, folders and programs included."""
    path = tmp_path / "a disk\nimage"
    with path.open("w"):
        found = subprocess.run(OPEN_FILES.argv, capture_output=True, check=False).stdout

    files = parse_open_files(os.fsdecode(found))

    assert OpenFile(os.getpid(), "fd", str(path)) in files
    assert any(file.process == os.getpid() and file.how == "exe" for file in files)
    assert not any(file.path == "/" for file in files)
