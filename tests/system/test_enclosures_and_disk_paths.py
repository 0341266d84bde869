"""Enclosures and ways of disks, read by the real scripts from folders laid out like the kernel's.

The trees are made by hand after drivers/misc/enclosure.c, drivers/scsi/ses.c and the listings of LSI SAS3x28
backplanes in public reports; no enclosure was at hand.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.shelf_and_disk_path import Bay, BayLights, DiskPath, Shelves
from zconsole.system.enclosures_and_disk_paths import (
    parse_lights,
    parse_shelves,
    read_lights,
    read_shelves,
    with_lights,
)

SAS = (
    "devices/pci0000:00/0000:00:01.0/0000:03:00.0/host6/port-6:0/expander-6:0/port-6:0:{0}/end_device-6:0:{0}"
)
SATA = "devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0"
NVME = "devices/pci0000:00/0000:00:1d.0/0000:81:00.0/nvme/nvme0"


def run(command: Command) -> str:
    return subprocess.run(command.argv, capture_output=True, check=True, text=True).stdout


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def link(path: Path, target: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    target.mkdir(parents=True, exist_ok=True)
    path.symlink_to(_relative(target, path.parent))


def _relative(target: Path, start: Path) -> Path:
    common = next(each for each in [start, *start.parents] if target.is_relative_to(each))
    up = len(start.relative_to(common).parts)
    return Path(*[".."] * up, target.relative_to(common))


def shelf(sysfs: Path, address: str, disks: dict[int, str], *, number: str = "0x500304801e8b5abf") -> None:
    """An enclosure of four bays, a fan and a power supply; `disks` are SCSI addresses by bay."""
    device = sysfs / SAS.format(30) / f"target{address.rpartition(':')[0]}" / address
    enclosure = device / "enclosure" / address
    link(sysfs / "class" / "enclosure" / address, enclosure)
    link(enclosure / "device", device)
    write(device / "vendor", "LSI     \n")
    write(device / "model", "SAS3x28         \n")
    write(device / "type", "13\n")
    write(enclosure / "id", f"{number}\n")
    write(enclosure / "components", "6\n")
    for bay in range(4):
        folder = enclosure / f"Slot {bay:02}"
        for name, value in {
            "slot": f"{bay}", "type": "array device", "locate": "0", "fault": "0",
            "status": "OK" if bay in disks else "not installed", "power_status": "on",
        }.items():  # fmt: skip
            write(folder / name, f"{value}\n")
        if bay in disks:
            hctl = disks[bay]
            link(folder / "device", sysfs / SAS.format(bay) / f"target{hctl.rpartition(':')[0]}" / hctl)
    write(enclosure / "Fan 1" / "type", "cooling\n")
    write(enclosure / "Fan 1" / "status", "OK\n")


def block(sysfs: Path, name: str, device: str) -> None:
    link(sysfs / "block" / name, sysfs / device / "block" / name)


@pytest.fixture
def sysfs(tmp_path: Path) -> Path:
    shelf(tmp_path, "6:0:30:0", {0: "6:0:0:0", 2: "6:0:2:0"})
    block(tmp_path, "sda", f"{SAS.format(0)}/target6:0:0/6:0:0:0")
    block(tmp_path, "sdb", SATA)
    block(tmp_path, "nvme0n1", NVME)
    return tmp_path


def test_bays_come_with_what_is_in_them_and_fans_do_not(sysfs: Path) -> None:
    (found,) = parse_shelves(run(read_shelves(str(sysfs)))).enclosures

    assert ("6:0:30:0", "0x500304801e8b5abf", "LSI", "SAS3x28") == (
        found.address, found.number, found.vendor, found.model
    )  # fmt: skip
    assert [
        Bay(f"Slot {bay:02}", f"6:0:30:0/Slot {bay:02}", bay, ((f"6:0:{bay}:0",) if bay in {0, 2} else ()))
        for bay in range(4)
    ] == list(found.bays)


def test_the_way_to_each_disk_is_told(sysfs: Path) -> None:
    assert (
        DiskPath("nvme0n1", "0000:81:00.0"),
        DiskPath("sda", "0000:03:00.0", "host6", "", "expander-6:0"),
        DiskPath("sdb", "0000:00:17.0", "host2", "ata3"),
    ) == parse_shelves(run(read_shelves(str(sysfs)))).paths


def test_a_shelf_with_two_paths_is_one_shelf(sysfs: Path) -> None:
    shelf(sysfs, "7:0:30:0", {0: "7:0:0:0", 2: "7:0:2:0"})

    (found,) = parse_shelves(run(read_shelves(str(sysfs)))).enclosures

    assert ("6:0:0:0", "7:0:0:0") == found.bays[0].hctls


def test_shelves_without_a_number_are_not_one(sysfs: Path) -> None:
    shelf(sysfs, "7:0:30:0", {}, number="0x0000000000000000")
    shelf(sysfs, "8:0:30:0", {}, number="0x0000000000000000")

    found = parse_shelves(run(read_shelves(str(sysfs)))).enclosures

    assert ["6:0:30:0", "7:0:30:0", "8:0:30:0"] == [each.address for each in found]


def test_lights_are_a_command_of_their_own(sysfs: Path) -> None:
    write(sysfs / "class" / "enclosure" / "6:0:30:0" / "Slot 02" / "locate", "1\n")
    write(sysfs / "class" / "enclosure" / "6:0:30:0" / "Slot 02" / "fault", "\n")
    shelves = parse_shelves(run(read_shelves(str(sysfs))))

    (found,) = with_lights(shelves.enclosures, parse_lights(run(read_lights(str(sysfs)))))

    assert [
        BayLights(False, False, "OK"),
        BayLights(False, False, "not installed"),
        BayLights(True, None, "OK"),
        BayLights(False, False, "not installed"),
    ] == [bay.lights for bay in found.bays]
    assert {None} == {bay.lights for bay in shelves.enclosures[0].bays}


def test_a_host_without_enclosures_or_disks_has_none(tmp_path: Path) -> None:
    assert Shelves() == parse_shelves(run(read_shelves(str(tmp_path / "nothing"))))
    assert {} == parse_lights(run(read_lights(str(tmp_path / "nothing"))))


def test_a_cut_answer_is_refused() -> None:
    with pytest.raises(ParseError):
        parse_shelves("6:0:30:0/Slot 01/slo")


def test_a_name_of_a_bay_cannot_pass_for_another_one() -> None:
    """Text of the enclosure stands between two slashes of ours."""
    text = "6:0:30:0/a/type:array device\n6:0:30:0/a/slot:1/slot:2\n6:0:30:0/../x/slot:3\n"

    (found,) = parse_shelves(text).enclosures

    assert [Bay("a", "6:0:30:0/a", None)] == list(found.bays)


def test_more_lines_than_disks_have_are_refused() -> None:
    with pytest.raises(ParseError, match="more than 200000 lines"):
        parse_shelves("\n" * 200_001)
