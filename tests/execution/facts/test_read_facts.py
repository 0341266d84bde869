"""Facts for an intent: what is read, with whose rights, and what could not be seen."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from tests.doubles.practice_runs import HOST, Bench
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import intent
from zconsole.base.errors import CommandFailed, LinkLost, Stuck
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.read_facts import read_needs
from zconsole.hosts.build_command_results import ended, never_started, unknown
from zconsole.hosts.host import Command, Completed, Host
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import HostPolicy, OutsideUse, PlanFacts
from zconsole.system.open_files import OPEN_FILES

NOTHING = never_started(Command(()), "there is no such program", status=127)
ANN = b"uid=1000(ann) gid=1000(ann) groups=1000(ann)\n"
UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"


def said(text: bytes, status: int = 0) -> Completed:
    return ended(Command(()), status, text, b"")


@pytest.fixture
def bench() -> Bench:
    return Bench()


async def read(bench: Bench, needs: Needs, pool: str = "tank", policy: HostPolicy | None = None) -> PlanFacts:
    await bench.host.connect()
    asker = Asker(bench.host)
    reader = Reader(asker, bench.clock, Privilege(asker), policy or HostPolicy())
    return await read_needs(reader, needs, pool)


def sent(bench: Bench, *words: str) -> list[tuple[str, ...]]:
    """The commands that began so."""
    return [each.argv for each in bench.host.commands if each.argv[: len(words)] == words]


async def test_a_machine_is_told_from_every_other(bench: Bench) -> None:
    bench.host.host_key = "SHA256:abc"
    bench.host.answers["hostid"] = said(b"007f0101\n")

    facts = await read(bench, Needs())

    world = bench.world
    assert (
        MachineIdentity(HOST, "storage24", world.machine_id, "SHA256:abc", "007f0101", world.boot_id)
        == facts.identity
    )


async def test_without_needs_no_dataset_is_listed_and_no_disk_searched(bench: Bench) -> None:
    facts = await read(bench, Needs())

    assert (None, None, None, None) == (facts.holds, facts.uses, facts.importable, facts.labels)
    assert frozenset() == facts.listed
    assert [] == sent(bench, "zpool", "import")
    assert not any("snapshot" in " ".join(argv) for argv in sent(bench, "zfs", "list"))


async def test_the_disks_and_the_vdevs_of_other_pools_are_read_only_where_they_matter(bench: Bench) -> None:
    """A host with many pools is not asked about each of them for a snapshot."""
    bench.type(f"zpool create other /dev/disk/by-id/{bench.world.disks[2].links[0]}")
    guid = bench.world.pools["other"].guid

    facts = await read(bench, Needs())
    commands = [
        argv for argv in sent(bench) if "other" in argv or (argv[0] in {"lsblk", "ls"} and argv[1] != "-1p")
    ]
    whole = await read(bench, Needs(disks=True))

    assert [] == commands
    assert facts.inventory is None
    assert {"tank": True, "other": False} == {pool.name: bool(pool.vdevs) for pool in facts.pools}
    assert ("ONLINE", guid) == next((p.state, p.guid) for p in facts.pools if p.name == "other")
    assert {"tank": True, "other": True} == {pool.name: bool(pool.vdevs) for pool in whole.pools}
    assert whole.inventory is not None


async def test_where_the_kernel_tells_no_guid_another_pool_is_read_whole(bench: Bench) -> None:
    bench.type(f"zpool create other /dev/disk/by-id/{bench.world.disks[2].links[0]}")
    bench.host.files["/proc/spl/kstat/zfs/other/guid"] = FileNotFoundError()

    facts = await read(bench, Needs())

    assert bench.world.pools["other"].guid == next(p.guid for p in facts.pools if p.name == "other")


@pytest.mark.parametrize("times", [1, 9])
async def test_one_pool_is_never_put_together_from_readings_of_two(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Another pool takes the name between two commands: both are read again, or the plan ends in words."""
    swaps, run = itertools.count(), bench.host.inner.run

    async def swapping(command: Command) -> Completed:
        answer = await run(command)
        if command.argv[:2] == ("zpool", "status") and next(swaps) < times:
            bench.world.pools["tank"].root.guid += 1
        return answer

    monkeypatch.setattr(bench.host.inner, "run", swapping)
    if times > 1:
        with pytest.raises(CommandFailed, match="another pool took the name tank while it was read"):
            await read(bench, Needs())
        return

    facts = await read(bench, Needs())

    assert bench.world.pools["tank"].guid == next(p.guid for p in facts.pools if p.name == "tank")
    assert 2 == len(sent(bench, "zpool", "status"))


