"""Slow disks in the live state: found on a host that slows one, forgotten when it is fast again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.analysis.build import host
from tests.analysis.slow_disks.streams import AT, HEALTHY, MIRRORS, Did
from tests.analysis.slow_disks.streams import sample as made
from tests.conftest import CAPTURES
from tests.doubles.busy_practice_host import busy, seconds_until
from tests.doubles.machines import ROW
from tests.reports.json.test_slow_disks import mirrors
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.collect.slow_disk_detectors import QUIET_SAMPLES, Verdicts
from zconsole.model.finding import Severity
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.pools.slow_disk import LONG_TAIL, NOT_ANSWERING
from zconsole.zfs.iostat.histogram_stream import INTERVAL_S
from zconsole.zfs.iostat.iostat_stream import IostatReader
from zconsole.zfs.iostat.saved_output import Recording

LAYOUT = "raidz2 0 1 2 3 4 5"
EPOCH = 1_800_000_000
WITHIN_S = 30
OTHERS = [f"other{number}" for number in range(6)]
DISKS = [f"disk{number}" for number in range(6)]


async def test_a_disk_that_gets_slow_is_named_and_cleared_again() -> None:
    async with busy() as watched:
        await watched.pass_time(20)
        healthy = watched.state.pools[0]
        victim = next(watched.host.pool("tank").leaves()).disk
        assert victim is not None
        watched.host.set_slow(victim.link, 8.0)

        found_s = await seconds_until(watched, lambda pool: pool.slow)
        (verdict,) = watched.state.pools[0].slow
        watched.host.set_slow(victim.link, 1.0)
        await seconds_until(watched, lambda pool: not pool.slow)

        assert healthy.judgement is not None
        assert ((), ()) == (healthy.slow, healthy.undecided)
        assert found_s <= WITHIN_S
        assert victim.link.endswith(verdict.disk)
        assert verdict.ratio > 3
        over = watched.state.pools[0].judgement
        assert over is not None
        assert [(verdict.disk, False)] == [(each.disk, each.is_ongoing) for each in over.verdicts]


def test_a_recorded_slow_disk_is_found_without_status() -> None:
    """The layout follows from the names until the status is known."""
    folder = CAPTURES / "slow" / "a01"
    verdicts = Verdicts(1.0)
    label = json.loads((folder / "label.json").read_text())

    judged = {}
    for _, sample in Recording().samples((folder / "iostat.tsv").read_bytes().split(b"\n")):
        judged = dict(verdicts.feed([sample]))

    assert [label["disk"]] == [each.disk for each in judged["p"].verdicts]


def sample_of(at: int, latencies: dict[str, int]) -> IoSample:
    """Two raidz2 whose disks write, each in so many milliseconds."""
    lines = []
    names = ("tank", "raidz2-0", *DISKS, "raidz2-1", *OTHERS)
    for name in names:
        cells = ROW.format(name=name, ops=0).split("\t")
        cells[4], wait = "100", str(latencies.get(name, 10) * 1_000_000)
        cells[7:18] = ["-", wait, "-", wait, "-", "-", "-", "1000", "-", "-", "-"]
        lines.append("\t".join(cells))
    reader = IostatReader({"tank": names})
    (sample,) = reader.feed("\n".join([str(at), *lines, ""]).encode())
    return sample


def pool_of(guid: int = 1, **changes: object) -> Pool:
    leaves = tuple(
        replace(Vdev(name, "disk", "data", "ONLINE"), **changes) if name == DISKS[0] else
        Vdev(name, "disk", "data", "ONLINE")
        for name in DISKS
    )  # fmt: skip
    others = tuple(Vdev(name, "disk", "data", "ONLINE") for name in OTHERS)
    tops = [
        Vdev(f"raidz2-{at}", "raidz2", "data", "ONLINE", children=of)
        for at, of in enumerate((leaves, others))
    ]
    return Pool("tank", "ONLINE", guid, tuple(tops))


def slow_for(verdicts: Verdicts, first: int, count: int, slow_ms: int = 90) -> list[str]:
    judged = {}
    for at in range(first, first + count):
        judged = dict(verdicts.feed([sample_of(at, {DISKS[0]: slow_ms})]))
    return [each.disk for each in judged["tank"].verdicts if each.is_ongoing]


def test_a_status_that_tells_nothing_new_leaves_the_evidence_as_it_is() -> None:
    """It is read every few seconds: what speaks against a disk must outlive that."""
    verdicts = Verdicts(1.0)

    named = []
    for step in range(8):
        verdicts.describe([pool_of()], Inventory())
        named = slow_for(verdicts, 3 * step, 3)

    assert [DISKS[0]] == named


def test_a_disk_that_is_being_resilvered_is_not_judged() -> None:
    verdicts = Verdicts(1.0)
    verdicts.describe([pool_of(is_resilvering=True)], Inventory())

    assert [] == slow_for(verdicts, 0, 30)


def test_another_pool_of_the_same_name_is_judged_anew() -> None:
    verdicts = Verdicts(1.0)
    verdicts.describe([pool_of(guid=1)], Inventory())
    before = slow_for(verdicts, 0, 20)

    verdicts.describe([pool_of(guid=2)], Inventory())

    assert [DISKS[0]] == before
    assert [] == slow_for(verdicts, 20, 1)


def test_samples_that_lack_are_counted() -> None:
    """What was seen before a stream was cut is not taken for what was just seen."""
    verdicts = Verdicts(1.0)
    slow_for(verdicts, 0, 3)

    judged = [verdicts.feed([sample_of(at, {})])["tank"].samples for at in range(600, 606)]

    assert 600 <= judged[-1] <= 606


def test_while_no_disk_is_slow_the_judgement_is_renewed_now_and_then() -> None:
    verdicts = Verdicts(1.0)

    judged = [verdicts.feed([sample_of(at, {})])["tank"].samples for at in range(20)]

    assert judged == sorted(judged)
    assert all(at - samples < QUIET_SAMPLES for at, samples in enumerate(judged))
    assert len(set(judged)) == 20 / QUIET_SAMPLES


def test_one_host_among_many_is_judged_the_same_a_little_later() -> None:
    """A few samples at a time while no disk is slow, each sample of its own while one is."""
    at_once, patient = Verdicts(1.0), Verdicts(1.0, is_patient=True)
    heard = []

    for at in range(90):
        took = {DISKS[0]: 80} if 23 <= at < 50 else {}
        if at in {7, 31, 62}:  # a change of topology comes in its place among the samples
            for verdicts in (at_once, patient):
                verdicts.describe([pool_of(guid=1, is_resilvering=at == 62)], Inventory())
        heard.append([each.feed([sample_of(at, took)])["tank"] for each in (at_once, patient)])

    assert heard[-1][1].verdicts
    assert heard[-1][0].verdicts == heard[-1][1].verdicts
    for late, (expected, found) in enumerate(heard):
        named = [each.disk for each in expected.verdicts if each.is_ongoing]
        after = [
            each.disk for each in heard[min(89, late + QUIET_SAMPLES - 1)][1].verdicts if each.is_ongoing
        ]
        assert set(named) <= {*after, *(each.disk for each in found.verdicts)}
        if [each.is_ongoing for each in found.verdicts] == [True]:
            assert expected == found


def test_samples_that_are_far_apart_wait_for_no_other() -> None:
    verdicts = Verdicts(10.0, is_patient=True)

    judged = [verdicts.feed([sample_of(10 * at, {})])["tank"].samples for at in range(20)]

    assert all(at - samples < QUIET_SAMPLES for at, samples in enumerate(judged))


def test_a_pool_without_samples_has_no_verdicts() -> None:
    pool = PoolState("tank")

    assert ((), ()) == (pool.slow, pool.undecided)


async def test_a_long_tail_is_named_while_histograms_are_read() -> None:
    """Its mean is nearly that of its peers: only what somebody looks at with `-w` tells."""
    async with busy() as watched:
        victim = next(watched.host.pool("tank").leaves()).disk
        assert victim is not None
        watched.host.set_tail(victim.link, 0.03, 16.0)
        await watched.pass_time(40)
        without = watched.state.pools[0].slow

        watched.session.demand.want_latency("tank")
        found_s = 0
        while not watched.state.pools[0].slow and found_s < 2 * WITHIN_S:
            await watched.pass_time(1, step_s=INTERVAL_S)
            found_s += 1
        await watched.pass_time(10, step_s=INTERVAL_S)
        (verdict,) = watched.state.pools[0].slow
        watched.host.set_tail(victim.link, 0.0, 1.0)
        await watched.pass_time(80, step_s=INTERVAL_S)

        assert () == without
        assert 20 <= found_s <= WITHIN_S
        assert victim.link.endswith(verdict.disk)
        assert LONG_TAIL == verdict.kind
        assert verdict.ratio >= 4
        assert any(one.is_far and one.share == 0.99 for one in verdict.quantiles)
        assert () == watched.state.pools[0].slow


async def test_healthy_disks_whose_histograms_are_read_have_no_verdict() -> None:
    async with busy() as watched:
        watched.session.demand.want_latency("tank")

        await watched.pass_time(60, step_s=INTERVAL_S)

        assert watched.state.pools[0].latencies.value
        assert () == watched.state.pools[0].slow


@pytest.mark.parametrize("is_patient", [False, True])
def test_disks_that_all_hold_io_and_complete_none_are_a_finding_of_the_console(*, is_patient: bool) -> None:
    """No disk is slower than its peers, and none is called well."""
    verdicts, stuck = Verdicts(1.0, is_patient=is_patient), Did(active=5)
    judged = {}
    for number in range(50):
        judged = verdicts.feed([made(number, MIRRORS, lambda at, _: stuck if at >= 30 else HEALTHY)])

    found = [
        one
        for one in findings(host(mirrors(), judgement=judged["tank"]), AT + 50, Thresholds())
        if one.id == NOT_ANSWERING
    ]

    assert [Severity.WARNING] == [one.severity for one in found]
    assert found[0].summary.startswith(
        "all 6 disks hold I/O and complete none of it, at the same time: for 1"
    )
    assert set("abcdef") == judged["tank"].without_answer
    assert () == judged["tank"].verdicts
