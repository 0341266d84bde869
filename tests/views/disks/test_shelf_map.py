"""Map of a shelf: each bay with the worst fact of its disk."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import blank, leaf, mirror
from zconsole.analysis.vdevs.enclosure_bays import DiskBay
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.analysis.vdevs.smart_assessment import complaints
from zconsole.model.pools.shelf_and_disk_path import Bay, BayLights, Enclosure
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.views.disks.shelf_map import LEGEND, shelf_maps
from zconsole.views.layout.styled_text import plain

POOL = pool_of(mirror(0, 0, 1), name="tank")


def bays(*taken: int, of: int = 14, lights: dict[int, BayLights] | None = None) -> tuple[Bay, ...]:
    held = {at: (f"0:0:{at}:0",) for at in taken}
    lit = lights or {}
    return tuple(
        Bay(f"Slot {at}", f"0:0:9:0/Slot {at}", at, held.get(at, ()), lit.get(at)) for at in range(of)
    )


def disk(at: int, shelf: Enclosure, state: str | None = None, health: DiskHealth | None = None) -> HostDisk:
    place = DiskBay(0, shelf, shelf.bays[at], True)
    found = HostDisk(blank(at), bay=place.name, place=place)
    if health is not None:
        found = replace(found, health=health, complaints=complaints(health))
    if state is None:
        return found
    return replace(found, pool=POOL, top=POOL.vdevs[0], leaf=leaf(at, state))


def test_each_bay_has_the_mark_of_its_disk() -> None:
    shelf = Enclosure("0:0:9:0", bays(0, 1, 2, 3, 4), vendor="LSI", model="SAS3x28")
    disks = (
        disk(0, shelf, "ONLINE"),
        disk(1, shelf, "FAULTED"),
        disk(2, shelf, "ONLINE", DiskHealth(pending=1)),
        disk(3, shelf),
    )

    lines = [plain(each) for each in shelf_maps(disks, [shelf])]

    assert [
        "",
        "shelf · LSI SAS3x28 · 5 of 14 bays taken",
        " 00 ▣  01 ✗  02 ▲  03 ▢  04 ?  05 ·  06 ·  07 ·  08 ·  09 ·  10 ·  11 · ",
        " 12 ·  13 · ",
        LEGEND,
    ] == lines


def test_leds_that_are_on_stand_behind_the_mark() -> None:
    lights = {
        0: BayLights(True, True, "OK"),
        1: BayLights(False, True, "critical"),
        2: BayLights(False, False),
    }
    shelf = Enclosure("0:0:9:0", bays(0, of=3, lights=lights))

    lines = [plain(each) for each in shelf_maps((disk(0, shelf),), [shelf])]

    assert " 00 ▢L 01 ·! 02 · " == lines[2]


def test_shelves_are_numbered_where_there_are_several() -> None:
    first, second = Enclosure("0:0:9:0", bays(of=2)), Enclosure("0:0:10:0", bays(of=2))

    titles = [plain(each) for each in shelf_maps((), [first, second])][1::3]

    assert ["shelf 0 · 0:0:9:0 · 0 of 2 bays taken", "shelf 1 · 0:0:10:0 · 0 of 2 bays taken"] == titles[:2]


def test_a_host_without_shelves_has_no_map() -> None:
    assert () == tuple(shelf_maps((HostDisk(blank(0)),), ()))