async def test_what_does_not_depend_on_each_other_is_read_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow host or link the longest chain counts, not the number of commands."""
    run = bench.host.run
    waiting = {"zpool status", "lsblk -J", "id"}
    all_there = asyncio.Event()

    async def run_once_all_are_there(command: Command) -> Completed:
        waiting.discard(" ".join(command.argv[:2]))
        if not waiting:
            all_there.set()
        if command.argv[0] in {"lsblk", "id"}:
            await all_there.wait()
        return await run(command)

    monkeypatch.setattr(bench.host, "run", run_once_all_are_there)

    async with asyncio.timeout(10):
        facts = await read(bench, Needs(disks=True))

    assert ["tank"] == [pool.name for pool in facts.pools]


async def test_a_search_of_ours_for_pools_is_not_taken_for_somebody_who_uses_a_disk(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`zpool import` and `zdb` open the disks: who has files open is asked when they have ended."""
    run = bench.host.run
    under_way: set[str] = set()
    beside: list[set[str]] = []

    async def run_slowly(command: Command) -> Completed:
        line = " ".join(command.argv)
        if command.argv == OPEN_FILES.argv:
            beside.append(set(under_way))
        under_way.add(line)
        for _ in range(100):
            await asyncio.sleep(0)
        completed = await run(command)
        under_way.discard(line)
        return completed

    monkeypatch.setattr(bench.host, "run", run_slowly)
    disk = "/dev/disk/by-id/wwn-0x5000c500a0000000-part1"

    await read(bench, Needs(disks=True, uses=True, importable=True, destroyed=True, labels=(disk,)))

    opening = [each for lines in beside for each in lines if each.startswith(("zpool import", "zdb"))]
    assert 1 == len(beside)
    assert [] == opening
    assert sent(bench, "zpool", "import")
    assert sent(bench, "zdb")


async def test_the_properties_of_a_pool_are_read_once(bench: Bench) -> None:
    facts = await read(bench, Needs(properties=(("tank", "all"), ("tank", "multihost"))))

    assert ("tank", "multihost", "off", "default") in facts.properties
    assert [("zpool", "get", "-Hp", "all", "tank")] == sent(bench, "zpool", "get", "-Hp", "all")


async def test_a_reading_that_hangs_is_not_forgotten_when_another_of_its_kind_ends() -> None:
    class Busy(ScriptedHost):
        async def run(self, command: Command) -> Completed:
            await asyncio.sleep(0)
            return await super().run(command)

    host = Busy()
    host.answers = {"zfs get a": HANG, "zfs get b": b""}
    asker = Asker(host)
    hangs, ends = (Command(("zfs", "get", key)) for key in "ab")

    await asyncio.gather(*(asker.run(each, kind="get", pool="tank") for each in (hangs, ends)))

    with pytest.raises(Stuck):
        await asker.run(hangs, kind="get", pool="tank")


