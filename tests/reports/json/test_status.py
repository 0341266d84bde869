"""`status --json` says what docs/json.md promises, for every real capture, and the same as last time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.analysis.build import NOW, disk, host, in_class, mirror, pool
from tests.reports.captured import ALL, RECORDED_AT, captured
from tests.reports.schema import STATUS, mismatch
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.pool import ImportablePool, PoolActivity, VdevProgress
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.status import status_document

GOLDEN = Path(__file__).parent / "golden"


def line_of(state: HostState, now: float = NOW, importable: tuple[ImportablePool, ...] | None = None) -> str:
    return as_line(status_document(state, findings(state, now, Thresholds()), importable))


@pytest.mark.parametrize(("series", "state"), ALL)
def test_every_capture_has_the_documented_shape(series: str, state: str) -> None:
    assert "" == mismatch(json.loads(line_of(captured(series, state), RECORDED_AT)), STATUS)


@pytest.mark.parametrize(("series", "state"), ALL)
def test_every_capture_says_what_it_said_before(
    series: str, state: str, request: pytest.FixtureRequest
) -> None:
    """Run once with --update-golden to accept a change, and read the difference."""
    document = json.loads(line_of(captured(series, state), RECORDED_AT))
    file = GOLDEN / series / f"{state}.json"
    text = json.dumps(document) + "\n"
    if request.config.getoption("--update-golden"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    assert json.loads(file.read_text()) == document


def test_guids_are_text_since_they_pass_what_json_readers_hold() -> None:
    document = json.loads(line_of(host(pool(disk("sda", guid=2**64 - 1)))))

    assert document["pools"][0]["guid"] == str(2**63 + 1)
    assert document["pools"][0]["vdevs"][0]["guid"] == str(2**64 - 1)


def test_an_active_spare_stands_in_both_places_and_the_root_in_none() -> None:
    document = json.loads(line_of(captured("2.4", "spare-in-use"), RECORDED_AT))

    vdevs = document["pools"][0]["vdevs"]
    assert ["mirror-0", "mirror-1", "mirror-2"] == [vdev["name"] for vdev in vdevs[:3]]
    assert ["data", "data", "special", "log", "cache", "spare"] == [vdev["class"] for vdev in vdevs]
    in_group = vdevs[0]["children"][0]["children"][1]
    assert ("ONLINE", "INUSE") == (in_group["state"], vdevs[-1]["state"])
    assert in_group["name"] == vdevs[-1]["name"]


def test_importable_is_null_unless_somebody_looked() -> None:
    found = ImportablePool("old", 2**63, "ONLINE", last_host="nas2", devices=("sdx", "sdy"))

    assert json.loads(line_of(host()))["importable"] is None
    assert [] == json.loads(line_of(host(), importable=()))["importable"]
    assert json.loads(line_of(host(), importable=(found,)))["importable"] == [
        {"name": "old", "guid": str(2**63), "state": "ONLINE", "last_host": "nas2", "devices": ["sdx", "sdy"]}
    ]


def test_a_pool_that_cannot_be_read_is_its_name_the_kernels_word_and_null() -> None:
    graph = host(kstat_state="SUSPENDED", pool=Reading(problem="no answer"))

    document = json.loads(line_of(graph))

    assert "" == mismatch(document, STATUS)
    described = document["pools"][0]
    assert ("tank", "SUSPENDED") == (described.pop("name"), described.pop("state"))
    assert {None} == set(described.values())


def test_the_kernels_suspension_outranks_an_older_status() -> None:
    document = json.loads(line_of(host(kstat_state="SUSPENDED")))

    assert "SUSPENDED" == document["pools"][0]["state"]


def test_activities_of_devices_stand_beside_those_of_the_pool_each_once() -> None:
    trim = VdevProgress("trim", "active", 12.345)
    busy = pool(
        disk("sda", activities=(trim, VdevProgress("trim", "unsupported"))),
        activities=(
            PoolActivity("removal", "sdz", "active", 5.0),
            PoolActivity("trim", "sda", "active", 12.345),
        ),
    )

    running = {"end": None, "mapping_bytes": None}
    assert [
        {"kind": "removal", "vdev": "sdz", "state": "active", "percent": 5.0, **running},
        {"kind": "trim", "vdev": "sda", "state": "active", "percent": 12.35, **running},
    ] == json.loads(line_of(host(busy)))["pools"][0]["activities"]


def test_what_resilvers_is_noted_as_zfs_notes_it() -> None:
    document = json.loads(line_of(host(pool(disk("sda", note="was /dev/sdb1", is_resilvering=True)))))

    assert "was /dev/sdb1 (resilvering)" == document["pools"][0]["vdevs"][0]["note"]


def test_hostile_names_are_escaped_and_stay_one_line() -> None:
    hostile = pool(
        mirror("ONLINE", "ONLINE"),
        in_class(disk("\x1b]0;pwned\x07\u202e\u2028\n\udcff"), "log"),
        error_files=("/tank/\x9b31m",),
    )

    line = line_of(host(hostile))

    assert line.isascii()
    assert line.isprintable()
    assert "\x1b]0;pwned\x07\u202e\u2028\n\udcff" == json.loads(line)["pools"][0]["vdevs"][1]["name"]
