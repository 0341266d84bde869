"""Whether libzfs_core can be called on a host: on this machine, where a Python has it, and as root."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.collect.ask import Asker
from zconsole.collect.privilege import Privilege
from zconsole.hosts.host import is_here
from zconsole.model.host.plan_facts import Becoming
from zconsole.zfs.change.libzfs_core_call import probe, ways


class CoreFinder:
    """Finds out for one host: once whether it answers, and each time whether it may be called.

    Where it is not certain that it may, the commands serve: they do the same.
    """

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._answers: dict[tuple[str, ...], bool] = {}

    async def find(self, privilege: Privilege, verbs: Sequence[str]) -> tuple[str, ...] | None:
        """What a call begins with, if all of these can be made. Raises HostError where the host is gone."""
        if not is_here(self._asker.host):
            return None
        for way in ways():
            if await self._may(privilege, way, verbs) and await self._does_answer(way):
                return way
        return None

    async def _may(self, privilege: Privilege, way: tuple[str, ...], verbs: Sequence[str]) -> bool:
        for verb in verbs:
            allowed = await privilege.way((*way, verb))
            if allowed.becoming is Becoming.PLAIN or not allowed.is_told:
                return False
        return True

    async def _does_answer(self, way: tuple[str, ...]) -> bool:
        if way not in self._answers:
            completed = await self._asker.run(probe(way), kind=" ".join(way))
            self._answers[way] = completed.is_done
        return self._answers[way]