async def test_datasets_snapshots_and_holds_are_read_of_the_pools_that_are_named(bench: Bench) -> None:
    bench.type(
        "zfs snapshot tank/home@b", "zfs hold keep tank/home@b", "zfs bookmark tank/home@a tank/home#m"
    )

    about = (SnapshotSelector("tank/home"), SnapshotSelector("nowhere/a"))
    facts = await read(bench, Needs(datasets=("tank", "nowhere"), snapshots=about, holds=True))

    assert {"tank", "tank/home", "tank/home@a", "tank/home@b", "tank/home#m"} == {
        each.name for each in facts.datasets
    }
    assert frozenset({"tank"}) == facts.listed
    assert [("tank/home@b", "keep")] == [(hold.snapshot, hold.tag) for hold in facts.holds or ()]
    assert [("zfs", "holds", "-H", "tank/home@b")] == sent(bench, "zfs", "holds")


def guest_xml(name: str, source: str, below: str = "") -> bytes:
    """A running guest as `virsh dumpxml` prints it, with one disk, and an image below that."""
    chain = f"<backingStore type='file'>{below}<backingStore/></backingStore>" if below else ""
    disk = f"<disk type='file' device='disk'>{source}{chain}<target dev='vda'/></disk>"
    text = f"<domain><name>{name}</name><uuid>{UUID}</uuid><devices>{disk}</devices></domain>"
    return text.encode()


async def test_uses_come_from_mounts_swap_open_files_shares_and_guests(bench: Bench) -> None:
    bench.type("zfs create -V 64M tank/vol")
    bench.host.files = {
        "/proc/mounts": b"tank /tank zfs rw 0 0\ntank/home /tank/home zfs rw 0 0\n",
        "/proc/swaps": b"Filename Type Size Used Priority\n/dev/zvol/tank/vol partition 1 0 -2\n",
    }
    bench.host.answers |= {
        "find": said(b"/proc/7/exe\0/usr/bin/vi\0/proc/7/fd/3\0/tank/home/a\0"),
        "sh": said(b""),
        "virsh -r -q -c qemu:///system list": said(f"{UUID}\n".encode()),
        "virsh -r -q -c qemu:///system list --state-paused": said(b"\n"),
        "virsh -r -q -c qemu:///system dumpxml": said(
            guest_xml("web", "<source file='/tank/home/web.img'/>", "<source file='/mnt/link/base.img'/>")
        ),
        "realpath": said(b"/tank/home/web.img\0/tank/base.img\0"),
    }
    bench.type("zfs set sharenfs=on tank/home")

    facts = await read(bench, Needs(datasets=("tank",), uses=True))

    assert {
        OutsideUse("tank", "mount", "/tank"),
        OutsideUse("tank/home", "mount", "/tank/home"),
        OutsideUse("tank/vol", "swap", "/dev/zvol/tank/vol"),
        OutsideUse("tank/home", "process", "vi[7]", "/tank/home/a"),
        OutsideUse("tank/home", "share", "nfs", "on"),
        OutsideUse("tank/home", "guest", "web", "/tank/home/web.img", path="/tank/home/web.img", uuid=UUID),
        OutsideUse(
            "tank",
            "guest",
            "web",
            "/mnt/link/base.img",
            path="/mnt/link/base.img",
            real="/tank/base.img",
            is_written=False,
            uuid=UUID,
        ),
    } == set(facts.uses or ())
    assert () == facts.unseen


async def test_uses_of_disks_need_no_shares_and_volumes(bench: Bench) -> None:
    bench.host.answers["find"] = said(b"/proc/7/exe\0/usr/bin/dd\0/proc/7/fd/3\0/dev/sda\0")

    facts = await read(bench, Needs(disk_uses=True))

    assert {OutsideUse("/dev/sda", "process", "dd[7]", "/dev/sda")} == set(facts.uses or ())
    assert [] == sent(bench, "zfs", "get") + sent(bench, "ls", "-lR", "/dev/zvol")


