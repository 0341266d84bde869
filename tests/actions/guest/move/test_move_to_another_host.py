"""Plans of a move to another host: what refuses them, what they say, and what makes them stale."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import GUEST, NEW, OLD
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan, Risk
from zconsole.base.errors import HostError
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.model.run import RunState
from zconsole.practice.containers.practice_container import PracticeContainer
from zconsole.practice.libvirt.guests import PAUSED, RUNNING, SHUT_OFF, PracticeGuest, PracticeGuestDisk

READ_ONLY = Config(hosts=(HostConfig("vault1", "vault1", is_read_only=True),))
Changed = Callable[[MovingBetweenHosts], object]


def rules(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


def another(moving: MovingBetweenHosts, name: str, uuid: str = "") -> None:
    moving.vault_world.guests.append(
        PracticeGuest(name, [PracticeGuestDisk("vda", "/dev/zvol/vault/x")], RUNNING, own_uuid=uuid)
    )


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda m: another(m, GUEST, "11111111-1111-1111-1111-111111111111"), "other-guest"),
        (lambda m: another(m, "db02", m.guest.uuid), "other-guest"),
        (lambda m: another(m, GUEST), "split-brain"),
        (lambda m: m.vault_world.lacking.add("virsh"), "no-libvirt"),
        (lambda m: setattr(m.guest, "state", PAUSED), "guest-state"),
        (lambda m: setattr(m.guest, "has_saved_memory", True), "saved-memory"),
        (lambda m: m.guest.disks.append(PracticeGuestDisk("vdb", "/dev/zvol/tank/home")), "disks-elsewhere"),
        (lambda m: m.type(f"zfs create {NEW}", world=m.vault_world), "exists"),
        (lambda m: m.type(f"zfs set readonly=on {OLD}"), "read-only-source"),
        (lambda m: setattr(m.policies, "config", READ_ONLY), "read-only"),
    ],
)  # fmt: skip
async def test_what_would_go_wrong_is_refused(change: Changed, rule: str) -> None:
    moving = MovingBetweenHosts()
    change(moving)

    made = await moving.planned()

    assert rule in rules(made)
    assert Risk.REFUSED is made.risk


async def test_a_place_that_another_guest_there_is_defined_with_is_refused() -> None:
    moving = MovingBetweenHosts()
    disk = PracticeGuestDisk("vda", moving.path(NEW))
    moving.vault_world.guests.append(PracticeGuest("db02", [disk], SHUT_OFF))

    made = await moving.planned()

    assert "shared" in rules(made)
    assert any("the definition of db02 names /dev/zvol/vault/web01" in each.reason for each in made.refusals)


async def test_a_container_that_runs_on_the_dataset_refuses() -> None:
    moving = MovingBetweenHosts(on_volume=False)
    mounts = [("/", "zfs", OLD, "rw,xattr"), ("/proc", "proc", "proc", "rw")]
    moving.nas_world.containers = [PracticeContainer("/lxc.payload.web1/init.scope", 5200, mounts)]

    made = await moving.planned()

    assert "in-use" in rules(made)
    assert any("container web1 uses" in each.reason for each in made.refusals)


async def test_a_host_that_is_none_of_ours_is_named() -> None:
    moving = MovingBetweenHosts()

    with pytest.raises(HostError, match="elsewhere1 is none of our hosts"):
        await moving.operator.prepare("nas1", intent("guest-move", GUEST, NEW, options={"to": "elsewhere1"}))


async def test_its_own_host_is_no_other() -> None:
    moving = MovingBetweenHosts()

    made = await moving.operator.prepare(
        "nas1", intent("guest-move", GUEST, "tank/x", options={"to": "nas1"})
    )

    assert ([], None) == (rules(made), made.other)


async def test_it_says_what_is_kept_and_both_ways_back() -> None:
    made = await MovingBetweenHosts().planned()

    assert ((), "web01") == (made.destroys, made.confirm)
    assert made.undo is not None
    assert f"on nas1, zfs set readonly=off {OLD}, then guest-start web01" in made.undo
    assert f"zconsole plan guest-move web01 {OLD} --to nas1 --host vault1" in made.undo
    assert any(note.startswith(f"{OLD} is kept with its snapshots, read-only") for note in made.stays)
    assert not [word for step in made.steps for word in step.argv if word in {"-F", "-f", "destroy"}]


@pytest.mark.parametrize(
    "change",
    [
        lambda m: another(m, GUEST),
        lambda m: m.type(f"zfs create {NEW}", world=m.vault_world),
        lambda m: m.type(f"zfs set readonly=on {OLD}"),
        lambda m: setattr(m.vault_world, "machine_id", "f" * 32),
    ],
)
async def test_a_change_on_either_host_makes_it_stale(change: Changed) -> None:
    moving = MovingBetweenHosts()
    made = await moving.planned()
    change(moving)

    run = await moving.carried_out(made)

    assert run.state in {RunState.STALE, RunState.REFUSED}, run.words
    assert (RUNNING, []) == (moving.guest.state, moving.guids(OLD))


async def test_a_guest_started_by_hand_at_its_old_place_fails_behind_the_hand_over() -> None:
    moving = MovingBetweenHosts()
    await moving.moved()

    run = await moving.carried_out(await moving.operator.prepare("nas1", intent("guest-start", GUEST)))

    assert RunState.FAILED is run.state
    assert "Read-only file system" in run.words


async def test_a_move_that_goes_on_tells_the_rest() -> None:
    moving = MovingBetweenHosts()
    first = await moving.planned()
    assert any("16.1 MiB are sent while it runs in" in each for each in first.downtime)
    assert not any("older snapshot" in each for each in first.stays)
    moving.type(f"zfs snapshot {OLD}@zconsole-move-1-live")
    assert RunState.DONE is (await moving.carried_out(await moving.planned(leave_off=True))).state
    moving.guest.state = RUNNING
    moving.type(f"zfs set readonly=off {OLD}")
    moving.fill(3, OLD)

    rest = await moving.planned()

    (told,) = [each for each in rest.downtime if "which is assumed" in each]
    assert ", about what remains of 19." in told
    assert not any("older snapshot" in each for each in rest.stays)


@pytest.mark.parametrize(
    ("renamed", "target"), [("", "vault/other"), ("vault/production", NEW)], ids=["another place", "renamed"]
)
async def test_a_guest_that_has_run_there_is_not_set_back_to_what_the_old_place_has(
    renamed: str, target: str
) -> None:
    moving = MovingBetweenHosts()
    there = await moving.moved_and_written(5)
    if renamed:
        moving.type(f"zfs rename {NEW} {renamed}", world=moving.vault_world)
        there.disks[0].source = moving.path(renamed)

    made = await moving.planned(target)

    assert "lives-there" in rules(made)
    place = renamed or NEW
    assert any(
        f"a definition of web01 with vda at {moving.path(place)}" in each.reason for each in made.refusals
    )
