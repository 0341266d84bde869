"""Each program is found by its name, and an unknown word is refused as the real program refuses it."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import HEALTHY, captured, mirrors, ordered, run
from zconsole.practice import World

EPOCH = 1_795_219_200.0


@pytest.mark.parametrize(
    ("command", "stdout"),
    [
        ("hostname", "storage24\n"),
        ("uname -n", "storage24\n"),
        ("id -u", "0\n"),
        ("cat /etc/hostname", "storage24\n"),
        ("cat /sys/module/zfs/version", "2.4.4-1~bpo13+1\n"),
        ("zfs version", "zfs-2.4.4-1~bpo13+1\nzfs-kmod-2.4.4-1~bpo13+1\n"),
        ("/usr/sbin/zpool version", "zfs-2.4.4-1~bpo13+1\nzfs-kmod-2.4.4-1~bpo13+1\n"),
    ],
)
def test_small_commands_answer(command: str, stdout: str) -> None:
    assert stdout == run(mirrors(), command).stdout


def test_versions_are_those_of_the_captures() -> None:
    folder = HEALTHY.parent / "version"

    assert captured("zpool_version.json", folder) == run(mirrors(), "zpool version -j").stdout
    assert captured("zfs_version.txt", folder) == run(mirrors(), "zfs version").stdout
    assert captured("uname.txt", folder).split()[:2] == run(mirrors(), "uname -a").stdout.split()[:2]


@pytest.mark.parametrize("file", ["zpool_status_v.txt", "zpool_iostat_human.txt", "zfs_list.json"])
def test_a_host_without_pools_says_so(file: str) -> None:
    command = {
        "zpool_status_v.txt": "zpool status -v",
        "zpool_iostat_human.txt": "zpool iostat -vl",
        "zfs_list.json": "zfs list -j --json-int -t all",
    }[file]
    folder = CAPTURES / "2.4" / "no-pools"
    status = folder / f"{file}.rc"

    reply = run(World("empty", now=EPOCH), command)

    assert captured(file, folder) == reply.stdout
    assert captured(f"{file}.err", folder) == reply.stderr
    assert (int(status.read_text()) if status.exists() else 0) == reply.status


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("frobnicate", 127, "frobnicate: command not found\n"),
        ("zpool frobnicate", 2, "unrecognized command 'frobnicate'\nusage: zpool command args ...\n"),
        ("zpool", 2, "missing command\nusage: zpool command args ...\n"),
        ("zfs frobnicate", 2, "unrecognized command 'frobnicate'\nusage: zfs command args ...\n"),
        ("zpool status -Z", 2, "invalid option 'Z'\nusage:\n\tstatus "),
        ("zpool list -o", 2, "missing argument for 'o' option\nusage:\n\tlist "),
        ("zpool list -o nosuch", 2, "bad property list: invalid property 'nosuch'\n"),
        ("zfs list -o nosuch", 2, "bad property list: invalid property 'nosuch'\n"),
        ("zfs list -t nosuch", 2, "invalid type 'nosuch'\n"),
        ("zpool list nosuch", 1, "cannot open 'nosuch': no such pool\n"),
        ("zpool prefetch tank", 1, "zpool prefetch: the practice host does not do this\n"),
        ("cat /nosuch", 1, "cat: /nosuch: No such file or directory\n"),
    ],
)
def test_what_it_does_not_know_is_refused(command: str, status: int, said: str) -> None:
    reply = run(mirrors(), command)

    assert status == reply.status
    assert "" == reply.stdout
    assert reply.stderr.startswith(said)


def test_reading_changes_nothing() -> None:
    """What only looks leaves the pool as it is."""
    world = mirrors()
    before = ordered(run(world, "zpool status -j --json-int -vsit").stdout)
    for command in (
        "zpool list -v",
        "zpool iostat -vl",
        "zfs list -t all",
        "zpool history",
        "zpool import",
        "zpool get all tank mirror-0",
    ):
        run(world, command)

    assert before == ordered(run(world, "zpool status -j --json-int -vsit").stdout)
