"""Importable pools on a host's disks, as far as this user sees them."""

from __future__ import annotations

from zconsole.base.escape_control_characters import decoded
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.model.pools.pool import ImportablePool
from zconsole.zfs.status.importable import IMPORTABLE, parse_importable


async def read_importable(asker: Asker) -> tuple[ImportablePool, ...]:
    """Pools on the host's disks that are not imported; reads the label of every disk."""
    completed = await asker.run(IMPORTABLE, kind="import")
    if completed.is_done or (completed.status == 1 and b"no pools available" in completed.stderr):
        return parse_importable(decoded(completed.stdout))
    raise failure(completed, asker.host.label)
