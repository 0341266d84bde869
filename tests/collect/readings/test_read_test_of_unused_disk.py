"""Read test of a new disk: reads only, of a disk that nothing uses, and told in the system's own words."""

from __future__ import annotations

import pytest

from tests.doubles.practice_runs import Bench
from tests.doubles.scripted_host import ScriptedHost, failed
from tests.doubles.shelves import blank, link, shelf
from zconsole.base.clock import ManualClock
from zconsole.base.errors import UsageError
from zconsole.collect.privilege import Privilege, User
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.read_test_of_unused_disk import NEEDS, read_test, read_test_of
from zconsole.hosts.build_command_results import ended, unknown
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome

ROOT, ANN = User("root", 0), User("ann", 1000)
TOLD = b"64+0 records in\n64+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 0.5 s, 134 MB/s\n"
(DISK,) = shelf(blank(4)).disks
HANGS = unknown(Command(()), "no answer within 20 s")
DD = f"dd if={link(4)} of=/dev/null bs=1M count=64"


def said(text: bytes, status: int = 0) -> Completed:
    return ended(Command(()), status, b"", text)


async def result_of(user: User = ROOT, **answers: Completed) -> ReadTest:
    """The result where `last` answers the piece at the end of the disk, `every` each piece."""
    host = ScriptedHost()
    host.answers = {DD: answers.get("every", said(TOLD)), "doas": failed("doas", 127, b"")}
    host.answers["sudo"] = answers.get("sudo", failed("sudo", 127, b""))
    if "last" in answers:
        skip = (DISK.size_bytes or 0) // (1 << 20) - 64
        host.answers[f"{DD} skip={skip}"] = answers["last"]
    await host.connect()
    asker = Asker(host)
    return await read_test(asker, Privilege(asker, user), DISK, ManualClock(100.0))


async def test_three_pieces_are_read_and_their_speed_is_told() -> None:
    found = await result_of()

    assert (ReadTestOutcome.PASSED, 3 * (64 << 20), 1.5) == (found.outcome, found.read_bytes, found.seconds)
    assert 128.0 * (1 << 20) == found.bytes_per_s


async def test_an_error_at_the_end_fails_the_disk_in_the_systems_words() -> None:
    words = b"dd: error reading '/dev/disk/by-id/x': Input/output error\n3+0 records in\n"

    found = await result_of(last=said(words, 1))

    assert ReadTestOutcome.FAILED is found.outcome
    assert "dd: error reading '/dev/disk/by-id/x': Input/output error" == found.words
    assert 128 << 20 == found.read_bytes


async def test_a_disk_that_does_not_answer_in_time_has_failed() -> None:
    found = await result_of(every=HANGS)

    assert (ReadTestOutcome.FAILED, "no answer within 20 s") == (found.outcome, found.words)


@pytest.mark.parametrize("reason", [b"Permission denied", b"Operation not permitted"])
async def test_without_root_and_without_the_group_disk_it_says_so(reason: bytes) -> None:
    found = await result_of(ANN, every=said(b"dd: failed to open '/dev/disk/by-id/x': " + reason, 1))

    assert (ReadTestOutcome.NOT_RUN, NEEDS) == (found.outcome, found.words)


async def test_a_host_without_dd_says_so() -> None:
    found = await result_of(every=failed("dd", 127, b"dd: command not found"))

    assert (ReadTestOutcome.NOT_RUN, "dd is not installed") == (found.outcome, found.words)


async def test_a_disk_that_cannot_be_opened_has_failed() -> None:
    found = await result_of(every=said(b"dd: failed to open '/dev/x': No such device or address", 1))

    assert ReadTestOutcome.FAILED is found.outcome


async def test_a_dd_of_another_kind_condemns_no_disk() -> None:
    found = await result_of(every=said(b"dd: unrecognized operand 'iflag=direct'", 1))

    assert ReadTestOutcome.NOT_RUN is found.outcome


async def test_an_unused_disk_of_a_host_is_tested_by_reading_only() -> None:
    bench = Bench()
    disk = bench.world.disks[2]

    found = await read_test_of(Asker(bench.host), disk.serial, bench.clock)

    assert ReadTestOutcome.PASSED is found.outcome
    assert [] == [each for each in bench.host.commands if each.effect is not Effect.READ]
    assert 3 == sum(each.argv[0] == "dd" for each in bench.host.commands)


async def test_a_bad_disk_of_the_practice_host_fails() -> None:
    bench = Bench()
    bench.world.disks[2].health.pending = 8

    found = await read_test_of(Asker(bench.host), bench.world.disks[2].serial, bench.clock)

    assert ReadTestOutcome.FAILED is found.outcome
    assert "Input/output error" in found.words


@pytest.mark.parametrize("number", [0, 1])
async def test_a_disk_in_use_is_never_read(number: int) -> None:
    bench = Bench()

    with pytest.raises(UsageError, match="it is not tested"):
        await read_test_of(Asker(bench.host), bench.world.disks[number].serial, bench.clock)

    assert not any("dd" in each.argv for each in bench.host.commands)
