"""Reads that make the activity light of a disk blink: `dd`, a bounded burst at a time, discarded."""

from __future__ import annotations

from typing import Final

from zconsole.hosts.host import Command

BURST_MIB: Final = 48  # some 0.2 to 0.4 s of a hard disk
TIMEOUT_S: Final = 8.0  # a disk that takes longer does not blink in a pattern


def read_burst(device: str, at_mib: int) -> Command:
    """Read a part of a disk past the page cache; without the console it ends by itself."""
    return Command(
        (
            "dd", f"if={device}", "of=/dev/null",
            "bs=1M", f"count={BURST_MIB}", f"skip={at_mib}", "iflag=direct",
        ),
        timeout_s=TIMEOUT_S,
    )  # fmt: skip
