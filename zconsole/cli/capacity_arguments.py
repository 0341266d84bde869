"""The arguments of `zconsole capacity`."""

from __future__ import annotations

import argparse
from dataclasses import field
from fractions import Fraction
from functools import partial
from typing import Final

from zconsole.analysis.capacity.smallest_layout_for_data import MOST_DRIVES, LayoutDemand
from zconsole.analysis.capacity.storage_budget_factors import (
    FREE,
    GROWTH,
    REDUNDANCY,
    SNAPSHOTS,
    UNITS,
    Budget,
    budget,
    read_data,
    read_drives,
    read_free_space,
    read_growth,
    read_units,
)
from zconsole.analysis.pool_growth.parse_change_and_compute_outcome import (
    CHANGES,
    Drives,
    PoolChange,
    read_change,
)
from zconsole.analysis.pool_layouts.drive_size import Drive, parse_drive
from zconsole.analysis.pool_layouts.layout import DEFAULT_ASHIFT, Layout
from zconsole.analysis.pool_layouts.layout_comparison import Costs, usual_layouts
from zconsole.analysis.pool_layouts.layout_parser import parse_layout, parse_release
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.pool_layouts.usable_space import DEFLATED_BLOCK
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import (
    parse_block_size,
    parse_bytes,
    parse_count,
    parse_duration,
    parse_number,
    parse_percent,
    parse_size,
)
from zconsole.cli.options import Parser, add_hosts, add_json, count, natural, typed, where_of
from zconsole.cli.selected_hosts import HostSelection


@dataclass(frozen=True, slots=True)
class CapacityLayoutRequest:
    """`zconsole capacity layout`."""

    layout: Layout
    block_bytes: int
    is_json: bool = False


@dataclass(frozen=True, slots=True)
class CapacityNeedRequest:
    """`zconsole capacity need`: of data, or of drives where `raw_bytes` is given."""

    budget: Budget
    data_bytes: int | None = None
    raw_bytes: int | None = None
    layout: Layout | None = None
    is_json: bool = False
    drive: Drive | None = None  # for the smallest layout, where none is given
    bays: int | None = None
    block_bytes: int = DEFLATED_BLOCK
    ashift: int = DEFAULT_ASHIFT


@dataclass(frozen=True, slots=True)
class CapacityCompareRequest:
    """`zconsole capacity compare`."""

    layouts: tuple[Layout, ...]
    block_bytes: int
    assumed: Assumptions
    costs: Costs
    is_json: bool = False
    demand: LayoutDemand | None = None  # what they are to hold, where it is asked


@dataclass(frozen=True, slots=True)
class CapacityWhatIfRequest:
    """`zconsole capacity what-if`."""

    pool: str
    change: PoolChange
    assumed: Assumptions
    where: HostSelection = field(default_factory=HostSelection)
    is_json: bool = False


Capacity = CapacityLayoutRequest | CapacityNeedRequest | CapacityCompareRequest


LAYOUT_FORMS: Final = """\
LAYOUT is vdevs one after another: stripe:N, mirror:N, raidz1:N to raidz3:N,
draid2:4d:10c:1s (groups of 4 data disks, 10 disks, 1 spare). x2 behind one
repeats it, @SIZE gives it drives of its own (@4TB+8TB: one for each place,
@1.92TB:ssd says the kind). What stands behind special, dedup, log, cache or
spare is for that.

SIZE of a drive: 12TB is a drive sold as 12 TB, on which ZFS makes its
partitions; bytes and TiB are exactly what ZFS is given.
"""
CHANGE_FORMS: Final = """\
changes:
  add LAYOUT --disk SIZE      more vdevs, and how writes spread then
  replace VDEV --disk SIZE    all disks of a vdev by larger ones
  attach VDEV --disk SIZE     one disk more in a raidz (OpenZFS 2.3)
  remove VDEV                 without this vdev
  move LAYOUT --disk SIZE     another layout, on drives beside the pool
  move-on-halves LAYOUT --disk SIZE   the same on disks of its mirrors
  compression 1.2 1.6         another compress ratio of the data
  recordsize 128K 16K         another block size of the data
  copies 1 2                  another number of copies
  dedup 1.5                   so many references a block
  snapshots [DATASET]         without any snapshot of it and of what is below it
"""
DEFAULT_BLOCK: Final = "128K"


def add_drives(parser: Parser) -> None:
    """`--disk`, `--file` and `--ashift`."""
    parser.add_argument("--disk", metavar="SIZE", help="of each drive: 12TB as sold, or exact: 11TiB, bytes")
    parser.add_argument(
        "--file", action="store_true", help="sizes are exact, and ZFS makes no partitions: files"
    )
    parser.add_argument(
        "--ashift",
        metavar="N",
        type=ashift,
        default=DEFAULT_ASHIFT,
        help="sectors of 2^N bytes (default: 12)",
    )


