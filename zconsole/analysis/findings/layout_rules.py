"""Advice on how a pool is built: vdevs, widths, sectors, names of devices, what ZFS remarks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES, is_vital, pool_redundancy
from zconsole.analysis.vdevs.share_of_next_writes import next_shares, written_shares
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.fixed_width_formatting import size, used_percent
from zconsole.base.name_lists import joined_by_and, shortened
from zconsole.model.finding import Advised, Finding, ProposedAction
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev

UNEVEN_SIZE_RATIO: Final = 1.5  # largest to smallest
UNEVEN_FILL_POINTS: Final = 20  # percentage points between the fullest and the emptiest
UNEVEN_FILL_FROM_PERCENT: Final = 50  # below, every vdev has space for a long time
LARGE_DISK_BYTES: Final = 8 * 10**12 * 95 // 100  # an 8 TB disk, less what partitions and labels take
WIDEST_RAIDZ: Final = 12
DISKS_FOR_A_SPARE: Final = 24  # a full shelf
SPECIAL_RESERVE: Final = "zfs_special_class_metadata_reserve_pct"
SPECIAL_RESERVE_PERCENT: Final = 25  # its default
SPECIAL_NEARLY_FULL_PERCENT: Final = 90  # of metadata alone
NAMED: Final = 4
FEATURES_OFF: Final = (  # `zpool status` from 2.1 on, and before
    "Some supported and requested features are not enabled",
    "Some supported features are not enabled",
)
BOOT_POOLS: Final = frozenset({"bpool", "boot-pool", "freenas-boot"})  # as installers call them
HOSTID_DIFFERS: Final = "Mismatch between pool hostid and system hostid"
_KERNEL_PATH: Final = re.compile(
    r"/dev/(?:(?:sd|hd|vd|xvd)[a-z]+\d*|(?:nvme\d+n|mmcblk)\d+(?:p\d+)?)", re.ASCII
)


def vdevs_are_uneven(facts: RuleInput) -> Iterator[Finding]:
    """Data vdevs of unequal size or fullness: most new data goes to the one with most free space."""
    tops = [top for top in _data(facts.pool) if top.size_bytes and top.free_bytes is not None]
    sizes, fills = [top.size_bytes or 0 for top in tops], [_fill(top) for top in tops]
    if len(tops) < 2 or len(tops) < len(_data(facts.pool)):
        return
    are_alike = len({(top.type, len(top.children)) for top in tops}) == 1  # or `layout-mixed` tells
    is_fill = max(fills) >= UNEVEN_FILL_FROM_PERCENT and max(fills) - min(fills) >= UNEVEN_FILL_POINTS
    is_size = are_alike and max(sizes) >= UNEVEN_SIZE_RATIO * min(sizes)
    if not (is_fill or is_size):
        return
    expected = next_shares(facts.pool, facts.version)
    written = written_shares(facts.pool, facts.state.samples)
    shares = [expected.get(top.name, 0.0) for top in tops]
    by_share = sorted(zip(shares, tops, fills, strict=True), key=lambda each: -each[0])
    found, limit = [], []
    if is_fill:
        found.append(f"{used_percent(min(fills))} to {used_percent(max(fills))} full")
        limit.append(f"less than {UNEVEN_FILL_POINTS} percentage points between them")
    if is_size:
        found.append(f"{size(min(sizes))} to {size(max(sizes))} large")
        limit.append(f"the largest less than {UNEVEN_SIZE_RATIO} times the smallest")
    told = [
        f"{share:.0f}% to {top.name} ({size(top.size_bytes)}, {used_percent(fill)} full)"
        for share, top, fill in by_share
    ]
    yield facts.advised(
        "vdevs-uneven",
        f"its vdevs are not equally {'full' if is_fill else 'large'}: {_speed_of(shares)}"
        f"by their free space new data goes about {shortened(told, NAMED)}",
        Advised(", ".join(found), ", ".join(limit), None),
        vdevs=tuple(top.name for top in tops),
        sizes=tuple(map(size, sizes)),
        full_percents=tuple(f"{each:.0f}" for each in fills),
        shares_percent=tuple(f"{each:.0f}" for each in shares),
        written_percents=tuple(f"{written[top.name]:.0f}" for top in tops) if written else None,
        size_ratio=round(max(sizes) / min(sizes), 2),
        limit_size_ratio=UNEVEN_SIZE_RATIO,
        limit_fill_points=UNEVEN_FILL_POINTS,
    )


def _speed_of(shares: Sequence[float]) -> str:
    """`writes are as fast as about 2.8 of its 4 vdevs: `: all wait for the one with the largest share."""
    most = max(shares)
    return f"writes are as fast as about {100 / most:.1f} of its {len(shares)} vdevs: " if most else ""


def layout_is_mixed(facts: RuleInput) -> Iterator[Finding]:
    """Data vdevs of equal redundancy and different kind or width. Unequal redundancy is another rule."""
    parity = {each.vdev: each.by_design for each in pool_redundancy(facts.pool)}
    tops = [top for top in _data(facts.pool) if not top.is_leaf]
    shapes: dict[int | None, dict[tuple[str, int], str]] = {}
    for top in tops:
        shapes.setdefault(parity.get(top.name), {}).setdefault((top.type, len(top.children)), top.name)
    mixed = next((found for by, found in shapes.items() if by is not None and len(found) > 1), None)
    if mixed is not None:
        told = [f"{name} of {width}" for (_, width), name in mixed.items()]
        yield facts.advised(
            "layout-mixed",
            f"its vdevs are built differently: {joined_by_and(told)} disks",
            Advised(f"{joined_by_and(told)} disks", "one kind and width", None),
            vdevs=tuple(told),
        )


def ashift_is_mixed(facts: RuleInput) -> Iterator[Finding]:
    """Vdevs of different ashift, which forbids removals.

    spa_vdev_remove_top_check: where data vdevs differ no data, special or dedup vdev can be removed; where a
    special or dedup vdev differs from them, that one. A pool with raidz or draid loses none of these anyway.
    """
    known = {top.name: ashift for top in _data(facts.pool) if (ashift := ashift_of(top))}
    helpers = {
        top.name: ashift
        for top in facts.pool.vdevs
        if is_vital(top) and top.vdev_class != "data" and (ashift := ashift_of(top))
    }
    odd = {name: ashift for name, ashift in helpers.items() if ashift not in known.values()}
    has_parity = any(top.type.startswith(("raidz", "draid")) for top in facts.pool.vdevs)
    if len(set(known.values())) > 1:
        told, effect = known, "no data, special or dedup vdev of it can be removed"
    elif known and odd and not has_parity:
        told, effect = known | odd, f"{joined_by_and(tuple(odd))} cannot be removed"
    else:
        return
    ashifts = tuple(f"{name} {ashift}" for name, ashift in told.items())
    yield facts.advised(
        "ashift-mixed",
        f"its vdevs differ in ashift, and so {effect}: {shortened(ashifts, NAMED)}",
        Advised(shortened(ashifts, NAMED), "one ashift", None),
        ashifts=ashifts,
    )


def raidz1_has_large_disks(facts: RuleInput) -> Iterator[Finding]:
    """Single parity over large hard disks: the resilver is long, and nothing repairs an error meanwhile.

    Disks whose kind is not known are left alone.
    """
    for top in facts.pool.vdevs:
        if top.type != "raidz1" or _media(facts, top) != {True}:
            continue
        smallest = min((leaf.physical_bytes or 0 for leaf in top.leaves()), default=0)
        if smallest >= LARGE_DISK_BYTES:
            yield facts.advised(
                "raidz1-large-disks",
                f"{top.name} survives one failure, and its disks have {size(smallest)}",
                Advised(
                    f"disks of {size(smallest)}", f"less than {size(LARGE_DISK_BYTES)} (an 8 TB disk)", None
                ),
                vdev=top,
                disk_bytes=smallest,
                limit_bytes=LARGE_DISK_BYTES,
                devices=len(top.children),
            )


def raidz_is_wide(facts: RuleInput) -> Iterator[Finding]:
    """A raidz of many disks has the I/Os per second of one, and resilvers from all of them."""
    for top in facts.pool.vdevs:
        if top.type.startswith("raidz") and len(top.children) > WIDEST_RAIDZ:
            yield facts.advised(
                "raidz-wide",
                f"{top.name} has {len(top.children)} disks, more than {WIDEST_RAIDZ}",
                Advised(f"{len(top.children)} disks", f"at most {WIDEST_RAIDZ} disks", None),
                vdev=top,
                devices=len(top.children),
                limit_devices=WIDEST_RAIDZ,
            )


def special_is_full(facts: RuleInput) -> Iterator[Finding]:
    """Special vdevs so full that new small blocks, and then metadata, go to the data vdevs.

    spa_preferred_class: small blocks leave a part of it to metadata, which takes all of it. Where no dataset
    is known to have small blocks there, only its end matters.
    """
    tops = [
        top for top in facts.pool.of_class("special") if top.size_bytes and top.allocated_bytes is not None
    ]
    total, used = (sum(found) for found in ([top.size_bytes or 0 for top in tops],
                                            [top.allocated_bytes or 0 for top in tops]))  # fmt: skip
    listed = facts.state.settings.value or ()
    has_small_blocks = any((each.special_small_blocks_bytes or 0) > 0 for each in listed)
    limit = _small_blocks_percent(facts) if has_small_blocks else SPECIAL_NEARLY_FULL_PERCENT
    if not total or 100 * used < limit * total:
        return
    what = (
        "small blocks go to the data vdevs now, and metadata when it is full"
        if has_small_blocks
        else "metadata goes to the data vdevs when it is full"
    )
    yield facts.advised(
        "special-full",
        f"its special class is {used_percent(100 * used / total)} full: {what}",
        Advised(f"{used_percent(100 * used / total)} used", f"less than {limit}%", None),
        used_bytes=used,
        total_bytes=total,
        limit_percent=limit,
        has_small_blocks=has_small_blocks,
    )


def media_are_mixed(facts: RuleInput) -> Iterator[Finding]:
    """Data vdevs on hard disks beside data vdevs on SSDs. Both within a vdev is `mixed-vdev`."""
    kinds = {top.name: media for top in _data(facts.pool) if len(media := _media(facts, top)) == 1}
    slow = [name for name, media in kinds.items() if media == {True}]
    fast = [name for name, media in kinds.items() if media == {False}]
    if slow and fast:
        yield facts.advised(
            "media-mixed",
            f"data is on hard disks ({shortened(slow, NAMED)}) and on SSDs ({shortened(fast, NAMED)})",
            Advised(
                f"hard disks in {len(slow)} of the data vdevs, SSDs in {len(fast)}", "one kind of disk", None
            ),
            hard_disks=tuple(slow),
            ssds=tuple(fast),
        )


def spare_is_missing(facts: RuleInput) -> Iterator[Finding]:
    """Many disks and no hot spare: a failed disk waits for a person."""
    disks = [leaf for top in facts.pool.vdevs if is_vital(top) and not top.is_leaf for leaf in top.leaves()]
    if len(disks) >= DISKS_FOR_A_SPARE and not facts.pool.of_class("spare"):
        yield facts.advised(
            "spare-missing",
            f"no hot spare for {len(disks)} disks",
            Advised(
                f"{len(disks)} disks, no spare",
                f"a spare from {DISKS_FOR_A_SPARE} disks on",
                ProposedAction("add", facts.pool.name),
            ),
            devices=len(disks),
            limit_devices=DISKS_FOR_A_SPARE,
        )


def names_change_at_boot(facts: RuleInput) -> Iterator[Finding]:
    """Devices known to the pool by kernel names, which may be other disks after the next boot.

    A pool of one device is left alone: there is no other that it could be taken for.
    """
    leaves = [leaf for leaf in facts.pool.walk() if leaf.is_leaf and leaf.state in HEALTHY_STATES]
    if len(leaves) < 2:
        return
    paths = tuple(leaf.path for leaf in leaves if leaf.path is not None and _KERNEL_PATH.fullmatch(leaf.path))
    if paths:
        yield facts.advised(
            "names-of-kernel",
            "devices of it are known by names that may change at the next boot: " + shortened(paths, NAMED),
            Advised(shortened(paths, NAMED), "lasting names, as in /dev/disk/by-id", None),
            paths=paths,
        )


def features_are_off(facts: RuleInput) -> Iterator[Finding]:
    """Features of this release of ZFS that the pool does not have; ZFS's own remark.

    A pool that a boot loader reads has few features on purpose.
    """
    if facts.pool.status.startswith(FEATURES_OFF) and facts.pool.name not in BOOT_POOLS:
        yield facts.advised(
            "features-off",
            "features of the ZFS of this host are not enabled on it",
            Advised(
                "features of this release that are not enabled",
                "none",
                ProposedAction("upgrade", facts.pool.name),
            ),
            status=facts.pool.status,
        )


def hostid_differs(facts: RuleInput) -> Iterator[Finding]:
    """A pool imported under another hostid than that of its host; ZFS's own remark."""
    if facts.pool.status.startswith(HOSTID_DIFFERS):
        yield facts.advised(
            "hostid-differs",
            "it was imported with another hostid than its host has now",
            Advised("two hostids", "the hostid of its host", None),
            status=facts.pool.status,
        )


