"""Steps of a move to another host: on which host each is, in which order, and what is left of them."""

from __future__ import annotations

import pytest

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts, steps_with_hosts
from tests.doubles.moving_guests import NEW, OLD, Meanwhile
from zconsole.actions.plan import Plan
from zconsole.actions.storage_at_rest import READONLY
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost
from zconsole.practice.libvirt.guests import SHUT_OFF, PracticeGuestDisk

SENT = [
    "snapshot", "receive on vault1", "snapshot", "receive on vault1", "shutdown", "set", "snapshot",
    "receive on vault1",
]  # fmt: skip
HANDED_OVER = [
    "define on vault1", "set on vault1", "autostart on vault1", "autostart", "start on vault1",
]  # fmt: skip


def settings(made: Plan) -> list[str]:
    return [" ".join((*step.argv, step.on)) for step in made.steps if step.argv[1] == "set"]


async def test_the_old_place_is_read_only_before_the_last_snapshot_is_taken() -> None:
    made = await MovingBetweenHosts().planned()

    assert [*SENT, *HANDED_OVER] == steps_with_hosts(made)
    assert [f"zfs set {READONLY}=on {OLD} ", f"zfs set {READONLY}=off {NEW} vault1"] == settings(made)


async def test_a_file_system_is_mounted_before_the_start() -> None:
    made = await MovingBetweenHosts(on_volume=False).planned()

    assert ["mount on vault1", "autostart on vault1", "autostart", "start on vault1"] == steps_with_hosts(
        made
    )[-4:]


async def test_one_that_is_off_and_not_started_at_boot_is_sent_and_defined_alone() -> None:
    moving = MovingBetweenHosts()
    moving.guest.state, moving.guest.is_started_at_boot = SHUT_OFF, False

    made = await moving.planned()

    assert [
        "snapshot", "receive on vault1", "set", "snapshot", "receive on vault1", "define on vault1",
        "set on vault1",
    ] == steps_with_hosts(made)  # fmt: skip


async def test_the_definition_has_the_new_path_and_all_else_as_it_was() -> None:
    moving = MovingBetweenHosts()

    made = await moving.planned()

    (xml,) = [step.stdin for step in made.steps if step.stdin is not None]
    assert f'"/dev/zvol/{NEW}"' in xml
    assert OLD not in xml
    assert f"<uuid>{moving.guest.uuid}</uuid>" in xml


async def test_handed_over_nothing_is_sent_any_more() -> None:
    moving = MovingBetweenHosts()
    await moving.moved()
    there = moving.there
    assert there is not None
    there.state = SHUT_OFF
    moving.fill(4, NEW, moving.vault_world)

    assert ["start on vault1"] == steps_with_hosts(await moving.planned())


async def test_one_who_went_back_goes_forward_again_from_the_common_snapshot() -> None:
    moving = MovingBetweenHosts()
    await moving.moved(**{"leave-off": True})
    moving.type(f"zfs set {READONLY}=off {OLD}")
    moving.fill(4, OLD)

    made = await moving.planned()

    assert f"zfs set {READONLY}=on {NEW} vault1" == settings(made)[0]
    assert not [step for step in made.steps if step.sender is not None and "-i" not in step.sender.argv]
    run = await moving.carried_out(made)
    assert moving.guids(OLD)[-1] == moving.guids(NEW)[-1], run.words


async def test_the_way_back_sends_what_was_written_there() -> None:
    moving = MovingBetweenHosts()
    await moving.moved()
    moving.fill(4, NEW, moving.vault_world)

    back = await moving.planned(OLD, on="vault1")
    assert () == back.refusals
    run = await moving.carried_out(back)

    assert moving.guest.is_active, run.words
    assert (True, False) == (moving.is_writable(OLD), moving.is_writable(NEW))
    assert moving.guids(OLD)[-1] == moving.guids(NEW)[-1]
    there = moving.there
    assert there is not None
    assert (False, True, False) == (
        there.is_active, moving.guest.is_started_at_boot, there.is_started_at_boot,
    )  # fmt: skip


async def test_equal_names_on_both_hosts_are_two_places() -> None:
    moving = MovingBetweenHosts()
    moving.vault_world.pools["tank"] = pool = moving.vault_world.pools.pop("vault")
    pool.name = "tank"
    for name in list(pool.datasets):
        dataset = pool.datasets.pop(name)
        dataset.name = name.replace("vault", "tank", 1)
        pool.datasets[dataset.name] = dataset

    made = await moving.planned(OLD)

    assert () == made.refusals
    assert [*SENT, *HANDED_OVER] == steps_with_hosts(made)


async def test_each_step_that_the_old_place_must_be_off_for_looks_at_it_again() -> None:
    made = await MovingBetweenHosts().planned()

    rests = [(name, step.at_rest) for name, step in zip(steps_with_hosts(made), made.steps, strict=True)]
    assert ["shutdown", "set", "snapshot", "define on vault1", "set on vault1", "start on vault1"] == [
        name for name, rest in rests if rest is not None
    ]
    sent = f"{OLD}@zconsole-move-3-off"
    assert ["", "", "", sent, sent, sent] == [rest.snapshot for _, rest in rests if rest is not None]


