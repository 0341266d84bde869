"""Command line: screens, hosts, pools, datasets and disks by name, and actions on them, beside the keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING, Final, cast

from textual.command import Hit, Hits, Provider
from textual.content import Content

from zconsole.actions.intent import Target, TargetKind, target_of_pool, target_of_vdev
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, VOLUME
from zconsole.ui.command_line.actions_by_verb_and_object import NamedAction, named_actions
from zconsole.ui.command_line.named_place import NamedPlace
from zconsole.ui.command_line.names_on_demand import (
    names_in_trouble,
    silence_under_cursor,
    snapshots,
    suggested,
    themes,
)
from zconsole.ui.command_line.verbs_without_object import (
    nearest,
    not_found,
    verbs_alone,
    verbs_of_others,
    without_shell_word,
)
from zconsole.ui.key_bindings_and_palette import names_a_key
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
SUGGESTED_FIRST: Final = 1.0  # above the keys, which have 0 without a text


class PlacesByName(Provider):
    """Commands that go to a screen, a host, a pool, a dataset or a disk, whatever screen is in front."""

    async def discover(self) -> Hits:
        app, screen = cast("ConsoleApp", self.app), cast("ConsoleScreen", self.screen)
        for place in suggested(tuple(places(app, screen)), names_in_trouble(screen)):
            shown = clean("  ".join(filter(None, (place.words, place.where))))
            yield Hit(SUGGESTED_FIRST, Content(shown), place.go, text=clean(place.words), help=None)

    async def search(self, query: str) -> Hits:
        app = cast("ConsoleApp", self.app)
        screen = cast("ConsoleScreen", self.screen)
        silence = silence_under_cursor(screen)
        also = (*snapshots(app, query), *themes(app), *(() if silence is None else (silence,)))
        known = (*places(app, screen), *also)
        for place, score in best_places(known, query):
            other = _found_by(place, query)
            shown = "  ".join(filter(None, (place.words, other, place.where)))
            yield Hit(score, Content(clean(shown)), place.go, text=clean(place.words), help=None)
        for action in actions_for(app, screen, known, query):
            shown = clean(f"{action.words}  {action.where}".rstrip())
            yield Hit(action.score, Content(shown), action.go, text=clean(action.words), help=action.help)


def actions_for(
    app: ConsoleApp, screen: ConsoleScreen, known: Sequence[NamedPlace], query: str
) -> list[NamedAction]:
    """The actions that a text names, with or without their object; without any what may be meant."""
    found = _actions_named(app, screen, known, query)
    here = getattr(screen, "PLACE", "")

    def is_known(words: str) -> bool:
        return bool(best_places(known, words)) or names_a_key(here, words)

    if found or is_known(query) or not query.strip():
        return found
    plain = without_shell_word(query)
    near = (each for each in (plain, nearest(known, plain)) if each and each != query.strip())
    meant = (each for each in near if is_known(each) or _actions_named(app, screen, known, each))
    return [not_found(app, query.strip(), next(meant, ""))]


def _actions_named(
    app: ConsoleApp, screen: ConsoleScreen, known: Sequence[NamedPlace], query: str
) -> list[NamedAction]:
    found = [
        *named_actions(app, known, query),
        *verbs_alone(app, screen, known, query, names_in_trouble(screen)),
    ]
    return found or list(verbs_of_others(app, screen, known, query))


def best_places(known: Iterable[NamedPlace], query: str) -> list[tuple[NamedPlace, float]]:
    """The places that fit a text best, with their scores; those of one score in the order of `known`."""
    wanted = query.strip().casefold()
    if not wanted:
        return []
    fitting = ((place, score) for place in known if (score := likeness(place, wanted)))
    return nlargest(MOST, fitting, key=itemgetter(1))


def likeness(place: NamedPlace, wanted: str) -> float:
    """How well a place fits a text: its name, the beginning of it, a part; with or without the kind."""
    names = [place.words.casefold(), *(each.casefold() for each in (place.name, *place.aliases))]
    if wanted in names:
        return WHOLE_NAME
    if any(each.startswith(wanted) for each in names):
        return BEGINNING
    return PART if any(wanted in each for each in names) else 0.0


def _found_by(place: NamedPlace, query: str) -> str:
    """The other name of a place that has the text, where its own has not."""
    wanted = query.strip().casefold()
    if wanted in place.words.casefold():
        return ""
    return next((each for each in place.aliases if wanted in each.casefold()), "")


def places(app: ConsoleApp, screen: ConsoleScreen) -> Iterator[NamedPlace]:
    """Everything that has a name now: screens, then hosts, pools, disks and datasets."""
    here = getattr(screen, "PLACE", "")
    for action in ACTIONS:
        if action.opens and not is_in(here, action.id):
            yield NamedPlace("screen", action.title.casefold(), partial(screen.open, action.opens))
    states = app.states.newest()
    yield NamedPlace("screen", "pools", app.to_first_screen)
    for host in states:
        target = Target(TargetKind.HOST, "", host.host)
        go = partial(app.to_first_screen, host.host)
        yield NamedPlace("host", host.host, go, host=host.host, target=target)
    for host in states:
        for pool in host.pools:
            go = partial(app.open_pool, host.host, pool.name)
            target = target_of_pool(pool.name)
            yield NamedPlace("pool", pool.name, go, f"on {host.host}", host.host, target)
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
        name, *others = _distinct(names) or ("",)
        target = None
        if each.pool is not None and each.leaf is not None:
            target = target_of_vdev(each.pool, each.leaf)
        if name:
            go = partial(app.open, "disk", host.host, key_of(each))
            yield NamedPlace("disk", name, go, where, host.host, target, tuple(others))


def _datasets(app: ConsoleApp, host: HostState, pool: PoolState) -> Iterator[NamedPlace]:
    """The file systems, volumes and clones that were listed or read for the findings."""
    listed = [each for each in pool.datasets.value or () if each.type in FILESYSTEMS_AND_VOLUMES]
    known = {each.name: (each.origin, each.type in VOLUME) for each in listed} or {
        each.name: (each.origin, each.volsize_bytes is not None) for each in pool.settings.value or ()
    }
    for name, (origin, is_volume) in known.items():
        go = partial(app.open, "datasets", host.host, pool.name, name)
        kind = TargetKind.VOLUME if is_volume else TargetKind.FILESYSTEM
        target = Target(kind, pool.name, name)
        yield NamedPlace(_kind(origin, is_volume=is_volume), name, go, f"on {host.host}", host.host, target)


def _kind(origin: str | None, *, is_volume: bool) -> str:
    """The kind of a dataset, by which it is found too: `volume`, `clone`."""
    if is_volume:
        return "volume clone" if origin else "volume"
    return "clone" if origin else "file system"


def _distinct(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))
