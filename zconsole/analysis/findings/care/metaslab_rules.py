"""Rule on the state of metaslabs: vdevs so full that ZFS looks for the best-fitting piece of free space.

ZFS divides a vdev into metaslabs of 16 GiB at most. In each it takes the next free piece that is
large enough, until less than `metaslab_df_free_pct` of it is free: then it searches for the smallest piece
that fits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.base.fixed_width_formatting import zfs_size
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Advised, Finding
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Vdev

BEST_FIT_PERCENT: Final = 4.0  # metaslab_df_free_pct
PERCENT: Final = 100
NAMED: Final = 4
# zfs_frag_table: the fragmentation of free space all in pieces of 512 bytes, 1 KiB, 2 KiB, ...
_TABLE: Final = (100, 99, 97, 93, 88, 83, 77, 71, 64, 57, 50, 43, 36, 29, 23, 17, 12, 7, 3, 1, 0)
_OLD_TABLE: Final = (100, 100, 98, 95, 90, 80, 70, 60, 50, 40, 30, 20, 15, 10, 5, 0)
_TABLE_SINCE: Final = (2, 3, 1)
_SMALLEST_PIECE: Final = 512


def metaslabs_are_full(facts: RuleInput) -> Iterator[Finding]:
    """Data vdevs with so little free space that every write searches for its place."""
    tops = [top for top in facts.pool.of_class("data") if top.size_bytes and top.free_bytes is not None]
    full = [(top, PERCENT * (top.free_bytes or 0) / (top.size_bytes or 1)) for top in tops]
    full = [(top, free) for top, free in full if free < BEST_FIT_PERCENT and not top.is_removing]
    if not full:
        return
    told = tuple(f"{top.name} ({_state(top, free, facts.version)})" for top, free in full)
    others = [top.name for top in tops if top not in [each for each, _ in full]]
    verb = "takes" if len(others) == 1 else "take"
    meanwhile = f"; {shortened(others, NAMED)} {verb} most of the rest" if others else ""
    yield facts.advised(
        "metaslabs-full",
        f"ZFS searches nearly full metaslabs for a place that fits each write on {shortened(told, NAMED)}"
        f"{meanwhile}",
        Advised(
            f"{min(free for _, free in full):.1f}% free", f"at least {BEST_FIT_PERCENT:g}% of a vdev", None
        ),
        vdevs=tuple(top.name for top, _ in full),
        free_percents=tuple(f"{free:.1f}" for _, free in full),
        fragmentation_percents=tuple(
            "·" if top.fragmentation_percent is None else str(top.fragmentation_percent) for top, _ in full
        ),
        limit_percent=BEST_FIT_PERCENT,
    )


def piece_bytes(fragmentation_percent: int, version: ZfsVersion | None) -> int:
    """The size of a piece of free space, were all of one size, by ZFS's table; a power of two."""
    is_old = version is not None and version.kernel_numbers < _TABLE_SINCE
    table = _OLD_TABLE if is_old else _TABLE
    steps = (at for at, percent in enumerate(table) if percent <= fragmentation_percent)
    return _SMALLEST_PIECE << next(steps, len(table) - 1)


def _state(top: Vdev, free_percent: float, version: ZfsVersion | None) -> str:
    pieces = top.fragmentation_percent
    about = "" if pieces is None else f" in pieces of about {zfs_size(piece_bytes(pieces, version))}"
    return f"{free_percent:.1f}% free{about}"


RULES: Final[tuple[Rule, ...]] = (metaslabs_are_full,)
