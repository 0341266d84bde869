"""Cache of findings per host: recomputed when the state changes, a few hosts at a time otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.analysis.findings.silenced_findings import SilencedFinding, without_silenced
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.model.pools.pool import SUSPENDED
from zconsole.views.host_states_with_findings import HostView

JUDGED_EVERY_S: Final = 10.0  # while only time and I/O change: scans stall and scrubs become overdue
MOST_AT_ONCE: Final = 4  # hosts that are judged again only because time passed
SAME_MOMENT_S: Final = 0.05  # in which a drawing and the alerts ask for the same states


@dataclass(frozen=True, slots=True)
class _Judged:
    facts: tuple[object, ...]
    at: float
    found: tuple[Finding, ...]
    silenced: tuple[SilencedFinding, ...] = ()


class Judge:
    """Cache of each host's findings."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._known: Mapping[str, HostConfig] = {
            name: host for host in config.hosts for name in (host.name, host.address)
        }
        self._judged: dict[str, _Judged] = {}
        self._last: tuple[Sequence[HostState], float, tuple[HostView, ...]] = ((), 0.0, ())

    def use(self, config: Config) -> None:
        """Judge by other silences and thresholds from now on."""
        self._config = config
        self._judged.clear()
        self._last = ((), 0.0, ())

    def hosts(self, states: Sequence[HostState], now: float, monotonic: float) -> tuple[HostView, ...]:
        """The hosts with their findings."""
        before, at, known = self._last
        is_same_moment = 0 <= monotonic - at < SAME_MOMENT_S and len(before) == len(states)
        if not is_same_moment or any(one is not other for one, other in zip(before, states, strict=True)):
            known = self._hosts(states, now, monotonic)
            self._last = (states, monotonic, known)
        return known

    def _hosts(self, states: Sequence[HostState], now: float, monotonic: float) -> tuple[HostView, ...]:
        if sum(bool(state.guests.value) for state in states) > 1:
            # The first frame has no guests, and is not to wait for what judges them.
            from zconsole.analysis.guests.guests_on_two_hosts import with_guests_elsewhere  # noqa: PLC0415

            states = with_guests_elsewhere(states)
        due = [state.host for state in states if self._is_due(state, monotonic)]
        due.sort(key=lambda host: self._judged[host].at)
        return tuple(self._view(state, now, monotonic, due[:MOST_AT_ONCE]) for state in states)

    def _is_due(self, state: HostState, monotonic: float) -> bool:
        judged = self._judged.get(state.host)
        return judged is not None and not 0 <= monotonic - judged.at < JUDGED_EVERY_S

    def _view(self, state: HostState, now: float, monotonic: float, due: Sequence[str]) -> HostView:
        facts, judged = _facts(state), self._judged.get(state.host)
        if judged is None or state.host in due or judged.facts != facts:
            judged = _Judged(facts, monotonic, *self._found(state, now))
            self._judged[state.host] = judged
        known = self._known.get(state.host)
        return HostView(
            state,
            judged.found,
            label=known.label if known is not None else "",
            group=known.group if known is not None else "",
            is_production=state.is_production or (known is not None and known.is_production),
            silenced=judged.silenced,
        )

    def _found(self, state: HostState, now: float) -> tuple[tuple[Finding, ...], tuple[SilencedFinding, ...]]:
        if not _can_be_judged(state):
            return (), ()
        # The rules bring the analysis of repairs with them; the first frame, of names alone, needs neither.
        from zconsole.analysis.findings.all_findings import findings  # noqa: PLC0415

        found = findings(state, now, self._config.thresholds)
        return without_silenced(found, state.host, self._config, now)


def _can_be_judged(state: HostState) -> bool:
    """False while nothing but the names of the host's pools is known, or nothing at all."""
    if state.recalled_at is not None:
        return False  # what was found then may be wrong now
    if state.link.state is LinkState.CONNECTING and state.pools_at is None and not state.pools_problem:
        return False  # it is connected to for the first time
    return (
        not state.pools
        or bool(state.pools_problem)
        or any(
            pool.pool.value is not None or pool.pool.problem or pool.kstat_state == SUSPENDED
            for pool in state.pools
        )
    )


def _facts(state: HostState) -> tuple[object, ...]:
    """Facts that change the findings at once: all but the samples and the times of reading."""
    pools = tuple(
        (
            pool.name,
            pool.kstat_state,
            pool.pool.value,
            pool.pool.problem,
            pool.scan_restarts,
            pool.degraded_since,
            pool.forecast.value,
            pool.settings.value,
            pool.dedup.value,
            pool.contents.value,
            tuple((verdict.disk, verdict.kind) for verdict in pool.slow),
        )
        for pool in state.pools
    )
    residents = state.guests.value, state.guests_elsewhere, state.containers.value, state.replication.value
    around = state.inventory.value, state.smart.value, *residents, state.settings.value
    return (state.link.state, state.recalled_at, state.pools_problem, state.version.value, pools, *around)
