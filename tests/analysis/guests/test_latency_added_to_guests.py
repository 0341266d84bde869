"""What a slow disk costs guests: the measured excess of the pool's mean, and only those that wait for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from tests.ui import states, watched
from tests.ui.states import MS
from zconsole.analysis.guests.added_latency_sentences import adds_in_full, adds_in_short
from zconsole.analysis.guests.guests_and_containers import as_guests
from zconsole.analysis.guests.latency_added_to_guests import (
    LEAST_NS,
    AddedLatency,
    added_latency,
    running_guests_on,
)
from zconsole.model.guests.container import (
    Container,
    ContainerDataset,
    ContainerEngine,
    ContainerState,
    Evidence,
)
from zconsole.model.guests.guest import GuestState
from zconsole.model.pools.slow_disk import READ, STALLING, WRITE, Cost

TANK = states.tank()  # with a log
WITHOUT_LOG = replace(TANK, vdevs=tuple(each for each in TANK.vdevs if each.vdev_class != "log"))
WEB = guest_on("web01", on_volume("tank/vm/web01"))
DB = guest_on("db02", on_files("tank/vm/images"))
READS = Cost(READ, 90 * MS, 50 * MS, 36 * MS, 30 * MS)
WRITES = Cost(WRITE, 20 * MS, 10 * MS, 15 * MS, 10 * MS)


def test_the_mean_of_the_pool_is_told_with_what_it_is_made_of() -> None:
    found = added_latency(watched.verdict(costs=(READS,)), TANK, (WEB, DB))

    assert (AddedLatency(READ, 6.0 * MS, 40.0 * MS, 0.15, ("db02", "web01")),) == found


def test_only_guests_that_run_on_the_pool_wait() -> None:
    elsewhere = guest_on("bulk01", on_volume("bulk/vm"))
    off = guest_on("off", on_volume("tank/off"), state=GuestState.SHUT_OFF)
    paused = guest_on("paused", on_volume("tank/p"), state=GuestState.PAUSED)

    assert ("web01",) == added_latency(watched.verdict(), TANK, (elsewhere, off, paused, WEB))[0].guests
    assert () == added_latency(watched.verdict(), TANK, (elsewhere, off, paused))


def test_a_guest_waits_for_writes_only_where_no_log_takes_them() -> None:
    slow = watched.verdict(costs=(READS, WRITES))

    assert [READ] == [each.operation for each in added_latency(slow, TANK, (WEB,))]
    assert [READ, WRITE] == [each.operation for each in added_latency(slow, WITHOUT_LOG, (WEB,))]


def test_a_slow_log_costs_synchronous_writes_alone() -> None:
    log = next(each for each in TANK.vdevs if each.vdev_class == "log")
    slow = watched.verdict(disk=log.name, vdev=log.name, shape="lone", costs=(READS, WRITES))

    assert [WRITE] == [each.operation for each in added_latency(slow, TANK, (WEB,))]


@pytest.mark.parametrize("name", ["mirror-2", "nvme-SAMSUNG_MZ1L2_S666", "gone"])
def test_of_special_and_cache_and_a_vdev_that_left_nothing_is_told(name: str) -> None:
    assert () == added_latency(watched.verdict(vdev=name), TANK, (WEB,))


def test_of_a_raidz_it_is_said_to_be_the_most() -> None:
    (raidz,) = added_latency(watched.verdict(shape="raidz", costs=(READS,)), TANK, (WEB,))
    (mirror,) = added_latency(watched.verdict(costs=(READS,)), TANK, (WEB,))

    assert "adds up to 6.0 ms a read to web01 in the mean" == adds_in_short((raidz,))
    assert adds_in_full(raidz, "raidz2-0", "tank").startswith("adds up to 6.0 ms to a read of the guests")
    assert "adds 6.0 ms a read to web01 in the mean" == adds_in_short((mirror,))


def test_a_disk_that_stalls_has_no_mean() -> None:
    assert () == added_latency(watched.verdict(kind=STALLING, costs=(READS,)), TANK, (WEB,))


def test_a_verdict_that_ended_and_a_recording_cost_nobody_anything() -> None:
    assert () == added_latency(watched.over(), TANK, (WEB,))
    assert () == added_latency(watched.verdict(), None, (WEB,))


@pytest.mark.parametrize(
    "cost",
    [
        replace(READS, share=0.99),
        replace(READS, pool_with_ns=READS.pool_without_ns + LEAST_NS - 1),
        replace(READS, pool_with_ns=READS.pool_without_ns - MS),
        replace(READS, vdev_with_ns=READS.vdev_without_ns),
    ],
)
def test_a_quantile_and_an_excess_too_small_to_print_are_not_told(cost: Cost) -> None:
    assert () == added_latency(watched.verdict(costs=(cost,)), TANK, (WEB,))


@pytest.mark.parametrize(
    ("state", "waits"),
    [
        (GuestState.RUNNING, True),
        (GuestState.BLOCKED, True),
        (GuestState.SHUTTING_DOWN, True),
        (GuestState.PAUSED, False),
        (GuestState.SLEEPING, False),
        (GuestState.SHUT_OFF, False),
        (GuestState.UNKNOWN, False),
    ],
)
def test_a_guest_whose_processors_run_waits_for_an_image_below_its_own_too(
    state: GuestState, waits: bool
) -> None:
    guest = guest_on("a", on_files("bulk/x", "tank/gold"), state=state)

    assert waits == bool(running_guests_on((guest,), "tank"))


def test_a_container_that_runs_waits_as_a_guest_does() -> None:
    root = ContainerDataset("tank/c/web1", Evidence.PROCESS, "the root of its process 7")
    web = Container(ContainerEngine.INCUS, "web1", state=ContainerState.RUNNING, datasets=(root,))
    off = replace(web, name="off", state=ContainerState.STOPPED)

    assert ("web1",) == added_latency(watched.verdict(), TANK, as_guests((web, off)))[0].guests
