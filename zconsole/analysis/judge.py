"""The same findings as `findings`, remembered while nothing has changed: for states that come each second."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zconsole.analysis.findings import findings_of_host, findings_of_pool, in_order
from zconsole.base.thresholds import Thresholds
from zconsole.model.finding import Finding
from zconsole.model.host_state import HostState, PoolState

JUDGED_ANEW_S: Final = 10.0  # ages and times left are part of what is said


@dataclass(frozen=True, slots=True)
class _Verdict:
    about: PoolState
    at: float
    findings: tuple[Finding, ...]

    def holds(self, pool: PoolState, now: float) -> bool:
        """Whether nothing that a rule looks at has moved since; parts are compared by identity."""
        return (
            self.about.pool is pool.pool
            and self.about.kstat_state == pool.kstat_state
            and self.about.degraded_since == pool.degraded_since
            and self.about.scan_history is pool.scan_history
            and self.about.scan_restarts == pool.scan_restarts
            and 0 <= now - self.at < JUDGED_ANEW_S
        )


class Judge:
    """Judges hosts again and again; remembers its verdict on each pool. Not for use by several threads."""

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        self._verdicts: dict[tuple[str, str], _Verdict] = {}

    def findings(self, state: HostState, now: float) -> tuple[Finding, ...]:
        """Return everything worth saying of a host, worst first; `now` is epoch seconds."""
        found = list(findings_of_host(state))
        for pool in state.pools:
            key = (state.host, pool.name)
            verdict = self._verdicts.get(key)
            if verdict is None or not verdict.holds(pool, now):
                verdict = _Verdict(pool, now, tuple(findings_of_pool(pool, now, self._thresholds)))
                self._verdicts[key] = verdict
            found.extend(verdict.findings)
        return in_order(found)