def _add_release(parser: Parser) -> None:
    parser.add_argument(
        "--zfs",
        metavar="RELEASE",
        default="2.4",
        help="the OpenZFS that makes the pool, from 2.1 (default: 2.4)",
    )


def drive_from(found: argparse.Namespace) -> Drive | None:
    """Requested drive."""
    return None if found.disk is None else parse_drive(found.disk, is_file=found.file)


def ashift(text: str) -> int:
    """Type of an ashift argument; ZFS's bounds are checked later."""
    if not text.isascii() or not text.isdigit() or len(text) > 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not an ashift, such as 12")
    return int(text)


def _add_block(parser: Parser) -> None:
    parser.add_argument(
        "--recordsize",
        "--volblocksize",
        metavar="SIZE",
        type=typed(parse_block_size),
        default=DEFAULT_BLOCK,
        help="usable at this block size as well (default: 128K)",
    )


def _layout_of(text: str, found: argparse.Namespace) -> Layout:
    release = parse_release(found.zfs)
    return parse_layout(text, drive_from(found), ashift=found.ashift, is_file=found.file, release=release)


def _usual(found: argparse.Namespace, *, is_alone: bool) -> tuple[Layout, ...]:
    if found.bays is None:
        if is_alone:
            raise UsageError("nothing to compare", hint="Name layouts, or --bays N and --disk SIZE.")
        if found.spares is not None:
            raise UsageError("--spares are of --bays", hint="In a layout they are written: spare:1.")
        return ()
    drive = drive_from(found)
    if drive is None:
        raise UsageError("how large are the drives in these bays?", hint="--disk 12TB")
    return usual_layouts(drive, found.bays, spares=found.spares or 0, ashift=found.ashift)


def _assumed(found: argparse.Namespace) -> Assumptions:
    usual = Assumptions()
    return Assumptions(
        usual.yearly_failures if found.afr is None else float(found.afr) / 100,
        usual.used if found.fill is None else float(found.fill) / 100,
        usual.rate_bytes_per_s if found.rate is None else found.rate,
        usual.wait_s if found.wait is None else found.wait,
    )


def _rate(text: str) -> float:
    return float(parse_size(text[:-2] if text.lower().endswith("/s") else text).size_bytes)


def _growth(text: str | None, years: str | None) -> Fraction | None:
    if years is not None and (text is None or not text.endswith("%")):
        raise UsageError("--years is for growth in percent", hint="For example: --growth 15% --years 5.")
    return None if text is None else read_growth(text, years)


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def add_layout(parser: Parser) -> None:
    """The arguments of `zconsole capacity layout`."""
    parser.add_argument("layout", metavar="LAYOUT", nargs="+", help="as 'raidz2:8 x2'")
    add_drives(parser)
    _add_release(parser)
    _add_block(parser)
    add_json(parser, "one object, as docs/json.md documents it")


def read_layout(found: argparse.Namespace) -> CapacityLayoutRequest:
    """Request from the arguments. Raises UsageError."""
    return CapacityLayoutRequest(_layout_of(" ".join(found.layout), found), found.recordsize, found.json)


def add_need(parser: Parser) -> None:
    """The arguments of `zconsole capacity need`."""
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--data", type=typed(read_data), metavar="SIZE", help="of today, such as 10TiB")
    size.add_argument(
        "--raw",
        type=typed(read_drives),
        metavar="SIZE",
        help="the drives of one system, such as 96TB: for how much data?",
    )
    parser.add_argument(
        "--fill", type=typed(read_free_space), metavar="PERCENT", help="a pool is full at (default: 80%%)"
    )
    parser.add_argument(
        "--growth", metavar="N", help="the data becomes N times as much (default: 2), or 15%% a year"
    )
    parser.add_argument("--years", metavar="N", help="of growth in percent (default: 5)")
    parser.add_argument(
        "--snapshots",
        type=typed(parse_number),
        metavar="N",
        help="data and snapshots, times the data (default: 1.3)",
    )
    parser.add_argument(
        "--redundancy",
        type=typed(parse_number),
        metavar="N",
        help="default: 2, as mirrors; a layout has its own",
    )
    parser.add_argument(
        "--systems",
        type=count,
        metavar="N",
        help="3 for production, hot spare, disaster recovery (default: 1)",
    )
    parser.add_argument(
        "--tb-per-tib", type=typed(read_units), metavar="N", help="default: 1.1; exact is 1.0995"
    )
    parser.add_argument(
        "--layout",
        metavar="LAYOUT",
        help="count drives of this layout, and its redundancy (with --disk alone: the smallest advised)",
    )
    parser.add_argument("--bays", type=_bays, metavar="N", help="room for so many drives")
    add_drives(parser)
    _add_release(parser)
    _add_block(parser)
    add_json(parser, "one object, as docs/json.md documents it")


