"""Locate: a lamp at the slot, or in words where to look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import argv, leaf, of, planned, rules, tank
from tests.actions.pool.test_practice import Acting, nas  # noqa: F401  # a fixture
from tests.doubles.plan_worlds import guid_of, host
from tests.doubles.shelves import link, mirror, serial, world
from tests.ui import states
from zconsole.actions.available_actions import offers
from zconsole.actions.intent import Target, TargetKind
from zconsole.actions.known_facts import known_facts
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.capabilities import HostCapabilities
from zconsole.model.host.plan_facts import HostPolicy, PlanFacts, PrivilegeMode, Privileges
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.shelf_and_disk_path import Bay, Enclosure, Shelves

LINK = "/dev/disk/by-id/a"
PATHS = (LINK, "/dev/disk/by-path/pci-0000:03:00.0-sas-phy12-lun-0")


def shelf(*links: str, missing: tuple[str, ...] = (), pool: Pool | None = None) -> PlanFacts:
    """A mirror of a and b; the disk of a is known, under these links."""
    disk = Disk(
        "sdb", "/dev/sdb", "disk", model="ST8000", serial="ZL2F0A11", hctl="0:0:1:0", links=links or PATHS,
        children=(Disk("sdb1", "/dev/sdb1", "part"),),
    )  # fmt: skip
    found = pool or tank(of("mirror-0", leaf("a"), leaf("b")))
    return replace(
        host(pools=(found,)),
        inventory=Inventory((disk,), ((f"{LINK}-part1", "sdb1"),)),
        missing_tools=frozenset(missing),
    )


def test_the_lamp_of_the_whole_disk_is_lit_and_of_no_other() -> None:
    made = planned(shelf(), "locate", "tank", "a")

    assert Risk.ROUTINE is made.risk
    assert f"ledctl --listed-only locate={LINK}" == argv(made)
    assert f"ledctl --listed-only locate_off={LINK}" == made.undo
    slot = "slot pci-0000:03:00.0-sas-phy12-lun-0"
    assert (f"compare with the disk before you pull it: serial ZL2F0A11, {slot}",) == made.notes
    assert not made.destroys


def test_it_is_put_out_again() -> None:
    made = planned(shelf(), "locate", "tank", str(guid_of("a")), off=True)

    assert f"ledctl --listed-only locate_off={LINK}" == argv(made)
    assert f"ledctl --listed-only locate={LINK}" == made.undo


def test_a_link_that_ledctl_would_take_for_two_is_not_used() -> None:
    assert "ledctl --listed-only locate=/dev/sdb" == argv(
        planned(shelf("/dev/disk/by-id/a,b"), "locate", "tank", "a")
    )


def test_without_ledctl_it_is_told_where_to_look() -> None:
    made = planned(shelf(missing=("ledctl",)), "locate", "tank", "a")

    assert {"no-ledctl"} == rules(made)
    assert "look for serial ZL2F0A11, slot pci-0000:03:00.0-sas-phy12-lun-0" == made.refusals[0].instead


def in_a_bay(*missing: str) -> PlanFacts:
    """The same with the disk in bay 5 of an enclosure."""
    facts = shelf(missing=missing)
    assert facts.inventory is not None
    bay = Bay("Slot 05", "0:0:9:0/Slot 05", 5, ("0:0:1:0",))
    shelves = Shelves((Enclosure("0:0:9:0", (bay,)),))
    return replace(facts, inventory=replace(facts.inventory, shelves=shelves))


@pytest.mark.parametrize(("off", "now", "then"), [(False, "1", "0"), (True, "0", "1")])
def test_without_ledctl_the_enclosure_is_told_by_its_own_file(off: bool, now: str, then: str) -> None:
    made = planned(in_a_bay("ledctl"), "locate", "tank", "a", off=off)

    (step,) = made.steps
    assert ("tee", "/sys/class/enclosure/0:0:9:0/Slot 05/locate") == step.argv
    assert f"{now}\n" == step.stdin
    assert f"echo {then} | tee '/sys/class/enclosure/0:0:9:0/Slot 05/locate'" == made.undo
    assert () == made.refusals


def test_ledctl_comes_before_the_file_of_the_enclosure() -> None:
    assert argv(planned(in_a_bay(), "locate", "tank", "a")).startswith("ledctl ")


def test_a_device_without_a_disk_is_refused() -> None:
    made = planned(shelf(), "locate", "tank", "b")

    assert {"no-disk"} == rules(made)
    assert () == made.steps


def test_a_group_has_no_lamp() -> None:
    with pytest.raises(UsageError, match="group of devices"):
        planned(shelf(), "locate", "tank", "mirror-0")


def test_the_disk_of_a_suspended_pool_is_found_as_well() -> None:
    suspended = replace(tank(of("mirror-0", leaf("a"), leaf("b"))), state="SUSPENDED")

    assert set() == rules(planned(shelf(pool=suspended), "locate", "tank", "a"))


@pytest.mark.parametrize(
    ("missing", "expected"), [((), ""), (("ledctl",), "no ledctl on this host: look for serial ZL2F0A11, ")]
)
def test_the_menu_greys_it_where_there_is_no_ledctl(missing: tuple[str, ...], expected: str) -> None:
    state = states.healthy()
    facts = known_facts(state, 0.0, HostPolicy())
    guids = Pool("tank", "ONLINE", vdevs=(of("mirror-0", leaf("a"), leaf("b")),))
    facts = replace(facts, pools=(guids,), inventory=shelf().inventory)
    target = Target(TargetKind.LEAF, "tank", "a", guid_of("a"))
    means = HostCapabilities(Privileges("root", 0, PrivilegeMode.ROOT), frozenset(missing))

    offered = {each.spec.id: each.why_not for each in offers(target, state, facts, means)}

    assert offered["locate"].startswith(expected)
    assert bool(expected) == bool(offered["locate"])


async def test_on_the_practice_host_a_lamp_is_lit_and_put_out(nas: Acting) -> None:  # noqa: F811
    device = nas.leaf(0)
    world = nas.host.world

    await nas.do("locate", "tank", str(device.guid))
    assert {world.disk(device.path).serial} == world.lit

    await nas.do("locate", "tank", str(nas.leaf(1).guid))
    assert 2 == len(world.lit)

    await nas.do("locate", "tank", str(device.guid), off=True)
    assert {world.disk(nas.leaf(1).path).serial} == world.lit


async def test_on_a_host_without_ledctl_nothing_is_tried(nas: Acting) -> None:  # noqa: F811
    nas.host.world.lacking.add("ledctl")

    assert {"no-ledctl"} == await nas.refused("locate", "tank", str(nas.leaf(0).guid))
    assert {"ledctl"} == (await nas.operator.means("nas", "")).missing_tools


def test_the_led_of_a_disk_that_left_the_pool_is_turned_off_by_its_path() -> None:
    facts = world(mirror(0, 0, 1))

    made = planned(facts, "locate", "tank", link(2), off=True)

    assert f"ledctl --listed-only locate_off={link(2)}" == argv(made)
    assert f"turn off the locate LED of {serial(2)} that tank does not use" == made.title
    assert not made.refusals


def test_a_disk_that_the_pool_uses_is_its_device_also_by_the_path_of_the_whole_disk() -> None:
    made = planned(world(mirror(0, 0, 1)), "locate", "tank", link(1))

    assert f"turn on the locate LED of ata-ST4000NM_{serial(1)} of tank" == made.title


def test_a_path_without_a_disk_is_an_error_that_names_it() -> None:
    with pytest.raises(UsageError, match="no disk of this host is called /dev/disk/by-id/ata-x"):
        planned(world(mirror(0, 0, 1)), "locate", "tank", "/dev/disk/by-id/ata-x")
