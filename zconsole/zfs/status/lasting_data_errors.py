"""Count of data errors that will still be there when I/O works."""

from __future__ import annotations

from zconsole.model.pools.pool import SUSPENDED


def lasting_data_errors(state: str, counted: int | None) -> int | None:
    """None for a suspended pool: it counts I/O that waits, and is sent again once the pool is cleared."""
    return None if state == SUSPENDED and counted else counted
