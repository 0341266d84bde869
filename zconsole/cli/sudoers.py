"""`zconsole sudoers`: the rules for sudo, to be put on a storage host."""

from __future__ import annotations

from zconsole.cli.invocation import Sudoers
from zconsole.reports.sudoers import Rules, sudoers


def run_sudoers(asked: Sudoers) -> int:
    """Print the file. Raises UsageError for a user or folder that cannot stand in one."""
    rules = Rules(asked.user, asked.programs, asks_password=asked.asks_password, is_old=asked.is_old)
    print(sudoers(rules), end="")
    return 0
