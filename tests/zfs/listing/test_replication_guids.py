"""What replication goes by is read exactly: lists with guids, tokens of cut receives, sizes of increments."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.datasets.replication import ReplicatedDataset, SendPoint
from zconsole.zfs.listing.replication_guids import list_lineages, parse_lineages

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

    assert ReplicatedDataset("tank", "filesystem", 1, 100, 98304) == tank
    assert (SendPoint("tank/home@a b", 11, 20, 250), SendPoint("tank/home@b", 12, 30, 300)) == home.snapshots
    assert (SendPoint("tank/home#a", 11, 20, 250),) == home.bookmarks
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
