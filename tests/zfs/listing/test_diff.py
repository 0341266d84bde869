"""`zfs diff -FHt`: every change, hostile names, and an output that is cut anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.model.datasets.snapshot_contents import ChangeKind, FileChange, FileType
from zconsole.zfs.listing.diff import LONGEST_LINE, TYPES, DiffReader, diff

NAMES = st.binary(min_size=1, max_size=12).filter(lambda name: not {0, 0x2F} & set(name))
PATHS = st.lists(NAMES, max_size=3).map(
    lambda names: (b"/tank/home/" + b"/".join(names)).decode("utf-8", "surrogateescape")
)
TIMES = st.integers(-(10**18), 4 * 10**18)
KINDS = st.sampled_from(list(FileType))
CHANGES = st.one_of(
    st.builds(FileChange, st.sampled_from(list("+-M")).map(ChangeKind), KINDS, PATHS, changed_ns=TIMES),
    st.builds(FileChange, st.just(ChangeKind.RENAMED), KINDS, PATHS, PATHS, changed_ns=TIMES),
    st.builds(
        FileChange,
        st.just(ChangeKind.MODIFIED),
        KINDS,
        PATHS,
        links=st.integers(-9, 9),
        changed_ns=TIMES,
    ),
)
# As libzfs_diff.c of OpenZFS 2.1 to 2.4 prints them.
PRINTED = (
    b"1795000000.000000007\tM\t/\t/tank/home/\n"
    b"1795000001.100000000\t+\tF\t/tank/home/a\\0040b\\0134\\0011\\0303\\0251\n"
    b"1795000002.000000000\t-\t@\t/tank/home/gone\n"
    b"1795000003.000000000\tR\tF\t/tank/home/old\t/tank/home/new\\0012name\n"
    b"1795000004.000000000\tM\tF\t/tank/home/hard\t(+1)\n"
    b" 315532800.000000000\tM\tF\t/tank/home/(on_delete_queue)\n"
)


def parse_diff(data: bytes) -> tuple[FileChange, ...]:
    """All changes of a complete output. Raises ParseError."""
    reader = DiffReader()
    changes = tuple(reader.feed(data))
    reader.end()
    return changes


def as_zfs_writes(changes: Iterable[FileChange]) -> bytes:
    """The output that tells these changes, as libzfs_diff.c writes it."""
    return b"".join(map(_written, changes))


def _written(change: FileChange) -> bytes:
    seconds, rest = divmod(change.changed_ns or 0, 1_000_000_000)
    letters = {kind: letter for letter, kind in reversed(TYPES.items())}
    fields = [
        b"%10d.%09d" % (seconds, rest),
        change.kind.value.encode("ascii"),
        letters[change.type],
        _escaped(change.path),
    ]
    if change.new_path is not None:
        fields.append(_escaped(change.new_path))
    if change.links:
        fields.append(b"(%+d)" % change.links)
    return b"\t".join(fields) + b"\n"


def _escaped(path: str) -> bytes:
    data = path.encode("utf-8", "surrogateescape")
    return b"".join(
        data[at : at + 1] if re.match(rb"[!-\[\]-~]", data[at : at + 1]) else b"\\%04o" % data[at]
        for at in range(len(data))
    )


def test_what_zfs_prints_is_read() -> None:
    folder, added, removed, renamed, linked, old = parse_diff(PRINTED)

    assert (ChangeKind.MODIFIED, FileType.FOLDER, "/tank/home/") == (folder.kind, folder.type, folder.path)
    assert 1_795_000_000_000_000_007 == folder.changed_ns
    assert "/tank/home/a b\\\té" == added.path
    assert (ChangeKind.REMOVED, FileType.LINK) == (removed.kind, removed.type)
    assert ("/tank/home/old", "/tank/home/new\nname") == (renamed.path, renamed.place)
    assert 1 == linked.links
    assert 315_532_800_000_000_000 == old.changed_ns


@given(changes=st.lists(CHANGES, max_size=6), data=st.data())
def test_whatever_zfs_can_print_is_read_back_however_it_is_cut_in_pieces(
    changes: list[FileChange], data: st.DataObject
) -> None:
    whole = as_zfs_writes(changes)
    at = data.draw(st.integers(0, len(whole)))
    reader = DiffReader()

    found = [*reader.feed(whole[:at]), *reader.feed(whole[at:])]
    reader.end()

    assert changes == found == list(parse_diff(whole))


def test_an_output_cut_short_is_an_error_or_the_first_changes() -> None:
    changes = parse_diff(PRINTED)

    for at in range(len(PRINTED)):
        try:
            part = parse_diff(PRINTED[:at])
        except ParseError:
            continue
        assert changes[: len(part)] == part
        assert PRINTED[:at].count(b"\n") == len(part)


@pytest.mark.parametrize(
    "line",
    [
        b"M\tF\t/tank/a\n",
        b"1795000000.000000007\tX\tF\t/tank/a\n",
        b"1795000000.000000007\tM\tf\t/tank/a\n",
        b"1795000000.7\tM\tF\t/tank/a\n",
        b"1795000000.000000007\tM\tF\t/tank/a b\n",
        b"1795000000.000000007\tM\tF\t/tank/a\\040b\n",
        b"1795000000.000000007\tM\tF\t/tank/a\\0141b\n",
        b"1795000000.000000007\tM\tF\t/tank/a\\0000b\n",
        b"1795000000.000000007\tM\tF\t/tank/\xc3\xa9\n",
        b"1795000000.000000007\tM\tF\t\n",
        b"1795000000.000000007\tR\tF\t/tank/a\n",
        b"1795000000.000000007\t+\tF\t/tank/a\t/tank/b\n",
        b"1795000000.000000007\tM\tF\t/tank/a\t/tank/b\n",
        b"\n",
    ],
)
def test_what_zfs_does_not_print_is_refused(line: bytes) -> None:
    with pytest.raises(ParseError):
        parse_diff(line)


def test_a_line_without_end_does_not_fill_the_memory() -> None:
    reader = DiffReader()

    for _ in range(LONGEST_LINE // 1024):
        assert [] == list(reader.feed(b"1" * 1024))
    with pytest.raises(ParseError, match="does not end"):
        list(reader.feed(b"1"))


def test_names_are_asked_for_in_octal() -> None:
    assert ("zfs", "diff", "-FHt", "tank/a@1", "tank/a@2") == diff("tank/a@1", "tank/a@2").argv
