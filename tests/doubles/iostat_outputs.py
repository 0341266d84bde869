"""Whole outputs of `zpool iostat`: one sample since boot, and all samples of a recording."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.hosts.host import Command
from zconsole.model.pools.iostat import IoSample
from zconsole.zfs.iostat.iostat_stream import IostatReader


def since_boot(pools: Sequence[str] = ()) -> Command:
    """Print one sample of the given or all pools, averaged since import."""
    return Command(("zpool", "iostat", "-T", "u", "-Hpvlq", *pools))


def parse_samples(output: bytes, pools: Sequence[str] = (), *, now: float | None = None) -> list[IoSample]:
    """All samples of a finished output; without `pools` it must be of one pool only."""
    reader = IostatReader(dict.fromkeys(pools, ()))
    return reader.feed(output, now=now) + reader.finish()
