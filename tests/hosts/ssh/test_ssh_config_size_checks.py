"""Configurations of ssh that cannot be read, or have no end."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.hosts.conftest import Lan
from tests.hosts.ssh.configured import configure
from zconsole.base.errors import HostError, HostUnreachable
from zconsole.hosts.host_address import Address


async def test_a_config_that_cannot_be_read_is_told(known: Lan) -> None:
    configure(known, "Host *\n Port many\n")

    with pytest.raises(HostUnreachable, match="ssh configuration cannot be used") as caught:
        await known.host().connect()

    assert "config" in str(caught.value)


def circle(folder: Path) -> None:
    (folder / "config").write_text("Include more\n")
    (folder / "more").write_text("Host *\n  include = config\n")


def circle_through_a_link(folder: Path) -> None:
    (folder / "config").write_text("Include d/*\n")
    (folder / "d").mkdir()
    (folder / "d" / "again").symlink_to("../config")


def depths(folder: Path) -> None:
    (folder / "config").write_text("Include 0\n")
    for at in range(40):
        (folder / str(at)).write_text(f"Include {at + 1}\n")


def many(folder: Path) -> None:
    (folder / "config").write_text("Include " + "one " * 2000)
    (folder / "one").write_text("")


def fifo(folder: Path) -> None:
    os.mkfifo(folder / "config")


def device(folder: Path) -> None:
    (folder / "config").symlink_to("/dev/zero")


def huge(folder: Path) -> None:
    (folder / "config").write_text("Include big\n")
    (folder / "big").write_text("#" * (2 << 20))


def endless_line(folder: Path) -> None:
    (folder / "config").write_text('Host nas1\n  Port "' + "2" * 500_000)


def every_folder(folder: Path) -> None:
    (folder / "config").write_text("Include /**\n")


def brackets(folder: Path) -> None:
    (folder / "config").write_text("Include /tmp/" + "[" * 15_000)


def long_path(folder: Path) -> None:
    (folder / "config").write_text("Include /" + "a*/" * 2000)


def patterns(folder: Path) -> None:
    (folder / "config").write_text(("Include /tmp/" + "[" * 250 + "\n") * 3900)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (brackets, r"Include /tmp/\[{95}\.\.\.: no file can have so long a name"),
        (long_path, "no file can have so long a name"),
        (patterns, "includes more than 1000 names"),
        (circle, r"Include is circular: .*/config includes .*/more includes .*/config"),
        (circle_through_a_link, "Include is circular"),
        (depths, "Include is nested deeper than 16 files"),
        (many, "more than 1000 files"),
        (fifo, "config: a FIFO, not a regular file"),
        (device, "config: a device, not a regular file"),
        (huge, "big: longer than 1048576 bytes"),
        (endless_line, "config: line 2 is longer than 16384 characters"),
        (every_folder, "would search every folder below"),
    ],
)
async def test_a_config_without_end_is_told_and_the_file_is_named(
    known: Lan, spoil: Callable[[Path], None], words: str
) -> None:
    (known.ssh_folder / "config").unlink(missing_ok=True)
    spoil(known.ssh_folder)

    with pytest.raises(HostUnreachable, match=words):
        await known.host().connect()


async def test_a_config_that_is_included_holds(known: Lan) -> None:
    (known.ssh_folder / "conf.d").mkdir()
    (known.ssh_folder / "conf.d" / "nas").write_text("Host *\n  User admin\n")
    configure(known, "Include conf.d/*\nInclude conf.d/nas none\nHost *\n  User nobody\n")
    host = known.host(address=Address("127.0.0.1", port=known.wire.port, text="nas"))

    await host.connect()

    assert "admin" == known.sshd.connections[0].get_extra_info("username")


@pytest.mark.parametrize(
    "name",
    ["i" * 300, "/" + "i/" * 3000, "~nobody/id", "~/\u202eid"],
    ids=["long", "deep", "no home", "bidi"],
)
@pytest.mark.parametrize("option", ["IdentityFile", "UserKnownHostsFile", "Include"])
async def test_the_name_of_a_file_that_no_file_can_have_is_one_that_is_missing(
    known: Lan, option: str, name: str
) -> None:
    configure(known, f"{option} {name}\nHost *\n  Port {known.wire.port}\n")

    with suppress(HostError):
        await known.host().connect()