def space_is_not_expanded(facts: RuleInput) -> Iterator[Finding]:
    """Devices that have grown, with space that the pool does not use."""
    expandable = facts.pool.expandable_bytes
    if expandable:
        yield facts.advised(
            "space-not-expanded",
            f"its devices have {size(expandable)} more than it uses",
            Advised(f"{size(expandable)} not used", "0", _expansion(facts.pool)),
            expandable_bytes=expandable,
            vdevs=tuple(top.name for top in facts.pool.vdevs if top.expandable_bytes),
        )


def _expansion(pool: Pool) -> ProposedAction | None:
    """The expansion of the first device of a vdev that has grown; the others follow one by one."""
    grown = (leaf for top in pool.vdevs if top.expandable_bytes for leaf in top.leaves())
    leaf = next((leaf for leaf in grown if leaf.state in HEALTHY_STATES), None)
    if leaf is None:
        return None
    return ProposedAction("online", pool.name, (leaf.name,), (("expand", True),))


def _small_blocks_percent(facts: RuleInput) -> int:
    """Of the special class, from which on it takes no small blocks of files."""
    text = None if facts.host_settings is None else facts.host_settings.parameter(SPECIAL_RESERVE)
    reserve = (
        int(text) if text is not None and text.isascii() and text.isdecimal() and len(text) < 3 else None
    )
    return 100 - (SPECIAL_RESERVE_PERCENT if reserve is None else reserve)


def _data(pool: Pool) -> Sequence[Vdev]:
    return [top for top in pool.of_class("data") if top.type not in WITHOUT_DEVICES]


def _fill(top: Vdev) -> float:
    return 100 * (1 - (top.free_bytes or 0) / top.size_bytes) if top.size_bytes else 0.0


def _media(facts: RuleInput, top: Vdev) -> set[bool | None]:
    """Whether the disks of a vdev are rotational: both where they are mixed, None for one not known."""
    disks = facts.inventory
    if disks is None:
        return {None}
    names = [disks.kernel_name(leaf.path or "") for leaf in top.leaves()]
    found = [disks.disk_of(name) if name is not None else None for name in names]
    return {None if disk is None else disk.is_rotational for disk in found}


RULES: Final[tuple[Rule, ...]] = (
    vdevs_are_uneven,
    layout_is_mixed,
    ashift_is_mixed,
    raidz1_has_large_disks,
    raidz_is_wide,
    special_is_full,
    media_are_mixed,
    spare_is_missing,
    names_change_at_boot,
    features_are_off,
    hostid_differs,
    space_is_not_expanded,
)
