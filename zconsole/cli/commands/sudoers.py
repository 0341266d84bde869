"""`zconsole sudoers`: the rules for sudo, to be put on a storage host."""

from __future__ import annotations

from zconsole.cli.requests import Sudoers
from zconsole.reports.sudoers import Rules, sudoers
from zconsole.reports.sudoers_patterns import Grants


def run_sudoers(asked: Sudoers) -> int:
    """Print the file. Raises UsageError for a user or folder that cannot stand in one."""
    grants = Grants(asked.pools, asked.mountpoints, asked.keys, asked.values, frozenset(asked.commands))
    rules = Rules(asked.user, asked.programs, asked.asks_password, asked.is_old, grants)
    print(sudoers(rules), end="")
    return 0
