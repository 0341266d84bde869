"""Hosts without hot-swap: what is done by hand, and where it goes on after the boot."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import group
from tests.doubles.repair_worlds import slow_disk, the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import Guest, GuestDefinition, GuestState, GuestStatus
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.repair import Repair, RepairStepKind, RepairStepState
from zconsole.views.repair.due_step import due_in_words

BROKEN = group("mirror-0", leaf(0), leaf(1, "FAULTED"))
TAKE_OUT = RepairStepKind.TAKE_OUT
DATASETS = (
    Dataset("tank", "filesystem", is_mounted=True),
    Dataset("tank/home", "filesystem", is_mounted=True),
    Dataset("tank/vm-101", "volume"),
)


def cold(state: HostState) -> HostState:
    return replace(state, has_hot_swap=False)


def guest(name: str, state: GuestState) -> Guest:
    return Guest(GuestDefinition(f"uuid-of-{name}", name), GuestStatus(name, state))


def told(repair: Repair) -> str:
    return "\n".join(repair.step(TAKE_OUT).found)


def test_the_host_is_shut_down_for_the_swap_guests_first() -> None:
    state = cold(trouble_at(BROKEN))
    state = replace(state, pools=(replace(state.pools[0], datasets=Reading(DATASETS, 0.0)),))

    repair = the_repair(state, 1)

    assert RepairStepState.NOW is repair.step(TAKE_OUT).state
    words = told(repair)
    assert words.index("2 mounted file systems, guests on tank/vm-101") < words.index("shutdown -h now")
    assert f"swap {serial(1)} (at 0:0:1:0) for the new disk" in words
    assert "an old disk may not start again" in words


def test_the_guests_that_run_are_shut_down_by_plans_and_then_the_host() -> None:
    """All of the host, whatever pool they are on; one that is off is no work."""
    guests = (guest("web01", GuestState.RUNNING), guest("db01", GuestState.SHUT_OFF))
    runs = the_repair(replace(cold(trouble_at(BROKEN)), guests=Reading(guests, 0.0)), 1)
    off = the_repair(replace(cold(trouble_at(BROKEN)), guests=Reading(guests[1:], 0.0)), 1)

    assert "first shut down the guests that run on the host: web01" in told(runs)
    assert "shut down the guest web01" == due_in_words(runs)
    assert ("guest-shutdown", "web01") == next(
        (each.action, each.target) for each in runs.step(TAKE_OUT).offers
    )
    assert due_in_words(off).startswith("shut the host down")
    assert () == off.step(TAKE_OUT).offers


def test_guests_that_could_not_be_read_are_not_taken_for_none() -> None:
    unread: Reading[tuple[Guest, ...]] = Reading(problem="libvirt did not answer within 20 s")

    repair = the_repair(replace(cold(trouble_at(BROKEN)), guests=unread), 1)

    assert "the guests of the host are not known: libvirt did not answer within 20 s" in told(repair)


def test_after_the_boot_with_the_new_disk_it_goes_on_by_itself() -> None:
    gone = group("mirror-0", leaf(0), leaf(1, "UNAVAIL"))

    repair = the_repair(cold(trouble_at(gone, gone=[1], unused=1)), 1)

    assert RepairStepKind.REPLACE is (repair.current.kind if repair.current else None)
    assert RepairStepState.DONE is repair.step(TAKE_OUT).state


def test_a_disk_that_the_vdev_needs_stays_and_the_new_one_is_put_in_beside_it() -> None:
    slow = group("mirror-0", leaf(0, "FAULTED"), leaf(1))
    repair = the_repair(cold(trouble_at(slow, slow=[slow_disk(1, "mirror-0")])), 1)

    assert f"leave {serial(1)} in: mirror-0 needs it for the resilver" in told(repair)
    assert () == repair.step(TAKE_OUT).offers


def test_a_disk_that_is_only_slow_may_be_taken_offline_for_the_swap() -> None:
    sound = group("mirror-0", leaf(0), leaf(1))
    repair = the_repair(cold(trouble_at(sound, slow=[slow_disk(1, "mirror-0")])), 1)

    assert ["offline"] == [each.action for each in repair.step(TAKE_OUT).offers]
    assert "if no bay is free" in told(repair)


def test_with_hot_swap_nothing_is_shut_down() -> None:
    assert "shutdown" not in told(the_repair(trouble_at(BROKEN), 1))
