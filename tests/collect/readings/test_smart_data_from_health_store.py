"""SMART data that was kept, for answers that read none: with its age, and what is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.analysis.build import NOW
from tests.analysis.build import host as host_of
from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import blank, mirror, shelf, used
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.base.errors import ZConsoleError
from zconsole.base.finding_thresholds import Thresholds
from zconsole.collect.readings.smart_data_from_health_store import RECENT_S, with_stored_smart
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.reports.json.status import status_document
from zconsole.reports.monitoring_check import check_document, check_host
from zconsole.reports.text.status import status_lines
from zconsole.storage.disks.disk_health_samples import DiskHealthStore

SICK = DiskHealth(protocol="ATA", pending=24)


def host() -> HostState:
    """Two disks in a mirror, and one in no pool."""
    disks = shelf(used(0), used(1), blank(2))
    return replace(host_of(pool_of(mirror(0, 0, 1))), inventory=Reading(disks, 0.0))


def kept(path: Path, at: float = NOW - 1200) -> DiskHealthStore:
    store = DiskHealthStore(path / "kept.sqlite")
    store.add([(disk_identity(used(0)), SICK), (disk_identity(used(1)), DiskHealth(pending=0))], at)
    return store


def ignored(_error: ZConsoleError) -> None:
    """What is wrong with the file does not matter here."""


async def test_what_was_kept_is_judged_with_its_age(tmp_path: Path) -> None:
    state = await with_stored_smart(host(), kept(tmp_path), NOW, ignored)

    found = findings(state, NOW, Thresholds())
    assert ["pending-sectors"] == [each.id for each in found if each.disk]
    lines = list(status_lines(state, found, NOW))
    assert "SMART data of 2 disks is 20m old, and was not read for this." in lines
    assert "No SMART data of 1 of 3 disks was kept in the last 7d; zconsole disks reads it." in lines


async def test_a_check_says_what_is_missing_without_a_worse_level(tmp_path: Path) -> None:
    store = DiskHealthStore(tmp_path / "kept.sqlite")

    check = check_host(await with_stored_smart(host(), store, NOW, ignored), ())

    assert 0 == int(check.level)
    kept_part, _, settings_part = check.summary.rpartition("; ")
    assert kept_part.endswith("of 3 of 3 disks was kept in the last 7d"), check.summary
    assert "settings not read" == settings_part


async def test_a_check_of_a_pool_is_of_its_disks_alone(tmp_path: Path) -> None:
    state = await with_stored_smart(host(), kept(tmp_path), NOW, ignored, is_of_pools=True)

    assert ("", 2) == (state.smart.problem, len(state.smart.value or ()))


async def test_data_of_last_month_says_nothing_about_today(tmp_path: Path) -> None:
    state = await with_stored_smart(host(), kept(tmp_path, NOW - RECENT_S - 60), NOW, ignored)

    assert () == state.smart.value


async def test_a_damaged_file_costs_the_smart_data_only(tmp_path: Path) -> None:
    said: list[ZConsoleError] = []
    path = tmp_path / "kept.sqlite"
    path.write_bytes(b"this is no database, but it is long enough" * 40)

    assert host().smart == (await with_stored_smart(host(), DiskHealthStore(path), NOW, said.append)).smart
    assert 1 == len(said)


async def test_how_many_disks_have_no_data_is_told_in_json_too(tmp_path: Path) -> None:
    state = await with_stored_smart(host(), kept(tmp_path), NOW, ignored)
    of_pool = await with_stored_smart(host(), kept(tmp_path), NOW, ignored, is_of_pools=True)

    assert {"disks": 3, "without_data": 1} == status_document(state, ())["smart"]
    assert {"disks": 2, "without_data": 0} == check_document(check_host(of_pool, ()))["smart"]
    assert status_document(host(), ())["smart"] is None
