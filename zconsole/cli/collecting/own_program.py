"""Command line of this program, for units of systemd."""

from __future__ import annotations

import os
import shutil
import sys

from zconsole.cli.selected_hosts import HostSelection


def own_program(subcommand: str, where: HostSelection) -> tuple[str, ...]:
    """The words that run a subcommand on the same hosts."""
    found = shutil.which(sys.argv[0])
    program = (os.path.abspath(found),) if found else (sys.executable, "-m", "zconsole")  # noqa: PTH100 - links stay
    hosts = tuple(word for host in where.hosts for word in ("--host", host))
    return (*program, subcommand, *hosts)
