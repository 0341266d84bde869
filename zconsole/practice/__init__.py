"""The practice host: an in-memory ZFS world that answers commands as OpenZFS 2.4 does."""

from __future__ import annotations

from zconsole.base.clock import ManualClock
from zconsole.practice.command_and_link_fault_switches import Faults
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.host_world import World

__all__ = ["Faults", "ManualClock", "PracticeHost", "World", "create_world"]