def read_need(found: argparse.Namespace) -> CapacityNeedRequest:
    """Request from the arguments. Raises UsageError."""
    layout = None if found.layout is None else _layout_of(found.layout, found)
    if layout is None and found.disk is not None and found.raw is not None:
        raise UsageError("--disk is the drive of a layout", hint="Name one: --layout mirror:2.")
    if found.bays is not None and (layout is not None or found.disk is None):
        raise UsageError(
            "--bays is for the smallest layout of --disk", hint="--data 10TiB --disk 12TB --bays 8"
        )
    if layout is not None and found.redundancy is not None:
        raise UsageError(
            "--redundancy and --layout exclude each other",
            hint="A layout has its own redundancy: counted once.",
        )
    values = {
        UNITS: found.tb_per_tib,
        FREE: found.fill,
        GROWTH: _growth(found.growth, found.years),
        SNAPSHOTS: found.snapshots,
        REDUNDANCY: found.redundancy,
    }
    return CapacityNeedRequest(
        budget(values, found.systems),
        found.data,
        found.raw,
        layout,
        found.json,
        drive_from(found),
        found.bays,
        found.recordsize,
        found.ashift,
    )


def add_compare(parser: Parser) -> None:
    """The arguments of `zconsole capacity compare`."""
    parser.add_argument(
        "layouts", metavar="LAYOUT", nargs="*", help="each in quotes: 'mirror:2 x4' 'raidz2:8'"
    )
    parser.add_argument("--bays", type=count, metavar="N", help="the usual layouts for so many drives")
    parser.add_argument(
        "--spares", type=natural, metavar="N", help="of them are hot spares (default: what is left over)"
    )
    parser.add_argument(
        "--usable",
        type=typed(parse_bytes),
        metavar="SIZE",
        help="the pool must have, as `need` says: which hold it, the smallest first",
    )
    parser.add_argument("--price", type=typed(parse_number), metavar="N", help="of a drive")
    parser.add_argument("--watts", type=typed(parse_number), metavar="N", help="of a drive")
    parser.add_argument(
        "--afr",
        type=typed(parse_percent),
        metavar="PERCENT",
        help="of disks that fail in a year (default: 1.5%%)",
    )
    parser.add_argument(
        "--fill", type=typed(parse_percent), metavar="PERCENT", help="how full the pool is (default: 80%%)"
    )
    parser.add_argument(
        "--rate", type=typed(_rate), metavar="SIZE", help="a second, of a resilver at a disk (default: 150MB)"
    )
    parser.add_argument(
        "--wait",
        type=typed(partial(parse_duration, bare="h")),
        metavar="TIME",
        help="until a disk is there, without a spare; hours without a unit (default: 24h)",
    )
    add_drives(parser)
    _add_release(parser)
    _add_block(parser)
    add_json(parser, "one object, as docs/json.md documents it")


def read_compare(found: argparse.Namespace) -> CapacityCompareRequest:
    """Request from the arguments. Raises UsageError."""
    layouts = tuple(_layout_of(text, found) for text in found.layouts)
    usual, demand = _usual(found, is_alone=not layouts), None
    if found.usable is not None:
        demand = _demand(found)
        usual = usual if layouts else ()  # which they are is a question of what they must hold
    return CapacityCompareRequest(
        (*layouts, *usual),
        found.recordsize,
        _assumed(found),
        Costs(_float(found.price), _float(found.watts)),
        found.json,
        demand,
    )


def _demand(found: argparse.Namespace) -> LayoutDemand:
    """What layouts must hold. Raises UsageError."""
    drive = drive_from(found)
    if drive is None:
        raise UsageError("how large are the drives that are to hold it?", hint="--disk 12TB")
    if found.spares is not None:
        raise UsageError(
            "--spares and --usable exclude each other", hint="Bays that stay free are for spares."
        )
    return LayoutDemand(found.usable, drive, found.bays, found.recordsize, found.ashift)


def _bays(text: str) -> int:
    """Type of the bays of `need`."""
    return typed(partial(parse_count, least=2, most=MOST_DRIVES))(text)


def add_what_if(parser: Parser) -> None:
    """The arguments of `zconsole capacity what-if`."""
    parser.add_argument("pool", metavar="POOL")
    parser.add_argument("change", metavar="CHANGE", choices=tuple(CHANGES))
    parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--free-bay", action="store_true", help="the old disk stays in while it is replaced")
    add_drives(parser)
    _add_block(parser)
    parser.add_argument(
        "--rate", type=typed(_rate), metavar="SIZE", help="a second, of copying at a disk (default: 150MB)"
    )
    add_json(parser, "one object, as docs/json.md documents it")
    add_hosts(parser)


def read_what_if(found: argparse.Namespace) -> CapacityWhatIfRequest:
    """Request from the arguments. Raises UsageError."""
    change = read_change(
        found.change,
        tuple(found.words),
        Drives(drive_from(found), found.ashift, is_file=found.file, has_free_bay=found.free_bay),
        block_bytes=found.recordsize,
    )
    assumed = Assumptions() if found.rate is None else Assumptions(rate_bytes_per_s=found.rate)
    return CapacityWhatIfRequest(found.pool, change, assumed, where_of(found), found.json)
