"""The real program, which allows each command on a host more time: emulated hosts are slow."""

from __future__ import annotations

import sys
from dataclasses import replace

from tests.lab.acting import PATIENCE
from zconsole.__main__ import main
from zconsole.hosts.host import Command, Completed
from zconsole.hosts.ssh.ssh_host import SshHost

_run = SshHost.run


async def _run_patiently(self: SshHost, command: Command) -> Completed:
    return await _run(self, replace(command, timeout_s=command.timeout_s * PATIENCE))


if __name__ == "__main__":
    SshHost.run = _run_patiently  # type: ignore[method-assign]
    sys.exit(main())