async def test_a_disk_that_a_guest_names_which_is_off_is_told(bench: Bench) -> None:
    """Nobody has it open: libvirt alone knows."""
    bench.host.answers |= {
        "virsh -r -q -c qemu:///system list": said(b"\n"),
        "virsh -r -q -c qemu:///system list --all --uuid": said(f"{UUID}\n".encode()),
        "virsh -r -q -c qemu:///system list --all --uuid --with-managed-save": said(b"\n"),
        "virsh -r -q -c qemu:///system dumpxml": said(guest_xml("web", "<source file='/dev/sda'/>")),
        "realpath": said(b"/dev/sda\0"),
    }

    facts = await read(bench, Needs(disk_uses=True))

    assert [("/dev/sda", "stopped guest", "web")] == [(e.object, e.kind, e.name) for e in facts.uses or ()]


async def test_without_root_guests_tell_of_the_disks_that_they_use(bench: Bench) -> None:
    bench.host.answers |= {
        "id": said(ANN),
        "sudo": NOTHING,
        "doas": NOTHING,
        "find": said(b"", status=1),
        "virsh -r -q -c qemu:///system list": said(f"{UUID}\n".encode()),
        "virsh -r -q -c qemu:///system list --state-paused": said(b"\n"),
        "virsh -r -q -c qemu:///system dumpxml": said(guest_xml("web", "<source file='/dev/sda'/>")),
        "realpath": said(b"/dev/sda\0"),
    }

    facts = await read(bench, Needs(disk_uses=True))

    assert {OutsideUse("/dev/sda", "guest", "web", "/dev/sda", path="/dev/sda", uuid=UUID)} == set(
        facts.uses or ()
    )
    assert ("open files of other users' processes can be seen by root only",) == facts.unseen


async def test_the_reader_of_a_label_does_not_use_the_disk(bench: Bench) -> None:
    """It runs beside the search for users, and only reads."""
    bench.host.answers["find"] = said(b"/proc/7/exe\0/usr/sbin/zdb\0/proc/7/fd/3\0/dev/sda\0")

    facts = await read(bench, Needs(disk_uses=True, labels=("/dev/sda",)))

    assert () == facts.uses
    assert frozenset({"/dev/sda"}) == facts.labels_asked
    assert 1 == len(sent(bench, "find"))


async def test_a_user_whose_program_is_not_seen_is_looked_for_again(bench: Bench) -> None:
    """It may have been the reader of the label, which ended meanwhile; one that stays counts."""
    bench.host.answers["find"] = said(b"/proc/7/fd/3\0/dev/sda\0")

    facts = await read(bench, Needs(disk_uses=True, labels=("/dev/sda",)))

    assert (OutsideUse("/dev/sda", "process", "process[7]", "/dev/sda"),) == facts.uses
    assert 2 == len(sent(bench, "find"))


async def test_what_cannot_be_seen_is_said(bench: Bench) -> None:
    bench.host.files["/proc/mounts"] = PermissionError()
    bench.host.answers |= {"find": NOTHING, "virsh": NOTHING}

    facts = await read(bench, Needs(uses=True))

    assert facts.uses is not None
    assert any("mounts" in each for each in facts.unseen)
    assert any("open files" in each for each in facts.unseen)


async def test_a_user_who_is_not_root_sees_only_their_own_open_files_and_is_told(bench: Bench) -> None:
    bench.host.files["/proc/mounts"] = b""
    bench.host.answers |= {
        "id": said(ANN),
        "sudo": NOTHING,
        "doas": NOTHING,
        "find": said(b"/proc/7/exe\0/usr/bin/vi\0", status=1),
        "sh": said(b""),
    }

    facts = await read(bench, Needs(uses=True))

    assert ("open files of other users' processes can be seen by root only",) == facts.unseen


