"""Availability of libzfs_core on a host: this machine only, with a suitable Python, as root."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import is_here
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.zfs.change.libzfs_core_argv import probe, ways


class CoreFinder:
    """Finder for one host: availability is tested once, permission each time.

    If permission is uncertain, the equivalent commands are used.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._answers: dict[tuple[str, ...], bool] = {}

    async def find(self, privilege: Privilege, verbs: Sequence[str]) -> tuple[str, ...] | None:
        """Argv prefix if all these verbs can be called. Raises HostError when the host is unreachable."""
        if not is_here(self._asker.host):
            return None
        for way in ways():
            if await self._may(privilege, way, verbs) and await self._does_answer(way):
                return way
        return None

    async def _may(self, privilege: Privilege, way: tuple[str, ...], verbs: Sequence[str]) -> bool:
        for verb in verbs:
            allowed = await privilege.way((*way, verb))
            if allowed.privilege_mode is PrivilegeMode.PLAIN or not allowed.is_told:
                return False
        return True

    async def _does_answer(self, way: tuple[str, ...]) -> bool:
        if way not in self._answers:
            completed = await self._asker.run(probe(way), kind=" ".join(way))
            self._answers[way] = completed.is_done
        return self._answers[way]
