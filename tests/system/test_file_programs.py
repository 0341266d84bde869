"""Folders, files and their sizes: names of any bytes, and answers that are cut anywhere."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.model.datasets.snapshot_contents import FileState, FileType
from zconsole.system.file_programs import (
    FolderReader,
    copy_new,
    count_inodes,
    list_folder,
    measure,
    measure_allocated,
    parse_measured,
    parse_resolved,
    parse_stat_files,
    put_in_place,
    resolve,
    stat_files,
)

LETTERS = {
    "f": FileType.FILE, "d": FileType.FOLDER, "l": FileType.LINK, "p": FileType.FIFO, "s": FileType.SOCKET,
    "b": FileType.BLOCK, "c": FileType.CHARACTER, "?": FileType.OTHER,
}  # fmt: skip
NUMBERS = st.integers(0, 2**63)
NAMES = st.binary(min_size=1, max_size=12).filter(lambda name: not {0, 0x2F} & set(name)).map(os.fsdecode)
ENTRIES = st.builds(
    lambda name, *rest: FileState(f"/t/{name}", *rest),
    NAMES,
    st.sampled_from(list(LETTERS.values())),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.integers(-(10**18), 4 * 10**18),
    st.binary(max_size=8).filter(lambda target: 0 not in target).map(os.fsdecode),
)
ODD = ("a b", "-rf", "line\nbreak", "tab\t", "é", b"\xff\xfe".decode("utf-8", "surrogateescape"))


def as_find_prints(entries: list[FileState]) -> bytes:
    """As GNU find does with the fields that are asked for; its fractions have a digit more."""
    letters = {kind: letter for letter, kind in LETTERS.items()}
    text = "".join(
        f"{letters[each.type]}\0{each.device}\0{each.inode}\0{each.size_bytes}\0"
        f"{each.modified_ns // 10**9}.{each.modified_ns % 10**9:09d}0\0{each.path[3:]}\0{each.target}\0"
        for each in entries
    )
    return os.fsencode(text)


@given(entries=st.lists(ENTRIES, max_size=5), data=st.data())
def test_whatever_find_can_print_is_read_back_however_it_is_cut_in_pieces(
    entries: list[FileState], data: st.DataObject
) -> None:
    whole = as_find_prints(entries)
    at = data.draw(st.integers(0, len(whole)))
    reader = FolderReader("/t")

    found = [*reader.feed(whole[:at]), *reader.feed(whole[at:])]
    reader.end()

    assert entries == found


def test_an_answer_cut_short_is_an_error_or_the_first_entries() -> None:
    entries = [
        FileState("/t/a\nb", FileType.FILE, 5, 34, 10, 1_795_000_000_000_000_001),
        FileState("/t/d", FileType.LINK, 5, 35, 2, -1_750_000_000, "x"),
    ]
    whole = as_find_prints(entries)

    for at in range(len(whole)):
        reader = FolderReader("/t")
        found = list(reader.feed(whole[:at]))
        assert entries[: len(found)] == found
        try:
            reader.end()
        except ParseError:
            continue
        assert at in {0, len(as_find_prints(entries[:1]))}


def test_the_programs_of_this_machine_are_understood(tmp_path: Path) -> None:
    for name in ODD:
        (tmp_path / name).write_text("12345")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("a b")
    os.utime(tmp_path / "a b", ns=(0, -315_619_199_750_000_000))
    reader = FolderReader(str(tmp_path))
    found = {each.name: each for each in reader.feed(run(list_folder(str(tmp_path)).argv))}
    reader.end()

    assert {*ODD, "folder", "link"} == set(found)
    assert (FileType.FOLDER, FileType.LINK, "a b") == (
        found["folder"].type,
        found["link"].type,
        found["link"].target,
    )
    looked = parse_stat_files(run(stat_files([found["a b"].path, "/nowhere", found["é"].path]).argv))
    assert [found["a b"], found["é"]] == list(looked)
    assert -315_619_199_750_000_000 == looked[0].modified_ns
    assert str(tmp_path.resolve()) == parse_resolved(run(resolve(f"{tmp_path}/folder/..").argv))
    assert len(ODD) + 3 == parse_measured(run(count_inodes(str(tmp_path)).argv))
    assert parse_measured(run(measure(str(tmp_path)).argv)) >= 5 * len(ODD)
    assert parse_measured(run(measure_allocated(str(tmp_path)).argv)) > 0


@pytest.mark.parametrize("path", ["relative", "-rf", "/a\0b", ""])
def test_only_an_absolute_path_becomes_a_word(path: str) -> None:
    for command in (list_folder, resolve, measure, count_inodes):
        with pytest.raises(ValueError, match="not an absolute path"):
            command(path)
    with pytest.raises(ValueError, match="not an absolute path"):
        stat_files([path])


@pytest.mark.parametrize("data", [b"", b"12\t/a", b"x\t/a\0", b"12 /a\0", b"1\t/a\x002\t/b\0"])
def test_what_du_does_not_print_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        parse_measured(data)


@pytest.mark.parametrize("data", [b"", b"/a", b"a\0", b"/a\0/b\0"])
def test_what_realpath_does_not_print_is_refused(data: bytes) -> None:
    with pytest.raises(ParseError):
        parse_resolved(data)


def test_a_look_cut_short_is_refused() -> None:
    whole = b"81a4\x005\x0034\x0010\x001795000000.000000001\0/t/a\0"
    assert "/t/a" == parse_stat_files(whole)[0].path

    for at in range(1, len(whole)):
        with pytest.raises(ParseError):
            parse_stat_files(whole[:at])


def test_a_line_break_goes_to_stdin(tmp_path: Path) -> None:
    folder = tmp_path / "line\nbreak"
    (folder / "in").mkdir(parents=True)
    command = list_folder(str(folder))
    reader = FolderReader(str(folder))

    assert [f"{folder}/in"] == [each.path for each in reader.feed(run(command.argv, command.stdin))]
    for build in (measure, count_inodes, resolve, lambda path: stat_files([path, "/"])):
        asked = build(str(folder))
        assert not any("\n" in word for word in asked.argv)
        assert str(folder).encode() in run(asked.argv, asked.stdin)


@pytest.mark.parametrize("name", ["plain", "a b", "line\nbreak", "-rf"])
def test_a_copy_never_writes_over_what_is_there_nor_into_it(tmp_path: Path, name: str) -> None:
    source, target = tmp_path / name, tmp_path / f"{name}.from-a"
    (source / "below").mkdir(parents=True)
    (source / "below" / "file").write_text("old")
    argv, given = copy_new(str(source), str(target))

    for _ in range(2):
        run(argv, None if given is None else given.encode())

    assert ["below"] == [each.name for each in target.iterdir()]
    (target / "below" / "file").write_text("new")
    run(argv, None if given is None else given.encode())
    assert "new" == (target / "below" / "file").read_text()


@pytest.mark.parametrize("name", ["plain", "line\nbreak"])
def test_a_file_takes_the_place_of_another(tmp_path: Path, name: str) -> None:
    source, target = tmp_path / f"{name}.from-a", tmp_path / name
    source.write_text("then")
    target.write_text("now")
    argv, given = put_in_place(str(source), str(target))

    run(argv, None if given is None else given.encode())

    assert "then" == target.read_text()
    assert not source.exists()


def run(argv: tuple[str, ...], stdin: bytes | None = None) -> bytes:
    """What a program prints."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    done = subprocess.run(argv, capture_output=True, check=False, env=environment, input=stdin)
    return done.stdout
