"""Storage is not taken from who runs on it: refused, with the whole command that shuts the guest down first.

The command is carried out, and the guest is off (or runs again), or nothing has happened.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.actions.pool.test_practice import BEGAN, Acting
from tests.doubles.faulty_host import DrivenClock
from tests.scenarios.guests_in_the_way.cases import CASES, HARMLESS, Case
from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_usage_and_plan_command import plan_command
from zconsole.actions.intent import Intent, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan, Risk
from zconsole.base.clock import ManualClock
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.containers.practice_container import PracticeContainer
from zconsole.practice.libvirt.guests import (
    PAUSED,
    RUNNING,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
    PracticeImage,
)
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.world.datasets import FileNode
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

MADE = (
    "create -s -V 64M tank/db", "snapshot tank/db@a", "create tank/vm", "create tank/above",
    "create -o mountpoint=/placed tank/placed", "create -o readonly=on tank/ro",
    "create -o readonly=off tank/ro/vm", "create tank/above/vm", "create -s -V 64M tank/base",
    "snapshot tank/base@gold", "clone tank/base@gold tank/clone",
)  # fmt: skip
IMAGES = ("/tank/vm", "/tank/above/vm", "/placed", "/tank/ro/vm", "/tank/secret")
DISKS = {
    "db": f"{ZVOL}tank/db", "clone": f"{ZVOL}tank/clone",
    **{place.strip("/").replace("/", "-"): f"{place}/disk.raw" for place in IMAGES},
}  # fmt: skip
OF_CASE = {  # who is in the way, by the target
    "tank/db": {"db"}, "tank/vm": {"tank-vm"}, "tank/base": {"clone"}, "tank/above": {"tank-above-vm"},
    "tank": {*DISKS, "copy"}, "tank/copy": {"copy"}, "tank/secret": {"tank-secret"},
    "tank/placed": {"placed"}, "tank/ro/vm": {"tank-ro-vm"},
}  # fmt: skip


@pytest.fixture
async def nas(tmp_path: Path) -> Acting:
    """A guest on each kind of storage: volume, file, clone, encrypted, below a parent."""
    manual = ManualClock(BEGAN)
    clock = DrivenClock(manual)
    host = PracticeHost("nas", manual, world=create_world("mirror 0 1"))
    world = host.world
    world.lacking -= {"virsh", "qemu-img"}
    for line in MADE:
        done = answer(world, ("zfs", *line.split()))
        assert 0 == done.status, (line, done)
    made = answer(
        world,
        ("zfs", "create", "-o", "encryption=on", "-o", "keyformat=passphrase", "tank/secret"),
        b"correct horse battery\n",
    )
    assert 0 == made.status, made
    touched = world.pools["tank"].datasets["tank/vm"].touched
    touched["disk.raw"] = FileNode("f", 200, 4000, 10**18)
    for line in ("snapshot tank/vm@a", "create -s -V 64M tank/source", "snapshot tank/source@a"):
        assert 0 == answer(world, ("zfs", *line.split())).status
    touched["disk.raw"] = FileNode("f", 300, 4096, 10**18 + 5)
    for name, path in DISKS.items():
        world.guests.append(PracticeGuest(name, [PracticeGuestDisk("vda", path)]))
        if not path.startswith(ZVOL):
            world.images[path] = PracticeImage(path, "raw", 1 << 20, 4096)
    journal = Journal(tmp_path / "journal.sqlite")
    acting = Acting(host, Operator([host], clock=clock, policies=Policies(clock=clock), journal=journal))
    await acting.do("receive", "tank/copy", "tank/source@a")
    for line in ("snapshot tank/source@b", "set readonly=off tank/copy"):
        assert 0 == answer(world, ("zfs", *line.split())).status
    world.guests.append(PracticeGuest("copy", [PracticeGuestDisk("vda", f"{ZVOL}tank/copy")]))
    return acting


def wanted(case: Case) -> Intent:
    action, target, *words = case.words
    return intent(action, target, *words, options=case.options)  # type: ignore[arg-type]


def in_the_way(nas: Acting, case: Case) -> list[PracticeGuest]:
    names = OF_CASE[case.words[1].partition("@")[0]]
    return [each for each in nas.host.world.guests if each.name in names]


async def planned(nas: Acting, of: Intent) -> Plan:
    return await nas.operator.prepare("nas", of)


async def carried_out(nas: Acting, made: Plan) -> None:
    assert not made.is_refused, [each.reason for each in made.refusals]
    run = await nas.operator.execute("nas", made, made.confirm or "", lasts_s=SAVED_PLAN_LASTS_S)
    assert RunState.DONE is run.state, (run.words, run.differences, [step.said for step in run.steps])


def test_every_action_says_what_it_does_to_guests() -> None:
    """A new action is a case here, or it says why it takes nothing from who runs."""
    told = {case.words[0] for case in CASES.values()}

    assert sorted(each.id for each in SPECS) == sorted(told | HARMLESS.keys())
    assert not told & HARMLESS.keys()


@pytest.mark.parametrize("name", CASES)
async def test_under_a_running_guest_it_is_refused_and_the_next_command_shuts_it_down_first(
    nas: Acting, name: str
) -> None:
    case = CASES[name]
    guests = in_the_way(nas, case)

    refused = await planned(nas, wanted(case))

    assert Risk.REFUSED is refused.risk
    assert {each.name for each in guests} == {e.name for e in refused.dependents if e.kind == "guest"}
    (next_, *_) = [of for _, of in refused.alternatives if of.flag("shut-down-guests")]
    assert "--shut-down-guests" in plan_command(next_)
    assert case.keeps_disks or not next_.flag("start-guests-after")
    made = await planned(nas, next_)
    assert Risk.CATASTROPHIC is made.risk
    await carried_out(nas, made)
    after = RUNNING if next_.flag("start-guests-after") else SHUT_OFF
    assert {after} == {each.state for each in guests}


@pytest.mark.parametrize("name", CASES)
async def test_under_a_paused_guest_the_next_command_resumes_it(nas: Acting, name: str) -> None:
    case = CASES[name]
    guests = in_the_way(nas, case)[:1]
    for each in nas.host.world.guests:
        each.state = PAUSED if each in guests else SHUT_OFF

    refused = await planned(nas, wanted(case))

    assert Risk.REFUSED is refused.risk
    assert ("guest-resume", guests[0].name) in [(of.action, of.target) for _, of in refused.alternatives]
    await carried_out(nas, await planned(nas, intent("guest-resume", guests[0].name)))
    again = await planned(nas, wanted(case))
    assert any(of.flag("shut-down-guests") for _, of in again.alternatives)


@pytest.mark.parametrize("name", CASES)
async def test_a_guest_that_is_off_is_named_and_stops_nothing(nas: Acting, name: str) -> None:
    case = CASES[name]
    for each in nas.host.world.guests:
        each.state = SHUT_OFF

    made = await planned(nas, wanted(case))
    if case.has_more:
        assert "mounted" in {each.rule for each in made.refusals}
        made = await planned(nas, made.alternatives[0][1])

    assert [] == [each.reason for each in made.refusals]
    told = {each.name for each in made.dependents if each.kind == "stopped guest"}
    assert {each.name for each in in_the_way(nas, case)} <= told
    await carried_out(nas, made)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.words[1] == "tank/vm"])
async def test_a_container_on_it_refuses_it_and_is_stopped_by_its_own_engine(nas: Acting, name: str) -> None:
    for each in nas.host.world.guests:
        each.state = SHUT_OFF
    mounts = [("/", "zfs", "tank/vm", "rw,xattr")]
    nas.host.world.containers = [PracticeContainer("/lxc.payload.web1/init.scope", 5200, mounts)]

    made = await planned(nas, wanted(CASES[name]))

    assert {"in-use"} == {each.rule for each in made.refusals}
    assert any("web1" in each.reason for each in made.refusals)
    assert not any(of.flag("shut-down-guests") for _, of in made.alternatives)
    assert any("lxc-stop" in each.instead for each in made.refusals)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.words[0] == "set"])
async def test_a_start_that_would_fail_is_refused_although_it_is_asked_for(nas: Acting, name: str) -> None:
    case = CASES[name]
    both = {"shut-down-guests": True, "start-guests-after": True}
    action, target, *words = case.words

    made = await planned(nas, intent(action, target, *words, options=both))

    assert ([] if case.keeps_disks else ["no-start"]) == [each.rule for each in made.refusals]


async def test_a_key_is_unloaded_with_what_it_opens_unmounted_and_the_rest_refuses_it(nas: Acting) -> None:
    for each in nas.host.world.guests:
        each.state = SHUT_OFF
    for line in ("create tank/secret/in", "create -o mountpoint=/tank/secret/own tank/beside"):
        assert 0 == answer(nas.host.world, ("zfs", *line.split())).status

    refused = await planned(nas, intent("unload-key", "tank/secret", options={"unmount": True}))

    assert ["mounted-below"] == [each.rule for each in refused.refusals]
    assert "tank/beside" in refused.refusals[0].reason
    assert 0 == answer(nas.host.world, ("zfs", "unmount", "tank/beside")).status
    made = await planned(nas, intent("unload-key", "tank/secret", options={"unmount": True}))
    assert ["zfs unmount tank/secret", "zfs unload-key tank/secret"] == [" ".join(e.argv) for e in made.steps]
    await carried_out(nas, made)
    done = answer(nas.host.world, ("zfs", "get", "-Hpo", "value", "keystatus", "tank/secret/in"))
    assert "unavailable" == done.stdout.strip()
