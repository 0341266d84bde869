"""The practice host: an in-memory ZFS world that answers commands as OpenZFS 2.4 does."""

from __future__ import annotations

from zconsole.base.clock import ManualClock
from zconsole.hosts.practice.faults import Faults
from zconsole.hosts.practice.host import PracticeHost
from zconsole.hosts.practice.topology import create_world
from zconsole.hosts.practice.world import World

__all__ = ["Faults", "ManualClock", "PracticeHost", "World", "create_world"]
