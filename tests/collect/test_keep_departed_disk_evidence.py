"""What was known of a disk before it was pulled stays with it: in this console and in the next one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import caused, changed, the_repair, trouble_at, with_kernel
from tests.doubles.shelves import leaf
from zconsole.analysis.repair.departed_disk_evidence import departed
from zconsole.collect.host_state_store import Store
from zconsole.collect.keep_departed_disk_evidence import EvidenceKeeper, keep_departed
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.kernel_message import MessageKind
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, Repair, RepairCause, RepairStepKind

PENDING = DiskHealth(protocol="ATA", is_passing=True, pending=24, crc_errors=0)
SOUND = DiskHealth(protocol="ATA", is_passing=True, pending=0, crc_errors=0)
MINUTE = 60.0


def raidz(failed: Vdev, *gone: int, health: DiskHealth | None = PENDING) -> HostState:
    """A raidz2 with a disk 1 in trouble."""
    top = group("raidz2-0", leaf(0), failed, leaf(2), leaf(3))
    known = {} if health is None else {1: health}
    return trouble_at(top, gone=gone, health=known, events=[changed(1, 60)])


FAULTED = raidz(leaf(1, "FAULTED", write_errors=Count(486)))
PULLED = raidz(leaf(1, "REMOVED"), 1, health=None)


def pulled_after(before: HostState, after: HostState = PULLED, minutes_ago: float = 20) -> HostState:
    """The host after a disk was pulled some minutes ago."""
    return replace(after, evidence=departed(before, after, NOW - minutes_ago * MINUTE))


def triage(repair: Repair) -> str:
    return "\n".join(repair.step(RepairStepKind.TRIAGE).found)


def test_a_pulled_disk_keeps_its_cause_its_smart_data_and_its_error_counters() -> None:
    repair = the_repair(pulled_after(FAULTED), 1)

    assert (RepairCause.DISK, Certainty.SURE) == (repair.cause, repair.certainty)
    told = triage(repair)
    assert "24 pending sectors" in told
    assert "486 write errors before it was gone" in told
    assert "last seen 2027-01-15 07:40 UTC (20m ago); its SMART data is of 2027-01-15 08:00 UTC" in told


def test_without_evidence_the_cause_is_unclear() -> None:
    assert RepairCause.UNKNOWN is caused(PULLED, 1).cause


def test_the_kernel_s_messages_stay_with_the_disk_and_do_not_go_to_the_next_of_its_name() -> None:
    before = with_kernel(raidz(leaf(1, "FAULTED"), health=SOUND), 1, *([MessageKind.MEDIUM] * 3))

    found = caused(pulled_after(before), 1)

    assert (RepairCause.DISK, Certainty.SURE) == (found.cause, found.certainty)
    assert "3 medium errors" in found.words


def test_a_cable_stays_the_cause_of_a_disk_that_was_taken_out_of_its_slot() -> None:
    before = with_kernel(raidz(leaf(1, "FAULTED"), health=SOUND), 1, *([MessageKind.CRC] * 4))

    assert RepairCause.CABLE is caused(pulled_after(before), 1).cause


def test_a_disk_that_was_taken_offline_and_pulled_keeps_its_cause() -> None:
    after = raidz(leaf(1, "OFFLINE"), 1, health=None)

    found = caused(pulled_after(FAULTED, after), 1)

    assert RepairCause.DISK is found.cause
    assert "taken offline by hand" in found.words


def test_what_was_known_is_of_the_time_before_zfs_cleared_the_counters() -> None:
    """ZFS tells of the removal before udev's reading shows it, and then has no errors any more."""
    removed = raidz(leaf(1, "REMOVED"))
    known = replace(removed, evidence=departed(FAULTED, removed, NOW - 90))

    state = replace(PULLED, evidence=departed(known, replace(PULLED, evidence=known.evidence), NOW - 80))

    assert "486 write errors before it was gone" in triage(the_repair(state, 1))


def test_a_disk_that_is_back_in_service_is_judged_by_what_it_says_now() -> None:
    state = replace(raidz(leaf(1), health=SOUND), evidence=pulled_after(FAULTED).evidence)

    assert [] == [each for each in state.pools[0].pool.value.walk() if each.has_errors]  # type: ignore[union-attr]
    with pytest.raises(StopIteration):
        the_repair(state, 1)


def test_the_store_takes_the_evidence_as_the_disk_goes() -> None:
    store = Store("nas1", lambda: None)
    store.commit(FAULTED)
    before = store.state
    store.commit(replace(PULLED, revision=before.revision))

    keep_departed(store, before, NOW)

    assert [Count(486)] == [each.write_errors for each in store.state.evidence]


async def test_the_next_console_knows_what_an_earlier_one_has_kept(tmp_path: Path) -> None:
    beside = tmp_path / "disk-health.sqlite"
    await EvidenceKeeper().with_evidence(FAULTED, NOW - 3600, beside)

    state = await EvidenceKeeper().with_evidence(PULLED, NOW, beside)

    found = the_repair(state, 1)
    assert RepairCause.DISK is found.cause
    assert "(1h ago)" in triage(found)


async def test_evidence_that_stays_the_same_is_written_once(tmp_path: Path) -> None:
    keeper, beside = EvidenceKeeper(), tmp_path / "disk-health.sqlite"
    await keeper.with_evidence(FAULTED, NOW, beside)
    file = tmp_path / "disk-evidence.sqlite"
    file.unlink()

    await keeper.with_evidence(FAULTED, NOW + 60, beside)
    assert not file.exists()

    await keeper.with_evidence(raidz(leaf(1, "FAULTED", write_errors=Count(900))), NOW + 120, beside)
    assert file.exists()
