"""What `zconsole repair` prints: the steps, and the commands that plan the one that is due."""

from __future__ import annotations

import shlex
from dataclasses import replace

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.repair import RepairOffer
from zconsole.reports.text.repair import plan_command, repair_report, tickets

STATE = trouble_at(group("mirror-0", leaf(0), leaf(1, "FAULTED")), gone=[1], unused=1)


def test_the_due_step_is_followed_by_its_commands() -> None:
    lines = list(repair_report("nas1", [the_repair(STATE, 1)], 80, ("--host", "nas1")))

    assert "replace SER0001 with SER0002:" in lines
    begin = lines.index("replace SER0001 with SER0002:") + 1
    command = " ".join(lines[begin : lines.index("", begin)]).split()
    assert ["zconsole", "plan", "replace", "tank", "1001"] == command[:5]
    assert ["--host", "nas1"] == command[-2:]


def test_of_a_sound_host_it_says_what_was_not_looked_at() -> None:
    assert [
        "nas1 · no device needs a repair",
        "the speed of the disks is not judged here: zconsole slow watches it",
    ] == list(repair_report("nas1", [], 80))


def test_a_command_is_quoted_and_leaves_the_disk_open() -> None:
    choose = RepairOffer("choose", "replace", "my tank", ("1001",), wants_disk=True)
    off = RepairOffer("off", "locate", "tank", ("1001",), (("off", True),))

    assert "zconsole plan replace 'my tank' 1001 DISK" == plan_command(choose, ())
    assert ["zconsole", "plan", "locate", "tank", "1001", "--off"] == shlex.split(plan_command(off, ()))


def test_without_a_repair_the_report_says_so() -> None:
    assert ["nas1: no device needs a repair, and the journal knows no replacement that ended"] == list(
        tickets("nas1", [], NOW)
    )
    both = list(tickets("nas1", [the_repair(STATE, 1)] * 2, NOW))
    assert 1 == both.count("---")


def test_a_replacement_in_spite_of_what_holds_it_has_its_command_with_the_reason() -> None:
    crc = DiskHealth(protocol="ATA", is_passing=True, crc_errors=1203)
    doubtful = group("mirror-0", leaf(0), leaf(1, checksum_errors=Count(9)))
    repair = the_repair(trouble_at(doubtful, unused=1, health={1: crc}), 1)

    lines = list(repair_report("nas1", [repair], 400))

    command = next(each for each in lines if "zconsole plan replace" in each)
    assert shlex.split(command)[-1].startswith("--despite=1203 CRC errors on the cable")


def test_a_command_that_lacks_its_disk_is_not_printed_while_no_disk_fits() -> None:
    broken = group("mirror-0", leaf(0), leaf(1, "FAULTED"))

    for unused, is_printed in ((0, False), (1, True)):
        state = trouble_at(broken, gone=[1], unused=unused)
        lines = list(repair_report("nas1", [the_repair(state, 1)], 200))
        assert is_printed is any("zconsole plan replace" in each for each in lines)
        assert not any(each.endswith(" DISK") for each in lines)


def test_of_a_host_with_repairs_too_it_says_that_speed_was_not_judged() -> None:
    lines = list(repair_report("nas1", [the_repair(STATE, 1)], 80))

    assert "the speed of the disks is not judged here: zconsole slow watches it" == lines[-1]


def test_the_lines_of_an_alarm_are_as_long_as_the_others() -> None:
    repair = replace(
        the_repair(STATE, 1),
        alarm="STOP: the wrong disk was pulled, or lost its contact. " + "Put it back. " * 20,
    )

    lines = list(repair_report("nas1", [repair], 80))

    at = next(at for at, each in enumerate(lines) if each.startswith("✗ STOP"))
    assert lines[at + 1].startswith("  back. Put it back.")
