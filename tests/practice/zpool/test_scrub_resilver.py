"""`zpool scrub`, `zpool initialize`, `zpool trim`, `zpool checkpoint` and `zpool wait`."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import GIB, Bench
from zconsole.practice.world.pools_and_vdevs import DriveKind


def scan(bench: Bench) -> tuple[str, str] | None:
    found = bench.pool().scan
    return (found.function, found.state) if found else None


def test_a_scrub_is_started_paused_continued_and_ends() -> None:
    bench = Bench("mirror 0 1", allocated=6 * GIB)

    bench.do("zpool scrub tank")
    assert ("scrub", "scanning") == scan(bench)
    bench.go(2)
    bench.do("zpool scrub -p tank")
    issued = bench.practice().scan
    assert issued is not None
    held = issued.issued
    bench.go(50)
    assert (("scrub", "paused"), held) == (scan(bench), issued.issued)
    bench.do("zpool scrub tank")
    bench.go(50)

    assert ("scrub", "finished") == scan(bench)
    told = [event.rpartition(".")[2] for event in bench.events() if ".scrub_" in event]
    assert ["scrub_start", "scrub_paused", "scrub_resume", "scrub_finish"] == told
    assert ["zpool scrub tank", "zpool scrub -p tank", "zpool scrub tank"] == bench.history()[1:]


def test_a_scrub_can_be_stopped() -> None:
    bench = Bench("mirror 0 1", allocated=6 * GIB)
    bench.do("zpool scrub tank", "zpool scrub -s tank")

    assert ("scrub", "canceled") == scan(bench)
    assert "scan aborted errors=0" in bench.internal()


def test_a_scrub_can_be_waited_for() -> None:
    bench = Bench("mirror 0 1", allocated=2 * GIB)

    assert 0 == bench.wait("zpool scrub -w tank").status
    assert ("scrub", "finished") == scan(bench)
    bench.do("zpool scrub tank")
    assert 0 == bench.wait("zpool wait -t scrub tank").status
    assert 0 == bench.run("zpool wait tank").status


@pytest.mark.parametrize(
    ("before", "line", "said"),
    [
        (
            "zpool scrub tank",
            "zpool scrub tank",
            "currently scrubbing; use 'zpool scrub -s' to cancel scrub\n",
        ),
        ("zpool attach tank {0} {2}", "zpool scrub tank", "cannot scrub tank: currently resilvering\n"),
        ("zpool attach tank {0} {2}", "zpool scrub -s tank", "scrubbing tank: there is no active scrub\n"),
        (
            "zpool sync tank",
            "zpool scrub -s tank",
            "cannot cancel scrubbing tank: there is no active scrub\n",
        ),
        ("zpool sync tank", "zpool scrub nosuch", "cannot open 'nosuch': no such pool\n"),
    ],
)
def test_what_cannot_be_scrubbed_is_refused_in_zfs_words(before: str, line: str, said: str) -> None:
    bench = Bench("mirror 0 1", allocated=6 * GIB)
    bench.do(before)

    reply = bench.run(line)

    assert 1 == reply.status
    assert reply.stderr.endswith(said)


def test_pausing_what_is_paused_is_refused_and_pausing_nothing_is_not() -> None:
    bench = Bench("mirror 0 1", allocated=6 * GIB)
    bench.do("zpool scrub -p tank", "zpool scrub tank", "zpool scrub -p tank")

    assert (
        "cannot pause scrubbing tank: scrub is paused; use 'zpool scrub' to resume scrub\n"
        == bench.refused("zpool scrub -p tank")
    )


def test_a_resilver_ends_a_scrub() -> None:
    bench = Bench("mirror 0 1", allocated=6 * GIB)
    bench.do("zpool scrub tank", "zpool attach tank {0} {2}")

    assert ("resilver", "scanning") == scan(bench)
    bench.do("zpool resilver tank")
    assert ("resilver", "scanning") == scan(bench)


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


def test_a_checkpoint_is_made_and_discarded() -> None:
    bench = Bench("mirror 0 1", allocated=GIB)

    bench.do("zpool checkpoint tank")
    assert 86016 == bench.pool().checkpoint_bytes
    assert bench.do("zpool scrub tank").startswith(
        "warning: will not scrub state that belongs to the checkpoint"
    )
    bench.do("zpool checkpoint -d tank")
    assert [("checkpoint_discard", "active")] == [(work.kind, work.state) for work in bench.pool().activities]
    bench.go(2)

    assert bench.pool().checkpoint_bytes is None
    assert "cannot discard checkpoint in 'tank': checkpoint does not exist\n" == bench.refused(
        "zpool checkpoint -d tank"
    )
    assert "spa discard checkpoint finished discarding checkpointed state from the pool" in bench.internal()
