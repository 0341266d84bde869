"""Single devices: failed, offline, with errors, replaced by spares."""

from __future__ import annotations

import pytest

from tests.analysis.build import disk, group, in_class, pool
from tests.analysis.findings.judging import given, said
from zconsole.analysis.findings.device_rules import (
    RULES,
    data_is_damaged,
    device_has_errors,
    device_has_failed,
    device_is_offline,
    device_was_slow,
    sectors_are_mismatched,
    spare_stands_in,
)
from zconsole.model.pools.pool import Count, Pool, Scan


def test_of_a_healthy_pool_no_rule_speaks() -> None:
    assert [] == [found for rule in RULES for found in rule(given())]


@pytest.mark.parametrize(
    ("words", "count", "files"),
    [
        ("1 permanent data error: /a", 1, ("/a",)),
        ("7 permanent data errors: /a, /b, /c, ...", 7, ("/a", "/b", "/c", "/d")),
        ("2 permanent data errors", 2, ()),
        ("1 permanent data error, in 2 files or objects: /t/x, /t@s:/x", 1, ("/t/x", "/t@s:/x")),
        ("2 permanent data errors: /a, /b", None, ("/a", "/b")),
    ],
)
def test_damaged_data_is_counted_and_some_files_are_named(
    words: str, count: int | None, files: tuple[str, ...]
) -> None:
    assert [("data-errors", words)] == said(data_is_damaged, pool(error_count=count, error_files=files))


@pytest.mark.parametrize(
    ("expected", "state", "vdev_class"),
    [
        ("device-faulted", "FAULTED", "data"),
        ("device-degraded", "DEGRADED", "data"),
        ("log-faulted", "UNAVAIL", "log"),
        ("cache-faulted", "UNAVAIL", "cache"),
        ("spare-faulted", "UNAVAIL", "spare"),
    ],
)
def test_a_failed_device_is_told_by_its_class(expected: str, state: str, vdev_class: str) -> None:
    of = pool(group("mirror-0", disk("a"), disk("b")), in_class(disk("x", state), vdev_class))

    assert [expected] == [each for each, _ in said(device_has_failed, of)]


def test_what_is_done_about_it_is_told() -> None:
    runs = Scan("resilver", "scanning")
    replaced = pool(
        group("mirror-0", disk("a"), group("replacing-1", disk("b", "UNAVAIL"), disk("c"))), scan=runs
    )
    spared = pool(group("mirror-0", disk("a"), group("spare-1", disk("b", "OFFLINE"), disk("s"))))

    assert [("device-faulted", "b is UNAVAIL; c is replacing it")] == said(device_has_failed, replaced)
    assert [("device-offline", "b was taken OFFLINE by an administrator; spare s stands in")] == said(
        device_is_offline, spared
    )
    assert [] == said(device_has_failed, spared)


def test_errors_are_of_the_device_or_else_of_its_group() -> None:
    guilty = disk("a", read_errors=Count(1), checksum_errors=Count(1100, is_rounded=True))
    of_group = group("mirror-0", disk("a"), disk("b"), checksum_errors=Count(1))

    assert [("device-errors", "a has 1 read and about 1.1k checksum errors")] == said(
        device_has_errors, pool(group("mirror-0", guilty, disk("b"), checksum_errors=Count(9)))
    )
    assert [("device-errors", "mirror-0 has 1 checksum error")] == said(device_has_errors, pool(of_group))


def test_a_spare_is_needed_until_what_it_stands_in_for_is_whole() -> None:
    needed = pool(group("mirror-0", disk("a"), group("spare-1", disk("b", "UNAVAIL"), disk("s"))))
    idle = pool(group("mirror-0", disk("a"), group("spare-1", disk("b"), disk("s"))))

    assert [("spare-in-use", "spare s stands in for b")] == said(spare_stands_in, needed)
    assert [("spare-in-use", "spare s can be detached: b has all its data again, without an error")] == said(
        spare_stands_in, idle
    )


ERRING = {"checksum_errors": Count(190)}


@pytest.mark.parametrize(
    ("need", "of"),
    [
        ("errors", pool(group("mirror-0", disk("a"), group("spare-1", disk("b", **ERRING), disk("s"))))),
        ("errors", pool(group("mirror-0", disk("a"), group("spare-1", disk("b", "DEGRADED"), disk("s"))))),
        (
            "errors",
            pool(group("raidz1-0", disk("a"), group("spare-1", disk("b", read_errors=Count(1)), disk("s")))),
        ),
        (
            "resilver",
            pool(
                group("mirror-0", disk("a"), group("spare-1", disk("b"), disk("s"))),
                scan=Scan("resilver", "scanning"),
            ),
        ),
        (
            "gaps",
            pool(
                group("mirror-0", disk("a"), group("spare-1", disk("b"), disk("s"))),
                scan=Scan("resilver", "finished", end=1, errors=12),
            ),
        ),
        (
            "gaps",
            pool(
                group("mirror-0", disk("a"), group("spare-1", disk("b"), disk("s"))),
                scan=Scan("resilver", "canceled", end=1),
            ),
        ),
        ("lacks data", pool(group("mirror-0", group("spare-1", disk("b", "OFFLINE"), disk("s"))))),
    ],
)
def test_a_spare_beside_a_device_that_is_not_known_to_be_whole_stays(need: str, of: Pool) -> None:
    """ZED degrades a device for its checksum errors, and then calls a spare: the spare is the good copy."""
    (found,) = spare_stands_in(given(of))

    assert "spare s stands in for b" == found.summary
    assert (True, need) == (found.evidence["is_needed"], found.evidence["need"])


def test_the_device_that_a_spare_stands_in_for_is_named_also_while_it_is_replaced() -> None:
    inside = group("spare-1", group("replacing-0", disk("b", "FAULTED"), disk("n")), disk("s"))

    assert [("spare-in-use", "spare s stands in for b")] == said(
        spare_stands_in, pool(group("mirror-0", disk("a"), inside))
    )


def test_files_that_have_no_error_counted_are_counted_themselves() -> None:
    assert [("data-errors", "1 permanent data error: <metadata>:<0x0>")] == said(
        data_is_damaged, pool(error_count=0, error_files=("<metadata>:<0x0>",))
    )


def test_a_spare_or_a_new_disk_that_is_gone_is_not_said_to_serve() -> None:
    spared = pool(group("mirror-0", disk("a"), group("spare-1", disk("b", "UNAVAIL"), disk("s", "REMOVED"))))
    replaced = pool(
        group("mirror-0", disk("a"), group("replacing-1", disk("b", "FAULTED"), disk("c", "REMOVED")))
    )

    assert [("spare-in-use", "spare s stood in for b, and is REMOVED")] == said(spare_stands_in, spared)
    assert ("device-faulted", "b is UNAVAIL; spare s stood in, and is REMOVED") in said(
        device_has_failed, spared
    )
    assert ("device-faulted", "b is FAULTED; c, which was replacing it, is REMOVED") in said(
        device_has_failed, replaced
    )


def test_slow_ios_are_counted_and_sectors_compared() -> None:
    of = pool(disk("a", slow_ios=Count(1), configured_ashift=9, physical_ashift=12))

    assert [("slow-ios", "a had 1 slow I/O")] == said(device_was_slow, of)
    assert [("ashift-below-physical", "a is written in 512 B units, its sectors are 4096 B")] == said(
        sectors_are_mismatched, of
    )
    assert [] == said(sectors_are_mismatched, pool(disk("a", configured_ashift=12, physical_ashift=9)))
