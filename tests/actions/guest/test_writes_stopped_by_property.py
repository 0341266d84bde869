"""Properties that stop the writes of guests: refused, or told with names; a volume that grows stops none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from tests.doubles.plan_worlds import GIB, filesystem, host, volume
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    SourceKind,
    StoredDisk,
)
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import PAUSED, RUNNING, SHUT_OFF
from zconsole.practice.program_and_subcommand_table import answer


def rules(made: Plan) -> list[str]:
    return [each.rule for each in made.refusals]


def of_guest(name: str, place: str, kind: str = "guest") -> OutsideUse:
    return OutsideUse(place, kind, name, f"/{place}/disk", path=f"/{place}/disk")


def planned(target: str, setting: str, *uses: OutsideUse, now: str | None = None) -> Plan:
    key = setting.partition("=")[0]
    tree = [
        filesystem("tank"),
        filesystem("tank/vm", used_bytes=90 * GIB, available_bytes=900 * GIB),
        volume("tank/vm/db"),
    ]
    properties = () if now is None else ((target, key, now, "local"),)
    return plan(intent("set", target, setting), host(tree, uses=uses, properties=properties))


async def test_a_volume_under_a_running_guest_is_not_made_read_only(nas: Acting) -> None:  # noqa: F811
    made = await nas.plan("set", "tank/web01", "readonly=on")
    assert ["in-use"] == rules(made)
    assert "guest web01 writes to tank/web01: its writes would fail" in made.refusals[0].reason

    stopped = await nas.plan("set", "tank/web01", "readonly=on", shut_down_guests=True)
    ended = await run(nas, stopped)

    assert RunState.DONE is ended.state, ended.words
    assert SHUT_OFF == web01(nas).state


async def test_nor_is_what_it_inherits_from(nas: Acting) -> None:  # noqa: F811
    assert ["in-use"] == rules(await nas.plan("set", "tank", "readonly=on"))
    answer(nas.host.world, ("zfs", "set", "readonly=off", "tank/web01"))
    assert [] == rules(await nas.plan("set", "tank", "readonly=on"))
    answer(nas.host.world, ("zfs", "set", "readonly=on", "tank"))

    assert ["in-use"] == rules(await nas.plan("inherit", "tank/web01", "readonly"))


def test_a_container_is_named_with_its_way_to_stop() -> None:
    use = OutsideUse("tank/vm", "container", "web1", "Incus", "incus stop web1")

    made = planned("tank/vm", "readonly=on", use)

    assert ["in-use"] == rules(made)
    assert "incus stop web1 first" == made.refusals[0].instead


@pytest.mark.parametrize(
    ("risk", "is_named", "setting", "now"),
    [
        (Risk.CATASTROPHIC, True, "quota=91G", "0"),
        (Risk.CAUTION, True, "quota=500G", "0"),
        (Risk.CAUTION, False, "quota=500G", str(400 * GIB)),
        (Risk.CAUTION, False, "quota=none", str(400 * GIB)),
        (Risk.CAUTION, True, "reservation=none", str(400 * GIB)),
    ],
)
def test_a_limit_names_the_guests_below_it_and_is_catastrophic_when_it_leaves_next_to_nothing(
    risk: Risk, setting: str, now: str, *, is_named: bool
) -> None:
    made = planned("tank/vm", setting, of_guest("web01", "tank/vm/db"), now=now)

    assert (risk, []) == (made.risk, rules(made))
    assert is_named == any("web01" in each for each in made.warnings)
    assert (["web01"] if risk is Risk.CATASTROPHIC else []) == [each.name for each in made.dependents]


def test_many_guests_below_what_is_made_read_only_refuse_once() -> None:
    uses = [of_guest(f"vm{at}", "tank/vm") for at in range(9)]
    container = OutsideUse("tank/vm", "container", "ct1", "Incus", "incus stop ct1")

    made = planned("tank/vm", "readonly=on", *uses, container)

    assert [
        "guests vm0, vm1, vm2 and 6 more write to tank/vm: their writes would fail from that moment",
        "container ct1 writes to tank/vm: its writes would fail from that moment",
    ] == [each.reason for each in made.refusals]
    assert {use.name for use in (*uses, container)} == {each.name for each in made.dependents}


def named(guest: str, policy: str, *, source: str = "/tank/vm/disk") -> Guest:
    disk = GuestDisk("vda", source, SourceKind.FILE, error_policy=policy)
    return Guest(
        GuestDefinition(f"uuid of {guest}", guest, disks=(disk,)),
        GuestStatus(guest, GuestState.RUNNING),
        (StoredDisk(disk),),
    )


def test_a_limit_says_what_its_error_does_by_the_policy_of_each_guest() -> None:
    """QEMU pauses at ENOSPC, and ZFS gives EDQUOT below a quota."""
    guests = tuple(
        named(f"of-{word or 'default'}", word) for word in ("", "enospace", "stop", "ignore", "report")
    )
    uses = tuple(of_guest(each.name, "tank/vm") for each in guests)
    container = OutsideUse("tank/vm", "container", "ct1", "LXC")
    facts = host(
        [filesystem("tank"), filesystem("tank/vm", used_bytes=90 * GIB, available_bytes=900 * GIB)],
        uses=(*uses, container), guests=guests, properties=(("tank/vm", "quota", "0", "default"),),
    )  # fmt: skip

    made = plan(intent("set", "tank/vm", "quota=500G"), facts)

    assert (
        "410 GiB are left below a quota of 500G. Beyond it writes are lost, because the disks ignore errors: "
        "of-ignore; these guests see write errors (QEMU pauses at ENOSPC, and a limit gives EDQUOT): "
        "of-default, of-enospace, of-report; the writes of these containers fail: ct1; these guests are "
        "paused, by their policy for any error: of-stop"
    ) in made.warnings


@pytest.mark.parametrize(
    "setting", ["userquota@libvirt-qemu=1G", "defaultuserquota=1G", "defaultprojectquota=1G"]
)
def test_a_quota_of_users_names_the_guests_that_may_be_below_it(setting: str) -> None:
    made = planned("tank/vm", setting, of_guest("web01", "tank/vm"))

    warning = (
        "where that is the limit of the user who writes: these guests see write errors (QEMU pauses at "
        "ENOSPC, and a limit gives EDQUOT): web01"
    )
    assert (warning,) == made.warnings


def test_a_reservation_that_a_volume_loses_names_its_guest() -> None:
    made = planned("tank/vm/db", "refreservation=none", of_guest("db02", "tank/vm/db"), now=str(10 * GIB))

    assert ("without that reservation the writes of db02 fail when the pool is full",) == made.warnings


def test_without_a_guest_it_is_said_once_of_nobody_in_particular() -> None:
    made = planned("tank/vm/db", "refreservation=none", now=str(10 * GIB))

    assert ("without it writes fail when the pool is full",) == made.warnings


async def test_a_volume_grows_under_a_running_guest(nas: Acting) -> None:  # noqa: F811
    made = await nas.plan("set", "tank/web01", "volsize=128M")
    assert (Risk.CAUTION, []) == (made.risk, rules(made))
    assert "web01 goes on, and sees the size after virsh blockresize or a restart" in made.notes

    ended = await run(nas, made)

    assert RunState.DONE is ended.state, ended.words
    assert RUNNING == web01(nas).state
    assert ["in-use"] == rules(await nas.plan("set", "tank/web01", "volsize=64M"))


async def test_no_rename_is_offered_that_would_be_refused_too(nas: Acting) -> None:  # noqa: F811
    under = await nas.plan("destroy", "tank/web01")
    web01(nas).state = SHUT_OFF
    off = await nas.plan("destroy", "tank/web01")

    assert not [words for words, _ in under.alternatives if "to-destroy" in words]
    assert [words for words, _ in off.alternatives if "to-destroy" in words]


async def test_the_device_of_a_volume_is_not_taken_from_a_running_guest(nas: Acting) -> None:  # noqa: F811
    """ZFS removes the device and makes it anew, whatever the mode is."""
    for mode in ("none", "dev"):
        made = await nas.plan("set", "tank/web01", f"volmode={mode}")
        assert ["in-use"] == rules(made)
        assert (
            "guest web01 is on tank/web01: a change of volmode removes the device that is in use"
            in made.refusals[0].reason
        )

    web01(nas).state = SHUT_OFF
    off = await nas.plan("set", "tank/web01", "volmode=none")
    assert [] == rules(off)
    assert ["web01"] == [each.name for each in off.dependents if each.kind == "stopped guest"]


@pytest.mark.parametrize("setting", ["sync=disabled", "primarycache=metadata", "recordsize=16K"])
def test_a_property_of_io_names_the_guests_and_refuses_nothing(setting: str) -> None:
    uses = (of_guest("web01", "tank/vm"), of_guest("db02", "tank/vm", "stopped guest"))

    made = planned("tank/vm", setting, *uses)

    assert (Risk.CAUTION, [], ()) == (made.risk, rules(made), made.dependents)
    assert "it is about the reads and writes of db02 (off), web01" in made.notes


def test_a_guest_that_only_reads_goes_on_below_what_is_made_read_only() -> None:
    reader = replace(of_guest("cd01", "tank/vm"), is_written=False)

    made = planned("tank/vm", "readonly=on", reader)

    assert ([], ()) == (rules(made), made.dependents)
    assert "guests that only read there go on: cd01" in made.notes
    assert not any("cd01" in each for each in planned("tank/vm", "quota=91G", reader, now="0").warnings)


async def test_a_paused_guest_is_resumed_before_it_can_be_shut_down(nas: Acting) -> None:  # noqa: F811
    web01(nas).state = PAUSED

    made = await nas.plan("set", "tank/web01", "readonly=on")

    assert ["in-use"] == rules(made)
    assert [intent("guest-resume", "web01")] == [each for _, each in made.alternatives]


def test_a_limit_that_is_never_reached_is_no_warning() -> None:
    """The pool is full before: what happens then is not of this change."""
    made = planned("tank/vm", "quota=2T", of_guest("web01", "tank/vm/db"))

    assert (Risk.CAUTION, [], ()) == (made.risk, rules(made), made.warnings)
    assert "900 GiB are available to tank/vm: a quota of 2T limits nothing now" in made.notes
