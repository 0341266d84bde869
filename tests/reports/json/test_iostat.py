"""The JSON of `iostat` gives each vdev its row, its place in the tree and its guid."""

from __future__ import annotations

import json

import pytest

from tests.reports.iostat_samples import AT, pool_of, sample_of
from tests.reports.schema import SAMPLE, mismatch
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.reports.json.iostat import sample_document
from zconsole.reports.json.json_line import as_line
from zconsole.zfs.iostat.iostat_stream import expected_rows


@pytest.mark.parametrize(
    ("series", "state"),
    [
        (series, state)
        for series in ("2.1", "2.3", "2.4")
        for state in ("healthy-mirrors", "spare-in-use", "draid-spare-in-use")
    ],
)
def test_a_sample_has_the_documented_shape_and_the_guids_of_status(series: str, state: str) -> None:
    pool = pool_of(series, state)

    document = json.loads(as_line(sample_document("nas1", pool, sample_of(pool), 1.0)))

    assert "" == mismatch(document, SAMPLE)
    expected = [None if vdev is None or vdev.guid is None else str(vdev.guid) for vdev in expected_rows(pool)]
    assert expected == [row["guid"] for row in document["vdevs"]]


def test_the_tree_is_told_by_depth_and_class() -> None:
    pool = pool_of("2.4", "spare-in-use")

    document = json.loads(as_line(sample_document("nas1", pool, sample_of(pool), 1.0)))

    assert [
        ("tank", 0, None),
        ("mirror-0", 1, "data"),
        ("spare-0", 2, "data"),
        ("wwn-0x5000c500a0000000", 3, "data"),
    ] == [(row["name"], row["depth"], row["class"]) for row in document["vdevs"][:4]]
    assert {"special", "log", "cache"} <= {row["class"] for row in document["vdevs"]}


def test_rows_that_status_does_not_know_have_no_guid() -> None:
    pool = pool_of("2.4", "healthy-mirrors")
    strange = IoSample(
        pool.name, AT, (IoRow(pool.name, 1, 1, 0, 0, 0, 0), IoRow("new-disk", 1, 1, 0, 0, 0, 0))
    )

    document = json.loads(as_line(sample_document("nas1", pool, strange, 1.0)))

    assert "" == mismatch(document, SAMPLE)
    assert ("new-disk", None, None) == tuple(document["vdevs"][1][key] for key in ("name", "guid", "busy"))
