"""Disk, cable, controller, shelf, another name, or an administrator: with the evidence, and how sure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import caused, changed, grown, mine, slow_disk, trouble_at, with_kernel
from tests.doubles.shelves import blank, leaf
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.kernel_message import MessageKind
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairCause

SOUND = DiskHealth(protocol="ATA", is_passing=True, crc_errors=0, pending=0)
PENDING = DiskHealth(protocol="ATA", is_passing=True, pending=24, crc_errors=0)
DYING = DiskHealth(protocol="ATA", is_passing=False, crc_errors=0)
CRC = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203, pending=0)


def bad(state: str = "FAULTED", **values: object) -> HostState:
    """A mirror whose disk 1 is in a state."""
    health = values.pop("health", None)
    top = group("mirror-0", leaf(0), leaf(1, state, **values))
    return trouble_at(top, health={} if health is None else {1: health})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("cause", "certainty", "words", "state"),
    [
        (RepairCause.ADMINISTRATOR, Certainty.SURE, "taken offline by hand", bad("OFFLINE")),
        (
            RepairCause.ADMINISTRATOR,
            Certainty.LIKELY,
            "marked as faulted from outside",
            bad(note="external device fault"),
        ),
        (RepairCause.DISK, Certainty.SURE, "the disk, not the cable (CRC errors 0)", bad(health=DYING)),
        (RepairCause.DISK, Certainty.SURE, "24 pending sectors", bad(health=PENDING)),
        (RepairCause.DISK, Certainty.LIKELY, "24 pending", bad("DEGRADED", health=PENDING)),
        (
            RepairCause.CABLE,
            Certainty.UNCLEAR,
            "the cable comes first",
            bad(read_errors=Count(4), health=CRC),
        ),
        (RepairCause.UNKNOWN, Certainty.UNCLEAR, "another slot", bad(read_errors=Count(4), health=SOUND)),
        (RepairCause.UNKNOWN, Certainty.UNCLEAR, "SMART data is not known", bad(read_errors=Count(4))),
        (RepairCause.UNKNOWN, Certainty.UNCLEAR, "no error of it is known", bad()),
    ],
)
def test_what_is_to_blame(cause: RepairCause, certainty: Certainty, words: str, state: HostState) -> None:
    found = caused(state, 1)

    assert (cause, certainty) == (found.cause, found.certainty)
    assert words in found.words


def test_crc_errors_that_grow_are_the_cable() -> None:
    state = grown(bad("DEGRADED", health=CRC), 1, DiskHealth(protocol="ATA", crc_errors=12))

    found = caused(state, 1)

    assert (RepairCause.CABLE, Certainty.LIKELY) == (found.cause, found.certainty)
    assert "1191 new in 7 d" in found.words


def test_crc_errors_on_several_disks_are_what_they_share() -> None:
    tops = group("raidz2-0", *(leaf(at, read_errors=Count(3 if at in {1, 2} else 0)) for at in range(4)))
    state = trouble_at(tops, health={1: CRC, 2: CRC, 3: CRC})

    found = caused(state, 1)

    assert (RepairCause.CABLE, Certainty.LIKELY) == (found.cause, found.certainty)
    assert "and SER0002 has some as well" in found.words


def test_a_disk_that_says_it_is_dying_is_the_disk_even_on_a_bad_cable() -> None:
    both = DiskHealth(protocol="ATA", is_passing=False, crc_errors=1203)
    state = grown(bad(health=both), 1, DiskHealth(protocol="ATA", crc_errors=12))

    assert RepairCause.DISK is caused(state, 1).cause


def test_a_disk_that_the_host_does_not_see_may_be_anything() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, "UNAVAIL")), gone=[1])

    assert "the host does not see the disk" in caused(state, 1).words


def test_a_slow_disk_is_likely_the_disk_and_one_of_a_pair_is_unclear() -> None:
    top = group("mirror-0", leaf(0), leaf(1))

    many = caused(trouble_at(top, slow=[slow_disk(1, "mirror-0")], health={1: SOUND}), 1)
    pair = caused(trouble_at(top, slow=[slow_disk(1, "mirror-0", peers=1)], health={1: SOUND}), 1)

    assert (RepairCause.DISK, Certainty.LIKELY) == (many.cause, many.certainty)
    assert "and SMART names no other cause" in many.words
    assert Certainty.UNCLEAR is pair.certainty


def test_where_smart_was_not_read_it_names_nothing_and_the_cause_of_slowness_is_unclear() -> None:
    top = group("mirror-0", leaf(0), leaf(1))

    found = caused(trouble_at(top, slow=[slow_disk(1, "mirror-0", peers=5)]), 1)

    assert (RepairCause.DISK, Certainty.UNCLEAR) == (found.cause, found.certainty)
    assert found.words.endswith(
        "the latency of its peers, and its SMART data is not known: the disk, the cable or the slot"
    )


class TestDiskThatIsBack:
    """A disk with the pool's label, under its own or another name."""

    def test_under_its_own_name_it_was_the_cable_where_zfs_was_told_that_it_left(self) -> None:
        removed = caused(bad("REMOVED"), 1)
        told = caused(replace(bad("UNAVAIL"), events=(changed(1, 20, "REMOVED"),)), 1)

        assert {RepairCause.CABLE} == {removed.cause, told.cause}
        assert "is there again" in removed.words
        assert removed.words == told.words

    @pytest.mark.parametrize("state", ["UNAVAIL", "CANT_OPEN"])
    def test_one_that_cannot_be_opened_need_not_have_left(self, state: str) -> None:
        found = caused(bad(state), 1)

        assert (RepairCause.UNKNOWN, Certainty.UNCLEAR) == (found.cause, found.certainty)
        assert "another program holds it, or it does not answer" in found.words
        assert found.returned is not None

    @pytest.mark.parametrize("note", ["invalid label", "corrupted data"])
    def test_one_whose_label_zfs_does_not_find_has_not_come_back(self, note: str) -> None:
        state = trouble_at(group("mirror-0", leaf(0), leaf(1, "UNAVAIL", note=note)))

        found = caused(state, 1)

        assert found.returned is None
        assert f"its label is not there ({note})" in found.words

    def test_under_another_name_it_is_known_by_its_serial_number(self) -> None:
        renamed = leaf(1, "UNAVAIL", path="/dev/disk/by-id/ata-ST4000NM_SER0001-part1-moved")
        found = caused(trouble_at(group("mirror-0", leaf(0), renamed)), 1)

        assert (RepairCause.MOVED, Certainty.SURE) == (found.cause, found.certainty)

    def test_a_disk_of_another_serial_number_is_not_it(self) -> None:
        state = trouble_at(group("mirror-0", leaf(0), leaf(1, "UNAVAIL")), gone=[1], disks=[mine(7)])

        assert RepairCause.UNKNOWN is caused(state, 1).cause

    def test_where_the_name_tells_nothing_one_stray_for_one_missing_is_likely(self) -> None:
        nameless = Vdev("slot7", "disk", "data", "UNAVAIL", guid=1001, path="/dev/disk/by-vdev/slot7-part1")
        stray = trouble_at(group("mirror-0", leaf(0), nameless), gone=[1], disks=[mine(7)])
        two = trouble_at(group("mirror-0", leaf(0), nameless), gone=[1], disks=[mine(7), mine(8)])
        empty = trouble_at(group("mirror-0", leaf(0), nameless), gone=[1], disks=[blank(7)])

        found = caused(stray, 1)
        assert (RepairCause.MOVED, Certainty.LIKELY) == (found.cause, found.certainty)
        assert RepairCause.UNKNOWN is caused(two, 1).cause
        assert RepairCause.UNKNOWN is caused(empty, 1).cause

    def test_a_faulted_disk_did_not_go_anywhere(self) -> None:
        assert RepairCause.CABLE is not caused(bad("FAULTED"), 1).cause


