"""A replica with a guest of a real libvirtd on it: nothing is received below it while it runs."""

from __future__ import annotations

import pytest

from tests.doubles.replicating import MIB, NAS
from tests.libvirtd.sandbox import GUESTS, Sandbox
from tests.libvirtd.two_libvirts import GUEST, OLD, BesideLibvirt, image_on, typed
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.base.clock import SystemClock
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.run import Run, RunState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world import dataset_writes_and_snapshots
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

SOURCE = "tank/golden"


class Replica:
    """A host with a dataset, its replica, and the guest web01 on that one, which is off."""

    def __init__(self, virt: Sandbox) -> None:
        clock = SystemClock()
        self.world = create_world("mirror 0 1", disks=4)
        self.world.lacking -= {"virsh", "qemu-img"}
        self.host = BesideLibvirt(PracticeHost(NAS, clock, world=self.world), self.world, virt, {})
        self.operator = Operator(
            [self.host], clock=clock, policies=Policies(clock=clock), journal=Journal(is_kept=False)
        )
        typed(self.world, f"zfs create {SOURCE}")
        self.write("a")

    def write(self, short: str) -> None:
        """Somebody writes to the source and takes a snapshot."""
        pool = self.world.pools["tank"]
        dataset_writes_and_snapshots.write(pool, pool.datasets[SOURCE], MIB)
        typed(self.world, f"zfs snapshot {SOURCE}@{short}")

    async def plan(self, **options: OptionValue) -> Plan:
        """Plan to bring the replica up to date."""
        given = {name.replace("_", "-"): value for name, value in options.items()}
        return await self.operator.prepare(NAS, intent("receive", OLD, SOURCE, options=given))

    async def run(self, plan: Plan) -> Run:
        return await self.operator.execute(NAS, plan, plan.confirm or "", lasts_s=SAVED_PLAN_LASTS_S)

    @property
    def snapshots(self) -> list[str]:
        """Of the replica."""
        found = self.host.dataset(OLD)
        return [] if found is None else [each.name for each in found.snapshots]


@pytest.fixture
async def replica(virt: Sandbox) -> Replica:
    """The replica has the first snapshot, and is writable for the guest."""
    made = Replica(virt)
    run = await made.run(await made.plan())
    assert RunState.DONE is run.state, run.words
    for line in ("set readonly=off", f"set mountpoint={GUESTS}/{OLD}", "mount"):
        typed(made.world, f"zfs {line} {OLD}")
    made.host.mount(OLD)
    virt.define(GUEST, image_on(OLD))
    made.write("b")
    return made


async def test_below_a_running_guest_it_is_refused_and_done_with_the_guest_shut_down(
    virt: Sandbox, replica: Replica
) -> None:
    virt.virsh("start", GUEST)
    virt.until_state(GUEST, "running (booted)")

    refused = await replica.plan()
    nothing = await replica.run(refused)

    assert refused.is_refused
    assert {GUEST} == {each.name for each in refused.dependents if each.kind == "guest"}
    assert any("shut-down-guests" in dict(wanted.options) for _, wanted in refused.alternatives)
    assert RunState.REFUSED is nothing.state
    assert ["a"] == replica.snapshots

    before = virt.virsh("domid", GUEST)
    done = await replica.run(await replica.plan(shut_down_guests=True, start_guests_after=True))

    assert RunState.DONE is done.state, done.words
    assert ["a", "b"] == replica.snapshots
    assert "running (booted)" == virt.virsh("domstate", "--reason", GUEST)
    assert before != virt.virsh("domid", GUEST)


async def test_it_is_not_run_once_a_guest_was_started_on_the_replica(virt: Sandbox, replica: Replica) -> None:
    plan = await replica.plan()
    assert not plan.is_refused, plan.refusals

    virt.virsh("start", GUEST)
    run = await replica.run(plan)

    assert RunState.STALE is run.state, run.words
    assert any(GUEST in each for each in run.differences), run.differences
    assert ["a"] == replica.snapshots
