"""`smartctl --json`: what SATA, SAS and NVMe disks report about their health.

The keys are those of smartmontools 6.7 to 8 (ataprint.cpp, scsiprint.cpp, nvmeprint.cpp).
The non-medium error count of SAS disks is missing: smartctl prints it as text only.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import msgspec

from zconsole.base.bounded_json import load_json
from zconsole.base.drop_wrongly_typed_json import tolerant
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.smart_health import DiskHealth, PowerMode, SelfTest, Unreadable

TOOL: Final = "smartctl"
TIMEOUT_S: Final = 30.0  # a failing disk takes its time for each log
_DISK_FAILING: Final = 1 << 3
_NOT_OPENED: Final = 1 << 1
_BAD_COMMAND: Final = 1 << 0

_REALLOCATED, _REPORTED, _PENDING, _OFFLINE, _CRC = 5, 187, 197, 198, 199
_WORDS: Final = {  # an id means something else on some SSDs: the name has to agree
    _REALLOCATED: ("realloc", "retired", "remap"),
    _REPORTED: ("uncorrect",),
    _PENDING: ("pending",),
    _OFFLINE: ("uncorrect",),
    _CRC: ("crc",),
}
_WEAR: Final = ("wearout", "wear_leveling", "life_left", "lifetime_remain", "percent_life")
_MOST_RAW: Final = 1 << 32  # above it the raw value is several numbers in one
_ATA_TEST_RUNNING: Final = 15  # in the upper half of the status byte
_ATA_TEST_FAULTS: Final = range(3, 9)  # 1 and 2: the host or a reset ended the test
_SCSI_TEST_FAULTS: Final = range(3, 8)
_NVME_TEST_FAULTS: Final = (5, 6, 7)
_TEST_PASSED: Final = 0
_SCSI_TESTS: Final = 20
_PERCENT: Final = 100
_COUNTS: Final = range(1 << 63)
_DEGREES: Final = range(-60, 200)
_BYTE: Final = range(256)
_POSSIBLE: Final = {  # by field of DiskHealth; what is outside counts as not known
    "power_on_hours": range(1 << 24),  # 1900 years
    "temperature_c": _DEGREES,
    "temperature_limit_c": _DEGREES,
    "reallocated": _COUNTS,
    "pending": _COUNTS,
    "offline_uncorrectable": _COUNTS,
    "reported_uncorrectable": _COUNTS,
    "crc_errors": _COUNTS,
    "available_spare": _BYTE,
    "spare_threshold": _BYTE,
    "wear": _BYTE,
}


class _Object(msgspec.Struct, kw_only=True, frozen=True):
    """A JSON object; unknown keys are ignored, missing ones have their default."""


class _Text(_Object, frozen=True, kw_only=True):
    value: int | None = None
    string: str = ""


class _Message(_Object, frozen=True, kw_only=True):
    string: str = ""


class _Smartctl(_Object, frozen=True, kw_only=True):
    exit_status: int = 0
    messages: tuple[_Message, ...] = ()


class _Device(_Object, frozen=True, kw_only=True):
    protocol: str = ""


class _ScsiStatus(_Object, frozen=True, kw_only=True):
    ie_string: str = ""


class _NvmeStatus(_Object, frozen=True, kw_only=True):
    value: int = 0


class _SmartStatus(_Object, frozen=True, kw_only=True):
    passed: bool | None = None
    scsi: _ScsiStatus = _ScsiStatus()
    nvme: _NvmeStatus = _NvmeStatus()


class _Support(_Object, frozen=True, kw_only=True):
    available: bool = True


class _PowerMode(_Object, frozen=True, kw_only=True):
    name: str = ""


class _Hours(_Object, frozen=True, kw_only=True):
    hours: int | None = None


class _Temperature(_Object, frozen=True, kw_only=True):
    current: int | None = None
    op_limit_max: int | None = None
    drive_trip: int | None = None


class _Percentage(_Object, frozen=True, kw_only=True):
    current_percent: int | None = None
    threshold_percent: int | None = None


class _Raw(_Object, frozen=True, kw_only=True):
    value: int | None = None


class _Attribute(_Object, frozen=True, kw_only=True):
    id: int
    name: str = ""
    value: int | None = None
    when_failed: str = ""
    raw: _Raw = _Raw()


class _Attributes(_Object, frozen=True, kw_only=True):
    table: tuple[_Attribute, ...] = ()


class _AtaTest(_Object, frozen=True, kw_only=True):
    status: _Text = _Text()
    lifetime_hours: int | None = None


class _AtaTests(_Object, frozen=True, kw_only=True):
    table: tuple[_AtaTest, ...] = ()


class _AtaTestLogs(_Object, frozen=True, kw_only=True):
    standard: _AtaTests = _AtaTests()
    extended: _AtaTests = _AtaTests()


class _NvmeHealth(_Object, frozen=True, kw_only=True):
    critical_warning: int = 0
    available_spare: int | None = None
    available_spare_threshold: int | None = None
    percentage_used: int | None = None
    media_errors: int | None = None
    power_on_hours: int | None = None


class _NvmeTest(_Object, frozen=True, kw_only=True):
    self_test_result: _Text = _Text()
    power_on_hours: int | None = None


class _NvmeTests(_Object, frozen=True, kw_only=True):
    table: tuple[_NvmeTest | None, ...] = ()


class _ErrorCounters(_Object, frozen=True, kw_only=True):
    total_uncorrected_errors: int | None = None


class _ErrorLog(_Object, frozen=True, kw_only=True):
    read: _ErrorCounters = _ErrorCounters()
    write: _ErrorCounters = _ErrorCounters()
    verify: _ErrorCounters = _ErrorCounters()


class _Count(_Object, frozen=True, kw_only=True):
    count: int | None = None


class _ScsiTest(_Object, frozen=True, kw_only=True):
    result: _Text = _Text()
    power_on_time: _Hours = _Hours()


class _Document(_Object, frozen=True, kw_only=True):
    smartctl: _Smartctl = _Smartctl()
    device: _Device = _Device()
    power_mode: _PowerMode = _PowerMode()
    model_name: str = ""
    scsi_model_name: str = ""
    serial_number: str = ""
    firmware_version: str = ""
    scsi_revision: str = ""
    revision: str = ""
    smart_support: _Support = _Support()
    smart_status: _SmartStatus = _SmartStatus()
    power_on_time: _Hours = _Hours()
    temperature: _Temperature = _Temperature()
    endurance_used: _Percentage = _Percentage()
    spare_available: _Percentage = _Percentage()
    ata_smart_attributes: _Attributes = _Attributes()
    ata_smart_self_test_log: _AtaTestLogs = _AtaTestLogs()
    nvme_smart_health_information_log: _NvmeHealth | None = None
    nvme_self_test_log: _NvmeTests = _NvmeTests()
    scsi_grown_defect_list: int | None = None
    scsi_pending_defects: _Count = _Count()
    scsi_error_counter_log: _ErrorLog | None = None


def read_health(path: str) -> Command:
    """All SMART data of one disk. A disk in standby is not woken; reading takes root."""
    return Command((TOOL, "--json", "--all", "--nocheck=standby", "--", path), timeout_s=TIMEOUT_S)


def parse_health(text: str) -> DiskHealth | Unreadable:
    """Health of one disk from the output of `read_health`, whatever smartctl's exit status was.

    Raises ParseError for anything but smartctl's JSON.
    """
    raw = load_json(TOOL, text)
    try:
        found, lost = tolerant(raw, _Document)
    except msgspec.ValidationError as error:
        raise ParseError(TOOL, 1, text, str(error)) from error
    if "STANDBY" in found.power_mode.name or any(
        "STANDBY" in each.string for each in found.smartctl.messages
    ):
        return replace(_identity(found), power_mode=PowerMode.STANDBY)
    why = _why_not(found)
    if why is not None:
        return why
    return _plausible(replace(_of_protocol(found, raw), unread=lost))


def _of_protocol(found: _Document, raw: object) -> DiskHealth:
    nvme = found.nvme_smart_health_information_log
    if nvme is not None:
        return _nvme(found, nvme)
    return _scsi(found, raw) if found.device.protocol == "SCSI" else _ata(found)


def _plausible(health: DiskHealth) -> DiskHealth:
    """The same without numbers that no disk can mean, as a broken bridge or firmware reports them."""
    beyond: dict[str, Any] = {
        name: None
        for name, possible in _POSSIBLE.items()
        if (value := getattr(health, name)) is not None and value not in possible
    }
    if not beyond:
        return health
    return replace(health, **beyond, unread=(*health.unread, *beyond))


def _why_not(found: _Document) -> Unreadable | None:
    said = " ".join(each.string for each in found.smartctl.messages)
    if found.smartctl.exit_status & (_NOT_OPENED | _BAD_COMMAND):
        if "Permission denied" in said or "Operation not permitted" in said:
            return Unreadable.NOT_PERMITTED
        if "Unknown USB bridge" in said or "Unable to detect device type" in said or "device type" in said:
            return Unreadable.NOT_SUPPORTED
        return Unreadable.NO_ANSWER
    knows_nothing = (
        found.smart_status.passed is None
        and not found.ata_smart_attributes.table
        and found.nvme_smart_health_information_log is None
        and found.scsi_error_counter_log is None
    )
    return Unreadable.NOT_SUPPORTED if knows_nothing or not found.smart_support.available else None


def _identity(found: _Document) -> DiskHealth:
    return DiskHealth(
        protocol=found.device.protocol,
        model=found.model_name or found.scsi_model_name,
        serial=found.serial_number,
        firmware=found.firmware_version or found.scsi_revision or found.revision,
    )


def _common(found: _Document) -> DiskHealth:
    is_failing = bool(found.smartctl.exit_status & _DISK_FAILING)
    return replace(
        _identity(found),
        is_passing=False if is_failing else found.smart_status.passed,
        power_on_hours=found.power_on_time.hours,
        temperature_c=found.temperature.current or None,
        temperature_limit_c=found.temperature.op_limit_max or found.temperature.drive_trip or None,
    )


def _ata(found: _Document) -> DiskHealth:
    table = found.ata_smart_attributes.table
    return replace(
        _common(found),
        failing_attributes=tuple(each.name for each in table if each.when_failed == "now"),
        reallocated=_raw(table, _REALLOCATED),
        pending=_raw(table, _PENDING),
        offline_uncorrectable=_raw(table, _OFFLINE),
        reported_uncorrectable=_raw(table, _REPORTED),
        crc_errors=_raw(table, _CRC),
        available_spare=found.spare_available.current_percent,
        spare_threshold=found.spare_available.threshold_percent,
        wear=_first_known(found.endurance_used.current_percent, _wear(table)),
        self_test=_ata_test(found.ata_smart_self_test_log),
    )


def _raw(table: tuple[_Attribute, ...], number: int) -> int | None:
    for each in table:
        name = each.name.lower()
        if each.id == number and any(word in name for word in _WORDS[number]):
            return each.raw.value if each.raw.value is not None and each.raw.value < _MOST_RAW else None
    return None


def _wear(table: tuple[_Attribute, ...]) -> int | None:
    """Endurance used, from normalized values that count down from 100; the worst of several."""
    left = [
        each.value
        for each in table
        if each.value is not None and any(word in each.name.lower() for word in _WEAR)
    ]
    return _PERCENT - min(_PERCENT, *left) if left else None


def _ata_test(logs: _AtaTestLogs) -> SelfTest | None:
    for each in logs.extended.table or logs.standard.table:
        result = (each.status.value or 0) >> 4
        if result != _ATA_TEST_RUNNING and (result == _TEST_PASSED or result in _ATA_TEST_FAULTS):
            return SelfTest(result == _TEST_PASSED, each.status.string, each.lifetime_hours)
    return None


def _nvme(found: _Document, health: _NvmeHealth) -> DiskHealth:
    return replace(
        _common(found),
        reported_uncorrectable=health.media_errors,
        critical_warning=health.critical_warning or found.smart_status.nvme.value,
        available_spare=health.available_spare,
        spare_threshold=health.available_spare_threshold,
        wear=health.percentage_used,
        self_test=_nvme_test(found.nvme_self_test_log),
    )


def _nvme_test(log: _NvmeTests) -> SelfTest | None:
    for each in log.table:
        if each is not None and each.self_test_result.value in (_TEST_PASSED, *_NVME_TEST_FAULTS):
            result = each.self_test_result
            return SelfTest(result.value == _TEST_PASSED, result.string, each.power_on_hours)
    return None


def _scsi(found: _Document, raw: object) -> DiskHealth:
    log = found.scsi_error_counter_log or _ErrorLog()
    uncorrected = [
        each.total_uncorrected_errors
        for each in (log.read, log.write, log.verify)
        if each.total_uncorrected_errors is not None
    ]
    return replace(
        _common(found),
        verdict_words=found.smart_status.scsi.ie_string,
        reallocated=found.scsi_grown_defect_list,
        pending=found.scsi_pending_defects.count,
        reported_uncorrectable=sum(uncorrected) if uncorrected else None,
        wear=found.endurance_used.current_percent,
        self_test=_scsi_test(raw),
    )


def _scsi_test(raw: object) -> SelfTest | None:
    """The newest of the tests, which stand under one key each: scsi_self_test_0 and so on."""
    if not isinstance(raw, dict):
        return None
    for number in range(_SCSI_TESTS):
        key = f"scsi_self_test_{number}"
        if key not in raw:
            return None
        each, _ = tolerant(raw[key], _ScsiTest)
        if each.result.value == _TEST_PASSED or each.result.value in _SCSI_TEST_FAULTS:
            return SelfTest(each.result.value == _TEST_PASSED, each.result.string, each.power_on_time.hours)
    return None


def _first_known(*values: int | None) -> int | None:
    return next((each for each in values if each is not None), None)
