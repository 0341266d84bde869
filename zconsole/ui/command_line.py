"""Command line: screens, hosts, pools, datasets, disks and serial numbers by name, beside the actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING, Final, cast

from textual.command import Hit, Hits, Provider
from textual.content import Content

from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, VOLUME
from zconsole.views.disks.disk_list import key_of
from zconsole.views.layout.escape_measure_cut_text import clean
from zconsole.views.layout.screen_key_registry import ACTIONS, is_in
from zconsole.views.layout.serial_in_device_name import serial_at_end

if TYPE_CHECKING:
    from zconsole.model.host.host_state import HostState, PoolState
    from zconsole.ui.app_protocol import ConsoleApp
    from zconsole.ui.screens.shared.console_screen import ConsoleScreen

MOST: Final = 30  # places that are offered for one text
WHOLE_NAME: Final = 2.0  # scores: above those of actions, which are at most 1
BEGINNING: Final = 0.95
PART: Final = 0.7


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Something to go to: what it is, its name, and how it is shown."""

    kind: str
    name: str
    go: Callable[[], object]
    where: str = ""  # on which host, in which pool

    @property
    def words(self) -> str:
        """`disk ZC13A0R7 (tank on nas1)`; the text that completion writes begins with the kind."""
        return f"{self.kind} {self.name}"


class PlacesByName(Provider):
    """Commands that go to a screen, a host, a pool, a dataset or a disk, whatever screen is in front."""

    async def search(self, query: str) -> Hits:
        known = places(cast("ConsoleApp", self.app), cast("ConsoleScreen", self.screen))
        for place, score in best_places(known, query):
            shown = f"{place.words}  {place.where}".rstrip()
            yield Hit(score, Content(clean(shown)), place.go, text=clean(place.words), help=None)


def best_places(known: Iterable[NamedPlace], query: str) -> list[tuple[NamedPlace, float]]:
    """The places that fit a text best, with their scores; those of one score in the order of `known`."""
    wanted = query.strip().casefold()
    if not wanted:
        return []
    fitting = ((place, score) for place in known if (score := likeness(place, wanted)))
    return nlargest(MOST, fitting, key=itemgetter(1))


def likeness(place: NamedPlace, wanted: str) -> float:
    """How well a place fits a text: its name, the beginning of it, a part; with or without the kind."""
    name, words = place.name.casefold(), place.words.casefold()
    if wanted in {name, words}:
        return WHOLE_NAME
    if name.startswith(wanted) or words.startswith(wanted):
        return BEGINNING
    return PART if wanted in name or wanted in words else 0.0


def places(app: ConsoleApp, screen: ConsoleScreen) -> Iterator[NamedPlace]:
    """Everything that has a name now: screens, then hosts, pools, disks and datasets."""
    here = getattr(screen, "PLACE", "")
    for action in ACTIONS:
        if action.opens and not is_in(here, action.id):
            yield NamedPlace("screen", action.title.casefold(), partial(screen.open, action.opens))
    states = app.states.newest()
    yield NamedPlace("screen", "pools", app.to_first_screen)
    for host in states:
        yield NamedPlace("host", host.host, partial(app.to_first_screen, host.host))
    for host in states:
        for pool in host.pools:
            go = partial(app.open_pool, host.host, pool.name)
            yield NamedPlace("pool", pool.name, go, f"on {host.host}")
    for host in states:
        yield from _disks(app, host)
        for pool in host.pools:
            yield from _datasets(app, host, pool)


def _disks(app: ConsoleApp, host: HostState) -> Iterator[NamedPlace]:
    for each in host_disks(host):
        where = f"({each.pool.name} on {host.host})" if each.pool is not None else f"(on {host.host})"
        leaf = each.leaf.name if each.leaf is not None else ""
        known = each.disk.serial if each.disk is not None else ""
        names = (known, serial_at_end(leaf)[0], leaf, each.disk.name if each.disk is not None else "")
        for name in _distinct(names):
            yield NamedPlace("disk", name, partial(app.open, "disk", host.host, key_of(each)), where)


def _datasets(app: ConsoleApp, host: HostState, pool: PoolState) -> Iterator[NamedPlace]:
    """The file systems, volumes and clones that were listed or read for the findings."""
    listed = [each for each in pool.datasets.value or () if each.type in FILESYSTEMS_AND_VOLUMES]
    kinds = {each.name: _kind(each.origin, is_volume=each.type in VOLUME) for each in listed} or {
        each.name: _kind(each.origin, is_volume=each.volsize_bytes is not None)
        for each in pool.settings.value or ()
    }
    for name, kind in kinds.items():
        go = partial(app.open, "datasets", host.host, pool.name, name)
        yield NamedPlace(kind, name, go, f"on {host.host}")


def _kind(origin: str | None, *, is_volume: bool) -> str:
    """The kind of a dataset, by which it is found too: `volume`, `clone`."""
    if is_volume:
        return "volume clone" if origin else "volume"
    return "clone" if origin else "file system"


def _distinct(names: Iterable[str | None]) -> Iterator[str]:
    return iter(dict.fromkeys(name for name in names if name))
