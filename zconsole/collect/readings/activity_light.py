"""One burst of reads for the activity light of a disk, with the least privilege that suffices."""

from __future__ import annotations

from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.system.dd_disk_reads import TOOL, read_burst


async def let_blink(asker: Asker, privilege: Privilege, device: str, at_mib: int) -> None:
    """Read once. Raises HostError where the disk does not answer, or the user may not read it."""
    asked = await asker.run(await privilege.to_read(read_burst(device, at_mib)), kind=TOOL)
    if not asked.is_done:
        raise failure(asked, asker.host.label)