async def test_what_needs_root_to_be_read_is_read_by_sudo_where_it_asks_nothing(bench: Bench) -> None:
    bench.host.files["/proc/mounts"] = b""
    bench.host.answers |= {
        "id": said(ANN),
        "sudo -n -l -l": said(b"    Options: !authenticate\n"),
        "sh": said(b""),
        "sudo -n find": said(b""),
        "sudo -n zpool import": failed("zpool import", 1, b"no pools available to import\n"),
    }

    facts = await read(bench, Needs(uses=True, importable=True, destroyed=True))

    assert () == facts.unseen
    assert ((), ()) == (facts.importable, facts.destroyed)
    assert 1 == len(sent(bench, "sudo", "-n", "find"))


HANGS = unknown(Command(()), "no answer within 30 s")
CUT = said(b"-" * 36 + b"\nLABEL 0 \n" + b"-" * 36 + b"\n    version: 50")


@pytest.mark.parametrize(
    ("answer", "is_read"),
    [
        (said(b"failed to unpack label 0\nfailed to unpack label 1\n", status=2), True),
        (failed("zdb", 1, b"cannot open '/dev/x': No such file or directory\n"), False),
        (HANGS, False),
        (CUT, False),
        (Stuck("zdb -l hangs; no second one is sent"), False),
        (CommandFailed("sudo -n gave no answer"), False),
    ],
    ids=["none", "gone", "hangs", "cut", "stuck", "no sudo"],
)
async def test_a_device_that_cannot_be_read_costs_only_its_own_label(
    bench: Bench, answer: Completed | Exception, is_read: bool
) -> None:
    """It is not one without a label, and the label beside it is known."""
    bench.host.answers["zdb -l -u /dev/x"] = answer
    healthy = next(bench.world.pools["tank"].root.leaves()).path

    facts = await read(bench, Needs(labels=("/dev/x", healthy)))

    assert is_read is ("/dev/x" not in facts.labels_unread)
    assert [(healthy, "tank")] == [(label.path, label.pool) for label in facts.labels or ()]
    assert frozenset() == facts.labels_barred


@pytest.mark.parametrize("answer", [HANGS, Stuck("zdb -l hangs; no second one is sent"), CUT])
async def test_a_sibling_that_does_not_answer_does_not_keep_a_device_from_coming_back(
    bench: Bench, answer: Completed | Exception
) -> None:
    first, second = bench.world.pools["tank"].root.leaves()
    bench.type(f"zpool offline tank {second.path}")

    bench.host.answers[f"zdb -l -u {first.path}"] = answer
    of_sibling = await bench.operator.prepare(HOST, intent("online", "tank", str(second.guid)))
    bench.host.answers = {f"zdb -l -u {second.path}": answer}
    of_itself = await bench.operator.prepare(HOST, intent("online", "tank", str(second.guid)))

    assert not of_sibling.is_refused
    assert ["label-unknown"] == [each.rule for each in of_itself.refusals]


async def test_a_label_that_a_user_may_not_read_is_told_from_one_that_cannot_be_read(bench: Bench) -> None:
    bench.host.answers |= {
        "id": said(ANN),
        "sudo -n": failed("sudo -n", 1, b"sudo: a password is required"),
        "zdb -l -u /dev/x": failed("zdb", 1, b"cannot open '/dev/x': Permission denied\n"),
        "zdb -l -u /dev/y": HANGS,
    }

    facts = await read(bench, Needs(labels=("/dev/x", "/dev/y")))

    assert frozenset({"/dev/x", "/dev/y"}) == facts.labels_unread
    assert frozenset({"/dev/x"}) == facts.labels_barred


async def test_a_lost_link_is_not_a_device_without_a_label(bench: Bench) -> None:
    bench.host.answers["zdb"] = LinkLost("the link is lost")

    with pytest.raises(LinkLost):
        await read(bench, Needs(labels=("/dev/x",)))


