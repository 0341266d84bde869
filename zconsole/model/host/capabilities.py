"""Capabilities of a host that menus depend on: privileges, programs, features."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.plan_facts import Privileges


@dataclass(frozen=True, slots=True)
class HostCapabilities:
    """Answers of a host that menus are made from."""

    privileges: Privileges
    missing_tools: frozenset[str] = frozenset()  # needed by actions and not installed, ZFS's own excluded
    properties: tuple[tuple[str, str, str, str], ...] = ()  # requested: (object, property, value, source)
