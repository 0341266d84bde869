"""Disk or cable: the kernel's messages and the growth of SMART counters, alone and together."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import caused, error, facts_of, grown, place_of, trouble_at, with_kernel
from tests.doubles.shelves import leaf
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.kernel_message import MessageKind as K
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import Certainty, RepairCause

SOUND = DiskHealth(protocol="ATA", is_passing=True, crc_errors=0, pending=0, reallocated=0)
RESETS = (K.RESET, K.RESET, K.RESET)
OLD_MINUTES = 9 * 24 * 60.0


def faulted(
    health: DiskHealth | None = SOUND, before: DiskHealth | None = None, **values: object
) -> HostState:
    """A mirror whose disk 1 ZFS has faulted, with what SMART says now and said a week ago."""
    top = group("mirror-0", leaf(0), leaf(1, "FAULTED", **values))
    state = trouble_at(top, health={} if health is None else {1: health})
    return state if before is None else grown(state, 1, before)


@pytest.mark.parametrize(
    ("cause", "certainty", "words", "state"),
    [
        pytest.param(
            RepairCause.DISK, Certainty.SURE, "kernel: 2 medium errors",
            with_kernel(faulted(), 1, K.MEDIUM, K.MEDIUM), id="medium errors",
        ),
        pytest.param(
            RepairCause.DISK, Certainty.SURE, "the disk, not the cable (CRC errors 0)",
            with_kernel(faulted(), 1, *RESETS, K.MEDIUM), id="resets with a medium error",
        ),
        pytest.param(
            RepairCause.DISK, Certainty.LIKELY, "its cable is suspect too (1203 CRC errors",
            with_kernel(
                faulted(DiskHealth(protocol="ATA", crc_errors=1203), DiskHealth(crc_errors=12)), 1, K.MEDIUM
            ),
            id="a medium error and CRC errors that grow",
        ),
        pytest.param(
            RepairCause.CABLE, Certainty.SURE, "kernel: 3 transfer errors",
            with_kernel(
                faulted(DiskHealth(protocol="ATA", crc_errors=1203), DiskHealth(crc_errors=12)),
                1, K.CRC, K.CRC, K.CRC,
            ),
            id="damaged transfers and CRC errors that grow",
        ),
        pytest.param(
            RepairCause.CABLE, Certainty.LIKELY, "the cable, the slot or the backplane",
            with_kernel(faulted(None), 1, K.CRC), id="damaged transfers without SMART",
        ),
        pytest.param(
            RepairCause.CABLE, Certainty.UNCLEAR, "no error on its medium",
            with_kernel(faulted(), 1, *RESETS), id="resets alone",
        ),
        pytest.param(
            RepairCause.DISK, Certainty.SURE, "60 sectors reallocated, 48 new in 7 d",
            faulted(DiskHealth(protocol="ATA", reallocated=60, crc_errors=0), DiskHealth(reallocated=12),
                    write_errors=Count(3)),
            id="reallocated sectors that grow",
        ),
        pytest.param(
            RepairCause.DISK, Certainty.LIKELY, "its cable is suspect too",
            faulted(DiskHealth(protocol="ATA", pending=9, crc_errors=40),
                    DiskHealth(pending=1, crc_errors=2)),
            id="both grow",
        ),
        pytest.param(
            RepairCause.UNKNOWN, Certainty.UNCLEAR, "SMART has nothing against it",
            with_kernel(faulted(read_errors=Count(2)), 1, K.TIMEOUT), id="a timeout tells nothing",
        ),
        pytest.param(
            RepairCause.UNKNOWN, Certainty.UNCLEAR, "SMART and the kernel have nothing against it",
            with_kernel(faulted(read_errors=Count(2)), 0, K.MEDIUM), id="another disk's messages",
        ),
        pytest.param(
            RepairCause.UNKNOWN, Certainty.UNCLEAR, "no error of it is known",
            with_kernel(faulted(None), 1, K.MEDIUM, minutes_ago=OLD_MINUTES), id="messages of last week",
        ),
    ],
)  # fmt: skip
def test_what_speaks_for_the_disk_and_what_for_the_cable(
    cause: RepairCause, certainty: Certainty, words: str, state: HostState
) -> None:
    found = caused(state, 1)

    assert (cause, certainty) == (found.cause, found.certainty)
    assert words in found.words


def test_a_disk_that_is_gone_told_the_kernel_of_its_end_and_that_is_no_cable() -> None:
    top = group("mirror-0", leaf(0), leaf(1, "REMOVED"))
    state = with_kernel(trouble_at(top, gone=[1]), 1, *RESETS, K.GONE)

    assert RepairCause.UNKNOWN is caused(state, 1).cause


def test_the_trouble_began_with_the_first_message_of_the_last_days() -> None:
    state = with_kernel(faulted(), 1, K.MEDIUM, minutes_ago=3 * 24 * 60)
    state = with_kernel(state, 1, K.MEDIUM, K.MEDIUM, minutes_ago=40)
    facts = facts_of(state)

    assert facts.now - 40 * 60 == facts.since(place_of(facts, 1).member)


def test_what_smart_warns_of_is_a_prediction_only_while_zfs_has_told_no_error() -> None:
    """The reports outlive `zpool clear`, which sets the counters to 0."""
    warned = {1: DiskHealth(protocol="ATA", is_passing=True, pending=24)}
    sound = trouble_at(group("mirror-0", leaf(0), leaf(1)), health=warned)
    reported = trouble_at(group("mirror-0", leaf(0), leaf(1)), health=warned, events=(error(1, 30),))

    assert "a prediction" in caused(sound, 1).words
    assert "a prediction" not in caused(reported, 1).words
    assert (RepairCause.DISK, Certainty.LIKELY) == (caused(reported, 1).cause, caused(reported, 1).certainty)
