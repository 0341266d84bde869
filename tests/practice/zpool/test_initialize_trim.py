"""`zpool initialize` and `zpool trim`."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench
from zconsole.practice.world.drives import DriveKind


@pytest.mark.parametrize("command", ["initialize", "trim"])
def test_devices_are_gone_over_suspended_and_cancelled(command: str) -> None:
    bench = Bench("mirror 0 1")

    bench.do(f"zpool {command} tank {{0}}")
    assert [(command, "active")] == progress(bench)
    bench.do(f"zpool {command} -s tank {{0}}")
    assert [(command, "suspended")] == progress(bench)
    bench.do(f"zpool {command} tank {{0}}", f"zpool {command} -c tank {{0}}")
    assert [(command, "canceled")] == progress(bench)
    assert f"{command} vdev={{0}}-part1 canceled" in bench.internal()
    bench.do(f"zpool {command} tank")
    bench.go(100)
    assert [(command, "complete")] * 2 == progress(bench)
    assert f"{command} vdev={{0}}-part1 complete" in bench.internal()
    assert f"sysevent.fs.zfs.{command}_finish" in bench.events()


def progress(bench: Bench) -> list[tuple[str, str]]:
    return [(each.kind, each.state) for vdev in bench.pool().walk() for each in vdev.activities]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("zpool initialize tank {0}", "cannot initialize '{0}': currently initializing\n"),
        ("zpool initialize -c tank {1}", "cannot initialize '{1}': there is no active initialization\n"),
        ("zpool initialize -s tank {1}", "cannot initialize '{1}': there is no active initialization\n"),
        ("zpool initialize tank {7}", "cannot initialize '{7}': device is in use as a cache\n"),
        ("zpool initialize tank nosuch", "cannot initialize 'nosuch': no such device in pool\n"),
        ("zpool trim -c tank {1}", "cannot trim '{1}': there is no active trim\n"),
        ("zpool trim tank {2}", "cannot trim '{2}': trim operations are not supported by this device\n"),
        ("zpool trim nosuch", "cannot open 'nosuch': no such pool\n"),
    ],
)
def test_what_cannot_be_gone_over_is_refused_in_zfs_words(line: str, said: str) -> None:
    bench = Bench()
    bench.disk(2).drive = DriveKind.HDD
    bench.do("zpool initialize tank {0}")

    reply = bench.run(line)

    assert (255, said) == (reply.status, bench.short(reply.stderr))


def test_a_pool_without_flash_cannot_be_trimmed() -> None:
    bench = Bench("mirror 0 1")
    for number in (0, 1):
        bench.disk(number).drive = DriveKind.HDD

    assert "cannot trim: no devices in pool support trim operations\n" == bench.refused("zpool trim tank")
