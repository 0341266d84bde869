"""Checked and destroyed in one txg on a real OpenZFS: what goes, and what stops it."""

from __future__ import annotations

import shlex

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import Guest
from tests.lab.trees import names
from zconsole.actions.plan import Plan
from zconsole.hosts.host import Command, Completed, Effect
from zconsole.hosts.ssh.ssh_host import SshHost
from zconsole.model.run import Run, RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

TREE = (
    "zfs create tank/a && zfs create tank/a/b && zfs snapshot -r tank/a@1 && zfs clone tank/a@1 tank/c "
    "&& zfs snapshot tank/c@2"
)
KEYED = "echo passphrase | zfs create -o encryption=on -o keyformat=passphrase tank/e"


def mounted(guest: Guest) -> set[str]:
    return set(guest.ssh("zfs mount | cut -d ' ' -f 1").split())


async def meanwhile(nas: Acting, plan: Plan, verb: str, script: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Carry a plan out; right before its step of this verb somebody types that."""
    run = SshHost.run
    typed: list[str] = []

    async def moved(self: SshHost, command: Command) -> Completed:
        if command.effect is Effect.CHANGE and command.argv[:2] == ("zfs", verb) and not typed:
            typed.append(script)
            nas.guest.ssh(script)
        return await run(self, command)

    monkeypatch.setattr(SshHost, "run", moved)
    ended = await nas.run(plan)
    assert [script] == typed, (ended.state, ended.words, ended.differences)
    return ended


async def test_a_tree_with_clones_a_volume_and_an_encrypted_one_go(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh(TREE)
    guest.ssh(f"zfs create -V 64M tank/v; zfs snapshot tank/v@1; {KEYED}; zfs snapshot tank/e@1")

    tree = await nas.do("destroy", "tank/a", with_clones=True)
    volume = await nas.do("destroy", "tank/v", recursive=True)
    encrypted = await nas.do("destroy", "tank/e", recursive=True)

    assert ["unmount", "unmount", "program"] == [step.argv[1] for step in tree.steps]
    assert ["program"] == [step.argv[1] for step in volume.steps]
    assert ["unmount", "program"] == [step.argv[1] for step in encrypted.steps]
    assert {"tank"} == names(guest) == mounted(guest)
    assert "tank" not in guest.ssh("ls /dev/zvol 2>/dev/null || true")


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("zfs rename tank/a tank/safe && zfs create tank/a", "tank/a is another object than"),
        ("zfs snapshot tank/a/b@new", "tank/a/b@new is new"),
        ("zfs create -o mountpoint=/new tank/a/b/new", "tank/a/b/new is new"),
        ("zfs clone tank/a@1 tank/new", "tank/new is new"),
        ("zfs hold keep tank/a/b@1", "tank/a/b@1 cannot be destroyed"),
        ("zfs mount tank/a", "tank/a cannot be destroyed"),
        ("zfs mount tank/a/b && dd if=/dev/urandom of=/tank/a/b/f bs=1M count=1 && zfs unmount tank/a/b",
         "tank/a/b has"),
    ],
)  # fmt: skip
async def test_the_program_refuses_all_and_what_was_unmounted_is_mounted_again(
    nas: Acting, script: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = nas.guest
    guest.ssh(TREE.partition(" && zfs clone")[0])
    before = set(guest.ssh("zfs list -Ht all -o guid").split())
    plan = await nas.plan("destroy", "tank/a", recursive=True)
    assert not plan.is_refused, plan.refusals

    run = await meanwhile(nas, plan, "program", script, monkeypatch)

    assert RunState.FAILED is run.state
    assert said in run.words, run.words
    assert "nothing was destroyed" in run.words
    assert before <= set(guest.ssh("zfs list -Ht all -o guid").split())
    filesystems = set(guest.ssh("zfs list -Ht filesystem -o name").split())
    assert filesystems == mounted(guest)


async def test_what_was_unmounted_is_not_mounted_over_a_new_child(
    nas: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = nas.guest
    guest.ssh(TREE.partition(" && zfs clone")[0])
    plan = await nas.plan("destroy", "tank/a", recursive=True)

    run = await meanwhile(
        nas, plan, "program", "zfs create tank/a/b/new && touch /tank/a/b/new/f", monkeypatch
    )

    assert RunState.FAILED is run.state
    assert "tank/a, tank/a/b are not mounted again: tank/a/b/new was mounted at /tank/a/b/new" in run.words
    assert {"tank", "tank/a/b/new"} == mounted(guest)
    guest.ssh("zfs unmount tank/a/b/new && zfs mount -a && ls /tank/a/b/new/f")


async def test_a_clone_elsewhere_and_a_busy_file_system_stay(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh(TREE)
    assert {"clones"} == await nas.refused("destroy", "tank/a", recursive=True)
    plan = await nas.plan("destroy", "tank/c", recursive=True)
    guest.ssh("cd /tank/c; setsid sleep 300 >/dev/null 2>&1 </dev/null & echo $! >/run/sleeps; sleep 1")

    refused = await nas.run(plan)

    assert refused.state in {RunState.STALE, RunState.FAILED}
    assert {"tank/c", "tank/c@2"} <= names(guest)
    assert "tank/c" in mounted(guest)
    guest.ssh("kill $(cat /run/sleeps); sleep 1")


async def test_an_open_volume_stays(nas: Acting, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = nas.guest
    guest.ssh("zfs create -V 64M tank/v && zfs snapshot tank/v@1 && udevadm settle")
    plan = await nas.plan("destroy", "tank/v", recursive=True)
    opens = "setsid sleep 300 </dev/zvol/tank/v >/dev/null 2>&1 & echo $! >/run/sleeps; sleep 1"

    run = await meanwhile(nas, plan, "program", opens, monkeypatch)

    assert RunState.FAILED is run.state
    assert "tank/v cannot be destroyed" in run.words
    assert {"tank/v", "tank/v@1"} <= names(guest)
    guest.ssh("kill $(cat /run/sleeps); sleep 1")


async def test_a_promotion_is_of_the_clone_that_was_reviewed(
    nas: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = nas.guest
    guest.ssh(TREE)
    plan = await nas.plan("promote", "tank/c")
    swap = "zfs rename tank/c tank/kept && zfs clone tank/a@1 tank/c"

    run = await meanwhile(nas, plan, "program", swap, monkeypatch)

    assert RunState.FAILED is run.state
    assert "tank/c is another object" in run.words
    assert "tank/a@1" in names(guest)
    await nas.do("promote", "tank/kept")
    assert {"tank/kept@1", "tank/kept@2"} <= names(guest)


async def test_a_rollback_destroys_what_was_listed_and_stops_at_what_is_newer(
    nas: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = nas.guest
    guest.ssh("zfs create tank/a && zfs snapshot tank/a@1 && touch /tank/a/f && zfs snapshot tank/a@2")
    plan = await nas.plan("rollback", "tank/a@1", recursive=True)

    run = await meanwhile(nas, plan, "rollback", "zfs snapshot tank/a@new", monkeypatch)

    assert RunState.FAILED is run.state
    assert {"tank/a@1", "tank/a@new"} <= names(guest)
    await nas.do("rollback", "tank/a@new")
    await nas.do("rollback", "tank/a@1", recursive=True)
    assert {"tank", "tank/a", "tank/a@1"} == names(guest)


async def test_without_programs_the_guid_is_read_right_before_and_right_after(
    nas: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a swap inside of the one command that is left does is told as what it is."""
    guest = nas.guest
    guest.ssh("zfs create tank/race")
    monkeypatch.setattr("zconsole.actions.dataset.all_or_none_steps.may_program", lambda _: False)
    plan = await nas.plan("destroy", "tank/race")
    assert ["zfs destroy tank/race"] == [shlex.join(step.argv) for step in plan.steps]

    run = await meanwhile(
        nas, plan, "destroy", "zfs rename tank/race tank/race-safe && zfs create tank/race", monkeypatch
    )

    assert RunState.FAILED is run.state
    assert "tank/race-safe" in run.words
    assert "is still there" in run.words
    assert RunState.FAILED is nas.journal.entries()[-1].state
