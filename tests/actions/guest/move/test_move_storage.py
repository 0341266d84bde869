"""Plans of a move of a guest's storage on a practice host: what they do, and what refuses them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.doubles.moving_guests import NEW, OLD, MovingGuest, in_short
from tests.doubles.replicating import MIB
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan, Risk
from zconsole.base.errors import UsageError
from zconsole.hosts.host import Command
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import PAUSED, RUNNING, SHUT_OFF, PracticeGuest, PracticeGuestDisk

END = ("set", "define", "start")
Changed = Callable[[MovingGuest], object]


async def planned(moving: MovingGuest, target: str = NEW, **options: str | bool) -> Plan:
    return await moving.plan("guest-move", "web01", target, **options)


def rules(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


def steps(made: Plan) -> list[str]:
    return [in_short(step.argv) for step in made.steps]


async def test_most_is_sent_while_it_runs_and_the_rest_when_it_is_off() -> None:
    made = await planned(MovingGuest())

    assert ([], Risk.CAUTION, "web01") == (rules(made), made.risk, made.confirm)
    assert [
        "snapshot", "receive", "snapshot", "receive", "shutdown", "snapshot", "receive", *END,
    ] == steps(made)  # fmt: skip
    fed = [" ".join(step.sender.argv) for step in made.steps if step.sender is not None]
    one, two, three = (
        f"{OLD}@zconsole-move-1-live",
        f"{OLD}@zconsole-move-2-live",
        f"{OLD}@zconsole-move-3-off",
    )
    assert [one, f"-i {one} {two}", f"-i {two} {three}"] == [
        line.removeprefix("zfs send -L -e -c ") for line in fed
    ]


async def test_nothing_is_destroyed_and_the_way_back_is_said() -> None:
    made = await planned(MovingGuest())

    assert ((), ()) == (made.destroys, made.loses)
    assert made.undo is not None
    assert f"zconsole plan guest-move web01 {OLD}" in made.undo
    assert any(f"{OLD} is kept" in note for note in made.stays)
    assert not [word for step in made.steps for word in step.argv if word in {"-F", "-f", "destroy"}]


async def test_one_that_is_off_is_sent_once_and_stays_off() -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF

    made = await planned(moving)

    assert ["snapshot", "receive", "set", "define"] == steps(made)
    assert (f"zfs snapshot {OLD}@zconsole-move-1-off").split() == list(made.steps[0].argv)


async def test_leave_off_does_not_start_it() -> None:
    made = await planned(MovingGuest(), **{"leave-off": True})

    assert "shutdown" in steps(made)
    assert "start" not in steps(made)


async def test_a_file_system_is_mounted_and_its_files_keep_their_places() -> None:
    made = await planned(MovingGuest(on_volume=False))

    assert ["set", "define", "mount", "start"] == steps(made)[-4:]
    assert 'file="/vault/web01/disk.qcow2"' in (made.steps[-3].stdin or "")


async def test_what_was_set_at_the_old_place_is_set_at_the_new_one() -> None:
    moving = MovingGuest()
    moving.type(f"zfs set compression=zstd {OLD}", f"zfs set primarycache=metadata {OLD}")

    (made,) = [step for step in (await planned(moving)).steps if step.argv[1] == "set"]

    assert ("zfs", "set", "readonly=off", "compression=zstd", "primarycache=metadata", NEW) == made.argv


async def test_the_deadline_of_the_shutdown_is_the_users() -> None:
    made = await planned(MovingGuest(), within="10m")

    assert [600.0] == [step.waits_s for step in made.steps if "shutdown" in step.argv]


def _another_guest(moving: MovingGuest) -> None:
    moving.nas_world.guests.append(PracticeGuest("db02", [PracticeGuestDisk("vda", f"/{OLD}/other.img")]))


def _another_disk(moving: MovingGuest) -> None:
    moving.type("zfs create -s -V 64M tank/data")
    moving.guest.disks.append(PracticeGuestDisk("vdb", "/dev/zvol/tank/data"))


def _backing(moving: MovingGuest) -> None:
    path, image = next(iter(moving.nas_world.images.items()))
    moving.nas_world.images["/tank/base.qcow2"] = replace(image, path="/tank/base.qcow2")
    image.backing = "/tank/base.qcow2"
    assert path == image.path


def _no_qemu_img(moving: MovingGuest) -> None:
    moving.nas_world.lacking.add("qemu-img")


def _partly_of_another(moving: MovingGuest) -> None:
    moving.type(f"zfs create -s -V 128M {NEW}", f"zfs snapshot {NEW}@x")


def _attribute(name: str, value: object) -> Changed:
    return lambda moving: setattr(moving.guest, name, value)


@pytest.mark.parametrize(
    ("changed", "rule", "on_volume"),
    [
        (_attribute("state", PAUSED), "guest-state", True),
        (_attribute("is_persistent", False), "transient", True),
        (_attribute("has_saved_memory", True), "saved-memory", True),
        (_attribute("has_snapshots", True), "guest-snapshots", True),
        (_another_guest, "shared", False),
        (_another_disk, "disks-elsewhere", True),
        (_backing, "backing-file", False),
        (_no_qemu_img, "image-unread", False),
        (lambda moving: moving.type(f"zfs create {NEW}"), "exists", True),
        (lambda moving: moving.type(f"zfs create {NEW}"), "exists", False),
        (_partly_of_another, "exists", True),
        (lambda moving: moving.type("zfs set mountpoint=none vault"), "not-mounted", False),
        (lambda moving: moving.type("zfs set quota=1M vault"), "space", True),
        (lambda moving: moving.type("zfs set mountpoint=/usr vault"), "system-mountpoint", False),
        (lambda moving: moving.nas_world.lacking.add("virsh"), "no-libvirt", True),
    ],
)
async def test_what_would_lose_or_break_something_is_refused(
    changed: Changed, rule: str, on_volume: bool
) -> None:
    moving = MovingGuest(on_volume=on_volume)
    assert [] == rules(await planned(moving))

    changed(moving)

    assert rule in rules(await planned(moving))


async def test_of_one_place_only_its_disks_are_moved() -> None:
    moving = MovingGuest()
    _another_disk(moving)

    made = await planned(moving, of=OLD)
    await moving.run(made)

    assert [] == rules(made)
    assert ["/dev/zvol/vault/web01", "/dev/zvol/tank/data"] == [disk.source for disk in moving.guest.disks]


@pytest.mark.parametrize(
    ("target", "rule"),
    [("gone/web01", "unread"), (OLD, "already-there"), ("vault/a/b", "no-parent")],
)
async def test_a_place_that_cannot_be_is_refused(target: str, rule: str) -> None:
    assert rule in rules(await planned(MovingGuest(), target))


async def test_a_missing_parent_is_created_by_a_command_and_not_by_an_option_that_there_is_not() -> None:
    made = await planned(MovingGuest(), "vault/a/b")

    told = next(each.instead for each in made.refusals if each.rule == "no-parent")
    known = {option.name for option in spec(made.intent.action).options}
    assert "create it first: zconsole plan create vault/a --parents" == told
    assert known >= {name for _, again in made.alternatives if again.action == made.intent.action
                     for name, _ in again.options}  # fmt: skip


async def test_a_copy_that_was_changed_is_not_overwritten() -> None:
    moving = MovingGuest()
    moving.type(f"zfs snapshot {OLD}@zconsole-move-1-live")
    await moving.do("receive", NEW, f"{OLD}@zconsole-move-1-live")
    moving.type(f"zfs set readonly=off {NEW}")
    moving.fill(1, NEW)

    made = await planned(moving)

    assert ["changed"] == rules(made)
    assert [intent("rollback", f"{NEW}@zconsole-move-1-live")] == [each for _, each in made.alternatives]


async def test_one_that_runs_there_is_not_moved_again() -> None:
    moving = MovingGuest()
    await moving.move()

    assert ["already-there"] == rules(await planned(moving))


async def test_a_running_guest_with_other_disks_stored_is_refused() -> None:
    moving = MovingGuest()
    _another_disk(moving)
    await moving.nas.connect()
    stored = Command(
        ("virsh", "-r", "-q", "-c", "qemu:///system", "dumpxml", "--inactive", moving.guest.uuid)
    )
    moving.nas.answers[" ".join(stored.argv)] = await moving.nas.run(stored)
    del moving.guest.disks[1]

    assert "pending" in rules(await planned(moving, of=OLD))


@pytest.mark.parametrize("words", [("web01",), ("web99", NEW), ("web01", "vault"), ("web01", NEW, "more")])
async def test_words_that_mean_nothing_are_told(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        await MovingGuest().plan("guest-move", *words)


async def test_the_way_back_sends_what_was_written_since() -> None:
    moving = MovingGuest()
    await moving.move()
    moving.fill(4, NEW)

    run = await moving.move(OLD)

    assert f"/dev/zvol/{OLD}" == moving.disk, run
    assert moving.guids(NEW)[-1] == moving.guids(OLD)[-1]
    moved = [step.moved.bytes for step in run.steps if step.moved is not None]
    assert sum(moved) < 8 * MIB


async def test_a_pools_name_is_refused_with_what_to_write() -> None:
    with pytest.raises(UsageError, match="'vault' is a pool's name") as caught:
        await planned(MovingGuest(), "vault")

    assert "Name the new dataset or volume: zconsole plan guest-move web01 vault/web01" == caught.value.hint


async def test_a_file_system_that_is_there_is_refused_with_a_name_below_it() -> None:
    moving = MovingGuest()
    moving.type("zfs create vault/vm")

    (refused,) = (await planned(moving, "vault/vm")).refusals

    assert ("exists", "choose another name, such as vault/vm/web01 below it") == (
        refused.rule,
        refused.instead,
    )


async def test_the_way_back_is_offered_after_snapshots_of_others_at_the_old_place() -> None:
    moving = MovingGuest()
    await moving.move()
    moving.type(f"zfs snapshot {OLD}@hourly-1", f"zfs snapshot {OLD}@hourly-2")
    moving.fill(4, NEW)

    made = await planned(moving, OLD)

    assert ["newer"] == rules(made)
    assert "hourly-1, hourly-2" in made.refusals[0].reason
    ((_, first),) = made.alternatives
    assert intent("rollback", f"{OLD}@zconsole-move-3-off", options={"recursive": True}) == first
    await moving.do(first.action, first.target, **dict(first.options))
    run = await moving.move(OLD)
    assert (RunState.DONE, f"/dev/zvol/{OLD}") == (run.state, moving.disk), run.words


@pytest.mark.parametrize("on_volume", [True, False], ids=["volume", "file"])
async def test_a_place_below_the_old_one_is_refused(on_volume: bool) -> None:
    made = await planned(MovingGuest(on_volume=on_volume), f"{OLD}/x")

    assert "below" in rules(made)
    assert not [each for each in made.stays if "destroy" in each]


async def test_of_a_target_that_is_no_copy_nothing_is_told_as_sent() -> None:
    moving = MovingGuest()
    moving.type(f"zfs create -s -V 128M {NEW}")

    made = await planned(moving)

    assert ["exists"] == rules(made)
    assert ([], []) == (list(made.space), [each for each in made.notes if "only the rest" in each])


async def test_the_file_system_above_the_old_place_is_not_answered_with_the_old_place() -> None:
    moving = MovingGuest()
    moving.type("zfs create tank/vm", f"zfs rename {OLD} tank/vm/web01")
    moving.guest.disks[0].source = "/dev/zvol/tank/vm/web01"

    made = await planned(moving, "tank/vm")

    assert [("exists", "choose another name")] == [(each.rule, each.instead) for each in made.refusals]


@pytest.mark.parametrize("target", [NEW, "vault/other"], ids=["renamed", "other"])
async def test_a_guest_that_a_move_has_shut_down_is_started_by_the_next_one_wherever_it_goes(
    target: str,
) -> None:
    moving = MovingGuest()
    moving.meanwhile("receive", 3, lambda: moving.type(f"zfs rename {NEW} vault/elsewhere"))
    assert RunState.FAILED is (await moving.move()).state
    assert SHUT_OFF == moving.guest.state

    left = await moving.again(target)

    assert "start" == steps(left)[-1]
    assert "web01 ran when the move was begun: it is started at the end" in left.notes
    begun = f"begun with {OLD}@zconsole-move-1-live, got as far as {OLD}@zconsole-move-3-off, and has not"
    assert [each for each in left.warnings if begun in each]
    assert RunState.DONE is (await moving.run(left, moving.another())).state
    assert RUNNING == moving.guest.state


async def test_a_move_that_goes_on_into_a_pool_without_space_is_refused() -> None:
    moving = MovingGuest()
    room = int(moving.get("vault", "available"))

    def fill() -> None:
        moving.type("zfs create vault/fill", f"zfs set reservation={room - 8 * MIB} vault/fill")

    moving.meanwhile("receive", 1, fill)
    run = await moving.move()
    assert f"zconsole plan guest-move web01 {NEW} is refused now: {NEW} needs" in run.words

    left = await moving.again()

    assert ["space"] == rules(left)
    assert "more, and vault has" in left.refusals[0].reason
    assert ("zconsole", "reclaim", "vault") == left.refusals[0].command[:3]
    moving.type("zfs destroy vault/fill")
    assert [] == rules(await moving.again())


async def test_the_old_copy_of_a_move_to_another_host_is_not_made_writable_by_a_move_on_its_host() -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF
    moving.type(f"zfs set readonly=on {OLD}")

    assert ["read-only-source"] == rules(await planned(moving))

    moving.type(f"zfs set readonly=off {OLD}")

    assert [] == rules(await planned(moving))


async def test_no_disk_comes_to_a_place_that_another_disk_of_the_guest_names_and_that_is_gone() -> None:
    moving = MovingGuest()
    moving.guest.state = SHUT_OFF
    moving.type("zfs create -s -V 16M tank/data", f"zfs rename {OLD} tank/aside")
    moving.guest.disks.append(PracticeGuestDisk("vdb", "/dev/zvol/tank/data"))

    made = await planned(moving, OLD)

    assert ["gone"] == rules(made)
    assert "which does not exist: vda" in made.refusals[0].reason


async def test_a_move_is_not_ended_where_the_image_is_not_on_the_new_place() -> None:
    """Somebody has destroyed that, and made an empty file system of its name."""
    moving = MovingGuest(on_volume=False)
    await moving.move(**{"leave-off": True})
    moving.type(f"zfs destroy -r {NEW}", f"zfs create {NEW}")

    made = await planned(moving)

    assert ["gone"] == rules(made)
    assert f"/{NEW}/disk.qcow2, which does not exist" in made.refusals[0].reason


async def test_a_place_that_is_read_only_again_is_not_taken_for_one_whose_move_is_unfinished() -> None:
    """The guest was moved on from it to another host, which left it so."""
    moving = MovingGuest()
    await moving.move(**{"leave-off": True})
    moving.type(f"zfs set readonly=on {NEW}")

    assert ["read-only-source"] == rules(await planned(moving))
