"""Hosts and groups that are one row: as few as make all rows fit, and those that the user has folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import LAST, Place, Severity, place_of
from zconsole.model.host.host_state import LinkState
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.pools.pool_columns import BAR_CELLS, NAME_CELLS

UNGROUPED: Final = "no group"
REST: Final = "\0rest"  # behind the key of a group: its hosts of which nothing is wrong
LOST: Final = "\0lost"  # its hosts that cannot be reached
LEAST_REST: Final = 2  # hosts of a group that are one row


def group_key(name: str) -> str:
    """The identity of a group's row."""
    return f"\0group\0{name}"


@dataclass(frozen=True, slots=True)
class ListRoom:
    """What the list of pools may take, and what is known beside the states."""

    bar_cells: int = BAR_CELLS
    rows: int | None = None  # beyond which hosts are folded; None folds none
    folding: Mapping[str, bool] = field(default_factory=dict)  # hosts and keys of groups: folded by the user
    cells: int | None = None  # of the first line
    name_cells: int = NAME_CELLS
    snapshot_bytes: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by host and pool
    left_out: frozenset[str] = frozenset()  # columns of which no cell could tell anything


class Fold(IntEnum):
    """How much is folded where not all rows fit."""

    NOTHING = 0
    QUIET_HOSTS = 1  # a host of which nothing is wrong is one row
    HOSTS = 2  # each host is one row
    QUIET_GROUPS = 3  # and so is a group of which nothing is wrong


def is_folded(view: View, room: ListRoom, key: str) -> bool:
    """Whether a host, or a group by its key, is one row."""
    groups = ranked_groups(view)
    fold = how_to_fold(groups, room)
    host = next((each for each in view.hosts if each.state.host == key), None)
    if host is not None:
        return folds_host(host, room, fold)
    return any(group_key(name) == key and folds_group(name, hosts, room, fold) for name, hosts in groups)


def how_to_fold(groups: Sequence[tuple[str, Sequence[HostView]]], room: ListRoom) -> Fold:
    """As little as makes all rows fit; without groups, trouble stays in full up to half of the rows."""
    if room.rows is None:
        return Fold.NOTHING
    for fold in (Fold.NOTHING, Fold.QUIET_HOSTS, Fold.HOSTS):
        if _count(groups, room, fold) <= room.rows:
            return fold
    if len(groups) > 1:
        return Fold.QUIET_GROUPS
    in_trouble = sum(1 + len(each.state.pools) for _, hosts in groups for each in hosts if not may_fold(each))
    return Fold.QUIET_HOSTS if in_trouble <= room.rows // 2 else Fold.HOSTS


def as_one_row(
    group: str, hosts: Sequence[HostView], room: ListRoom, fold: Fold
) -> tuple[Sequence[HostView], Sequence[HostView]]:
    """Of a group the hosts that cannot be reached, and those of which nothing is wrong: a row each."""
    if not group or fold is not Fold.QUIET_GROUPS or group_key(group) in room.folding:
        return (), ()
    alone = [host for host in hosts if host.state.host not in room.folding]
    lost, quiet = list(filter(is_lost, alone)), list(filter(may_fold, alone))
    return lost if len(lost) >= LEAST_REST else (), quiet if len(quiet) >= LEAST_REST else ()


def ranked_groups(view: View) -> list[tuple[str, list[HostView]]]:
    """The groups of the configuration with their hosts, the worst first."""
    groups: dict[str, list[HostView]] = {}
    for host in ranked_hosts(view):
        groups.setdefault(host.group, []).append(host)
    in_order = sorted(groups.items(), key=lambda group: (place_of_host(group[1][0]), not group[0], group[0]))
    return [(name or UNGROUPED, hosts) for name, hosts in in_order]


def folds_group(name: str, hosts: Sequence[HostView], room: ListRoom, fold: Fold) -> bool:
    """Whether a group is one row; the hosts without groups have no name."""
    if not name:
        return False
    by_default = fold is Fold.QUIET_GROUPS and (all(map(may_fold, hosts)) or all(map(is_lost, hosts)))
    return room.folding.get(group_key(name), by_default)


def folds_host(host: HostView, room: ListRoom, fold: Fold) -> bool:
    """Whether a host is one row."""
    by_default = fold is not Fold.NOTHING and (fold >= Fold.HOSTS or may_fold(host))
    return room.folding.get(host.state.host, by_default)


def _count(groups: Sequence[tuple[str, Sequence[HostView]]], room: ListRoom, fold: Fold) -> int:
    """The number of rows with hosts folded as far as that."""
    headings = len(groups) if len(groups) > 1 else 0
    return headings + sum(
        1 if folds_host(each, room, fold) else 1 + len(each.state.pools)
        for name, hosts in groups
        if not folds_group(name if len(groups) > 1 else "", hosts, room, fold)
        for each in hosts
    )


def ranked_hosts(view: View) -> Sequence[HostView]:
    """The hosts, the worst first."""
    return sorted(view.hosts, key=place_of_host) if len(view.hosts) > 1 else view.hosts


def place_of_host(host: HostView) -> Place:
    """The place of its worst finding; one that cannot be read is as bad as a pool without redundancy."""
    if is_lost(host):
        return place_of(Severity.CRITICAL, "link-lost")
    return min((each.place for each in host.findings if not each.is_advice), default=LAST)


def rank(severity: Severity | None) -> int:
    """A severity to sort by; nothing found comes last."""
    return -1 if severity is None else int(severity)


def is_lost(host: HostView) -> bool:
    """Whether a host cannot be reached."""
    return host.state.link.state in {LinkState.DOWN, LinkState.REFUSED}


def may_fold(host: HostView) -> bool:
    """Whether nothing is lost by one row: it is connected, was read, and nothing is wrong."""
    is_read = bool(host.state.pools) and all(pool.pool.value is not None for pool in host.state.pools)
    return host.state.link.state is LinkState.UP and is_read and rank(host.worst) < Severity.WARNING
