"""Input of a rule: one pool, its host, the time, the thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Pool, Vdev

DAY_S = 86400
EvidenceValue = int | float | str | bool | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class RuleInput:
    """Pool with the context in which it is judged; `now` is epoch seconds."""

    state: PoolState
    pool: Pool
    now: float
    thresholds: Thresholds
    inventory: Inventory | None = None  # of its host
    guests: tuple[Guest, ...] = ()  # of its host, as far as they were read

    def found(
        self,
        finding_id: str,
        severity: Severity,
        summary: str,
        *,
        vdev: Vdev | None = None,
        **evidence: EvidenceValue,
    ) -> Finding:
        """Make a finding on the pool, or on one of its vdevs."""
        where: dict[str, EvidenceValue] = {"pool": self.pool.name}
        subject = self.pool.name
        if vdev is not None:
            subject = f"{self.pool.name} {vdev.name}"
            where |= {"vdev": vdev.name, "vdev_guid": None if vdev.guid is None else str(vdev.guid)}
        return Finding(finding_id, severity, subject, summary, where | evidence)

    def advised(
        self, finding_id: str, summary: str, *, vdev: Vdev | None = None, **evidence: EvidenceValue
    ) -> Finding:
        """Make a piece of advice: informational, since nothing is wrong yet."""
        found = self.found(finding_id, Severity.INFO, summary, vdev=vdev, **evidence)
        return replace(found, is_advice=True)


Rule = Callable[[RuleInput], Iterator[Finding]]
