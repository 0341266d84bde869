"""Input of a rule: one pool, its host, the time, the thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Advised, Finding, ProposedAction, Severity
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Pool, Vdev

if TYPE_CHECKING:
    from zconsole.model.guests.guest import Guest  # not needed by the first frame
    from zconsole.model.host.host_settings import HostSettings
    from zconsole.model.host.zfs_version import ZfsVersion

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
    residents: tuple[Guest, ...] = ()  # these, and its containers in their form
    host_settings: HostSettings | None = None
    version: ZfsVersion | None = None
    neighbours: tuple[Pool, ...] = ()  # the other pools of its host, as far as they were read
    attached: frozenset[int] = frozenset()  # guids of devices whose attachment or replacement is an event
    suspects: frozenset[str] = frozenset()  # names of devices beside a spare that SMART warns of, or slow

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

    def advised(  # noqa: PLR0913 - what a finding consists of; half have good defaults
        self,
        finding_id: str,
        summary: str,
        advised: Advised,
        *,
        risk: Severity | None = None,
        vdev: Vdev | None = None,
        on: str = "",
        **evidence: EvidenceValue,
    ) -> Finding:
        """Make a piece of advice: informational, since nothing is wrong yet.

        With a `risk` it is a finding of that severity, which counts. `on` is a dataset, its subject: a rule
        that speaks more than once on a pool names another one each time.
        """
        severity = Severity.INFO if risk is None else risk
        made = self.found(finding_id, severity, summary, vdev=vdev, **evidence)
        return replace(made, subject=on or made.subject, is_advice=risk is None, advised=advised)

    def setting(self, name: str, value: str) -> ProposedAction:
        """The action that sets a property of the pool, or of its root dataset."""
        return ProposedAction("set", self.pool.name, (f"{name}={value}",))


Rule = Callable[[RuleInput], Iterator[Finding]]
