"""Images of guests that do not exist on their host, such as the device of a renamed volume."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.base.errors import CommandFailed, LinkLost, ParseError, Stuck
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.system.missing_paths import AT_ONCE, list_existing, parse_missing


async def read_missing_images(asker: Asker, privilege: Privilege, paths: Sequence[str]) -> frozenset[str]:
    """The absolute paths that certainly do not exist; what cannot be told is left out. Raises LinkLost."""
    batches = [paths[at : at + AT_ONCE] for at in range(0, len(paths), AT_ONCE)]
    return frozenset().union(*await all_of(_missing(asker, privilege, each) for each in batches))


async def _missing(asker: Asker, privilege: Privilege, paths: Sequence[str]) -> frozenset[str]:
    try:
        command = await privilege.to_read(list_existing(paths))
        completed = await asker.run(command, kind="missing images", pool=paths[0])
        return parse_missing(completed.stderr.decode("utf-8", "surrogateescape"), paths)
    except LinkLost:
        raise
    except (CommandFailed, ParseError, Stuck):
        return frozenset()
