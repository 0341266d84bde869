"""`status` reads aloud: whole sentences, the worst first, nothing that a terminal would obey."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import DAY, NOW, disk, group, host, in_class, mirror, pool
from tests.reports.captured import ALL, RECORDED_AT, captured
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import Count, ImportablePool, PoolActivity, Scan
from zconsole.reports.text.status import status_lines

GIB = 1024**3

JUDGED = "no findings, at least 1 point of advice (zconsole advise reads more)."


def lines_of(
    state: HostState, now: float = NOW, importable: tuple[ImportablePool, ...] | None = None
) -> list[str]:
    return list(status_lines(state, findings(state, now, Thresholds()), now, importable))


def test_a_healthy_pool_reads_in_a_few_sentences() -> None:
    healthy = pool(usable_used_bytes=61 * GIB, usable_available_bytes=39 * GIB, fragmentation_percent=9)

    assert [
        "nas1: OpenZFS 2.4.4-1, 1 pool; no findings.",
        "Pool tank is ONLINE, 61% used of 100 GiB, 39.0 GiB free, frag 9%.",
        "Pool tank: scrub 3d ago, no errors (2027-01-12 08:00 UTC).",
        "Pool tank: no data errors.",
        "mirror-0 is ONLINE; mirror-0 survives 1 failure.",
        "mirror-0-0 in mirror-0 is ONLINE.",
        "mirror-0-1 in mirror-0 is ONLINE.",
    ] == lines_of(host(healthy))


def test_the_same_advice_on_many_datasets_is_one_point_as_on_the_advice_screen() -> None:
    settings = tuple(DatasetSettings(f"tank/{at:02}", "filesystem", sync="disabled") for at in range(60))

    lines = lines_of(host(settings=Reading(settings, 0.0)))
    (told,) = (line for line in lines if line.startswith("Advice: "))

    assert lines[0].endswith("no findings, at least 1 point of advice (zconsole advise reads more).")
    assert told.endswith("; likewise tank/01, tank/02, tank/03, tank/04 and 55 more.")


def test_trouble_comes_before_the_pools() -> None:
    bad = disk("sdb", "FAULTED", note="external device fault", read_errors=Count(1100, is_rounded=True))
    state = host(pool(mirror("ONLINE", "ONLINE"), in_class(bad, "log"), error_count=1, error_files=("/t/x",)))

    lines = lines_of(state)

    assert "nas1: OpenZFS 2.4.4-1, 1 pool; 1 critical, 2 warnings." == lines[0]
    assert "Critical: tank: 1 permanent data error: /t/x." == lines[1]
    assert lines[2].startswith("  What to do: Restore the files from a backup or delete them, then scrub;")
    assert lines[3].startswith("Warning: tank: DEGRADED: sdb FAULTED.")
    assert (
        "Warning: tank: log device sdb is FAULTED (external device fault); also about 1.1k read errors; "
        "next: zconsole repair tank."
    ) == lines[5]
    assert "  What to do: Replace it, or remove it with zpool remove." == lines[6]
    assert "Pool tank: 1 permanent data error." in lines
    assert "Damaged: /t/x" in lines
    assert "Log sdb is FAULTED, external device fault, about 1100 read errors." in lines


def test_the_same_remedy_of_findings_in_a_row_is_told_once_and_of_now_with_one_lead_in() -> None:
    lines = lines_of(host(pool(mirror("ONLINE", "FAULTED"))))

    told = [line for line in lines if line.startswith("  What to do")]
    assert len(told) == len(dict.fromkeys(told))
    assert told[0].startswith("  What to do now: ")
    assert all("What to do: Now" not in line for line in lines)


def test_a_pool_of_bare_disks_is_not_one_without_findings() -> None:
    lines = lines_of(host(pool(disk("sda"), disk("sdb"))))

    assert "nas1: OpenZFS 2.4.4-1, 1 pool; no warnings, 1 info." == lines[0]
    assert lines[1].startswith("Info: tank: none of its 2 devices has redundancy")


def test_advice_is_called_so_and_is_no_finding_of_the_count() -> None:
    lines = lines_of(host(pool(group("raidz2-0", *(disk(f"sd{at}") for at in range(13))))))

    assert [
        f"nas1: OpenZFS 2.4.4-1, 1 pool; {JUDGED}",
        "Advice: tank: raidz2-0 has 13 disks, more than 12.",
    ] == lines[:2]


def test_what_runs_and_what_is_held_is_said() -> None:
    busy = pool(
        scan=Scan("resilver", "scanning", start=int(NOW) - DAY, percent=41.2),
        activities=(PoolActivity("raidz_expand", "raidz2-0", "active", 12.0),),
        checkpoint_bytes=GIB,
    )

    lines = lines_of(host(busy))

    assert "Pool tank: resilver 41% (started 2027-01-14 08:00 UTC)." in lines
    assert "Pool tank: raidz_expand of raidz2-0 active, 12%." in lines
    assert any(line.startswith("Pool tank is") and "checkpoint holds 1.00 GiB." in line for line in lines)


def test_a_percentage_is_rounded_down_so_that_it_does_not_pass_a_limit_by_itself() -> None:
    lines = lines_of(host(pool(usable_used_bytes=7999, usable_available_bytes=2001)))

    assert any("79% used of" in line for line in lines)


def test_unknown_is_left_out_and_never_nought() -> None:
    blank = pool(usable_used_bytes=None, error_count=None, scan=None)

    lines = lines_of(replace(host(blank), version=Reading()))

    assert "nas1: 1 pool; no warnings, 1 info." == lines[0]
    assert "Pool tank is ONLINE." in lines
    assert not [line for line in lines if "0 B" in line or "data error" in line]


def test_a_pool_that_cannot_be_read_says_why() -> None:
    graph = host(kstat_state="SUSPENDED", pool=Reading(problem="no answer within 10 s"))

    assert "Pool tank could not be read: no answer within 10 s; the kernel says SUSPENDED." in lines_of(graph)


def test_pools_to_import_are_listed_when_looked_for() -> None:
    found = ImportablePool("old", 7, "DEGRADED", last_host="nas2")

    assert (
        "Pool old is not imported; zpool import finds it: DEGRADED, last used by nas2, guid 7."
        in lines_of(host(), importable=(found,))
    )
    assert "zpool import finds no other pool." in lines_of(host(), importable=())


def test_a_host_without_pools_says_so() -> None:
    assert ["nas1: OpenZFS 2.4.4-1, no pool is imported; no findings."] == lines_of(replace(host(), pools=()))


@pytest.mark.parametrize(("series", "state"), ALL)
def test_every_capture_is_read_in_lines_without_a_trap(series: str, state: str) -> None:
    lines = lines_of(captured(series, state), RECORDED_AT)

    assert all(line.isprintable() and line for line in lines)
    assert not [line for line in lines if "None" in line or "·" in line]


def test_hostile_names_are_spelled_out() -> None:
    state = host(pool(disk("\x1b[2J"), error_files=("/tank/a\nb",)))

    lines = lines_of(state)

    assert "Damaged: /tank/a^Jb" in lines
    assert any(line.startswith("^[[2J is ONLINE") for line in lines)
