"""What is said of a group without advice: that there is none, or what it could not be judged by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.name_lists import joined_by_and, shortened
from zconsole.model.host.host_state import NO_LIBVIRT, HostState, PoolState, Reading
from zconsole.model.pools.pool import SUSPENDED
from zconsole.views.findings.advice import AdviceGroup
from zconsole.views.layout.state_age_and_link_phrases import counted

CLEAN: Final = "nothing to advise"
NO_GUESTS: Final = "no libvirt on this host"
_NAMED: Final = 3
_OF_POOLS: Final = frozenset({AdviceGroup.STRUCTURE, AdviceGroup.SETTINGS, AdviceGroup.CARE})


def group_in_words(group: AdviceGroup, state: HostState) -> tuple[str, str]:
    """Of a group of which nothing is advised: the words, and their style."""
    if group is AdviceGroup.GUESTS and _has_no_libvirt(state):
        return NO_GUESTS, "dim"
    missing = tuple(_missing(group, state))
    if missing:
        return f"not judged, because {joined_by_and(missing)}", "warn"
    of = f" on {_judged_by(group, state)}" if _judged_by(group, state) else ""
    return f"{CLEAN}{of}", "ok"


def group_on_hosts(group: AdviceGroup, states: Sequence[HostState]) -> tuple[str, str]:
    """The same of several hosts: those of which it is not judged by name, else that there is none."""
    told = [(state.host, *group_in_words(group, state)) for state in states]
    if len(told) == 1:
        return told[0][1:]
    unsure = [f"{words} on {host}" for host, words, style in told if style != "ok"]
    if unsure:
        is_unread = any(style == "warn" for *_, style in told)
        return shortened(unsure, _NAMED), "warn" if is_unread else "dim"
    return f"{CLEAN} on {counted(len(told), 'host')}", "ok"


def _judged_by(group: AdviceGroup, state: HostState) -> str:
    match group:
        case AdviceGroup.GUESTS:
            return counted(len(state.guests.value or ()), "guest")
        case AdviceGroup.HOST:
            return ""
        case _:
            return counted(len(state.pools), "pool")


def _missing(group: AdviceGroup, state: HostState) -> Iterator[str]:
    """Readings that a group is judged by and that are not there, with the reason where there is one."""
    if state.pools_problem and group in _OF_POOLS:
        yield f"the list of pools is not read ({state.pools_problem})"
    match group:
        case AdviceGroup.STRUCTURE:
            yield from _pools([each for each in state.pools if each.pool.value is None], "the status")
            if state.pools and state.inventory.value is None:
                yield f"the disks are not read{_because(state.inventory)}"
        case AdviceGroup.SETTINGS:
            yield from _settings(state)
        case AdviceGroup.CARE:
            yield from _pools([each for each in state.pools if each.pool.value is None], "the status")
            yield from _settings(state)
            if len(state.pools) > 1 and state.replication.value is None:
                yield f"copies are not compared{_because(state.replication)}"
        case AdviceGroup.GUESTS:
            if state.guests.value is None or state.guests.problem:
                yield f"not all guests are read{_because(state.guests)}"
        case AdviceGroup.HOST:
            if state.settings.value is None:
                yield f"the settings of the host are not read{_because(state.settings)}"


def _settings(state: HostState) -> Iterator[str]:
    suspended = [each for each in state.pools if each.kstat_state == SUSPENDED]
    yield from _pools([
        each for each in state.pools if each.settings.value is None and each not in suspended
    ], "the settings")  # fmt: skip
    if suspended:
        verb = "is" if len(suspended) == 1 else "are"
        yield f"{shortened([each.name for each in suspended], _NAMED)} {verb} suspended"


def _pools(unread: list[PoolState], what: str) -> Iterator[str]:
    if unread:
        verb = "is" if what == "the status" else "are"
        yield f"{what} of {shortened([each.name for each in unread], _NAMED)} {verb} not read"


def _has_no_libvirt(state: HostState) -> bool:
    return state.guests.value is None and state.guests.problem.startswith(NO_LIBVIRT)


def _because(reading: Reading[object]) -> str:
    return f" ({reading.problem})" if reading.problem else ""
