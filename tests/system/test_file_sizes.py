"""Files of a file system: hostile names, answers cut short, and real folders."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.system.file_sizes import SampledPlace, SizedFile, parse_file_sample, sample_files

NAMES = st.text(st.characters(blacklist_characters="\0", blacklist_categories=("Cs",)), max_size=20)
FILES = st.lists(st.builds(SizedFile, NAMES, st.integers(0, 2**63), st.integers(0, 99).map((512).__mul__)))
PLACES = st.builds(SampledPlace, FILES.map(tuple), st.booleans())


def _files(place: SampledPlace) -> str:
    return "".join(f"{each.size_bytes} {each.allocated_bytes // 512} {each.path}\0" for each in place.files)


def _as_printed(places: Sequence[SampledPlace], cut: str = "") -> str:
    """What the script prints; where find was ended by the clock, with the beginning of another file."""
    printed = (f"\0=\0{_files(each)}{'all' + chr(0) if each.is_whole else cut}" for each in places)
    return "".join(printed) + "\0.\0"


@given(places=st.lists(PLACES, max_size=3), cut=st.sampled_from(["", "1", "12 ", "12 9 a", "12 9 a b"]))
def test_whatever_find_can_print_is_read_back(places: list[SampledPlace], cut: str) -> None:
    assert tuple(places) == parse_file_sample(_as_printed(places, cut), len(places))


def test_an_answer_cut_short_is_an_error() -> None:
    whole = _as_printed(
        [SampledPlace((SizedFile("a b", 9, 512),), True), SampledPlace((SizedFile("=", 1, 0),), False)]
    )

    for at in range(len(whole)):
        with pytest.raises(ParseError):
            parse_file_sample(whole[:at], 2)


@pytest.mark.parametrize("text", ["\0=\0\0.\0", "=\0\0.\0", "a\0b\0=\0\0.\0", "\0=\0much\0\0.\0", "\0.\0"])
def test_a_place_that_is_missing_or_odd_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_file_sample(text, 2 if text == "\0=\0\0.\0" else 1)


def test_real_folders_are_looked_at_within_the_limit(tmp_path: Path) -> None:
    full, other = tmp_path / "full of\nfiles", tmp_path / "-other"
    for folder in (full, other / "sub", other / ".zfs"):
        folder.mkdir(parents=True)
    for number in range(4):
        (full / str(number)).touch()
    (other / "sub" / "film.mkv").write_bytes(b"x" * 5000)
    (other / ".zfs" / "hidden").touch()
    program, option, script, name, _, _, *places = sample_files(
        [str(full), str(other), str(tmp_path / "gone")]
    ).argv

    printed = subprocess.run(
        (program, option, script, name, "3", "300", *places), capture_output=True, check=True
    ).stdout.decode()
    first, second, gone = parse_file_sample(printed, 3)

    assert (3, False) == (len(first.files), first.is_whole)
    assert [("sub/film.mkv", 5000)] == [(each.path, each.size_bytes) for each in second.files]
    assert second.is_whole
    assert SampledPlace((), is_whole=False) == gone
