"""The properties of pools beside real ones."""

from __future__ import annotations

from tests.practice.laboratory import captured, mirrors, run


def test_pool_properties_have_the_same_names_sources_and_fixed_values() -> None:
    expected = [line.split("\t") for line in captured("zpool_get_all.tsv").strip().split("\n")]

    got = [line.split("\t") for line in run(mirrors(), "zpool get -Hp all tank").stdout.strip().split("\n")]

    assert [(row[1], row[3]) for row in expected] == [(row[1], row[3]) for row in got]
    for theirs, ours in zip(expected, got, strict=True):
        if theirs[1] not in {"guid", "load_guid", "allocated", "free"} and "feature@" not in theirs[1]:
            assert theirs == ours
