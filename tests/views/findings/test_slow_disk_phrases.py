"""What is said of a slow disk."""

from __future__ import annotations

import pytest

from tests.ui import watched
from tests.ui.states import NOW
from zconsole.model.pools.slow_disk import WRITE, WRITE_COLLAPSE, Comparison, SlowDiskVerdict
from zconsole.views.findings import slow_disk_phrases as slow_disk
from zconsole.views.layout.styled_text import Line, line_width, plain

BOX = 78  # cells of a line in the box below the tree, at 80
WORST = watched.verdict(
    disk="scsi-SATA_WDC_WUH721414ALE6L4_9MGZLM8U", vdev="raidz2-10", ratio=213.0, confidence=0.999,
    first_at=NOW - 47 * 3600,
    compared=(
        Comparison("read", 4100e6, 19.2e6, 36_100.0, 360, 12.0),
        Comparison(WRITE, 890e6, 12.1e6, 9.0, 9, 9.0),
    ),
)  # fmt: skip


def text(line: Line) -> str:
    return plain(line)


def test_the_headline_names_the_slowest_first() -> None:
    other = watched.verdict(disk="sdb", ratio=3.1, compared=(Comparison(WRITE, 31e6, 10e6, 9.0, 9, 9.0),))

    assert "▲ slow disk: …ZL2F0C44 5.4x read latency" == text(slow_disk.headline([watched.verdict()]))
    assert "▲ 2 slow disks: …ZL2F0C44 5.4x read latency, sdb 3.1x write latency" == text(
        slow_disk.headline([other, watched.verdict()])
    )
    assert "▲ slow disk: …ZL2F0C44 stalled 4 times" == text(slow_disk.headline([watched.stalling()]))
    assert () == slow_disk.headline([])


def test_why_says_what_was_measured_beside_what() -> None:
    assert "▲ SLOW 5.4x: reads 41 ms (peers 7.7)" == text(slow_disk.why(watched.verdict()))
    assert "▲ SLOW 5.4x: reads 41 ms (…ZL2F0D02 7.7), writes 25 ms (4.9)" == text(
        slow_disk.why(watched.pair())
    )
    assert "▲ STALLS: no answer 4 times, once for 6.2 s or more" == text(slow_disk.why(watched.stalling()))
    assert "was SLOW 5.4x: reads 41 ms (peers 7.7)" == text(slow_disk.why(watched.over()))


def test_since_when_and_until_when() -> None:
    assert "since 11:00, 6m" == text(slow_disk.since(watched.verdict(), NOW))
    assert "11:00:34 to 11:04:35, 2m ago" == text(slow_disk.since(watched.over(), NOW))


def test_the_cost_is_that_of_the_operation_that_it_costs_most() -> None:
    assert "costs mirror-1 17 ms, tank 6.1 ms a read" == text(slow_disk.costs(watched.verdict(), "tank"))
    assert () == slow_disk.costs(watched.stalling(), "tank")
    lone = watched.verdict(vdev=watched.SLOW_DISK)
    assert "costs tank 6.1 ms a read" == text(slow_disk.costs(lone, "tank"))


def test_what_comes_next_depends_on_what_it_is() -> None:
    collapsed = watched.verdict(kind=WRITE_COLLAPSE)

    assert "next: smartctl -x /dev/sdc, cable and slot" == text(
        slow_disk.next_steps(watched.verdict(), "/dev/sdc")
    )
    assert "next: is it an SMR drive, smartctl -x DEVICE, cable and slot" == text(
        slow_disk.next_steps(collapsed, "")
    )
    assert text(slow_disk.next_steps(watched.stalling(), "/dev/sdc")).startswith("next: dmesg, smartctl")


@pytest.mark.parametrize(
    "verdict", [watched.verdict(), watched.pair(), watched.stalling(), watched.over(), WORST]
)
def test_each_part_fits_a_line_of_the_smallest_terminal(verdict: SlowDiskVerdict) -> None:
    for part in (
        slow_disk.why(verdict), slow_disk.since(verdict, NOW),
        slow_disk.costs(verdict, "a-rather-long-pool-name"),
        slow_disk.next_steps(verdict, "/dev/nvme10n1"), slow_disk.headline([verdict]),
    ):  # fmt: skip
        assert line_width(part) <= BOX, text(part)


def test_the_state_of_a_slow_disk_stays_and_gets_a_badge() -> None:
    """It fits the column of states."""
    cell = slow_disk.badge(watched.verdict(), "ONLINE")

    assert "ONLINE SLOW" == cell.text
    assert len(cell.text) <= 11


@pytest.mark.parametrize(
    ("expected", "name"),
    [
        ("sda", "sda"),
        ("…ZL2F0C44", "ata-ST8000NM000A-2KE101_ZL2F0C44"),
        ("pci-000…-0:0:9:0", "pci-0000:03:00.0-sas-phy9-lun-0-0:0:9:0"),
        ("dm-uuid…cdef0123", "dm-uuid-mpath-3600a098000ab1234cdef0123"),
    ],
)
def test_a_name_in_a_sentence_keeps_what_tells_disks_apart(expected: str, name: str) -> None:
    assert expected == slow_disk.short(name)
    assert len(expected) <= slow_disk.SHORT
