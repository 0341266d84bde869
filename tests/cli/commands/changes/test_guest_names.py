"""Guests whose names look like options, like the uuid of another guest, or like a shell's words.

Each command that a plan prints is run as printed, and changes the guest that was meant and no other.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.acting import Zconsole
from zconsole.practice import PracticeHost
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF, ZVOL, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer

VICTIM = "8f14e45f-ceea-467f-a0e0-000000000009"
NAMES = ["--help", "-x", "--version", "-", "--", VICTIM, "$(reboot)", "web 01", "ünïcode", "a;b"]


@pytest.fixture
def guests(nas: PracticeHost) -> PracticeHost:
    """A guest whose uuid is the name of another, and the host of all."""
    nas.world.lacking -= {"virsh", "qemu-img"}
    assert 0 == answer(nas.world, ("zfs", "create", "tank/vm")).status
    disk = PracticeGuestDisk("vda", "/tank/vm/victim.raw")
    nas.world.guests.append(PracticeGuest("victim", [disk], own_uuid=VICTIM, shuts_down_in_s=0))
    return nas


def named(host: PracticeHost, name: str) -> PracticeGuest:
    assert 0 == answer(host.world, ("zfs", "create", "-s", "-V", "64M", "tank/disk")).status
    guest = PracticeGuest(name, [PracticeGuestDisk("vda", f"{ZVOL}tank/disk")], shuts_down_in_s=0)
    host.world.guests.append(guest)
    return guest


def states(host: PracticeHost) -> dict[str, int]:
    return {each.name: each.state for each in host.world.guests}


def printed_after(label: str, out: str) -> list[str]:
    """The whole command behind a label of a plan, as words."""
    line = next(line for line in out.splitlines() if line.startswith(label))
    return shlex.split(line.removeprefix(label).strip())


def applied(zconsole: Zconsole, *words: str, file: Path) -> None:
    """Plan, and run the command that the plan prints."""
    code, out, err = zconsole(*words[:1], "-o", str(file), *words[1:])
    assert (0, "") == (code, err), out
    run = next(line for line in out.splitlines() if line.startswith("TO RUN IT"))
    command = shlex.split(run.removeprefix("TO RUN IT").strip())
    assert "zconsole" == command[0]
    code, out, err = zconsole(*command[1:])
    assert 0 == code, (command, out, err)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_shut_down_and_started_by_the_commands_that_plans_print(
    zconsole: Zconsole, guests: PracticeHost, tmp_path: Path, name: str
) -> None:
    guest = named(guests, name)
    word = guest.uuid if name in {VICTIM, "--"} else name

    for verb, state in (("shutdown", SHUT_OFF), ("start", RUNNING)):
        applied(zconsole, "plan", f"guest-{verb}", "--host", "nas", "--", word, file=tmp_path / verb)
        assert {"victim": RUNNING, name: state} == states(guests)


@pytest.mark.parametrize("name", NAMES)
def test_a_plan_of_its_storage_prints_the_command_that_shuts_it_down_first(
    zconsole: Zconsole, guests: PracticeHost, tmp_path: Path, name: str
) -> None:
    named(guests, name)
    assert 0 == answer(guests.world, ("zfs", "snapshot", "tank/disk@a")).status

    code, out, _ = zconsole("plan", "rollback", "tank/disk@a", "--host", "nas")
    assert 3 == code
    command = printed_after("NEXT", out)
    applied(zconsole, *command[1:], file=tmp_path / "plan")

    assert {"victim": RUNNING, name: RUNNING} == states(guests)
    assert any(each.name == name for each in guests.world.guests)


def test_the_uuid_of_a_guest_is_that_guest_though_another_has_it_as_its_name(
    zconsole: Zconsole, guests: PracticeHost, tmp_path: Path
) -> None:
    named(guests, VICTIM)

    applied(zconsole, "plan", "guest-shutdown", "--host", "nas", VICTIM, file=tmp_path / "plan")

    assert {"victim": SHUT_OFF, VICTIM: RUNNING} == states(guests)


@pytest.mark.parametrize("name", ["--help", VICTIM])
def test_a_paused_guest_of_such_a_name_is_resumed_by_the_command_that_the_plan_prints(
    zconsole: Zconsole, guests: PracticeHost, tmp_path: Path, name: str
) -> None:
    guest = named(guests, name)
    applied(zconsole, "plan", "guest-suspend", "--host", "nas", guest.uuid, file=tmp_path / "a")

    code, out, _ = zconsole("plan", "destroy", "tank/disk", "--host", "nas")
    assert 3 == code
    applied(zconsole, *printed_after("NEXT", out)[1:], file=tmp_path / "b")

    assert RUNNING == guest.state
