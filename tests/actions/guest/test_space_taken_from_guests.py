"""Plans that take space from running guests name them, and say what is left as ZFS then does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.actions.pool.test_practice import BEGAN, Acting
from tests.doubles.faulty_host import DrivenClock
from tests.doubles.plan_worlds import GIB, filesystem, host, snapshot, volume
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.base.clock import ManualClock
from zconsole.base.fixed_width_formatting import size
from zconsole.base.quantities import parse_bytes
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.datasets.snapshot_contents import Extent, FileLookup, FileState, FileType, Mounted
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.libvirt.guests import ZVOL, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.world.dataset_writes_and_snapshots import write
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

Words = tuple[str, ...]


@pytest.fixture
def nas(tmp_path: Path) -> Acting:
    """A host with a guest on a sparse volume, one on a file system, and one on a thick volume."""
    manual = ManualClock(BEGAN)
    clock = DrivenClock(manual)
    made = PracticeHost("nas", manual, world=create_world("mirror 0 1"))
    made.world.lacking -= {"virsh", "qemu-img"}
    for words in (
        ("zfs", "create", "tank/vm"),
        ("zfs", "create", "-s", "-V", "1T", "tank/vm/sparse"),
        ("zfs", "create", "-V", "64M", "tank/vm/thick"),
        ("zfs", "create", "tank/other"),
        ("zfs", "create", "-o", "quota=1G", "tank/small"),
    ):
        done = answer(made.world, words)
        assert 0 == done.status, done
    disks = {
        "web01": f"{ZVOL}tank/vm/sparse",
        "mail01": "/tank/vm/mail01.raw",
        "db02": f"{ZVOL}tank/vm/thick",
    }
    for name, path in disks.items():
        disk = PracticeGuestDisk("vda", path, "raw", cache="none")
        made.world.guests.append(PracticeGuest(name, [disk]))
    journal = Journal(tmp_path / "journal.sqlite")
    return Acting(made, Operator([made], clock=clock, policies=Policies(clock=clock), journal=journal))


def available(nas: Acting, name: str) -> int:
    done = answer(nas.host.world, ("zfs", "get", "-Hpo", "value", "available", name))
    return int(done.stdout)


def taking(room: int) -> dict[str, tuple[Words, bool]]:
    """Actions by words, and whether they leave the guests next to nothing."""
    most = room - room // 50
    return {
        "reservation": (("set", "tank/other", f"reservation={most}"), True),
        "little": (("set", "tank/other", "reservation=1G"), False),
        "refreservation": (("set", "tank/other", f"refreservation={most}"), True),
        "auto": (("set", "tank/other-volume", "refreservation=auto"), True),
        "volsize": (("set", "tank/thick", f"volsize={most * 98 // 100 // 16384 * 16384}"), True),
        "create": (("create", "tank/new", f"reservation={most}"), True),
        "nested": (("create", "tank/a/b", f"reservation={most}"), True),
    }


@pytest.mark.parametrize("case", sorted(taking(1)))
async def test_it_says_what_is_left_for_the_running_guests_as_it_then_is(nas: Acting, case: str) -> None:
    room = available(nas, "tank/vm")
    whole = (room - room // 50) // 16384 * 16384
    for words in (
        ("zfs", "create", "-s", "-V", str(whole), "tank/other-volume"),
        ("zfs", "create", "-V", "16M", "tank/thick"),
    ):
        assert 0 == answer(nas.host.world, words).status
    (action, target, *more), is_little = taking(available(nas, "tank/vm"))[case]

    made = await nas.plan(action, target, *more, **({"parents": True} if case == "nested" else {}))

    assert [] == [each.reason for each in made.refusals]
    assert (Risk.CATASTROPHIC if is_little else made.risk) is made.risk
    assert is_little == (Risk.CATASTROPHIC is made.risk)
    assert ({"web01", "mail01"} if is_little else set()) == {
        each.name for each in made.dependents if each.kind == "guest"
    }
    ran = answer(nas.host.world, made.steps[0].argv)
    assert 0 == ran.status, ran
    left = size(available(nas, "tank/vm"))
    told = [each for each in made.warnings if "runs: mail01, web01" in each]
    assert ([left] if is_little else []) == [each.partition(" are left then")[0] for each in told]
    assert not is_little or "paused until there is space and they are resumed: mail01, web01" in told[0]
    assert made.space[0].startswith(f"{left} are left then for all else in tank") or case == "nested"


async def test_while_a_tenth_is_left_that_is_told_without_a_warning(nas: Acting) -> None:
    made = await nas.plan("set", "tank/other", "reservation=16M")

    assert (Risk.CAUTION, ()) == (made.risk, made.warnings)
    assert any("are left then for all else in tank" in each for each in made.space)


@pytest.mark.parametrize("action", ["set", "create", "rename"])
async def test_a_volume_whose_refreservation_covers_less_than_its_size_is_at_risk(
    nas: Acting, action: str
) -> None:
    for words in (
        ("zfs", "set", "refreservation=16M", "tank/vm/thick"),
        ("zfs", "create", "tank/all"),
        ("zfs", "rename", "tank/vm", "tank/all/vm"),
        ("zfs", "create", "-o", "reservation=1900M", "tank/big"),
    ):
        assert 0 == answer(nas.host.world, words).status
    for guest in nas.host.world.guests:
        for disk in guest.disks:
            disk.source = disk.source.replace("/tank/vm", "/tank/all/vm").replace(
                "/dev/zvol/tank/vm", "/dev/zvol/tank/all/vm"
            )
    most = available(nas, "tank/all/vm") * 19 // 20
    taking = {
        "set": ("set", "tank/other", f"reservation={most}"),
        "create": ("create", "tank/new", f"reservation={most}"),
        "rename": ("rename", "tank/big", "tank/all/big"),
    }
    if action == "rename":
        answer(nas.host.world, ("zfs", "set", "quota=2G", "tank/all"))

    made = await nas.plan(*taking[action])

    assert any("db02" in each for each in made.warnings), made.warnings
    answer(nas.host.world, ("zfs", "set", "refreservation=auto", "tank/all/vm/thick"))
    again = await nas.plan(*taking[action])
    assert any("web01" in each for each in again.warnings)
    assert not any("db02" in each for each in again.warnings), again.warnings


async def test_a_thick_volume_names_them_and_a_sparse_one_takes_nothing(nas: Acting) -> None:
    most = available(nas, "tank/vm") * 19 // 20

    thick = await nas.plan("create", "tank/new", volume=str(most))
    sparse = await nas.plan("create", "tank/new", volume=str(most), sparse=True)

    assert Risk.CATASTROPHIC is thick.risk
    assert Risk.ROUTINE is sparse.risk
    assert () == sparse.dependents


async def test_the_snapshot_of_a_thick_volume_takes_what_it_reserves_again(nas: Acting) -> None:
    most = available(nas, "tank/vm") * 48 // 100 // 16384 * 16384
    answer(nas.host.world, ("zfs", "create", "-V", str(most), "tank/big"))
    pool = nas.host.world.pools["tank"]
    write(pool, pool.datasets["tank/big"], most * 99 // 100)

    made = await nas.plan("snapshot", "tank/big@a")

    assert 0 == answer(nas.host.world, made.steps[0].argv).status
    left = size(available(nas, "tank/vm"))
    assert [True] == [each.startswith(f"{left} are left then") for each in made.warnings if "web01" in each]
    assert Risk.CATASTROPHIC is made.risk


async def test_a_rename_brings_its_reservation_into_the_quota_of_others(nas: Acting) -> None:
    answer(nas.host.world, ("zfs", "create", "-o", "reservation=960M", "tank/moved"))
    disk = PracticeGuestDisk("vda", "/tank/small/app.raw", "raw")
    nas.host.world.guests.append(PracticeGuest("app01", [disk]))

    made = await nas.plan("rename", "tank/moved", "tank/small/moved")

    assert Risk.CATASTROPHIC is made.risk
    assert {"app01"} == {each.name for each in made.dependents if each.kind == "guest"}
    assert any("a limit gives EDQUOT" in each and "app01" in each for each in made.warnings)


async def test_what_a_reservation_above_holds_is_taken_from_nobody_else(nas: Acting) -> None:
    answer(nas.host.world, ("zfs", "set", "reservation=5G", "tank/other"))

    made = await nas.plan("create", "tank/other/in", "reservation=2G")

    assert () == made.dependents
    assert not any("web01" in each for each in made.warnings)


def planned(*words: str, uses: tuple[OutsideUse, ...] | None) -> Plan:
    tree = (
        filesystem("tank", used_bytes=0, available_bytes=100 * GIB),
        volume("tank/db", used_bytes=0),
        filesystem("tank/new", used_bytes=0),
    )
    action, target, *more = words
    return plan(intent(action, target, *more), host(tree, uses=uses))


def test_a_container_and_a_medium_that_is_only_read() -> None:
    container = OutsideUse("tank/db", "container", "ct1", "Incus", "incus stop ct1")
    reader = OutsideUse("/dev/zvol/tank/db", "guest", "web01", "/dev/zvol/tank/db", is_written=False)

    made = planned("set", "tank/new", "reservation=95G", uses=(container, reader))

    assert {"ct1"} == {each.name for each in made.dependents if each.kind in {"guest", "container"}}
    assert any("the writes of these containers fail: ct1" in each for each in made.warnings)


def test_without_the_uses_it_says_that_nobody_knows_who_writes() -> None:
    made = planned("set", "tank/new", "reservation=95G", uses=None)

    assert any("which running guests write to tank is not known" in each for each in made.warnings)
    assert any(each.startswith("5.0") and "are left then for all else in tank" in each for each in made.space)


def grown(nas: Acting, amount: int) -> None:
    """A file system with so many bytes, and a snapshot of it."""
    assert 0 == answer(nas.host.world, ("zfs", "create", "tank/base")).status
    pool = nas.host.world.pools["tank"]
    write(pool, pool.datasets["tank/base"], amount)
    assert 0 == answer(nas.host.world, ("zfs", "snapshot", "tank/base@gold")).status


@pytest.mark.parametrize(("share", "is_little"), [(40, False), (48, True)])
async def test_a_receive_says_what_its_stream_leaves_for_the_running_guests(
    nas: Acting, share: int, *, is_little: bool
) -> None:
    grown(nas, available(nas, "tank") * share // 100)

    made = await nas.plan("receive", "tank/copy", "tank/base@gold")

    assert [] == [each.reason for each in made.refusals]
    assert is_little == (Risk.CATASTROPHIC is made.risk)
    assert ({"web01", "mail01"} if is_little else set()) == {
        each.name for each in made.dependents if each.kind == "guest"
    }
    sent = next(each for each in made.notes if each.startswith("about ")).split(" are sent")[0]
    told = made.space[0]
    assert is_little == any("runs: mail01, web01" in each for each in made.warnings)
    write(nas.host.world.pools["tank"], nas.host.world.pools["tank"].datasets["tank/other"],
          made.steps[0].sender.size_bytes)  # fmt: skip
    assert size(available(nas, "tank/vm")) == told.partition(" are left then")[0], sent


async def test_a_receive_that_does_not_fit_has_the_command_that_frees_what_lacks(nas: Acting) -> None:
    grown(nas, available(nas, "tank") * 60 // 100)

    made = await nas.plan("receive", "tank/copy", "tank/base@gold")

    (refusal,) = made.refusals
    assert "space" == refusal.rule
    assert ("zconsole", "reclaim", "tank", "--need") == refusal.command[:4]
    assert made.steps[0].sender is not None
    lacks = (made.steps[0].sender.size_bytes or 0) - available(nas, "tank")
    assert lacks <= parse_bytes(refusal.command[4]) <= lacks + (1 << 30)


def test_a_copy_of_a_file_that_takes_much_names_the_guests() -> None:
    snap = "/tank/new/.zfs/snapshot/a"
    files = (
        FileState("/tank/new", FileType.FOLDER, 50, 1, 0, 0),
        FileState(f"{snap}/x", FileType.FILE, 77, 2, 95 * GIB, 0),
    )
    looked = FileLookup(
        (Mounted("tank/new", "/tank/new"),),
        frozenset(each.path for each in files),
        files,
        (("/tank/new", "/tank/new"), (snap, snap)),
        ((f"{snap}/x", Extent(95 * GIB, 95 * GIB, 1)),),
    )
    tree = (
        filesystem("tank", used_bytes=0, available_bytes=100 * GIB),
        volume("tank/db", used_bytes=0),
        filesystem("tank/new", used_bytes=0),
        snapshot("tank/new@a"),
    )
    uses = (OutsideUse("/dev/zvol/tank/db", "guest", "web01", "/dev/zvol/tank/db"),)
    wanted = intent("restore", "tank/new@a", "x")
    facts = host(tree, files=looked, uses=None)

    assert spec("restore").last is not None
    assert spec("restore").last(wanted, facts).uses  # type: ignore[misc]
    made = plan(wanted, replace(facts, uses=uses))

    assert Risk.CATASTROPHIC is made.risk
    assert {"web01"} == {each.name for each in made.dependents if each.kind == "guest"}
    assert "it takes 95.0 GiB of the 100 GiB available to tank/new; 5.00 GiB are left" in made.notes


async def test_the_removal_of_a_vdev_says_what_the_smaller_pool_leaves_for_the_running_guests(
    tmp_path: Path,
) -> None:
    clock = ManualClock(BEGAN)
    made_host = PracticeHost("nas", clock, world=create_world("mirror 0 1 mirror 2 3"))
    made_host.world.lacking -= {"virsh", "qemu-img"}
    assert 0 == answer(made_host.world, ("zfs", "create", "tank/vm")).status
    made_host.world.guests.append(
        PracticeGuest("mail01", [PracticeGuestDisk("vda", "/tank/vm/mail01.raw", "raw")])
    )
    journal = Journal(tmp_path / "journal.sqlite")
    nas = Acting(
        made_host, Operator([made_host], clock=clock, policies=Policies(clock=clock), journal=journal)
    )
    pool = made_host.world.pools["tank"]
    write(pool, pool.datasets["tank/vm"], available(nas, "tank") * 47 // 100)
    before = available(nas, "tank")

    made = await nas.plan("remove", "tank", "mirror-1")

    assert [] == [each.reason for each in made.refusals]
    assert Risk.CATASTROPHIC is made.risk
    assert {"mail01"} == {each.name for each in made.dependents if each.kind == "guest"}
    assert any(
        each.startswith(f"tank has {size(before)} available, and is smaller by") for each in made.notes
    )
    write(pool, pool.datasets["tank/vm"], before * 9 // 10)
    (refusal,) = (await nas.plan("remove", "tank", "mirror-1")).refusals
    assert "not-enough-space" == refusal.rule
    assert ("zconsole", "reclaim", "tank", "--need") == refusal.command[:4]
