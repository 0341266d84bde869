"""What is at hand on a host for what a menu offers: who acts there, with which programs, and on what."""

from __future__ import annotations

from dataclasses import dataclass

from zconsole.model.host.plan_facts import Privileges


@dataclass(frozen=True, slots=True)
class Means:
    """Whatever was asked of a host for its menus."""

    privileges: Privileges
    missing_tools: frozenset[str] = frozenset()  # beside ZFS's, that actions need and that are not there
    properties: tuple[tuple[str, str, str, str], ...] = ()  # (object, property, value, source) asked for