async def test_properties_of_a_pool_and_of_its_root_dataset_are_told_apart(bench: Bench) -> None:
    wanted = (
        ("tank", "autotrim"),
        ("tank", "compression"),
        ("tank/home", "compression"),
        ("tank", "readonly"),
    )

    facts = await read(bench, Needs(properties=wanted))
    every = await read(bench, Needs(properties=(("tank", "all"),)))

    assert "off" == facts.property("tank", "autotrim")
    assert "lz4" == facts.property("tank", "compression")
    assert "lz4" == facts.property("tank/home", "compression")
    assert "off" == facts.property("tank", "readonly")
    assert "ONLINE" == every.property("tank", "health")


async def test_a_property_of_all_below_tells_who_has_it_from_where(bench: Bench) -> None:
    bench.type("zfs set compression=zstd tank/home")

    facts = await read(bench, Needs(properties_below=(("tank", "compression"),)))

    assert ("tank/home", "compression", "zstd", "local") in facts.properties


async def test_a_property_of_what_is_not_there_is_not_known(bench: Bench) -> None:
    facts = await read(bench, Needs(properties=(("tank/nowhere", "mounted"), ("gone", "x"))))

    assert () == facts.properties


async def test_the_system_stands_on_the_pools_of_its_root_and_boot(bench: Bench) -> None:
    bench.host.files["/proc/mounts"] = b"tank/root / zfs rw 0 0\n/dev/sda1 /boot ext4 rw 0 0\n"

    facts = await read(bench, Needs(boot=True))

    assert (frozenset({"tank"}), frozenset()) == (facts.boot_pools, facts.kernel_pools)


async def test_a_pool_that_was_imported_read_only_is_told(bench: Bench) -> None:
    bench.world.pools["tank"].is_readonly = True

    assert frozenset({"tank"}) == (await read(bench, Needs())).read_only_pools


@pytest.mark.parametrize(
    ("words", "may"),
    [(b'[string "channel program"]:2: unexpected symbol near <eof>', True),
     (b"Permission denied. Channel programs must be run as root.", False)],
)  # fmt: skip
async def test_channel_programs_are_tried(bench: Bench, words: bytes, may: bool) -> None:
    words = b"Channel program execution failed:\n" + words
    bench.host.answers["zfs program"] = failed("zfs program", 1, words)

    assert may is (await read(bench, Needs(programs=True))).may_run_programs


async def test_a_suspended_pool_has_its_name_its_guid_and_its_state(bench: Bench) -> None:
    bench.world.pools["tank"].is_suspended = True
    bench.host.answers |= {"zpool": unknown(Command(()), "no answer within 10 s")}

    facts = await read(bench, Needs(datasets=("tank",), uses=True))

    (pool,) = facts.pools
    assert ("tank", "SUSPENDED", bench.world.pools["tank"].guid) == (pool.name, pool.state, pool.guid)
    assert frozenset() == facts.listed


async def test_the_pool_that_it_is_about_must_be_read_another_need_not(bench: Bench) -> None:
    bench.host.answers["zpool status"] = failed("zpool status", 1, b"internal error\n")

    with pytest.raises(CommandFailed, match="zpool status"):
        await read(bench, Needs(), pool="tank")

    (pool,) = (await read(bench, Needs(), pool="other")).pools
    assert ("tank", "ONLINE", ()) == (pool.name, pool.state, pool.vdevs)


async def test_what_the_configuration_forbids_is_a_fact(bench: Bench) -> None:
    policy = HostPolicy("not now", ("tank/*",))

    assert policy == (await read(bench, Needs(), policy=policy)).policy


async def test_our_other_hosts_are_asked_which_pools_they_have() -> None:
    bench, other = Bench(), Bench()
    await other.host.connect()
    operator = bench.another()
    operator._askers["nas2"] = Asker(other.host)
    operator._askers["nas3"] = Asker(unconnected())

    found, unseen = await operator._elsewhere(HOST)

    assert (("nas2", other.world.pools["tank"].guid),) == found
    assert ("nas3 could not be asked which pools it has imported",) == unseen


def unconnected() -> Host:
    """A host that nobody is connected to."""
    return Bench().host
