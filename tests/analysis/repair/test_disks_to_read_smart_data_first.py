"""Which disks a repair asks for SMART data, and in which order."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import group
from tests.analysis.build import pool as pool_of
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import blank, leaf, part, parted, used
from zconsole.analysis.repair.disks_to_read_smart_data_first import disks_to_ask
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.disk_and_inventory import Disk

FOREIGN = used(7, pool="other")
MOUNTED = parted(blank(8), part(blank(8), 1, fstype="ext4", mountpoints=("/",)))


def host(state: str) -> HostState:
    """Pools `tank` on 0 and 1, and `vault` on 2 and 3; a blank disk 6, a foreign one 7, the system on 8."""
    tank = group("mirror-0", leaf(0), leaf(1, state))
    vault = pool_of(group("mirror-0", leaf(2), leaf(3)), name="vault", guid=77)
    made = trouble_at(tank, disks=(used(2, pool="vault"), used(3, pool="vault"), blank(6), FOREIGN, MOUNTED))
    return replace(made, pools=(*made.pools, PoolState("vault", pool=Reading(vault, 0.0))))


def serials(disks: tuple[Disk, ...]) -> list[str]:
    return [each.serial for each in disks]


def test_disks_of_the_pool_in_trouble_come_first_then_what_could_replace_them() -> None:
    found = disks_to_ask(host("FAULTED"), is_one_pool=False)

    assert ["SER0000", "SER0001", "SER0006"] == [*sorted(serials(found.first)[:2]), *serials(found.first)[2:]]
    assert {"SER0002", "SER0003", "SER0007", "SER0008"} == set(serials(found.others))


def test_a_pool_that_is_asked_about_comes_first_though_it_is_sound() -> None:
    state = host("ONLINE")
    alone = replace(state, pools=state.pools[:1])

    assert {"SER0000", "SER0001", "SER0006"} == set(serials(disks_to_ask(alone, is_one_pool=True).first))


def test_without_any_trouble_no_disk_comes_first() -> None:
    found = disks_to_ask(host("ONLINE"), is_one_pool=False)

    assert () == found.first
    assert 7 == len(found.others)
