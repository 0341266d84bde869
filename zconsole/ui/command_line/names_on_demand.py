"""Command line: what is named only where it is asked for: snapshots, themes, a silence, first suggestions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from zconsole.actions.intent import Target, TargetKind
from zconsole.analysis.findings.silenced_findings import why_not_silenced
from zconsole.model.dataset_names import dataset_of
from zconsole.model.finding import Severity
from zconsole.ui.command_line.named_place import NamedPlace
from zconsole.views.layout.serial_in_device_name import serial_of_finding

if TYPE_CHECKING:
    from zconsole.model.finding import Finding
    from zconsole.model.host.host_state import HostState, PoolState
    from zconsole.ui.app_protocol import ConsoleApp
    from zconsole.ui.screens.shared.console_screen import ConsoleScreen
    from zconsole.views.host_states_with_findings import HostView

AT: Final = "@"
MOST_SNAPSHOTS: Final = 200  # of one dataset that are looked through, the newest; and of one line in all
SUGGESTED: Final = ("pool", "disk")  # kinds, in the order in which they are suggested without a text
MOST_OF_KIND: Final = 12


def suggested(known: tuple[NamedPlace, ...], in_trouble: frozenset[str]) -> Iterator[NamedPlace]:
    """Where one goes from an empty line: the pools, then the disks, those with findings first."""
    for kind in SUGGESTED:
        of_kind = [each for each in known if each.kind == kind]
        of_kind.sort(key=lambda each: not in_trouble.intersection((each.name, *each.aliases)))
        yield from of_kind[:MOST_OF_KIND]


def names_in_trouble(screen: ConsoleScreen) -> frozenset[str]:
    """The pools, vdevs and serial numbers of the findings that are shown."""
    hosts = screen.shown.hosts if screen.shown is not None else ()
    found = (each for host in hosts for each in host.findings if not each.is_advice)
    told = ((each.evidence.get("pool"), each.evidence.get("vdev"), _serial(each)) for each in found)
    return frozenset(str(each) for each in chain.from_iterable(told) if each)


def themes(app: ConsoleApp) -> Iterator[NamedPlace]:
    """The themes, each of which is applied and kept."""
    from zconsole.ui.flows.keep_theme import use_and_keep  # noqa: PLC0415  # of one command

    for name, theme in app.themes.usable.items():
        yield NamedPlace("theme", name, partial(use_and_keep, app, name), theme.title)


def snapshots(app: ConsoleApp, query: str) -> Iterator[NamedPlace]:
    """The snapshots that were listed of the datasets that the text in front of its `@` names."""
    wanted = query.rsplit(maxsplit=1)[-1] if query.split() else ""
    if AT not in wanted:
        return
    known = ((host, pool) for host in app.states.newest() for pool in host.pools)
    found = (each for host, pool in known for each in _snapshots(app, host, pool, wanted.casefold()))
    yield from islice(found, MOST_SNAPSHOTS)


def snapshots_of(app: ConsoleApp, host: str, pool: str, dataset: str) -> Iterator[NamedPlace]:
    """The snapshots that were listed of one dataset, the newest first."""
    for state in app.states.newest():
        for each in state.pools:
            if (state.host, each.name) == (host, pool):
                found = _snapshots(app, state, each, f"{dataset}{AT}".casefold())
                yield from (place for place in found if dataset_of(place.name) == dataset)


def _snapshots(app: ConsoleApp, host: HostState, pool: PoolState, wanted: str) -> Iterator[NamedPlace]:
    for name in _listed(pool, wanted.partition(AT)[0]):
        if wanted in name.casefold():
            go = partial(app.open, "datasets", host.host, pool.name, name)
            target = Target(TargetKind.SNAPSHOT, pool.name, name)
            yield NamedPlace("snapshot", name, go, f"on {host.host}", host.host, target)


def _listed(pool: PoolState, dataset: str) -> Iterator[str]:
    """Names of snapshots of the datasets whose name ends with the words, newest first."""
    if pool.datasets.value is not None:
        names = [each.name for each in pool.datasets.value if AT in each.name]
        yield from (name for name in reversed(names) if dataset_of(name).casefold().endswith(dataset))
        return
    listing = pool.listing.value
    for name in listing.systems if listing is not None else ():
        listed = listing.table.dataset(name) if listing is not None else None
        if listed is not None and name.casefold().endswith(dataset):
            columns = listed.snapshots
            places = range(len(columns) - 1, max(-1, len(columns) - 1 - MOST_SNAPSHOTS), -1)
            yield from (f"{name}{AT}{columns.name(place)}" for place in places)


def silence_under_cursor(screen: ConsoleScreen) -> NamedPlace | None:
    """The silence of what is under the cursor, where findings are on it that can be silenced."""
    if hasattr(screen, "action_silence"):
        return None  # its own key is among the commands
    found = findings_under_cursor(screen)
    if found is None:
        return None
    host, of = found
    named = " and ".join(dict.fromkeys(each.subject for each in of[:2])) + (" ..." if len(of) > 2 else "")
    return NamedPlace("silence", named, partial(_silence, screen, host, of), f"on {host.state.host}")


def _silence(screen: ConsoleScreen, host: HostView, of: tuple[Finding, ...]) -> None:
    from zconsole.ui.flows.choose_finding import silence_one_of  # noqa: PLC0415  # of one command

    silence_one_of(screen, host, of)


def findings_under_cursor(screen: ConsoleScreen) -> tuple[HostView, tuple[Finding, ...]] | None:
    """The findings on the disk, dataset or pool under the cursor that can be silenced; None for none."""
    name, pool = screen.subject()
    host = screen.shown.host(name) if screen.shown is not None and name else None
    if host is None:
        return None
    serial, full = screen.serial(), screen.full_name()
    quiet = [each for each in host.findings if not why_not_silenced(each)]
    if serial:
        found = [each for each in quiet if _serial(each) == serial]
    elif full and full != pool:
        found = [each for each in quiet if each.subject in {full, dataset_of(full)}]
    else:
        found = [each for each in quiet if each.evidence.get("pool") == pool]
    found = [each for each in found if each.severity > Severity.INFO] or found
    return (host, tuple(found)) if found else None


def _serial(finding: Finding) -> str:
    return serial_of_finding(finding.evidence)
