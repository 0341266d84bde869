"""Health of a disk as the disk itself reports it (SMART): error counters, wear, temperature, self-tests."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class PowerMode(Enum):
    """Whether the disk could be asked without waking it."""

    ACTIVE = "active"
    STANDBY = "standby"


class Unreadable(Enum):
    """Why a disk has no SMART data."""

    NO_PROGRAM = "smartctl is not installed"
    NOT_PERMITTED = "it takes root to read it"
    NOT_SUPPORTED = "the device has no SMART"
    NO_ANSWER = "the device does not answer"
    NOT_UNDERSTOOD = "smartctl's answer cannot be read"


@dataclass(frozen=True, slots=True)
class SelfTest:
    """The newest self-test that has ended. `at_hours` is the disk's age then, in hours of operation."""

    has_passed: bool
    words: str  # the disk's own
    at_hours: int | None = None


@dataclass(frozen=True, slots=True)
class DiskHealth:
    """What smartctl read of one disk. Counters are since the disk was made; None is unknown or not kept.

    Temperatures are degrees Celsius, wear and spare blocks percent, times hours of operation.
    """

    protocol: str = ""  # ATA, SCSI, NVMe
    model: str = ""
    serial: str = ""
    firmware: str = ""
    power_mode: PowerMode = PowerMode.ACTIVE
    is_passing: bool | None = None  # the disk's own verdict, or the drive firmware's prediction
    verdict_words: str = ""  # what the disk gives as the reason
    failing_attributes: tuple[str, ...] = ()  # below the maker's threshold now
    power_on_hours: int | None = None
    temperature_c: int | None = None
    temperature_limit_c: int | None = None  # of the maker; above it the disk is out of its specification
    # Media
    reallocated: int | None = None  # sectors replaced by spare ones; SCSI: grown defects
    pending: int | None = None  # sectors that could not be read and wait to be written
    offline_uncorrectable: int | None = None
    reported_uncorrectable: int | None = None  # errors that the host was told of; NVMe: media errors
    # Cable
    crc_errors: int | None = None
    # Flash
    critical_warning: int = (
        0  # NVMe: bits 0 spare, 1 temperature, 2 reliability, 3 read-only, 4 backup, 5 PMR
    )
    available_spare: int | None = None
    spare_threshold: int | None = None
    wear: int | None = None  # share of the rated endurance that is used; may pass 100
    self_test: SelfTest | None = None
    unread: tuple[str, ...] = ()  # values of smartctl's answer that are none, and count as not known


HealthAnswer = DiskHealth | Unreadable


@dataclass(frozen=True, slots=True)
class EarlierHealth:
    """SMART data of the same disk from an earlier time; `age_s` is how many seconds earlier."""

    health: DiskHealth
    age_s: float


@dataclass(frozen=True, slots=True)
class HealthRecord:
    """Answer of one disk with its time, and the newest data: older than the answer of a sleeping disk.

    `disk` is the disk's identity, which no change of the kernel's names affects; times are epoch seconds.
    `crc_since` is the first reading with the present number of CRC errors; None where no two were compared.
    """

    disk: tuple[str, ...]
    answer: HealthAnswer
    at: float
    known: DiskHealth | None = None
    known_at: float | None = None
    earlier: EarlierHealth | None = None
    crc_since: float | None = None


@dataclass(frozen=True, slots=True)
class SmartCoverage:
    """Number of disks that were to be judged by their SMART data, and of those without recent data."""

    disks: int
    without_data: int
