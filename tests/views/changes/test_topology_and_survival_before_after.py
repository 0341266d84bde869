"""The vdevs before and after a plan: what goes, what is new, what changes its state, and the rest counted."""

from __future__ import annotations

import asyncio

import pytest

from tests.actions.pool.shelf import mirror, planned, tank
from tests.doubles.practice_runs import HOST, Bench
from tests.ui import plans
from zconsole.actions.intent import intent
from zconsole.actions.plan import SURE, Plan, RedundancyChange
from zconsole.practice import create_world
from zconsole.views.changes.topology_and_survival_before_after import UNREADABLE, survival, survives, topology
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
        (
            f"raidz1-0: none now, {UNREADABLE} while it runs, {UNREADABLE} after",
            (0, -1, -1),
        ),
        ("raidz1-0: stays 1 more failure", (1, 1, 1)),
        ("raidz1-0: stays none", (0, 0, 0)),
        (f"raidz1-0: {UNREADABLE}", (-1, -1, -1)),
    ],
)
def test_failures_are_told_in_words(expected: str, change: tuple[int | None, ...]) -> None:
    before, during, after = change

    assert expected == plain(survives(RedundancyChange("raidz1-0", before, during, after)))


SUSPENDED = ("", "not known while the pool is suspended")
AT_MOST, PERHAPS = ("at most ", ""), ("at most ", "perhaps none")


@pytest.mark.parametrize(
    ("expected", "change", "hedges"),
    [
        ("mirror-1: not known while the pool is suspended", (-1, -1, -1), (SUSPENDED,) * 3),
        (
            "mirror-1: not known while the pool is suspended now, 1 more failure while it runs, 1 after",
            (0, 1, 1),
            (SUSPENDED, SURE, SURE),
        ),
        ("mirror-1: stays at most 1 more failure", (1, 1, 1), (AT_MOST,) * 3),
        ("mirror-1: stays at most 1 more failure (perhaps none)", (1, 1, 1), (PERHAPS,) * 3),
        (
            "mirror-1: at most 1 more failure now, at most 1 while it runs, 1 after",
            (1, 1, 1),
            (AT_MOST, AT_MOST, SURE),
        ),
        (
            "mirror-1: at most 2 more failures now, none while it runs, at most 1 (perhaps none) after",
            (2, 0, 1),
            (AT_MOST, SURE, PERHAPS),
        ),
    ],
)
def test_a_number_that_is_not_sure_is_told_as_the_status_tells_it(
    expected: str, change: tuple[int, int, int], hedges: tuple[tuple[str, str], ...]
) -> None:
    assert expected == plain(survives(RedundancyChange("mirror-1", *change, hedges)))


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


CHANGES = {
    "replace": ("mirror-0: stays 1 more failure", "replace tank {old[0]} {new[7]}", ""),
    "replace a failed one": (
        "mirror-0: none now, none while it runs, 1 more failure after",
        "replace tank {old[0]} {new[7]}",
        "zpool offline -f tank {old[0]}",
    ),
    "attach": ("mirror-0: 1 more failure now, 1 while it runs, 2 after", "attach tank {old[0]} {new[7]}", ""),
    "add": ("mirror-2: 1 more failure while it runs, 1 after", "add tank mirror {new[6]} {new[7]}", ""),
    "add a spare": ("mirror-0: stays 1 more failure", "add tank spare {new[7]}", ""),
    "remove": ("mirror-1: 1 more failure now, 1 while it runs", "remove tank mirror-1", ""),
    "detach": ("mirror-0: 1 more failure now, none while it runs, none after", "detach tank {old[0]}", ""),
    "offline": ("mirror-0: 1 more failure now, none while it runs, none after", "offline tank {old[0]}", ""),
    "online": (
        "mirror-0: none now, none while it runs, 1 more failure after",
        "online tank {old[0]}",
        "zpool offline tank {old[0]}",
    ),
    "clear": ("mirror-0: stays none", "clear tank", "zpool offline -f tank {old[0]}"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_of_devices_of_a_host_says_what_is_survived(name: str) -> None:
    expected, wanted, typed = CHANGES[name]
    bench = Bench(create_world("mirror 0 1 mirror 2 3", disks=8))
    links = [disk.links[0] for disk in bench.world.disks]
    names = {"old": links, "new": [f"/dev/disk/by-id/{each}" for each in links]}
    bench.type(*filter(None, (typed.format(**names),)))
    action, target, *words = wanted.format(**names).split()

    made = asyncio.run(bench.operator.prepare(HOST, intent(action, target, *words)))

    assert [f"SURVIVES  {expected}"] == [plain(each) for each in survival(made)]
