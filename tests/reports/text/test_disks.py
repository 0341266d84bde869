"""What `zconsole disks` prints: the table, and what is wrong with each disk in trouble, in the width."""

from __future__ import annotations

from tests.analysis.build import group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf, serial
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.reports.text.disks import disk_report


def test_no_line_is_wider_than_the_terminal_and_what_continues_is_indented() -> None:
    note = "too many errors " * 8
    state = trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED", note=note.strip())))

    lines = list(disk_report("nas1", host_disks(state), 80))

    at = lines.index(serial(1))
    assert max(map(len, lines)) <= 80
    assert lines[at + 1].startswith("  FAULTED in tank: too many errors")
    assert lines[at + 2].startswith("  ")
    assert "errors" in lines[at + 2]
