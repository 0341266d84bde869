"""What is said above an open plan when its pool loses a disk meanwhile."""

from __future__ import annotations

from tests.analysis.build import group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from zconsole.model.host.host_state import HostState
from zconsole.views.changes.pool_alarm import STALE, pool_alarm
from zconsole.views.layout.styled_text import plain


def raidz(*states: str, gone: tuple[int, ...] = ()) -> HostState:
    leaves = [leaf(at, state) for at, state in enumerate(states)]
    return trouble_at(group("raidz2-0", *leaves), gone=gone)


SOUND = raidz("ONLINE", "ONLINE", "FAULTED")


def told(now: HostState, stop: str = "", known: str = "") -> list[str]:
    return [plain(each) for each in pool_alarm((SOUND, known), (now, stop), "tank")]


def test_nothing_is_said_while_nothing_happens() -> None:
    assert [] == told(SOUND)
    assert [] == told(raidz("ONLINE", "ONLINE", "REMOVED", gone=(2,)))  # it had failed before
    assert [] == told(raidz("ONLINE", "OFFLINE", "FAULTED"))


def test_a_disk_that_vanishes_is_named_by_serial_and_the_plan_called_one_of_before() -> None:
    removed = raidz("ONLINE", "REMOVED", "FAULTED", gone=(1,))
    unseen = raidz("ONLINE", "ONLINE", "FAULTED", gone=(1,))  # ZFS has not noticed yet

    for state in (removed, unseen):
        assert ["✗ STOP: SER0001 of tank is gone", STALE] == told(state)


def test_the_alarm_of_the_repair_says_more() -> None:
    stop = "STOP: the wrong disk was pulled"

    assert [f"✗ {stop}", STALE] == told(raidz("ONLINE", "REMOVED", "FAULTED", gone=(1,)), stop)
    assert [f"✗ {stop}"] == told(SOUND, stop, stop)  # the plan was made with it
