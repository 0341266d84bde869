"""`zpool scrub`, `zpool initialize`, `zpool trim`, `zpool checkpoint` and `zpool wait`."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import GIB, Bench


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
