"""`ls`, `cat`, `grep`, `date` and the like beside real ones."""

from __future__ import annotations

import re

import pytest

from tests.practice.laboratory import captured, mirrors, run
from zconsole.execution.outcomes.uncertain_step import HOST_TIME


def test_links_to_disks_are_those_of_udev() -> None:
    """The real guest found its disks in another order; the names are the same."""
    theirs = captured("by_id.txt").split("\n")
    ours = run(mirrors(), "ls -l /dev/disk/by-id").stdout.split("\n")

    assert [line.split(" -> ")[0].split()[-1:] for line in theirs] == [
        line.split(" -> ")[0].split()[-1:] for line in ours
    ]
    assert all(
        re.fullmatch(r"lrwxrwxrwx 1 root root (?: 9|10) \w{3} [ \d]\d \d\d:\d\d \S+ -> \S+", line)
        for line in ours[1:-1]
    )
    assert theirs[0] == ours[0]


def test_a_folder_that_is_not_there_is_an_error_and_the_others_are_listed() -> None:
    reply = run(mirrors(), "ls -l /dev/disk/by-id /dev/disk/by-vdev")

    assert 2 == reply.status
    assert "ls: cannot access '/dev/disk/by-vdev': No such file or directory\n" == reply.stderr
    assert reply.stdout.startswith("/dev/disk/by-id:\ntotal 0\n")


def test_many_dataset_statistics_come_with_one_command() -> None:
    text = run(
        mirrors(), "grep -arhE --include=objset-* -e ^(dataset_name|n?writ) /proc/spl/kstat/zfs/tank"
    ).stdout

    assert ["dataset_name", "writes", "nwritten"] == [line.split()[0] for line in text.splitlines()]
    assert "tank" == text.splitlines()[0].split()[-1]
    assert 2 == run(mirrors(), "grep -arh --include=objset-* -e x /proc/spl/kstat/zfs/nosuch").status


def test_the_clock_and_the_host_id_are_those_of_the_world() -> None:
    world = mirrors()
    world.now += 12.7

    assert f"{int(world.now)}\n" == run(world, " ".join(HOST_TIME.argv)).stdout
    assert f"{world.hostid:08x}\n" == run(world, "hostid").stdout
    assert 0 == run(world, "logger -t zconsole -- words").status


@pytest.mark.parametrize("line", ["date -s now", "date -d now", "python3 -c pass"])
def test_what_the_console_does_not_ask_is_refused(line: str) -> None:
    assert 1 == run(mirrors(), line).status
