"""What the sections of the first screen tell of the pools that match a filter, and of no others."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from zconsole.views.host_states_with_findings import HostView, View

Wanted: TypeAlias = frozenset[tuple[str, str]] | None  # hosts and pools; None: all


def is_among(host: str, pool: str, wanted: Wanted) -> bool:
    """Whether a pool is one of those that match."""
    return wanted is None or (host, pool) in wanted


def of_pools(view: View, wanted: Wanted) -> View:
    """The hosts with the findings and events of these pools alone; runs are of no pool."""
    if wanted is None:
        return view
    return replace(view, hosts=tuple(_of_host(host, wanted) for host in view.hosts))


def _of_host(host: HostView, wanted: Wanted) -> HostView:
    name, state = host.state.host, host.state
    return replace(
        host,
        state=replace(
            state,
            events=tuple(each for each in state.events if each.pool and is_among(name, each.pool, wanted)),
            runs=(),
        ),
        findings=tuple(
            each
            for each in host.findings
            if isinstance(pool := each.evidence.get("pool"), str) and is_among(name, pool, wanted)
        ),
    )
