"""The ARC counters beside real ones."""

from __future__ import annotations

from tests.practice.laboratory import captured
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.system.proc_sys_and_etc_files import read_file

EPOCH = 1_795_219_200.0


def test_the_cache_statistics_have_the_names_of_the_kernel() -> None:
    theirs = captured("arcstats.txt").split("\n")
    ours = read_file(demo_world(EPOCH), "/proc/spl/kstat/zfs/arcstats").split("\n")

    assert theirs[1] == ours[1]
    assert [line.split()[:2] for line in theirs[2:]] == [line.split()[:2] for line in ours[2:]]
    assert [len(line) - len(line.split()[-1]) for line in theirs[2:-1]] == [
        len(line) - len(line.split()[-1]) for line in ours[2:-1]
    ]
