"""Every action on datasets, from its words to its end, on the practice host."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import pytest

from zconsole.actions.catalogue.datasets import SPECS
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import ConditionKind
from zconsole.base.clock import ManualClock
from zconsole.base.secret import Secret
from zconsole.execution.facts.read_facts import read_needs
from zconsole.execution.outcomes.evaluate_step_condition import holds
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck, needs_of
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.system.dataset_files import tree_of, tree_of_snapshot
from zconsole.practice.world.datasets import FileNode
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal
from zconsole.zfs.change.channel_program import is_program

SETTING: Final = (
    "create tank/a", "create tank/a/b", "create -V 1G tank/v", "snapshot tank/a@1", "snapshot -r tank/a@2",
    "clone tank/a@1 tank/c", "hold keep tank/a@1", "bookmark tank/a@1 tank/a#1", "set atime=off tank/a",
    "create -o sharenfs=on tank/s", "create tank/m", "unmount tank/m",
    "create -o encryption=on -o keyformat=passphrase tank/e", "unmount tank/e",
    "create -o sharenfs=on tank/t", "unshare tank/t",
)  # fmt: skip
REPLICATION: Final = {
    "receive",
    "resume-receive",
    "abort-receive",
    "syncoid",
}  # test_replication.py tries these
WITHOUT_ZFS: Final = {"benchmark"}  # fio does it: tests/zfs/benchmark tries its script in a real shell
PASSPHRASE: Final = "correct horse battery"
Case = tuple[str, list[str], dict[str, OptionValue]]
CASES: Final[tuple[Case, ...]] = (
    ("create", ["tank/new", "compression=zstd"], {}),
    ("create", ["tank/x/new"], {"parents": True}),
    ("create", ["tank/w"], {"volume": "1G"}),
    ("create", ["tank/w", "volblocksize=64K"], {"volume": "1G", "sparse": True}),
    ("snapshot", ["tank/a@3", "tank/v@3"], {}),
    ("snapshot", ["tank@3"], {"recursive": True}),
    ("hold", ["tank/a@2", "more"], {"recursive": True}),
    ("release", ["tank/a@1", "keep"], {}),
    ("bookmark", ["tank/a@2", "base"], {}),
    ("clone", ["tank/a@2", "tank/d", "readonly=on"], {}),
    ("promote", ["tank/c"], {}),
    ("rename", ["tank/a", "tank/z"], {}),
    ("rename", ["tank/a@2", "@old"], {"recursive": True}),
    ("set", ["tank/a", "recordsize=1M"], {}),
    ("set", ["tank/a", "compression=gzip-6"], {}),
    ("set", ["tank/a", "quota=10G"], {}),
    ("set", ["tank/a", "org.example:keep=yes"], {}),
    ("set", ["tank/a@1", "org.example:keep=yes"], {}),
    ("set", ["tank/v", "volsize=2G"], {}),
    ("set", ["tank/a", "mountpoint=/srv/a"], {}),
    ("inherit", ["tank/a", "atime"], {}),
    ("mount", ["tank/m"], {}),
    ("unmount", ["tank/a"], {}),
    ("unload-key", ["tank/e"], {}),
    ("share", ["tank/t"], {}),
    ("unshare", ["tank/s"], {}),
    ("restore", ["tank/a@1", "documents"], {}),
    ("restore", ["tank/a@1", "/tank/a/documents"], {"to": "back"}),
    ("rollback", ["tank/a@2"], {}),
    ("destroy", ["tank/a@2"], {"recursive": True}),
    ("destroy", ["tank/a@2", "tank/a/b@2"], {}),
    ("destroy", ["tank/a#1"], {}),
    ("destroy", ["tank/v"], {}),
    ("destroy", ["tank/c"], {}),
)  # fmt: skip


@pytest.fixture
async def host() -> AsyncIterator[PracticeHost]:
    """A practice host with a little of everything."""
    world = create_world("mirror 0 1")
    for line in SETTING:
        reply = answer(world, ("zfs", *line.split()), stdin=f"{PASSPHRASE}\n".encode() * 2)
        assert isinstance(reply, Reply)
        assert "" == reply.stderr, line
    world.pools["tank"].datasets["tank/a"].seed = 7  # of the files that are in it
    made = PracticeHost(clock=ManualClock(world.now), world=world)
    await made.connect()
    yield made
    await made.close()


def operator_of(host: PracticeHost) -> Operator:
    """One who acts there."""
    clock = ManualClock(host.world.now)
    return Operator([host], clock=clock, policies=Policies(clock=clock), journal=Journal(is_kept=False))


@pytest.mark.parametrize(("action", "words", "options"), CASES)
async def test_it_is_planned_confirmed_and_done(
    action: str, words: list[str], options: dict[str, OptionValue], host: PracticeHost
) -> None:
    """And what is to settle it after a lost link holds then, and did not before."""
    operator = operator_of(host)
    reader = operator._reader(host.label)
    made = await operator.prepare(host.label, intent(action, *words, options=options))
    assert () == made.refusals
    conditions = [
        ConditionCheck(each)
        for step in made.steps
        for each in step.settled_by
        if each.kind is not ConditionKind.HISTORY and not step.put_back
    ]
    before = await read_needs(reader, needs_of(conditions), "tank")

    run = await operator.execute(host.label, made, made.confirm or "")

    said = "".join(step.said for step in run.steps if not is_program(step.argv))
    assert (RunState.DONE, "") == (run.state, said), run
    after = await read_needs(reader, needs_of(conditions), "tank")
    assert {(False, True)} >= {(holds(each, before), holds(each, after)) for each in conditions}


async def test_what_several_snapshots_free_is_what_zfs_counts(host: PracticeHost) -> None:
    """They share what each alone does not free: only the dry run knows."""
    answer(host.world, ("zfs", "snapshot", "tank/a@3"))

    made = await operator_of(host).prepare(host.label, intent("destroy", "tank/a@2,3"))

    (rehearsal,) = made.rehearsals
    assert f"reclaim\t{made.frees_bytes}" in rehearsal.said


async def test_a_file_is_written_over_once_a_snapshot_keeps_it(host: PracticeHost) -> None:
    """And comes back from there as it was."""
    operator = operator_of(host)
    dataset = host.world.pools["tank"].datasets["tank/a"]
    path, old = next(each for each in tree_of(dataset, host.world.now).items() if each[1].type == "f")
    dataset.touched[path] = FileNode("f", 9_999, 12, 1_790_000_000_000_000_000)
    wanted = intent("restore", "tank/a@1", path, options={"overwrite": True})

    made = await operator.prepare(host.label, wanted)
    run = await operator.execute(host.label, made, made.confirm or "")

    assert RunState.DONE is run.state, run
    now = tree_of(dataset, host.world.now)[path]
    assert (old.size, old.mtime_ns) == (now.size, now.mtime_ns)
    kept = dataset.snapshot("before-restore-1")
    assert kept is not None
    assert 12 == tree_of_snapshot(kept)[path].size
    again = await operator.execute(host.label, made, made.confirm or "")
    assert RunState.STALE is again.state


async def test_without_the_right_to_copy_nothing_is_restored(host: PracticeHost) -> None:
    host.world.user_id = 1000

    made = await operator_of(host).prepare(host.label, intent("restore", "tank/a@1", "documents"))

    assert ["permission"] == [each.rule for each in made.refusals]


async def test_a_key_is_loaded_with_a_passphrase_that_no_plan_and_no_run_has(host: PracticeHost) -> None:
    operator = operator_of(host)
    unload = await operator.prepare(host.label, intent("unload-key", "tank/e"))
    await operator.execute(host.label, unload, unload.confirm or "")
    made = await operator.prepare(host.label, intent("load-key", "tank/e"))

    wrong = await operator.execute(host.label, made, "", {made.secrets[0]: Secret("wrong horse battery")})
    run = await operator.execute(host.label, made, "", {made.secrets[0]: Secret(PASSPHRASE)})

    assert (RunState.FAILED, RunState.DONE) == (wrong.state, run.state)
    assert PASSPHRASE not in f"{made}{run}"


def test_every_action_is_among_them() -> None:
    assert {spec.id for spec in SPECS} == {
        "load-key",
        *REPLICATION,
        *WITHOUT_ZFS,
        *(action for action, _, _ in CASES),
    }
