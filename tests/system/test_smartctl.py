"""smartctl's JSON of real disks: their files' sources are in tests/captures/README.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.model.pools.smart_health import DiskHealth, PowerMode, SelfTest, Unreadable
from zconsole.system.smartctl import parse_health, read_health

CAPTURES = Path(__file__).parents[1] / "captures" / "smart"


def of(name: str) -> DiskHealth:
    found = parse_health((CAPTURES / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, DiskHealth)
    return found


@pytest.mark.parametrize("beyond", [-1, 10**32, 1 << 64])
def test_numbers_that_no_disk_can_mean_are_not_known(beyond: int) -> None:
    raw = json.loads((CAPTURES / "nvme-media-errors.json").read_text(encoding="utf-8"))
    log = raw["nvme_smart_health_information_log"]
    log |= dict.fromkeys(("media_errors", "available_spare", "percentage_used"), beyond)
    raw["temperature"] = {"current": beyond - 300, "op_limit_max": beyond - 300}
    raw["power_on_time"] = {"hours": beyond}

    found = parse_health(json.dumps(raw))

    assert isinstance(found, DiskHealth)
    assert (None, None, None) == (found.reported_uncorrectable, found.available_spare, found.wear)
    assert (None, None, None) == (found.temperature_c, found.temperature_limit_c, found.power_on_hours)
    assert of("nvme-media-errors").is_passing is found.is_passing


@pytest.mark.parametrize("raw_value", [-5, 10**32])
def test_a_raw_value_beyond_what_a_disk_counts_is_no_defect(raw_value: int) -> None:
    raw = json.loads((CAPTURES / "sata-reallocated.json").read_text(encoding="utf-8"))
    for each in raw["ata_smart_attributes"]["table"]:
        each["raw"]["value"] = raw_value

    found = parse_health(json.dumps(raw))

    assert isinstance(found, DiskHealth)
    assert (None, None, None) == (found.reallocated, found.pending, found.crc_errors)


def said(*messages: str, status: int) -> str:
    return json.dumps(
        {"smartctl": {"exit_status": status, "messages": [{"string": each} for each in messages]}}
    )


def test_a_disk_in_standby_is_not_woken_and_no_option_can_be_smuggled_in() -> None:
    assert ("smartctl", "--json", "--all", "--nocheck=standby", "--", "/dev/sda") == read_health(
        "/dev/sda"
    ).argv


def test_a_failing_sata_disk() -> None:
    assert DiskHealth(
        protocol="ATA",
        model="Hitachi HDS721050DLE630",
        serial=of("sata-failing").serial,
        firmware=of("sata-failing").firmware,
        is_passing=False,
        failing_attributes=("Reallocated_Sector_Ct",),
        power_on_hours=65592,
        temperature_c=25,
        reallocated=1975,
        pending=8,
        offline_uncorrectable=0,
        crc_errors=0,
        self_test=SelfTest(has_passed=True, words="Completed without error", at_hours=42),
    ) == of("sata-failing")


@pytest.mark.parametrize(
    ("name", "field", "expected"),
    [
        ("sata-bad-cable", "crc_errors", 3118119),
        ("sata-bad-cable", "reallocated", 0),
        ("sata-reallocated", "reallocated", 387),
        ("sata-ssd-worn", "wear", 85),
        ("sata-ssd-samsung", "pending", None),
        ("sata-ssd-all-logs", "temperature_limit_c", 70),
        ("sata-usb-bridge", "is_passing", None),
        ("sas-sound", "reallocated", 0),
        ("sas-sound", "reported_uncorrectable", 0),
        ("sas-sound", "temperature_limit_c", 85),
        ("sas-sound", "power_on_hours", 982),
        ("sas-sound", "model", "HITACHI H109060SESUN600G"),
        ("sas-grown-defects", "reallocated", 56),
        ("scsi-uncorrected", "reallocated", 260),
        ("scsi-uncorrected", "reported_uncorrectable", 536),
        ("nvme-media-errors", "reported_uncorrectable", 7),
        ("nvme-media-errors", "available_spare", 99),
        ("nvme-media-errors", "spare_threshold", 10),
        ("nvme-backup-failed", "critical_warning", 16),
        ("nvme-backup-failed", "is_passing", False),
        ("nvme-worn", "wear", 75),
        ("nvme-sound", "crc_errors", None),
    ],
)
def test_what_real_disks_report(name: str, field: str, expected: object) -> None:
    assert expected == getattr(of(name), field)


def test_a_raw_value_that_holds_several_numbers_is_not_taken_for_one() -> None:
    table = [{"id": 5, "name": "Reallocated_Sector_Ct", "raw": {"value": 51540393996}}]
    document = {"device": {"protocol": "ATA"}, "ata_smart_attributes": {"table": table}}

    found = parse_health(json.dumps(document))

    assert isinstance(found, DiskHealth)
    assert found.reallocated is None


def test_an_attribute_of_another_meaning_is_not_counted() -> None:
    table = [{"id": 197, "name": "Thermal_Throttle_Status", "raw": {"value": 9}}]

    found = parse_health(json.dumps({"ata_smart_attributes": {"table": table}}))

    assert isinstance(found, DiskHealth)
    assert found.pending is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ((CAPTURES / "not-opened.json").read_text(encoding="utf-8"), Unreadable.NO_ANSWER),
        ((CAPTURES / "raid-controller.json").read_text(encoding="utf-8"), Unreadable.NOT_SUPPORTED),
        (said("/dev/vda: Unable to detect device type", status=1), Unreadable.NOT_SUPPORTED),
        (
            said("Smartctl open device: /dev/sda failed: Permission denied", status=2),
            Unreadable.NOT_PERMITTED,
        ),
        (said("/dev/sdb: Unknown USB bridge [0x152d:0x0578 (0x508)]", status=1), Unreadable.NOT_SUPPORTED),
    ],
)
def test_why_there_is_nothing_to_read(text: str, why: Unreadable) -> None:
    assert why is parse_health(text)


def test_a_disk_in_standby_is_said_to_be_so() -> None:
    found = parse_health(said("Device is in STANDBY mode, exit(2)", status=2))

    assert DiskHealth(power_mode=PowerMode.STANDBY) == found


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (0, SelfTest(has_passed=True, words="said", at_hours=7)),
        (2, None),
        (4, SelfTest(has_passed=False, words="said", at_hours=7)),
        (15, None),
    ],
)
def test_the_newest_self_test_of_a_sas_disk_that_has_ended(result: int, expected: SelfTest | None) -> None:
    document = {
        "device": {"protocol": "SCSI"},
        "smart_status": {"passed": True},
        "scsi_self_test_0": {"result": {"value": result, "string": "said"}, "power_on_time": {"hours": 7}},
    }

    found = parse_health(json.dumps(document))

    assert isinstance(found, DiskHealth)
    assert expected == found.self_test


def test_a_self_test_that_is_under_way_does_not_hide_the_one_before() -> None:
    table = [
        {"status": {"value": 0xF9, "string": "in progress, 90% remaining"}, "lifetime_hours": 12},
        {"status": {"value": 0x71, "string": "Completed: read failure"}, "lifetime_hours": 11},
    ]
    document = {"smart_status": {"passed": True}, "ata_smart_self_test_log": {"extended": {"table": table}}}

    found = parse_health(json.dumps(document))

    assert isinstance(found, DiskHealth)
    assert SelfTest(has_passed=False, words="Completed: read failure", at_hours=11) == found.self_test


@pytest.mark.parametrize("text", ["", "[]", "smartctl 7.3", '"hot"', '{"device"'])
def test_anything_but_smartctls_json_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_health(text)


@given(st.data())
def test_a_capture_with_any_part_replaced_is_read_or_is_an_error(data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(sorted(CAPTURES.glob("*.json"))))
    text = path.read_text(encoding="utf-8")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    changed = text[:start] + data.draw(st.text(max_size=20)) + text[end:]

    try:
        found = parse_health(changed)
    except ParseError:
        return
    assert isinstance(found, DiskHealth | Unreadable)


@pytest.mark.parametrize(
    ("place", "bad"),
    [
        ("temperature", {"current": "hot"}),
        ("temperature", "hot"),
        ("power_on_time", {"hours": [1]}),
        ("ata_smart_self_test_log", {"extended": {"table": [{"status": {"value": "x"}}]}}),
        ("endurance_used", {"current_percent": "all"}),
    ],
)
def test_a_value_of_the_wrong_type_costs_itself_alone_and_is_named(place: str, bad: object) -> None:
    sound = json.loads((CAPTURES / "sata-failing.json").read_text(encoding="utf-8"))
    before = parse_health(json.dumps(sound))

    found = parse_health(json.dumps({**sound, place: bad}))

    assert isinstance(before, DiskHealth)
    assert isinstance(found, DiskHealth)
    assert (before.pending, before.crc_errors) == (found.pending, found.crc_errors)
    assert any(each.startswith(place) for each in found.unread)


def test_an_attribute_that_cannot_be_read_costs_itself_alone() -> None:
    sound = json.loads((CAPTURES / "sata-failing.json").read_text(encoding="utf-8"))
    table = sound["ata_smart_attributes"]["table"]
    crc = next(each for each in table if each["id"] == 199)
    crc["raw"]["value"] = "many"

    found = parse_health(json.dumps(sound))

    assert isinstance(found, DiskHealth)
    assert (of("sata-failing").pending, None) == (found.pending, found.crc_errors)
    assert ("ata_smart_attributes.table.raw.value",) == found.unread


def test_a_number_that_no_disk_can_mean_is_named_as_not_readable() -> None:
    sound = json.loads((CAPTURES / "sata-failing.json").read_text(encoding="utf-8"))

    found = parse_health(json.dumps({**sound, "temperature": {"current": 4000}}))

    assert isinstance(found, DiskHealth)
    assert ("temperature_c",) == found.unread
