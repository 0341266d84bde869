"""What a pool's root dataset tells of the pool."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.pools.pool import RootSettings
from zconsole.zfs.listing.root_dataset_space import RootDataset, parse_root_datasets


def test_the_root_dataset_tells_its_space_and_when_it_was_created() -> None:
    expected = RootDataset(used_bytes=822837248, available_bytes=14783762432, creation=1795218576)

    assert {"tank": expected} == parse_root_datasets("tank\t822837248\t14783762432\t1795218576\n")


@pytest.mark.parametrize(
    "text",
    ["tank\t1\t2\t3", "tank\t1\t2\n", "tank\t1\t-\t3\n", "a\t1\t2\t3\na\t3\t4\t5\n", "tank\t-1\t2\t3\n"],
)
def test_a_space_that_cannot_be_told_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_root_datasets(text)


def test_its_settings_are_read_where_they_were_asked_for() -> None:
    space = "tank\t822837248\t14783762432\t1795218576"
    settings = RootSettings("lz4", "on", "standard", "off", 1, "on", "off")

    found = parse_root_datasets(f"{space}\tlz4\ton\tstandard\toff\t1\ton\toff\n")

    assert settings == found["tank"].settings
    assert parse_root_datasets(f"{space}\n")["tank"].settings is None