async def test_one_that_somebody_starts_as_the_old_place_becomes_read_only_ends_the_run() -> None:
    moving = MovingBetweenHosts()
    inner = moving.nas.inner
    assert isinstance(inner, PracticeHost)
    start = f"virsh -q -c qemu:///system start {moving.guest.uuid}"
    moving.nas = Meanwhile(inner, "set", 1, lambda: moving.type(start))
    moving.operator = moving.another()

    run = await moving.moved()

    assert RunState.FAILED is run.state
    assert "step 7 was not sent: web01 is running, and not shut off" in run.words
    assert f"is refused now: {OLD} is read-only while web01 runs on it" in run.words
    assert [2, 2] == [len(moving.guids(OLD)), len(moving.guids(NEW))]


async def test_a_guest_that_an_earlier_move_has_shut_down_is_started_there_at_the_end() -> None:
    moving = MovingBetweenHosts()
    moving.type(f"zfs snapshot {OLD}@zconsole-move-1-live", f"zfs snapshot {OLD}@zconsole-move-2-off")
    moving.guest.state = SHUT_OFF

    made = await moving.planned()

    assert "start on vault1" == steps_with_hosts(made)[-1]
    assert "web01 ran when the move was begun: it is started at the end" in made.notes


async def test_an_old_place_that_somebody_opens_again_ends_the_run_before_the_new_one_runs() -> None:
    moving = MovingBetweenHosts()
    inner = moving.vault.inner
    assert isinstance(inner, PracticeHost)
    moving.vault = Meanwhile(inner, "define", 1, lambda: moving.type(f"zfs set readonly=off {OLD}"))
    moving.operator = moving.another()

    run = await moving.moved()

    assert RunState.FAILED is run.state
    assert f"{OLD} is not read-only any more: web01 could be started on both places" in run.words
    assert not moving.is_writable(NEW)


async def test_two_copies_that_somebody_has_turned_round_are_not_taken_for_a_move_that_has_ended() -> None:
    moving = MovingBetweenHosts()
    await moving.moved_and_written(5)
    moving.type(f"zfs set readonly=on {NEW}", world=moving.vault_world)
    moving.type(f"zfs set readonly=off {OLD}")

    back = await moving.planned(OLD, on="vault1")

    sent = ["set on nas1", "snapshot", "receive on nas1", "set on nas1", "define --at boot on nas1"]
    assert sent[:3] == steps_with_hosts(back)[:3]
    assert RunState.DONE is (await moving.carried_out(back)).state
    assert moving.guids(NEW)[-1] == moving.guids(OLD)[-1]


async def test_one_that_is_left_off_there_is_looked_at_once_more_behind_its_last_step() -> None:
    moving = MovingBetweenHosts()
    inner = moving.vault.inner
    assert isinstance(inner, PracticeHost)
    moving.guest.is_started_at_boot = False
    moving.vault = Meanwhile(inner, "set", 1, lambda: moving.type(f"zfs set readonly=off {OLD}"))
    moving.operator = moving.another()

    run = await moving.moved(**{"leave-off": True})

    assert RunState.FAILED is run.state
    assert f"every step is done, but behind the last one {OLD} is not read-only any more" in run.words


@pytest.mark.parametrize(("what", "number", "is_off"), [("snapshot", 2, False), ("set", 1, True)])
async def test_a_disk_that_it_gets_meanwhile_is_not_left_behind(
    what: str, number: int, *, is_off: bool
) -> None:
    """Sending takes hours; where it is seen before the guest is shut down, that runs on."""
    moving = MovingBetweenHosts()
    inner = moving.nas.inner
    assert isinstance(inner, PracticeHost)
    disk = PracticeGuestDisk("vdb", "/dev/zvol/tank/home")
    moving.nas = Meanwhile(inner, what, number, lambda: moving.guest.disks.append(disk))
    moving.operator = moving.another()

    run = await moving.moved()

    assert RunState.FAILED is run.state
    assert "the definition of web01 was changed since this was planned" in run.words
    assert is_off is (moving.guest.state == SHUT_OFF)
    assert moving.there is None


async def test_a_new_place_that_is_gone_behind_the_last_step_is_told() -> None:
    moving = MovingBetweenHosts()
    inner = moving.nas.inner
    assert isinstance(inner, PracticeHost)
    moving.nas = Meanwhile(
        inner, "autostart", 1, lambda: moving.type(f"zfs destroy -r {NEW}", world=moving.vault_world)
    )
    moving.operator = moving.another()

    run = await moving.moved(**{"leave-off": True})

    assert RunState.FAILED is run.state
    assert f"behind the last one {NEW}@zconsole-move-3-off on vault1 is not there any more" in run.words


async def test_a_new_place_that_was_renamed_is_not_replaced_by_the_old_copy() -> None:
    """The guest has run there: an empty name is no proof that nothing was written under it."""
    moving = MovingBetweenHosts()
    await moving.moved()
    assert moving.there is not None
    moving.there.state = SHUT_OFF
    moving.type(f"zfs rename {NEW} vault/aside", world=moving.vault_world)

    plan = await moving.planned()

    assert "lives-there" in [each.rule for each in plan.refusals]
