"""What speaks for and against an unused disk as a new one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import blank, leaf, mirror
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.analysis.vdevs.new_disk_health_and_age import NewDisk, NewDisks
from zconsole.analysis.vdevs.smart_assessment import Blame, Complaint, complaints
from zconsole.model.finding import Severity
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome
from zconsole.model.pools.smart_health import DiskHealth, HealthAnswer, PowerMode, Unreadable

NEW = blank(9)
SOUND = DiskHealth(is_passing=True, power_on_hours=100)
MIB = 1 << 20


def host_disk(disk: Disk, said: HealthAnswer | None = SOUND) -> HostDisk:
    known = said if isinstance(said, DiskHealth) else None
    return HostDisk(disk, health=said, known=known, complaints=complaints(known) if known is not None else ())


def failed_ones(count: int, **values: object) -> Iterable[HostDisk]:
    top = mirror(0, 0, 1)
    for number in range(count):
        disk = blank(number, **values)
        yield replace(host_disk(disk), pool=pool_of(top, name="tank"), top=top, leaf=leaf(number, "FAULTED"))


def serving(number: int, **values: object) -> HostDisk:
    """A disk that serves without an error."""
    top = mirror(0, number)
    disk = blank(number, **values)
    return replace(host_disk(disk), pool=pool_of(top, name="tank"), top=top, leaf=leaf(number))


def judged(
    said: HealthAnswer | None = SOUND, others: Iterable[HostDisk] = (), tests: Iterable[ReadTest] = ()
) -> NewDisk:
    return NewDisks([host_disk(NEW, said), *others], tests).of(NEW)


def read_test(outcome: ReadTestOutcome, words: str = "") -> ReadTest:
    return ReadTest(disk_identity(NEW), 1.0, outcome, 192 * MIB, 1.0, words)


def test_a_sound_disk_has_its_smart_verdict_and_nothing_against_it() -> None:
    assert NewDisk(remarks=("SMART ok",)) == judged()


def test_a_failing_disk_does_not_fit_with_the_reason() -> None:
    found = judged(DiskHealth(is_passing=False, verdict_words="hardware impending failure"))

    assert found.objection is not None
    assert "failing" == found.objection.rule
    assert "SMART predicts failure: hardware impending failure" == found.in_short


def test_a_warning_of_smart_ranks_lower_and_is_said() -> None:
    found = judged(DiskHealth(is_passing=True, pending=8))

    assert (("8 pending sectors (unreadable)",), 1) == (found.remarks, found.rank)
    assert found.is_warned


@pytest.mark.parametrize(
    ("said", "words"),
    [(None, "SMART unknown"), (Unreadable.NO_PROGRAM, "SMART unknown: smartctl is not installed")],
)
def test_an_unknown_verdict_is_said_and_ranks_no_lower(said: HealthAnswer | None, words: str) -> None:
    assert NewDisk(remarks=(words,)) == judged(said)


def test_a_host_whose_disks_are_not_known_says_nothing() -> None:
    assert NewDisk() == NewDisks().of(NEW)


def test_an_old_disk_says_its_years_and_ranks_lower() -> None:
    found = judged(DiskHealth(is_passing=True, power_on_hours=53_500))

    assert (("6.1y in service", "SMART ok"), 1) == (found.remarks, found.rank)


def test_a_model_that_fails_here_says_its_numbers_and_ranks_lower() -> None:
    found = judged(others=[*failed_ones(2), serving(5), host_disk(blank(6))])

    assert (("2 of 3 in use of this model failed here", "SMART ok"), 1) == (found.remarks, found.rank)


def test_one_failure_tells_nothing_of_a_model() -> None:
    assert 0 == judged(others=[*failed_ones(1), host_disk(blank(5))]).rank


def test_failures_of_another_model_tell_nothing() -> None:
    assert 0 == judged(others=failed_ones(3, model="OTHER")).rank


def test_where_one_firmware_has_all_failures_it_is_named() -> None:
    new = replace(NEW, revision="SN02")
    others = [*failed_ones(2, revision="SN02"), serving(5, revision="SN04")]

    found = NewDisks([host_disk(new), *others]).of(new)

    assert "2 of 2 in use of this model with firmware SN02 failed here" == found.remarks[0]


def test_a_bad_cable_is_no_failure_of_a_model() -> None:
    cable = Complaint("crc-errors", Severity.WARNING, "CRC errors grew by 900", Blame.CABLE)
    others = [replace(each, complaints=(cable,)) for each in failed_ones(2)]

    assert 0 == judged(others=others).rank


def test_a_passed_read_test_tells_its_speed() -> None:
    found = judged(tests=[read_test(ReadTestOutcome.PASSED)])

    assert (("SMART ok", "read test 192 MiB/s"), True) == (found.remarks, found.is_tested)


def test_a_failed_read_test_makes_a_disk_unfit_in_the_systems_words() -> None:
    found = judged(tests=[read_test(ReadTestOutcome.FAILED, "dd: error reading: Input/output error")])

    assert found.objection is not None
    assert "read-test" == found.objection.rule
    assert "read test failed: dd: error reading: Input/output error" == found.in_short


def test_a_test_that_was_not_run_says_why_and_can_be_repeated() -> None:
    found = judged(tests=[read_test(ReadTestOutcome.NOT_RUN, "it takes root or the group disk")])

    assert "read test not run: it takes root or the group disk" == found.remarks[-1]
    assert not found.is_tested


def test_a_sleeping_disk_is_known_as_such() -> None:
    assert judged(DiskHealth(power_mode=PowerMode.STANDBY)).is_asleep
