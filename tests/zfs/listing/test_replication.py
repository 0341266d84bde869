"""What replication goes by is read exactly: lists with guids, tokens of cut receives, sizes of increments."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zfs.streams import native
from zconsole.base.errors import ParseError
from zconsole.model.datasets.replication import CutReceive, Lineage, Point
from zconsole.zfs.listing.replication import list_lineages, parse_lineages
from zconsole.zfs.stream.resume_token import parse_resume_token
from zconsole.zfs.stream.send_dry_run import measure_increment, parse_send_size

LISTED = """\
tank	filesystem	1	1	100	98304	-
tank/home	filesystem	2	8	200	5000	-
tank/home@b	snapshot	12	30	300	4000	-
tank/home@a b	snapshot	11	20	250	3000	-
tank/home#a	bookmark	11	20	250	-	-
tank/vol	volume	3	9	210	-	1-abc-10-789c
"""


def test_datasets_have_their_points_oldest_first() -> None:
    tank, home, volume = parse_lineages(LISTED)

    assert Lineage("tank", "filesystem", 1, 100, 98304) == tank
    assert (Point("tank/home@a b", 11, 20, 250), Point("tank/home@b", 12, 30, 300)) == home.snapshots
    assert (Point("tank/home#a", 11, 20, 250),) == home.bookmarks
    assert ("1-abc-10-789c", None, "tank") == (volume.resume_token, volume.referenced_bytes, volume.pool)
    assert ("--", "tank") == list_lineages("tank").argv[-2:]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (1, "tank\tfilesystem\t1\n"),
        (1, "tank\tfilesystem\tx\t1\t1\t1\t-\n"),
        (2, "tank\tfilesystem\t1\t1\t1\t1\t-\ntank\tfilesystem\t1\t1\t1\t1\t-\n"),
        (1, "tank@a\tsnapshot\t1\t1\t1\t1\t-\n"),
        (1, "tank\tfilesystem\t1\t1\t1\t1\t-"),
    ],
)
def test_what_is_no_list_is_an_error_that_names_the_line(line: int, text: str) -> None:
    with pytest.raises(ParseError) as error:
        parse_lineages(text)
    assert line == error.value.line_no


def test_a_list_that_is_cut_is_never_taken_for_a_whole_one() -> None:
    for cut in range(1, len(LISTED)):
        text = LISTED[:cut]
        if not text.endswith("\n"):
            with pytest.raises(ParseError):
                parse_lineages(text)


def token(**values: int | str) -> str:
    packed = native(dict(values))
    return f"1-0123456789abcdef-{len(packed):x}-{zlib.compress(packed).hex()}"


def test_a_token_tells_what_was_received_and_how_far() -> None:
    text = token(
        object=5, offset=131072, bytes=9_000_000, toguid=2**63 + 1, toname="tank/home@b", fromguid=11
    )

    assert CutReceive("tank/home@b", 2**63 + 1, 11, 9_000_000) == parse_resume_token(text)
    assert CutReceive() == parse_resume_token(token(compressok="x"))


@pytest.mark.parametrize(
    "text", ["", "-", "2-1-1-78", "1-1-zz-78", "1-1-10-xyz", "1-1-10-789c", "1-1-fffffffff-78"]
)
def test_what_is_no_token_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_resume_token(text)


@given(st.binary(max_size=200))
def test_any_list_in_a_token_is_read_or_refused(data: bytes) -> None:
    try:
        parse_resume_token(f"1-0-ff-{zlib.compress(data).hex()}")
    except ParseError:
        return


def test_the_size_of_an_increment_is_read() -> None:
    assert ("zfs", "send", "-nvP", "-i", "t#a", "t@b") == measure_increment("t#a", "t@b").argv
    assert 131688 == parse_send_size("incremental\ta\tt@b\t131688\nsize\t131688\n")
    for text in ("", "incremental\ta\tt@b\t1\n", "size\tmany\n"):
        with pytest.raises(ParseError):
            parse_send_size(text)
