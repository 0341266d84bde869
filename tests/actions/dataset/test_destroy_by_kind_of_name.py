"""Destroy: exactly what was named goes, and all that goes is listed."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import commands, planned
from tests.doubles.plan_worlds import (
    host,
    images,
)
from zconsole.base.errors import UsageError

FACTS = host(images())


def test_a_pools_name_is_the_pool() -> None:
    assert ["zpool destroy tank"] == commands(planned(FACTS, "destroy", "tank"))


@pytest.mark.parametrize(
    "words",
    [
        ["tank/home@daily-1", "tank/home"], ["tank/home", "tank/images"],
        ["tank/home#daily-1", "tank/home@daily-1"],
        ["tank/home#daily-1", "tank/home#daily-1"], ["tank", "tank/home"], ["tank/home@"], ["tank/home@none"],
        ["tank/none"], ["tank/home@daily-2%daily-1"], ["tank/home@daily-1", "other@a"], ["none/a@b"],
    ],
)  # fmt: skip
def test_words_that_mix_or_miss_are_usage_errors(words: list[str]) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "destroy", *words)


def test_a_pool_is_not_destroyed_with_options_of_datasets() -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "destroy", "tank", recursive=True)
