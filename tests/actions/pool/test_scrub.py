"""Scrub: each of its turns, and when there is none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.actions.pool.shelf import argv, leaf, mirror, of, planned, rules, tank
from tests.doubles.plan_worlds import host
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import intent
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.pools.pool import Scan

RUNNING = Scan("scrub", "scanning", start=1)
PAUSED = Scan("scrub", "paused", start=1)
DONE = Scan("scrub", "finished", start=1, end=2)
RESILVER = Scan("resilver", "scanning", start=1)


@pytest.mark.parametrize(
    ("scan", "options", "typed", "undo"),
    [
        (None, {}, "zpool scrub tank", "zpool scrub -s tank"),
        (DONE, {}, "zpool scrub tank", "zpool scrub -s tank"),
        (PAUSED, {}, "zpool scrub tank", "zpool scrub -p tank"),
        (RUNNING, {"pause": True}, "zpool scrub -p tank", "zpool scrub tank"),
        (
            RUNNING,
            {"stop": True},
            "zpool scrub -s tank",
            "cannot be undone: the next scrub starts from the beginning",
        ),
        (
            PAUSED,
            {"stop": True},
            "zpool scrub -s tank",
            "cannot be undone: the next scrub starts from the beginning",
        ),
    ],
)
def test_each_turn_is_routine(scan: Scan | None, options: dict[str, Any], typed: str, undo: str) -> None:
    made = planned(tank(scan=scan), "scrub", **options)

    assert Risk.ROUTINE is made.risk
    assert typed == argv(made)
    assert undo == made.undo
    assert None is made.confirm


@pytest.mark.parametrize(
    ("scan", "options", "rule"),
    [
        (RUNNING, {}, "scrubbing"),
        (RESILVER, {}, "resilvering"),
        (RESILVER, {"stop": True}, "resilvering"),
        (PAUSED, {"pause": True}, "no-scrub"),
        (None, {"pause": True}, "no-scrub"),
        (DONE, {"stop": True}, "no-scrub"),
        (Scan("resilver", "finished"), {"stop": True}, "no-scrub"),
    ],
)
def test_what_makes_no_sense_is_refused(scan: Scan | None, options: dict[str, Any], rule: str) -> None:
    assert {rule} == rules(planned(tank(scan=scan), "scrub", **options))


@pytest.mark.parametrize("scan", [None, RUNNING, PAUSED, DONE, RESILVER])
@pytest.mark.parametrize("name", ["pause", "stop"])
def test_a_menu_greys_what_the_plan_would_refuse(scan: Scan | None, name: str) -> None:
    facts = host(pools=(tank(scan=scan),))
    option = next(each for each in spec("scrub").options if each.name == name)

    why = option.why_not(intent("scrub", "tank"), facts)

    made = planned(facts, "scrub", **{name: True})
    assert made.is_refused is bool(why)
    assert why == "" or scan is RESILVER or why == made.refusals[0].reason
    assert "" == option.why_not(intent("scrub", "gone"), facts)


def test_both_pause_and_stop_are_wrong_words() -> None:
    with pytest.raises(UsageError, match="either paused or stopped"):
        planned(tank(), "scrub", pause=True, stop=True)


def test_what_a_scrub_does_not_reach_is_told() -> None:
    away = of("mirror-0", leaf("a"), leaf("b", "OFFLINE"))

    made = planned(tank(away, mirror("ONLINE", "ONLINE", name="mirror-1"), checkpoint_bytes=1), "scrub")

    assert not made.is_refused
    assert "not read, since not there: b" in made.notes
    assert "data held only by the checkpoint is not repaired" in made.notes


def test_a_plan_is_stale_once_the_scan_is_another() -> None:
    before, after = (planned(tank(scan=scan), "scrub") for scan in (None, PAUSED))

    assert before.fingerprint != after.fingerprint
    assert ("scan of tank was none, is scrub paused",) == before.basis.differences(after.basis)
