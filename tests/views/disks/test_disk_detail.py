"""One disk in full, of each protocol, out of real captures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles.shelves import blank, leaf
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.analysis.vdevs.kernel_evidence_on_disk import KernelLog
from zconsole.analysis.vdevs.smart_assessment import complaints
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.smart_health import DiskHealth, PowerMode, Unreadable
from zconsole.system.smartctl import parse_health
from zconsole.views.disks.disk_detail import disk_document
from zconsole.views.layout.styled_text import plain

SMART = Path(__file__).parents[2] / "captures" / "smart"


def told(name: str) -> list[str]:
    found = parse_health((SMART / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, DiskHealth)
    disk = HostDisk(blank(0), health=found, complaints=complaints(found), known=found, known_at=940.0)
    return [plain(each) for each in disk_document(disk, 1000.0)]


@pytest.mark.parametrize(
    ("name", "label", "value"),
    [
        ("sata-reallocated", "reallocated", None),
        ("sas-grown-defects", "grown defects", None),
        ("nvme-media-errors", "media errors", None),
        ("nvme-worn", "endurance used", " %"),
        ("sata-bad-cable", "CRC (cable)", None),
    ],
)
def test_the_counters_of_each_protocol_have_their_names(name: str, label: str, value: str | None) -> None:
    (found,) = (each for each in told(name) if each.startswith(label))

    assert found.removeprefix(label).removesuffix(value or "").strip().isdecimal()


def test_the_age_of_the_data_stands_above_it() -> None:
    assert "SMART, read 1m ago" in told("sas-sound")


def test_a_disk_that_is_gone_is_told_as_it_was_known() -> None:
    last = DiskPlace(1, 2, "ZC13A0R7", "ST4000NM0035", "2", "pci-3-phy2", 900.0)
    known = DiskHealth(pending=24)
    disk = HostDisk(
        None, leaf=leaf(1, "REMOVED"), complaints=complaints(known), known=known, known_at=940.0, bay="2",
        last=last, is_bay_taken=True,
    )  # fmt: skip

    lines = [plain(each) for each in disk_document(disk, 1000.0)]

    for label, value in (
        ("model", "ST4000NM0035"),
        ("serial", "ZC13A0R7"),
        ("bay", "it was in bay 2, which has another disk now"),
        ("pending", "24"),
    ):
        assert f"{label:<16}{value}" in lines
    assert "SMART, read 1m ago" in lines
    assert "the disk is gone; this was known before" in lines


def test_the_last_kernel_messages_stand_at_the_end() -> None:
    messages = [
        KernelMessage(1_795_400_000.0 + at, f"sda: error {at}", MessageKind.MEDIUM, ("sda",))
        for at in range(30)
    ]
    kernel = KernelLog(messages).evidence(blank(0), None)

    lines = [plain(each) for each in disk_document(HostDisk(blank(0), kernel=kernel), 1000.0)]

    assert "kernel: 30 medium errors, 2026-11-23 02:13 UTC (the disk itself)" in lines
    assert "Kernel messages, the last 20 of 30" == lines[-21]
    assert "2026-11-23 02:13:49  sda: error 29" == lines[-1]


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (None, "not read"),
        (Unreadable.NOT_PERMITTED, "not known: it takes root to read it"),
        (DiskHealth(power_mode=PowerMode.STANDBY), "in standby: not woken"),
    ],
)
def test_what_is_not_known_says_why(health: DiskHealth | Unreadable | None, words: str) -> None:
    lines = [plain(each) for each in disk_document(HostDisk(blank(0), health=health), 1000.0)]

    assert ["SMART", words] == lines[-2:]
    assert "no known problem" in lines
