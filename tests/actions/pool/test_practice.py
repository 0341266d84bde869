"""Each action carried out on the practice host as a user does it, its outcome read back from its ZFS."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.base.clock import ManualClock
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host import Command
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.pools_and_vdevs import PracticeVdev
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

LAYOUT = "mirror 0 1 mirror 2 3 log 4 cache 5"
BEGAN = 1_795_232_471.0


@dataclass(frozen=True, slots=True)
class Acting:
    """The practice host, and who acts on it."""

    host: PracticeHost
    operator: Operator

    async def plan(self, action: str, target: str, *words: str, **options: OptionValue) -> Plan:
        """Only plan; options are written with underscores."""
        given = {name.replace("_", "-"): value for name, value in options.items()}
        return await self.operator.prepare("nas", intent(action, target, *words, options=given))

    async def do(self, action: str, target: str, *words: str, **options: OptionValue) -> Plan:
        """Plan, confirm, carry out; it must be done."""
        made = await self.plan(action, target, *words, **options)
        assert not made.is_refused, made.refusals
        run = await self.operator.execute("nas", made, made.confirm or "", lasts_s=SAVED_PLAN_LASTS_S)
        assert RunState.DONE is run.state, (run.words, run.differences, [step.said for step in run.steps])
        return made

    async def refused(self, action: str, target: str, *words: str, **options: OptionValue) -> set[str]:
        """The rules that refuse it."""
        return {each.rule for each in (await self.plan(action, target, *words, **options)).refusals}

    async def said(self, *argv: str) -> str:
        """What a command prints."""
        await self.host.connect()
        return (await self.host.run(Command(argv))).stdout.decode().strip()

    async def get(self, name: str, pool: str = "tank") -> str:
        """A property of a pool."""
        return await self.said("zpool", "get", "-Hpo", "value", name, pool)

    def leaf(self, top: int, child: int = 0) -> PracticeVdev:
        """A device of tank as the practice world has it."""
        vdev = self.host.world.pools["tank"].root.children[top]
        return vdev.children[child] if vdev.children else vdev


@pytest.fixture
def nas(tmp_path: Path) -> Acting:
    """A host with two mirrors, a log and a cache."""
    clock = ManualClock(BEGAN)
    host = PracticeHost("nas", clock, world=create_world(LAYOUT))
    journal = Journal(tmp_path / "journal.sqlite")
    return Acting(host, Operator([host], clock=clock, policies=Policies(clock=clock), journal=journal))


async def test_scrub_starts_pauses_goes_on_and_stops(nas: Acting) -> None:
    await nas.do("scrub", "tank")
    assert {"scrubbing"} == await nas.refused("scrub", "tank")
    await nas.do("scrub", "tank", pause=True)
    assert "scrub paused" in await nas.said("zpool", "status", "tank")
    await nas.do("scrub", "tank")
    await nas.do("scrub", "tank", stop=True)
    assert "scrub canceled" in await nas.said("zpool", "status", "tank")


async def test_offline_and_online(nas: Acting) -> None:
    await nas.do("offline", "tank", str(nas.leaf(0).guid))
    assert "OFFLINE" == nas.leaf(0).state
    assert {"last-replica"} == await nas.refused("offline", "tank", str(nas.leaf(0, 1).guid))
    await nas.do("online", "tank", str(nas.leaf(0).guid))
    assert "ONLINE" == nas.leaf(0).state


async def test_offline_until_the_next_import(nas: Acting) -> None:
    await nas.do("offline", "tank", str(nas.leaf(0).guid), temporary=True)
    await nas.do("export", "tank")
    await nas.do("import", "tank")

    assert "ONLINE" == nas.leaf(0).state


async def test_fault_and_clear(nas: Acting) -> None:
    await nas.do("offline", "tank", str(nas.leaf(0).guid), fault=True)
    assert "FAULTED" == nas.leaf(0).state
    assert {"faulted"} == await nas.refused("online", "tank", str(nas.leaf(0).guid))
    await nas.do("clear", "tank", str(nas.leaf(0).guid))
    assert "ONLINE" == nas.leaf(0).state


async def test_the_only_log_device(nas: Acting) -> None:
    made = await nas.do("offline", "tank", str(nas.leaf(2).guid))

    assert "only working log device" in made.warnings[0]
    assert "OFFLINE" == nas.leaf(2).state


@pytest.mark.parametrize("action", ["initialize", "trim"])
async def test_initialize_and_trim(nas: Acting, action: str) -> None:
    guid = str(nas.leaf(0).guid)

    await nas.do(action, "tank", guid)
    assert {"running"} == await nas.refused(action, "tank", guid)
    await nas.do(action, "tank", guid, suspend=True)
    await nas.do(action, "tank", guid)
    await nas.do(action, "tank", guid, cancel=True)
    assert {"not-running"} == await nas.refused(action, "tank", guid, cancel=True)


async def test_checkpoint_and_discard(nas: Acting) -> None:
    await nas.do("checkpoint", "tank")
    assert {"checkpoint"} == await nas.refused("checkpoint", "tank")
    await nas.do("checkpoint", "tank", discard=True)
    assert "-" == await nas.get("checkpoint")


async def test_properties(nas: Acting) -> None:
    await nas.do("set", "tank", "autotrim=on")
    await nas.do("set", "tank", "comment=bay 3")

    assert ("on", "bay 3") == (await nas.get("autotrim"), await nas.get("comment"))
    assert {"read-only-property"} == await nas.refused("set", "tank", "size=1T")


async def test_export_and_import_under_another_name(nas: Acting) -> None:
    await nas.do("export", "tank")
    assert "" == await nas.said("zpool", "list", "-Ho", "name")
    made = await nas.do("import", "tank", name="tank2", altroot="/mnt")

    assert "tank2" == await nas.said("zpool", "list", "-Ho", "name")
    assert "/mnt" == await nas.get("altroot", "tank2")
    assert any("last used by" in note for note in made.notes)


async def test_destroy_and_bring_back(nas: Acting) -> None:
    for words in (
        ("create", "tank/home"),
        ("snapshot", "-r", "tank@a"),
        ("clone", "tank/home@a", "tank/copy"),
    ):
        await nas.said("zfs", *words)
    before = set((await nas.said("zfs", "list", "-t", "all", "-Ho", "name")).split())

    made = await nas.do("destroy", "tank")

    assert before == set(made.destroys)
    assert "" == await nas.said("zpool", "list", "-Ho", "name")
    await nas.do("import", "tank", destroyed=True)
    assert before == set((await nas.said("zfs", "list", "-t", "all", "-Ho", "name")).split())


@pytest.mark.parametrize(
    ("layout", "spare"),
    [("mirror 0 1 mirror 2 3 spare 4", ""), ("draid1:2d:5c:1s 0 1 2 3 4", "draid1-0-0")],
)
async def test_a_hot_spare_and_a_distributed_one_stand_in(tmp_path: Path, layout: str, spare: str) -> None:
    clock = ManualClock(BEGAN)
    host = PracticeHost("nas", clock, world=create_world(layout))
    journal = Journal(tmp_path / "journal.sqlite")
    nas = Acting(host, Operator([host], clock=clock, policies=Policies(clock=clock), journal=journal))
    name = spare or host.world.pools["tank"].spares[0].path

    await nas.do("offline", "tank", str(nas.leaf(0).guid))
    await nas.do("replace", "tank", str(nas.leaf(0).guid), name)

    assert "INUSE" in await nas.said("zpool", "status", "tank")
