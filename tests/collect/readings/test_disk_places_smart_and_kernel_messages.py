"""All that a host tells of its disks, in one reading: what fails costs its own part."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.analysis.build import host as host_state
from tests.analysis.build import pool as pool_of
from tests.doubles.scripted_host import ScriptedHost, failed
from tests.doubles.shelves import mirror, shelf, used
from zconsole.analysis.repair.disks_to_read_smart_data_first import disks_to_ask
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.base.clock import ManualClock
from zconsole.base.errors import LinkLost, ZConsoleError
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.disk_places_smart_and_kernel_messages import DiskReader, with_disk_facts
from zconsole.hosts.host import Command, Completed
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.smart_health import DiskHealth, Unreadable
from zconsole.storage.disks.disk_health_samples import DAY_S, DiskHealthStore

SMART = Path(__file__).parents[2] / "captures" / "smart"
NOW = 1_800_000_000.0


def host(answer: object = (SMART / "sata-reallocated.json").read_bytes()) -> ScriptedHost:
    made = ScriptedHost()
    made.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"
    made.answers["smartctl"] = answer
    made.answers["sh -c"] = b""
    made.answers["dmesg"] = b""
    return made


async def read(asked: ScriptedHost, reader: DiskReader) -> HostState:
    await asked.connect()
    state = replace(host_state(pool_of(mirror(0, 0, 1))), inventory=Reading(shelf(used(0), used(1)), 0.0))
    return await with_disk_facts(Asker(asked), state, reader)


async def test_growth_is_told_from_what_was_kept(tmp_path: Path) -> None:
    kept = DiskHealthStore(tmp_path / "kept.sqlite")
    kept.add([(disk_identity(used(0)), DiskHealth(reallocated=380))], NOW - 8 * DAY_S)

    state = await read(host(), DiskReader(ManualClock(NOW), kept=kept))

    grown = {each.disk: each.earlier for each in state.smart.value or ()}
    earlier = grown[disk_identity(used(0))]
    assert earlier is not None
    assert 380 == earlier.health.reallocated
    assert grown[disk_identity(used(1))] is None


async def test_a_file_that_cannot_be_read_costs_the_trends_only(tmp_path: Path) -> None:
    said: list[ZConsoleError] = []
    path = tmp_path / "kept.sqlite"
    path.write_bytes(b"this is no database, but long enough to look at" * 40)

    state = await read(host(), DiskReader(ManualClock(NOW), kept=DiskHealthStore(path), complain=said.append))

    assert 2 == len(state.smart.value or ())
    assert ["SMART data"] == [each.message[4:14] for each in said]


async def test_disks_that_there_was_no_time_for_are_counted_and_keep_what_was_kept(tmp_path: Path) -> None:
    kept = DiskHealthStore(tmp_path / "kept.sqlite")
    kept.add([(disk_identity(used(0)), DiskHealth(pending=3))], NOW - DAY_S)

    state = await read(host(), DiskReader(ManualClock(NOW), within_s=0.0, kept=kept))

    assert "there was no time to ask 2 of 2 disks for SMART data" == state.smart.problem
    assert [(DiskHealth(pending=3), NOW - DAY_S)] == [
        (each.known, each.known_at) for each in state.smart.value or ()
    ]


async def test_kernel_messages_that_may_not_be_read_are_a_problem_of_their_own() -> None:
    asked = host()
    for program in ("dmesg", "journalctl"):
        asked.answers[program] = failed(program, 1, b"Operation not permitted")

    state = await read(asked, DiskReader(ManualClock(NOW)))

    assert "Operation not permitted" in state.kernel.problem
    assert 2 == len(state.smart.value or ())


async def test_without_smartctl_each_disk_says_so() -> None:
    state = await read(host(failed("smartctl", 127, b"not found")), DiskReader(ManualClock(NOW)))

    assert {Unreadable.NO_PROGRAM} == {each.answer for each in state.smart.value or ()}


async def test_a_lost_link_ends_it() -> None:
    with pytest.raises(LinkLost):
        await read(host(LinkLost("the link to nas1 was lost")), DiskReader(ManualClock(NOW)))


HUNDREDS = 247


class Slow(ScriptedHost):
    """A host whose disks take two seconds each for their SMART data."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self.clock = clock
        self.asked: list[str] = []

    async def run(self, command: Command) -> Completed:
        if command.argv[0] == "smartctl":
            self.asked.append(command.argv[-1])
            self.clock.advance(2.0)
        return await super().run(command)


async def asked_of(is_one_pool: bool, kept: DiskHealthStore | None = None) -> tuple[Slow, HostState, float]:
    """A repair on a host of hundreds of disks, of which a mirror has failed."""
    clock = ManualClock(NOW)
    there = Slow(clock)
    there.answers |= host().answers
    await there.connect()
    failed_one = replace(mirror(0, 0, 1), state="DEGRADED")
    pool = replace(pool_of(failed_one), state="DEGRADED")
    disks = shelf(*map(used, range(2)), *(used(at, pool="bulk") for at in range(2, HUNDREDS)))
    state = replace(host_state(pool), inventory=Reading(disks, 0.0))
    reader = DiskReader(clock, kept=kept, ask=partial(disks_to_ask, is_one_pool=is_one_pool))
    began = clock.monotonic()
    return there, await with_disk_facts(Asker(there), state, reader), clock.monotonic() - began


async def test_disks_of_the_pool_in_question_come_first_and_the_others_have_a_bounded_time() -> None:
    there, state, took_s = await asked_of(is_one_pool=True)

    assert {used(0).serial, used(1).serial} == {each[-7:] for each in there.asked[:2]}
    assert took_s < 30
    assert "other disks of the host were not asked for SMART data" in state.smart.problem


async def test_what_was_kept_of_the_other_disks_yesterday_counts_and_they_are_not_asked(
    tmp_path: Path,
) -> None:
    kept = DiskHealthStore(tmp_path / "kept.sqlite")
    kept.add([(disk_identity(used(at)), DiskHealth(pending=at)) for at in range(2, HUNDREDS)], NOW - 3600)

    there, state, _ = await asked_of(is_one_pool=False, kept=kept)

    assert 2 == len(there.asked)
    assert HUNDREDS == len(state.smart.value or ())
    assert "" == state.smart.problem
