"""Advice followed: the plan that advice proposes ends it, and no other rule speaks because of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from tests.analysis.findings.datasets.cases import MEDIA, PG, opened, sample
from tests.analysis.findings.test_all_findings import SPEAKING, judged
from tests.doubles.practice_runs import HOST, Bench
from zconsole.actions.intent import Intent, proposed_intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.collect.guests.guests_for_a_report import read_guests_for_report
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.streams.dataset_and_host_settings import with_settings
from zconsole.model.datasets.dataset_contents import DatasetContents
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import Reading
from zconsole.model.run import RunState
from zconsole.practice import World, create_world
from zconsole.practice.libvirt.guests import PracticeGuest, PracticeGuestDisk, PracticeImage

GIB, DAY = 1 << 30, 86400
BEGAN = create_world("").now
SCANS = frozenset({"scan-running", "activity-running"})
Key = tuple[str, str]  # id and object, which is what a silence is given for


# Judged by a comparison of copies and not by the host's state alone: tests/analysis/findings/care/
OF_COPIES = {"receive-cut", "replicas-unverified"}


@dataclass(frozen=True, slots=True)
class Case:
    """Finding in a practice world. `words` complete its plan, as a user would."""

    finding: str
    subject: str
    lines: tuple[str, ...] = ()
    before: Callable[[World], None] = lambda _world: None
    layout: str = "mirror 0 1"
    disks: int = 6
    days: float = 0.0  # that pass before
    later: tuple[str, ...] = ()  # lines that are typed then
    alter: Callable[[World], None] = lambda _world: None
    contents: tuple[DatasetContents, ...] = ()
    words: tuple[tuple[str, ...], ...] = ((),)  # of each step
    received: tuple[str, ...] = ()  # datasets that are copies from elsewhere, since the beginning

    @property
    def name(self) -> str:
        return f"{self.finding} of {self.subject} on {self.layout[:24]}"


def filled(name: str, gib: float) -> Callable[[World], None]:
    """Data in a dataset."""

    def alter(world: World) -> None:
        dataset = world.pools["tank"].datasets[name]
        dataset.live = {max(dataset.live): int(gib * GIB)}

    return alter


def both(*alterations: Callable[[World], None]) -> Callable[[World], None]:
    def alter(world: World) -> None:
        for each in alterations:
            each(world)

    return alter


def larger(*numbers: int) -> Callable[[World], None]:
    """Drives that have been replaced by some of twice the size."""

    def alter(world: World) -> None:
        for number in numbers:
            world.disks[number].size *= 2

    return alter


def on_ssds(world: World) -> None:
    for each in world.disks:
        each.rotates = False


def without_a_feature(world: World) -> None:
    world.pools["tank"].disabled_features = frozenset({"zilsaxattr"})


def with_an_image(world: World) -> None:
    path = "/tank/vm/web01.qcow2"
    world.lacking -= {"virsh", "qemu-img"}
    world.images[path] = PracticeImage(path, "qcow2", 8 * GIB, GIB, 65536)
    world.guests.append(PracticeGuest("web01", [PracticeGuestDisk("vda", path, "qcow2")]))
    world.guests[-1].state = 5  # shut off


def with_guests(world: World) -> None:
    """mail01 with an image on tank/g/images, which has 200 MiB; web01 on the volume tank/g/v."""
    world.lacking -= {"virsh", "qemu-img"}
    path = "/tank/g/images/mail01.qcow2"
    world.images[path] = PracticeImage(path, "qcow2", 8 * GIB, GIB // 5, 65536)
    world.guests.append(PracticeGuest("mail01", [PracticeGuestDisk("vda", path, "qcow2")]))
    world.guests.append(PracticeGuest("web01", [PracticeGuestDisk("vda", "/dev/zvol/tank/g/v")]))
    for name in ("tank/g/images", "tank/g/v"):
        filled(name, 0.2)(world)


def setting(finding: str, *values: str, of: str = "filesystem") -> Case:
    """A dataset with properties of its own, beside one without."""
    options = " ".join(f"-o {value}" for value in values)
    size = " -V 64M" if of == "volume" else ""
    return Case(finding, "tank/a", (f"zfs create{size} {options} tank/a", "zfs create tank/sound"))


ATTACHED = ("LAB0005",)
CASES = (
    setting("checksum-off", "checksum=off"),
    setting("sync-disabled", "sync=disabled"),
    setting("compression-off", "compression=off"),
    setting("compression-slow", "compression=gzip-9"),
    setting("copies-many", "copies=2"),
    setting("atime-on", "atime=on", "relatime=off"),
    setting("acl-in-directories", "acltype=posix", "xattr=dir"),
    setting("cache-off", "primarycache=metadata"),
    setting("cache-off", "primarycache=none", of="volume"),
    setting("dedup-on", "dedup=on"),
    Case("sync-disabled", "tank", ("zfs set sync=disabled tank", "zfs create tank/a")),
    Case("failmode", "tank", ("zpool set failmode=continue tank",)),
    Case(
        "autoexpand-off",
        "tank mirror-0",
        before=larger(2),
        lines=("zpool replace tank /dev/disk/by-id/wwn-0x5000c500a0000001 /dev/sdc",),
    ),
    Case("space-not-expanded", "tank", alter=larger(0, 1)),
    Case("features-off", "tank", alter=without_a_feature),
    Case("scrub-never", "tank", days=36),
    Case("replicas-unverified", "tank", ("zfs create tank/copy",), days=40, received=("tank/copy",)),
    Case("scrub-overdue", "tank", ("zpool scrub tank",), days=36),
    Case(
        "scrub-skipped",
        "tank",
        ("zpool scrub tank", "zpool scrub -s tank"),
        days=3,
        alter=filled("tank", 2),
    ),
    Case("scrub-paused", "tank", ("zpool scrub tank", "zpool scrub -p tank"), alter=filled("tank", 2)),
    Case("autotrim-off", "tank", ("zpool scrub tank",), days=36, later=("zpool scrub tank",), alter=on_ssds),
    Case(
        "recordsize-database",
        "tank/a",
        ("zfs create tank/a",),
        contents=(DatasetContents("tank/a", programs=opened(PG, "postgres")),),
    ),
    Case(
        "recordsize-large-files",
        "tank/a",
        ("zfs create tank/a",),
        contents=(DatasetContents("tank/a", sample=sample(MEDIA, 99)),),
    ),
    Case("recordsize-image", "tank/vm", ("zfs create -o recordsize=1M tank/vm",), alter=with_an_image),
    Case(
        "volume-no-snapshot",
        "tank/v",
        ("zfs create -V 5G tank/v", "zfs create tank/a", "zfs snapshot tank/a@daily"),
        alter=filled("tank/v", 4),
    ),
    Case(
        "reservation-unused",
        "tank/a",
        ("zfs create tank/a", "zfs create tank/b", "zfs set reservation=3G tank/a"),
        days=31,
        alter=both(filled("tank/a", 0.5), filled("tank/b", 3.5)),
    ),
    Case("quota-near", "tank/a", ("zfs create -o quota=1G tank/a",), alter=filled("tank/a", 0.95)),
    Case(
        "snapshots-left-out",
        "tank/a",
        ("zfs create tank/a", "zfs create tank/b"),
        days=8,
        later=("zfs snapshot tank/b@daily",),
        alter=both(filled("tank/a", 0.2), filled("tank/b", 0.2)),
    ),
    Case(
        "guest-without-snapshots",
        "tank/g/images",
        ("zfs create tank/g", "zfs create tank/g/images", "zfs create -s -V 2G tank/g/v"),
        days=8,
        later=("zfs snapshot tank/g/v@daily",),
        alter=with_guests,
    ),
    Case(
        "guest-storage-read-only",
        "tank web01",
        ("zfs create tank/g", "zfs create tank/g/images", "zfs create -s -V 2G tank/g/v"),
        later=("zfs set readonly=on tank/g/v",),
        alter=with_guests,
    ),
    Case("pool-without-redundancy", "tank", layout="0", words=(ATTACHED,)),
    Case("pool-without-redundancy", "tank", layout="0 1", words=(ATTACHED, ("LAB0004",))),
    Case("vdev-without-redundancy", "", layout="mirror 0 1 special 2", words=(ATTACHED,)),
    Case("redundancy-uneven", "tank mirror-1", layout="raidz2 0 1 2 3 special mirror 4 5", disks=7,
         words=(("LAB0006",),)),
    Case("log-without-redundancy", "", layout="mirror 0 1 log 2", words=(ATTACHED,)),
    Case("spare-missing", "tank", disks=25, words=(("spare", "LAB0024"),),
         layout=" ".join(f"raidz2 {' '.join(map(str, range(at, at + 8)))}" for at in (0, 8, 16))),
)  # fmt: skip


@dataclass
class SaidOfHost:
    """What is said of a practice host."""

    bench: Bench
    contents: tuple[DatasetContents, ...] = ()
    received: tuple[str, ...] = ()

    async def now(self) -> dict[Key, Finding]:
        """The findings by id and object; a scan that runs is waited for."""
        for _ in range(40):
            found = await self._read()
            if not any(finding in SCANS for finding, _ in found):
                return found
            self.bench.manual.advance(3600)
        raise AssertionError("a scan does not end")

    async def _read(self) -> dict[Key, Finding]:
        host, clock = self.bench.host, self.bench.clock
        await host.connect()
        state = await gather(host, clock)
        state = await with_settings(state, host, clock, timeout_s=60)
        guests = await read_guests_for_report(Asker(host), clock, state.inventory.value)
        (pool,) = state.pools
        pool = replace(pool, contents=Reading(self.contents, 0.0))
        received = tuple((name, int(BEGAN)) for name in self.received)
        seen = ReplicationSeen(state.host, clock.now(), received=received)
        replication = Reading(seen, 0.0) if received else state.replication
        state = replace(state, pools=(pool,), guests=guests, replication=replication)
        return {(each.id, each.subject): each for each in findings(state, clock.now(), Thresholds())}


async def follow(bench: Bench, finding: Finding, words: tuple[str, ...]) -> None:
    """Plan what is proposed, confirm, and carry it out."""
    assert finding.advised is not None
    assert finding.advised.action is not None, finding
    proposed = proposed_intent(finding.advised.action)
    serials = {disk.serial: f"/dev/disk/by-id/{disk.links[0]}" for disk in bench.world.disks}
    added = tuple(serials.get(word, word) for word in words)
    asked = Intent(proposed.action, proposed.target, (*proposed.arguments, *added), proposed.options)
    made = await bench.operator.prepare(HOST, asked)
    assert not made.is_refused, made.refusals
    run = await bench.operator.execute(HOST, made, made.confirm or "", lasts_s=SAVED_PLAN_LASTS_S)
    assert RunState.DONE is run.state, (run.words, [step.said for step in run.steps])


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_its_plan_ends_a_piece_of_advice_and_begins_no_other(case: Case) -> None:
    bench = Bench(world=create_world(case.layout, disks=case.disks))
    case.before(bench.world)
    bench.type(*case.lines)
    case.alter(bench.world)
    said = SaidOfHost(bench, case.contents, case.received)
    await said.now()
    bench.manual.advance(case.days * DAY)
    bench.type(*case.later)
    before = await said.now()
    subject = case.subject or next(subject for finding, subject in before if finding == case.finding)
    after, due = before, (case.finding, subject)
    assert due in before, before

    for words in case.words:
        await follow(bench, after[due], words)
        bench.manual.advance(60)
        after = await said.now()
        new = after.keys() - before.keys()
        due = next(iter(new), due)

    assert (case.finding, subject) not in after
    assert set() == after.keys() - before.keys(), after


def test_each_rule_that_proposes_a_plan_has_been_followed() -> None:
    """A rule with a plan and without a case here has not been shown to do what it says."""
    proposing = {
        each.id
        for *_, state in SPEAKING
        for each in judged(state)
        if each.advised is not None and each.advised.action is not None
    }

    assert proposing == {case.finding for case in CASES} | OF_COPIES