def cleared(state: HostState, number: int, minutes_ago: float) -> HostState:
    """The host on which somebody cleared the counters of a disk."""
    event = replace(changed(number, minutes_ago), event_class="sysevent.fs.zfs.vdev_clear")
    return replace(state, events=(*state.events, event))


def read_since(state: HostState, minutes_ago: float) -> HostState:
    """The host whose SMART data has had the same CRC errors for so long."""
    records = tuple(replace(each, crc_since=NOW - minutes_ago * 60) for each in state.smart.value or ())
    return replace(state, smart=replace(state.smart, value=records))


def test_crc_errors_that_stand_still_since_a_clear_are_no_evidence_on_the_new_cable() -> None:
    grew = grown(
        bad("ONLINE", health=CRC, read_errors=Count(4)), 1, DiskHealth(protocol="ATA", crc_errors=12)
    )

    assert RepairCause.CABLE is caused(cleared(read_since(grew, 5), 1, 30), 1).cause  # grew since the clear
    found = caused(cleared(read_since(grew, 50), 1, 30), 1)

    assert (RepairCause.DISK, Certainty.UNCLEAR) == (found.cause, found.certainty)
    assert "1203 CRC errors, none new since its counters were cleared 30m ago" in found.words


def test_damaged_transfers_since_the_clear_still_speak_for_the_cable() -> None:
    state = cleared(read_since(bad("ONLINE", health=CRC, read_errors=Count(4)), 50), 1, 30)

    assert RepairCause.CABLE is caused(with_kernel(state, 1, MessageKind.CRC, MessageKind.CRC), 1).cause
    assert RepairCause.DISK is caused(state, 1).cause
