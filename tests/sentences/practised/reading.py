"""A practice host read with all that `advise` and `repair` read, at one moment of its clock."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zconsole.base.clock import ManualClock
from zconsole.base.escape_control_characters import decoded
from zconsole.base.user_config_file import Config
from zconsole.cli.commands.state.advise import read_for_advice
from zconsole.cli.open_and_ask_named_hosts import NamedHost
from zconsole.cli.readings_for_findings import KeptSamples
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.disk_places_smart_and_kernel_messages import DiskReader, with_disk_facts
from zconsole.hosts.host import Command
from zconsole.model.host.host_state import HostState
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.world.host_world import World
from zconsole.zfs.listing.events import parse_events, recent

EPOCH = 1_795_219_200.0
NOTHING_KEPT = KeptSamples(None, None)


@dataclass(frozen=True, slots=True)
class Practised:
    """A scene: a state with its time, or what was said of something else, which rests on `basis`."""

    name: str
    state: HostState | None = None
    now: float = EPOCH
    texts: tuple[str, ...] = ()
    basis: str = ""


async def host_of(world: World, clock: ManualClock | None = None) -> PracticeHost:
    """A connected host of a world."""
    host = PracticeHost(clock=clock or ManualClock(world.now), world=world)
    await host.connect()
    return host


async def do(host: PracticeHost, *lines: str) -> None:
    """Run commands, which must be accepted."""
    for each in lines:
        completed = await host.run(Command(tuple(each.split())))
        assert 0 == completed.status, (each, completed.stderr)


async def read(
    host: PracticeHost, clock: ManualClock, kept: KeptSamples = NOTHING_KEPT, *, disks: bool = False
) -> HostState:
    """Its state as `zconsole advise` reads it, with `disks` as `zconsole repair` does beside."""
    place = NamedHost(host, clock)
    state = await read_for_advice(place, kept, Config(), within_s=600)
    if not disks:
        return state
    asker = Asker(host)
    state = await with_disk_facts(asker, state, DiskReader(clock, kept=kept.health))
    events = await asker.ask(await Privilege(asker).to_read(recent()), kind="events")
    return replace(state, events=parse_events(decoded(events)))


async def seen(name: str, world: World, *lines: str, disks: bool = False) -> Practised:
    """A world after these commands."""
    clock = ManualClock(world.now)
    host = await host_of(world, clock)
    await do(host, *(worded(world, each) for each in lines))
    return Practised(name, await read(host, clock, disks=disks), clock.now())


def worded(world: World, line: str) -> str:
    """A command line in which `{3}` is the link of the disk with that number."""
    for number, disk in enumerate(world.disks):
        line = line.replace(f"{{{number}}}", f"/dev/disk/by-id/{disk.link}")
    return line
