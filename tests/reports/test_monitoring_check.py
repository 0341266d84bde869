"""`check` ends with the right code and says why in one line."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.analysis.build import NOW, disk, group, host, in_class, mirror, pool, scrubbed
from tests.reports.captured import ALL, RECORDED_AT, captured
from tests.reports.schema import CHECK, mismatch
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.errors import HostUnreachable
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import Count, Scan, Vdev
from zconsole.reports.json.json_line import as_line
from zconsole.reports.monitoring_check import (
    LONGEST,
    MORE,
    NAMED,
    CheckLevel,
    HostCheck,
    check_document,
    check_failed,
    check_host,
    check_line,
    check_text,
    worst,
)

LIMITS = Thresholds()
OK, WARNING, CRITICAL, UNKNOWN = CheckLevel


def verdict(state: HostState, now: float = NOW) -> HostCheck:
    return check_host(state, findings(state, now, LIMITS))


def line(state: HostState) -> str:
    return check_line([verdict(state)], LIMITS)


def beside_a_mirror(vdev: Vdev, vdev_class: str) -> HostState:
    return host(pool(mirror("ONLINE", "ONLINE"), in_class(vdev, vdev_class)))


LEVELS: list[tuple[CheckLevel, str, HostState]] = [
    (OK, "all is well", host()),
    (WARNING, "a resilver runs", host(pool(scan=Scan("resilver", "scanning", percent=41.0)))),
    (
        OK,
        "a sound disk is replaced",
        host(
            pool(
                group("mirror-0", disk("a"), group("replacing-1", disk("b"), disk("c"))),
                scan=Scan("resilver", "scanning", percent=41.0),
            )
        ),
    ),
    (
        WARNING,
        "a member is catching up",
        host(pool(group("mirror-0", disk("a"), disk("b", is_resilvering=True)))),
    ),
    (
        OK,
        "a second half is being made",
        host(
            pool(
                group("mirror-0", disk("a"), disk("b", is_resilvering=True)),
                scan=Scan("resilver", "scanning", vdev="mirror-0"),
            )
        ),
    ),
    (OK, "never scrubbed, age unknown", host(pool(scan=None))),
    (OK, "slow I/Os", host(pool(disk("sda", slow_ios=Count(3))))),
    (OK, "79.9 % used", host(pool(usable_used_bytes=799, usable_available_bytes=201))),
    (WARNING, "80 % used", host(pool(usable_used_bytes=80, usable_available_bytes=20))),
    (CRITICAL, "90 % used", host(pool(usable_used_bytes=90, usable_available_bytes=10))),
    (WARNING, "degraded, redundancy left", host(pool(mirror("ONLINE", "FAULTED", "ONLINE")))),
    (WARNING, "offline, redundancy left", host(pool(mirror("ONLINE", "OFFLINE", "ONLINE")))),
    (CRITICAL, "degraded, none left", host(pool(mirror("ONLINE", "FAULTED")))),
    (CRITICAL, "offline, none left", host(pool(mirror("ONLINE", "OFFLINE")))),
    (CRITICAL, "suspended", host(kstat_state="SUSPENDED")),
    (CRITICAL, "suspended and silent", host(kstat_state="SUSPENDED", pool=Reading(problem="hangs"))),
    (CRITICAL, "faulted", host(pool(state="FAULTED"))),
    (CRITICAL, "unavailable", host(pool(state="UNAVAIL"))),
    (CRITICAL, "data errors", host(pool(error_count=1))),
    (WARNING, "read errors", host(pool(disk("sda", read_errors=Count(1))))),
    (
        WARNING,
        "a faulted spare",
        host(pool(mirror("ONLINE", "ONLINE"), in_class(disk("s", "FAULTED"), "spare"))),
    ),
    (WARNING, "a faulted log", beside_a_mirror(disk("l", "FAULTED"), "log")),
    (
        WARNING,
        "a faulted cache",
        host(pool(mirror("ONLINE", "ONLINE"), in_class(disk("c", "UNAVAIL"), "cache"))),
    ),
    (WARNING, "an old scrub", host(pool(scan=scrubbed(days_ago=35.1)))),
    (OK, "a scrub within 35 days", host(pool(scan=scrubbed(days_ago=34.9)))),
    (UNKNOWN, "unreadable", host(pool=Reading(problem="hangs"))),
    (UNKNOWN, "the list unreadable", replace(host(), pools_problem="hangs")),
    (UNKNOWN, "no pools", replace(host(), pools=())),
]


@pytest.mark.parametrize(("level", "state"), [each[::2] for each in LEVELS], ids=[each[1] for each in LEVELS])
def test_the_level_is_the_documented_one(level: CheckLevel, state: HostState) -> None:
    assert level is verdict(state).level


def test_the_levels_are_the_exit_codes_of_monitoring_plugins() -> None:
    assert [0, 1, 2, 3] == [int(each) for each in (OK, WARNING, CRITICAL, UNKNOWN)]


def test_known_trouble_outranks_what_could_not_be_read() -> None:
    graph = host(pool=Reading(problem="hangs"))
    full = host(pool(name="full", usable_used_bytes=80, usable_available_bytes=20))
    both = replace(graph, pools=(*graph.pools, *full.pools))

    found = verdict(both)

    assert WARNING is found.level
    assert "tank: its status cannot be read" in found.summary
    assert "full: 80% of" in found.summary


def test_a_good_line_names_the_pools_and_their_numbers() -> None:
    state = host(pool(fragmentation_percent=7, usable_used_bytes=500, usable_available_bytes=500))

    assert (
        "ZFS OK - tank ONLINE; settings not read | 'tank used'=500B;800;900;0;1000 "
        "'tank fragmentation'=7%;;;0;100 'tank errors'=0;;0;0"
    ) == line(state)


def test_a_bad_line_names_what_is_wrong_worst_first_and_no_information() -> None:
    found = line(host(pool(mirror("ONLINE", "FAULTED"), scan=None)))

    assert found.startswith(
        "ZFS CRITICAL - tank: no redundancy left in mirror-0; tank: DEGRADED: mirror-0-1 FAULTED; "
        "tank: mirror-0-1 is FAULTED | "
    )


def test_advice_is_in_the_object_and_counted_in_the_line_and_changes_no_level() -> None:
    wide = host(pool(group("raidz2-0", *(disk(f"sd{at}") for at in range(13)))))

    assert line(wide).startswith(
        "ZFS OK - tank ONLINE; at least 1 point of advice (zconsole advise reads more); settings not read |"
    )
    assert ["raidz-wide"] == [each.id for each in verdict(wide).findings]


def test_a_users_offline_is_named_as_such() -> None:
    assert "taken OFFLINE by an administrator" in line(host(pool(mirror("ONLINE", "OFFLINE", "ONLINE"))))


def test_a_running_resilver_is_told_when_all_else_is_well() -> None:
    replaced = group("mirror-0", disk("a"), group("replacing-1", disk("b"), disk("c")))
    running = host(pool(replaced, scan=Scan("resilver", "scanning", percent=41.0)))

    assert line(running).startswith("ZFS OK - tank ONLINE; tank: resilver 41%")


def test_a_long_list_is_counted() -> None:
    failing = tuple(disk(f"sd{at}", read_errors=Count(1)) for at in range(NAMED + 2))

    assert verdict(host(pool(*failing))).summary.endswith("; and 2 more")


def test_unknown_numbers_are_not_plotted() -> None:
    silent = host(pool(usable_used_bytes=None, error_count=None))

    assert "ZFS OK - tank ONLINE; settings not read" == line(silent)
    assert "|" not in line(host(pool=Reading(problem="hangs")))


def test_hostile_text_can_neither_add_lines_nor_numbers() -> None:
    hostile = host(pool(error_count=1, error_files=("/t/a\nOK | 'tank used'=0B \x1b[2J",)))

    found = line(hostile)

    assert found.isprintable()
    assert 1 == found.count("|")
    assert "/t/a^JOK \\x7c 'tank used'=0B ^[[2J" in found


def test_a_host_that_cannot_be_reached_is_unknown_with_the_reason() -> None:
    failed = check_failed("nas9", HostUnreachable("nas9 refuses the connection", hint="Is sshd running?"))

    assert UNKNOWN is failed.level
    assert "ZFS UNKNOWN - nas9 refuses the connection. Is sshd running?" == check_line([failed], LIMITS)


def test_several_hosts_make_one_line_with_the_worst_level() -> None:
    checks = [verdict(host()), check_failed("nas9", HostUnreachable("no route"))]

    found = check_line(checks, LIMITS)

    head = "ZFS UNKNOWN - nas1: tank ONLINE; settings not read; nas9: no route | 'nas1 tank used'="
    assert found.startswith(head)
    assert UNKNOWN is worst(checks)
    assert CRITICAL is worst([*checks, verdict(host(pool(error_count=1)))])
    assert UNKNOWN is worst([])


@pytest.mark.parametrize(("series", "state"), ALL)
def test_every_capture_makes_one_line_and_a_documented_object(series: str, state: str) -> None:
    found = verdict(captured(series, state), RECORDED_AT)

    assert check_line([found], LIMITS).isprintable()
    assert "" == mismatch(json.loads(as_line(check_document(found))), CHECK)


def test_an_unread_host_makes_a_documented_object_too() -> None:
    document = json.loads(as_line(check_document(check_failed("nas9", HostUnreachable("no route")))))

    assert "" == mismatch(document, CHECK)
    assert ("unknown", 3, []) == (document["level"], document["exit_code"], document["findings"])


def test_below_the_line_is_what_to_do_about_each_finding_that_it_names() -> None:
    checked = verdict(host(pool(mirror("ONLINE", "FAULTED"), scan=None)))

    first, *others = check_text([checked], LIMITS).split("\n")

    assert check_line([checked], LIMITS) == first
    assert [
        (
            "vdev-no-redundancy of tank mirror-0: Replace the failed device now, or bring an offline one "
            "back; where a new one or a spare is being filled, let that end. Do not reboot, move or scrub "
            "before that without need."
        )
    ] == others[:1]
    assert ["pool-degraded of tank", "device-faulted of tank mirror-0-1"] == [
        each.partition(":")[0] for each in others[1:]
    ]


def test_where_all_is_well_there_is_the_line_alone() -> None:
    assert line(host()) == check_text([verdict(host())], LIMITS)


def test_of_several_hosts_each_line_names_its_own() -> None:
    checks = [replace(verdict(host(pool(error_count=1))), host=name) for name in ("nas1", "nas2")]

    _, *others = check_text(checks, LIMITS).split("\n")

    assert ["nas1: data-errors of tank", "nas2: data-errors of tank"] == [
        ": ".join(each.split(": ")[:2]) for each in others
    ]


def test_what_follows_the_line_has_no_bar_no_control_and_is_no_longer_than_monitoring_reads() -> None:
    bad = disk("a|b\n\x1b[2J", "FAULTED")
    forged = check_text([verdict(host(pool(mirror("ONLINE", "ONLINE"), in_class(bad, "log"))))], LIMITS)
    many = tuple(group(f"mirror-{at}", disk(f"d{at}", "FAULTED"), disk(f"e{at}")) for at in range(200))
    long = check_text([verdict(host(pool(*many)))], LIMITS)

    assert [] == [each for each in forged.split("\n")[1:] if "|" in each or not each.isprintable()]
    assert len(long.encode()) <= LONGEST
    assert MORE == long.split("\n")[-1]
