"""Status of pools as one program prints it again and again: where no event tells of a change.

A user who may not read ZFS's events is told of nothing: each status has to be read every 5 s. One program
that stays costs the host what it computes; one for each reading costs a session, a shell and its start too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

from zconsole.base.errors import CommandFailed
from zconsole.collect.streams.restarting_stream import SILENCE_INTERVALS, unless_silent
from zconsole.hosts.host import DEFAULT_MAX_BYTES, Host
from zconsole.zfs.status.status import follow_status

SILENT_S: Final = 10.0  # then a pool hangs: all are asked by themselves until it is known which


async def status_lines(host: Host, names: Sequence[str], interval_s: float) -> AsyncIterator[bytes]:
    """Each status of these pools. Raises HostError where it ends, and TimeoutError where it is silent."""
    rest = b""
    async with host.stream(follow_status(*names, interval_s=interval_s)) as chunks:
        patience_s = max(SILENT_S, 2 * interval_s) / SILENCE_INTERVALS
        async for chunk in unless_silent(chunks, patience_s):
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > DEFAULT_MAX_BYTES:
                raise CommandFailed(f"zpool status on {host.label} prints a line without an end")
            for line in filter(None, lines[-1:]):  # of several that came late the newest
                yield line
