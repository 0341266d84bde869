"""Console state at one moment: the hosts' states, their findings, and the time."""

from __future__ import annotations

from typing import Final

from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, LinkState, PoolState

STATUS_LATE_S: Final = 10.0  # beyond the pace at which a status is read
LIST_OLD_S: Final = 10.0
SAMPLES_MISSED: Final = 2  # time after which a number is called old
GRACE_S: Final = 1.0  # a sample takes a moment to arrive


@dataclass(frozen=True, slots=True)
class HostView:
    """One host's state, and its findings, worst first."""

    state: HostState
    findings: tuple[Finding, ...] = ()
    label: str = ""  # from the configuration, as is its group
    group: str = ""
    is_production: bool = False
    silenced: tuple[SilencedFinding, ...] = ()  # by the user; not among the findings

    @property
    def name(self) -> str:
        """The user's name for the host."""
        return self.label or self.state.host

    @property
    def worst(self) -> Severity | None:
        """The worst state; a host that cannot be read has the worst of all."""
        if self.state.link.state in {LinkState.DOWN, LinkState.REFUSED}:
            return Severity.CRITICAL
        return max((each.severity for each in self.findings if not each.is_advice), default=None)

    def silenced_in(self, pool: str) -> tuple[Finding, ...]:
        """The findings of one pool that the user has silenced."""
        return tuple(each.finding for each in self.silenced if each.finding.evidence.get("pool") == pool)

    def of_pool(self, pool: str) -> tuple[Finding, ...]:
        """The findings that concern one pool."""
        return tuple(finding for finding in self.findings if finding.evidence.get("pool") == pool)


@dataclass(frozen=True, slots=True)
class View:
    """Newest states with their findings. `now` is epoch seconds, `monotonic` the clock of ages."""

    hosts: tuple[HostView, ...]
    now: float
    monotonic: float
    interval_s: float = 1.0

    def host(self, name: str) -> HostView | None:
        """The host of that name."""
        return next((host for host in self.hosts if host.state.host == name), None)

    def pool(self, host: str, pool: str) -> PoolState | None:
        """A pool of a host."""
        found = self.host(host)
        return found.state.pool(pool) if found is not None else None

    @property
    def is_live(self) -> bool:
        """Whether every host answers and nothing of it is overdue: no age of a reading is shown."""
        return all(
            host.state.link.state is LinkState.UP
            and host.state.recalled_at is None
            and self.list_age(host) is None
            and all(
                self.io_age(pool) is None and self.status_age(pool, host.state.slack) is None
                for pool in host.state.pools
            )
            for host in self.hosts
        )

    def io_age(self, pool: PoolState) -> float | None:
        """Seconds since the last sample, when it is overdue; None while samples are live, or before any."""
        if pool.io_at is None:
            return None
        age = self.monotonic - pool.io_at
        return age if age > SAMPLES_MISSED * self.interval_s + GRACE_S else None

    def status_age(self, pool: PoolState, slack: float = 1.0) -> float | None:
        """Seconds since the status was read, when it is overdue or failed since; see HostState.slack."""
        age = pool.pool.age(self.monotonic)
        if age is None:
            return None
        is_late = age > pool.status_every_s + STATUS_LATE_S * slack
        return age if is_late or pool.pool.problem else None

    def list_age(self, host: HostView) -> float | None:
        """Seconds since the list of pools was read, when it is overdue."""
        at = host.state.pools_at
        if at is None:
            return None
        age = self.monotonic - at
        return age if age > LIST_OLD_S * host.state.slack else None
