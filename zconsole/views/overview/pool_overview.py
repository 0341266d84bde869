"""Pool of the first screen: its state, its host, its wall of disks, and its last minutes."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import PoolState
from zconsole.model.past_states_and_latency_strips import Bandwidth
from zconsole.views.host_states_with_findings import HostView
from zconsole.views.overview.disk_wall import Shown


@dataclass(frozen=True, slots=True)
class PoolOverview:
    """A pool with what is kept of its last minutes."""

    host: HostView
    disks: Shown
    bandwidth: Bandwidth | None = None

    @property
    def state(self) -> PoolState:
        """The pool itself."""
        return self.disks.state

    def name(self, *, has_host: bool) -> str:
        """The name of the pool, behind that of its host where there are several."""
        return f"{self.host.name}:{self.state.name}" if has_host else self.state.name
