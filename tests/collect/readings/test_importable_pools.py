"""Pools that stand on disks and are not imported."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost
from zconsole.base.errors import CommandFailed
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.importable_pools import read_importable
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Completed
from zconsole.zfs.status.importable import IMPORTABLE


class Importing(ScriptedHost):
    """One answer to `zpool import`."""

    def __init__(self, status: int, stdout: bytes, stderr: bytes) -> None:
        super().__init__()
        self._answer = status, stdout, stderr

    async def run(self, command: Command) -> Completed:
        assert IMPORTABLE.argv == command.argv
        return ended(command, *self._answer)


async def test_no_pools_is_an_answer_and_no_error() -> None:
    assert () == await read_importable(Asker(Importing(1, b"", b"no pools available to import\n")))


async def test_any_other_error_is_one() -> None:
    with pytest.raises(CommandFailed, match="exit 1"):
        await read_importable(Asker(Importing(1, b"", b"permission denied\n")))
