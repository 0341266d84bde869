"""The lab by hand: `python -m tests.lab up 2.4 nas` and so on."""

from __future__ import annotations

import argparse
import os
import shlex
import sys

from tests.lab import guests
from tests.lab.images import SERIES, LabError, build


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("build", help="build the images of these series, once per machine (root)")
    make.add_argument("series", choices=SERIES, nargs="+")
    make.add_argument("--force", action="store_true")
    up = commands.add_parser("up", help="boot a guest from a fresh overlay")
    up.add_argument("series", choices=SERIES)
    up.add_argument("name")
    up.add_argument("--disks", type=int, default=12)
    up.add_argument("--size", default="8G")
    up.add_argument("--port", type=int, default=0)
    up.add_argument(
        "--smart", action="store_true", help="with two NVMe disks and a SATA disk, which have SMART data"
    )
    up.add_argument("--libvirt", action="store_true", help="with libvirt and QEMU, for guests of its own")
    ssh = commands.add_parser("ssh", help="run a command in a guest as root")
    ssh.add_argument("name")
    ssh.add_argument("argv", nargs=argparse.REMAINDER)
    for name, explanation in (
        ("config", "print an ssh_config for the guest"),
        ("down", "end a guest; nothing of it persists"),
        ("unplug", "pull a disk"),
        ("plug", "put it back, or a new one"),
        ("slow", "throttle a disk below the guest; 0 = off"),
    ):
        command = commands.add_parser(name, help=explanation)
        command.add_argument("name")
        if name in {"unplug", "plug", "slow"}:
            command.add_argument("disk", type=int)
        if name == "plug":
            command.add_argument("--new", metavar="SERIAL", default="")
            command.add_argument("--size", default="", help="of a new disk (default: as the others)")
            command.add_argument("--sector", type=int, default=guests.SECTOR_BYTES, help="bytes")
        if name == "slow":
            command.add_argument("--iops", type=int, default=40)
    return parser.parse_args()


def _act(asked: argparse.Namespace) -> None:
    if asked.command == "build":
        for series in asked.series:
            print(build(series, force=asked.force))
        return
    if asked.command == "up":
        guest = guests.start(
            asked.series, asked.name,
            disks=asked.disks, size=asked.size, port=asked.port, smart=asked.smart, libvirt=asked.libvirt,
        )  # fmt: skip
        print(guest.ssh_config)
        return
    guest = guests.find(asked.name)
    match asked.command:
        case "ssh":
            argv = guest.ssh_argv(" ".join(map(shlex.quote, asked.argv)))
            os.execvp(argv[0], argv)  # noqa: S606 the terminal belongs to the command
        case "config":
            print(guest.ssh_config.read_text(), end="")
        case "down":
            guest.down()
        case "unplug":
            guest.unplug(asked.disk)
        case "plug":
            guest.plug(asked.disk, serial=asked.new, size=asked.size, sector_bytes=asked.sector)
        case "slow":
            guest.slow(asked.disk, asked.iops)


def main() -> None:
    """Do what was asked, or say in a sentence why not."""
    try:
        _act(_arguments())
    except LabError as error:
        sys.exit(f"lab: {error}")


if __name__ == "__main__":
    main()
