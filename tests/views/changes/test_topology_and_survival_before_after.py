"""The vdevs before and after a plan: what goes, what is new, what changes its state, and the rest counted."""

from __future__ import annotations

import pytest

from tests.actions.pool.shelf import mirror, planned, tank
from tests.ui import plans
from zconsole.actions.plan import Plan, RedundancyChange
from zconsole.views.changes.topology_and_survival_before_after import survival, survives, topology
from zconsole.views.layout.styled_text import plain


def lines(of: Plan, *, has_branches: bool = False) -> list[str]:
    """Their text."""
    return [plain(each).rstrip() for each in topology(of, has_branches=has_branches)]


def test_a_state_that_changes_is_marked_and_the_other_vdevs_are_counted() -> None:
    pool = tank(mirror("ONLINE", "ONLINE"), mirror("ONLINE", "ONLINE", name="mirror-1"))

    made = planned(pool, "offline", "tank", "mirror-0-a")

    told = ["SURVIVES  mirror-0: 1 more failure now, none while it runs, none after"]
    assert told == [plain(each) for each in survival(made)]
    assert [
        "BEFORE    ~ mirror-0  ONLINE",
        "          ~   mirror-0-a  ONLINE",
        "              mirror-0-b  ONLINE",
        "AFTER     ~ mirror-0  DEGRADED",
        "          ~   mirror-0-a  OFFLINE",
        "              mirror-0-b  ONLINE",
        "            1 other vdev stays as it is",
    ] == lines(made)


def test_a_new_disk_has_a_plus() -> None:
    added = [text for text in lines(plans.attach()) if text[10:11] in {"+", "-", "~"}]

    assert ["          +   ata-ST8000NM000A_ZL2FNEW1  ONLINE"] == added


def test_the_dialog_draws_branches() -> None:
    assert "AFTER       └ mirror-0  DEGRADED".replace("  └", "~ └") in lines(
        plans.offline(), has_branches=True
    )


@pytest.mark.parametrize(
    ("expected", "change"),
    [
        ("raidz1-0: 1 more failure now, none while it runs, 1 after", (1, 0, 1)),
        ("raidz1-0: 2 more failures while it runs, 2 after", (None, 2, 2)),
        ("raidz1-0: none now, data is lost while it runs, data is lost after", (0, -1, -1)),
        ("raidz1-0: stays 1 more failure", (1, 1, 1)),
        ("raidz1-0: stays none", (0, 0, 0)),
        ("raidz1-0: data is lost", (-1, -1, -1)),
    ],
)
def test_failures_are_told_in_words(expected: str, change: tuple[int | None, ...]) -> None:
    before, during, after = change

    assert expected == plain(survives(RedundancyChange("raidz1-0", before, during, after)))


TWO = tank(mirror("ONLINE", "ONLINE"), mirror("FAULTED", "ONLINE", name="mirror-1"))


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("mirror-0: 1 more failure now, none while it runs, none after", ("offline", "tank", "mirror-0-a")),
        ("mirror-0: 1 more failure now, none while it runs, none after", ("detach", "tank", "mirror-0-a")),
        ("mirror-1: stays none", ("clear", "tank", "mirror-1-a")),
        ("mirror-1: stays none", ("clear", "tank")),
        ("mirror-1: stays none", ("detach", "tank", "mirror-1-a")),
        ("mirror-0: stays 1 more failure", ("clear", "tank", "mirror-0-a")),
    ],
)
def test_a_change_of_devices_tells_what_is_survived_also_where_it_stays(
    expected: str, words: tuple[str, ...]
) -> None:
    assert [f"SURVIVES  {expected}"] == [plain(each) for each in survival(planned(TWO, *words))]


def test_a_plan_that_leaves_the_vdevs_as_they_are_says_nothing_of_them() -> None:
    assert [] == lines(plans.scrub())
