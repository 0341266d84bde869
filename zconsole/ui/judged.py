"""Findings for each host, judged anew only when there is something new to judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zconsole.analysis.findings import findings
from zconsole.base.config import Config, HostConfig
from zconsole.model.finding import Finding
from zconsole.model.host_state import HostState
from zconsole.ui.present.view import HostView

JUDGED_EVERY_S = 2.0  # while only I/O moves on
_Kept = tuple[tuple[object, ...], float, tuple[Finding, ...]]


class Judge:
    """Remembers each host's findings."""

    def __init__(self, config: Config) -> None:
        self._thresholds = config.thresholds
        self._known: Mapping[str, HostConfig] = {
            name: host for host in config.hosts for name in (host.name, host.address)
        }
        self._kept: dict[str, _Kept] = {}

    def hosts(self, states: Sequence[HostState], now: float, monotonic: float) -> tuple[HostView, ...]:
        """The hosts with what was found in them."""
        return tuple(self._view(state, now, monotonic) for state in states)

    def _view(self, state: HostState, now: float, monotonic: float) -> HostView:
        facts = _facts(state)
        kept = self._kept.get(state.host)
        if kept is None or kept[0] != facts or monotonic - kept[1] >= JUDGED_EVERY_S or monotonic < kept[1]:
            kept = (facts, monotonic, findings(state, now, self._thresholds))
            self._kept[state.host] = kept
        known = self._known.get(state.host)
        return HostView(
            state,
            kept[2],
            label=known.label if known is not None else "",
            is_production=known.is_production if known is not None else False,
        )


def _facts(state: HostState) -> tuple[object, ...]:
    """What changes a judgement at once: everything but the samples."""
    pools = tuple(
        (pool.name, pool.kstat_state, pool.pool, pool.scan_restarts, pool.degraded_since)
        for pool in state.pools
    )
    return (state.link.state, state.pools_problem, state.version, pools)
