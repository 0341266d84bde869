"""`zconsole slow` on practice hosts whose disks are slow, and what the console says of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace

from tests.doubles.faulty_host import DrivenClock
from tests.sentences.practised.reading import EPOCH, NOTHING_KEPT, Practised, do, read, worded
from zconsole.analysis.slow_disks.verdict_sentence import slowness_in_short
from zconsole.base.clock import ManualClock
from zconsole.cli.commands.state.slow import SlowRequest, Watching, watch
from zconsole.cli.open_and_ask_named_hosts import NamedHost
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.practice.libvirt.guests import ZVOL, PracticeGuest, PracticeGuestDisk
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.drives import DriveKind
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import Load
from zconsole.practice.world.vdev_states_and_drive_unplugging import set_state
from zconsole.views.findings import slow_disk_phrases as phrases
from zconsole.views.findings.slow_disk_document import judgement_lines
from zconsole.views.layout.styled_text import Line, line, plain

SPEED = "`zpool iostat -l`, second by second ([slow-disks.md](slow-disks.md))"
RAIDZ = "raidz2 0 1 2 3 4 5"
MIRRORS = "mirror 0 1 mirror 2 3 mirror 4 5"
BUSY = Load(300, 16384, 120, 65536, sync_writes=40)
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Case:
    """What happens on a host before and while it is watched; changes are by second of the watch."""

    name: str
    layout: str = RAIDZ
    slow: tuple[tuple[int, float], ...] = ((3, 8.0),)  # disk by number, times slower
    tail: tuple[float, float] | None = None  # of disk 3
    lines: tuple[str, ...] = ()
    made: Callable[[World], None] | None = None
    during: tuple[tuple[float, Callable[[World], None]], ...] = ()
    for_s: float = 40.0
    load: Load = BUSY


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    for each in CASES:
        for found in await _watched(each):
            yield found


async def _watched(case: Case) -> Sequence[Practised]:
    world = create_world(case.layout)
    for disk in world.disks:
        disk.rotates = True
        disk.drive = DriveKind.HDD
    manual = ManualClock(EPOCH)
    clock = DrivenClock(manual)
    host = PracticeHost("nas1", clock=clock, world=world)
    await host.connect()
    world.pools["tank"].load = case.load
    if case.made is not None:
        case.made(world)
    await do(host, *(worded(world, each) for each in case.lines))
    manual.advance(5)
    for number, factor in case.slow:
        host.set_slow(f"LAB{number:04d}", factor)
    if case.tail is not None:
        host.set_tail("LAB0003", *case.tail)
    began, due = world.elapsed, list(case.during)

    def step(_span: float) -> None:
        while due and world.elapsed - began >= due[0][0]:
            due.pop(0)[1](world)

    world.on_step = step
    of = Watching("nas1")
    await watch(NamedHost(host, clock), of, SlowRequest(for_s=case.for_s))
    judgement = of.detectors["tank"].judgement()
    lines = judgement_lines(
        judgement, host="nas1", pool=of.pools["tank"], inventory=of.inventory, known=of.known.get("tank"),
        guests=of.guests,
    ) if of.known.get("tank") is not None else judgement_lines(
        judgement, host="nas1", pool=of.pools["tank"], inventory=of.inventory, guests=of.guests
    )  # fmt: skip
    told = Practised(
        f"practice: slow: {case.name}",
        texts=(*map(plain, lines), *_phrases(judgement.verdicts)),
        basis=SPEED,
    )
    state = await read(host, manual, NOTHING_KEPT, disks=world.user_id == 0)
    pools = tuple(replace(each, judgement=judgement) for each in state.pools)
    return told, Practised(f"practice: {case.name}", replace(state, pools=pools), manual.now())


def _phrases(verdicts: Sequence[SlowDiskVerdict]) -> tuple[str, ...]:
    """The short forms of the screens."""
    said: list[Line] = [phrases.headline(verdicts)]
    for each in verdicts:
        said += [phrases.why(each), phrases.since(each, each.last_at + 60), phrases.costs(each, "tank")]
        said += [line(phrases.in_few_words(each)), line(slowness_in_short(each))]
        said += [phrases.busy(each), phrases.sure(each), phrases.next_steps(each, "/dev/sda")]
    return tuple(map(plain, said))


def _count(world: World) -> None:
    leaf = world.leaf_of(world.disk("LAB0003"))
    assert leaf is not None
    leaf[1].slow_ios += 3


def _delay(world: World) -> None:
    _count(world)
    found = world.leaf_of(world.disk("LAB0003"))
    assert found is not None
    pool, leaf = found
    fields = ("vdev_guid", leaf.guid), ("vdev_path", leaf.path), ("zio_delay", 31_200_000_000)
    world.report(pool, "ereport.fs.zfs.delay", *fields)


def _degraded(world: World) -> None:
    found = world.leaf_of(world.disk("LAB0003"))
    assert found is not None
    set_state(world, *found, "DEGRADED", "ERR_EXCEEDED")


def _as_user(world: World) -> None:
    world.user_id = 1000


def _older(world: World) -> None:
    world.zfs_version = world.zfs_commands_version = "2.3.4-1"


def _flash(world: World) -> None:
    for number in (1, 3, 5):
        world.disk(f"LAB000{number}").rotates = False
        world.disk(f"LAB000{number}").drive = DriveKind.SSD


def _with_guest(world: World) -> None:
    world.lacking -= {"virsh", "qemu-img"}
    world.guests.append(PracticeGuest("mail", [PracticeGuestDisk("vda", f"{ZVOL}tank/a")]))


def _with_errors(world: World) -> None:
    _degraded(world)
    found = world.leaf_of(world.disk("LAB0003"))
    assert found is not None
    found[1].checksum_errors = 9


VOLUME = "zfs create -s -V 4G tank/a"
CASES = (
    Case("a slow disk of a raidz", lines=(VOLUME,), made=_with_guest),
    Case("autosit that lets a disk sit out", lines=("zpool set autosit=on tank raidz2-0",)),
    Case("a slow disk with slow I/Os of before", made=_count),
    Case("a slow disk with slow I/Os", during=((20.0, _delay),)),
    Case("a slow disk that ZED degrades", during=((20.0, _delay), (30.0, _degraded))),
    Case("a slow disk with errors", during=((20.0, _delay), (30.0, _with_errors))),
    Case("a slow disk, seen by a user", made=_as_user),
    Case("a slow disk below an older OpenZFS", made=_older),
    Case("a long tail in a mirror", layout=MIRRORS, slow=(), tail=(0.03, 60.0)),
    Case("two slow disks", slow=((1, 5.0), (3, 8.0))),
    Case("three slow disks", slow=((1, 6.0), (3, 6.0), (5, 6.0))),
    Case("a slow lone disk", layout="0", slow=((0, 30.0),)),
    Case("mirrors of disks and flash", layout=MIRRORS, slow=(), made=_flash),
    Case("a disk that is initialized", layout=MIRRORS, slow=(), lines=("zpool initialize tank {3}",)),
)  # fmt: skip
