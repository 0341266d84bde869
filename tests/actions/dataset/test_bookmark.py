"""Bookmarks: their names, and what is refused."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import host, images

FACTS = host(images())


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("zfs bookmark tank/home@daily-2 tank/home#daily-2", ["tank/home@daily-2"]),
        ("zfs bookmark tank/home@daily-2 tank/home#base", ["tank/home@daily-2", "base"]),
        ("zfs bookmark tank/home@daily-2 tank/home#base", ["tank/home@daily-2", "#base"]),
        ("zfs bookmark tank/home@daily-2 tank/home#base", ["tank/home@daily-2", "tank/home#base"]),
        ("zfs bookmark tank/home#daily-1 tank/home#base", ["tank/home#daily-1", "base"]),
    ],
)
def test_bookmarks(expected: str, words: list[str]) -> None:
    assert [expected] == commands(planned(FACTS, "bookmark", *words))


def test_a_bookmark_that_exists_is_refused() -> None:
    assert ["exists"] == rules(planned(FACTS, "bookmark", "tank/home@daily-1"))
