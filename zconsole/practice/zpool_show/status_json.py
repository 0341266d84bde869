"""`zpool status -j`, with the members in the order of ZFS."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.getopt import Options
from zconsole.practice.program_reply import json_head, json_text
from zconsole.practice.world import space_formulas
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import LeafActivity
from zconsole.practice.world.status_messages import MESSAGES, advice
from zconsole.practice.world.vdev_names import Naming
from zconsole.practice.world.vdev_sizes import expandable, partition_bytes
from zconsole.practice.zpool_show.background_work_json import work_stats
from zconsole.practice.zpool_show.json_values import Document, Style, vdev_identity

SPA_VERSION = 5000
ZPL_VERSION = 5
_STATES = {"UNAVAIL": "CANT_OPEN"}


def status_json(pools: list[PracticePool], options: Options, hostid: int) -> str:
    """Everything of these pools, on a host with this hostid."""
    document = json_head("zpool status")
    style, naming = Style.of(options), Naming.of(options)
    document["pools"] = {
        (str(pool.guid) if "key-guid" in options else pool.name): _pool(
            pool, options, (style, naming), hostid
        )
        for pool in pools
    }
    return json_text(document)


def pool_head(pool: PracticePool, style: Style, *, is_property: bool = False) -> Document:
    """The first members of a pool in every document."""
    head: Document = {"name": pool.name}
    if is_property:
        head["type"] = "POOL"
    head["state"] = pool.state
    head["pool_guid"] = style.plain(pool.guid)
    head["txg"] = style.plain(pool.config_txg)
    head["spa_version"] = style.plain(SPA_VERSION)
    head["zpl_version"] = style.plain(ZPL_VERSION)
    return head


def _pool(pool: PracticePool, options: Options, how: tuple[Style, Naming], hostid: int) -> Document:
    style, naming = how
    document = pool_head(pool, style)
    found = advice(pool, hostid)
    if found is not None:
        document["status"] = found.status
        document["action"] = found.action
        if found.message:
            document["msgid"] = found.message
            document["moreinfo"] = MESSAGES + found.message
    document |= work_stats(pool, style, naming)
    _add_vdevs(document, _Writer(pool, options, style, naming), pool)
    document["error_count"] = style.count(pool.error_count)
    if pool.error_count and "v" in options:
        document["errlist"] = list(pool.error_files)
    return document


def _add_vdevs(document: Document, writer: _Writer, pool: PracticePool) -> None:
    name = writer.naming.name
    if "flat" in writer.options:
        vdevs: Document = {}
        for top in (pool.root, *(top for _, tops in pool.sections() for top in tops), *pool.caches):
            vdevs |= writer.flat(top, parent=None)
        vdevs |= {name(leaf, pool): writer.spare(leaf) for leaf in pool.spares}
        document["vdevs"] = vdevs
        return
    document["vdevs"] = {pool.name: writer.vdev(pool.root, parent=None)}
    for heading, tops in (*pool.sections(), ("l2cache", pool.caches)):
        if tops:
            document[heading] = {name(top, pool): writer.vdev(top, parent=None) for top in tops}
    if pool.spares:
        document["spares"] = {name(leaf, pool): writer.spare(leaf) for leaf in pool.spares}


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the vdevs of one pool."""

    pool: PracticePool
    options: Options
    style: Style
    naming: Naming

    def vdev(
        self, vdev: PracticeVdev, *, parent: PracticeVdev | None, top: PracticeVdev | None = None
    ) -> Document:
        """A vdev and everything beneath."""
        top = top or (vdev if vdev.kind != "root" else None)
        item = self._own(vdev, parent, top)
        children = self._beneath(vdev)
        if children:
            item["vdevs"] = {
                self.naming.name(child, self.pool): self.vdev(child, parent=vdev, top=top)
                for child in children
            }
        return item

    def flat(
        self, vdev: PracticeVdev, *, parent: PracticeVdev | None, top: PracticeVdev | None = None
    ) -> Document:
        """The form of --json-flat-vdevs: children come first, and are repeated inside their parent."""
        top = top or (vdev if vdev.kind != "root" else None)
        beneath: Document = {}
        for child in self._beneath(vdev):
            beneath |= self.flat(child, parent=vdev, top=top)
        item = self._own(vdev, parent, top)
        if beneath:
            item["vdevs"] = beneath
        return {**beneath, self.naming.name(vdev, self.pool): item}

    def _own(self, vdev: PracticeVdev, parent: PracticeVdev | None, top: PracticeVdev | None) -> Document:
        item = vdev_identity(vdev, self.pool, self.style, self.naming)
        item["class"] = vdev.vdev_class
        item["state"] = _STATES.get(vdev.state, vdev.state)
        if parent is not None and "flat" in self.options:
            item["parent"] = self.naming.name(parent, self.pool)
        self._space(item, vdev, top)
        for key in ("read_errors", "write_errors", "checksum_errors"):
            item[key] = self.style.count(getattr(vdev, key))
        if vdev.scan_processed:
            item["scan_processed"] = self.style.size(vdev.scan_processed)
        if vdev.checkpoint_space:
            item["checkpoint_space"] = self.style.size(vdev.checkpoint_space)
        if vdev.is_deferred:
            item["resilver_deferred"] = self.style.plain(1)
        if vdev.is_leaf and "s" in self.options:
            item["slow_ios"] = self.style.count(vdev.slow_ios)
        if vdev.is_not_present:
            item["not_present"] = self.style.plain(1)
            item["was"] = vdev.path
        elif vdev.aux is not None:
            item["aux"] = vdev.aux
        elif vdev.is_leaf and vdev.is_misaligned:
            item["configured_ashift"] = self.style.plain(vdev.ashift)
            item["physical_ashift"] = self.style.plain(vdev.native_block.bit_length() - 1)
        if vdev.is_removing:
            item["removing"] = self.style.plain(1)
        elif vdev.properties.get("allocating") == "off":
            item["noalloc"] = self.style.plain(1)
        self._activities(item, vdev)
        return item

    def _beneath(self, vdev: PracticeVdev) -> list[PracticeVdev]:
        """The children; of the root only those of the normal class."""
        return self.pool.tops("normal") if vdev.kind == "root" else vdev.children

    def spare(self, leaf: PracticeVdev) -> Document:
        """A hot spare in the list of spares."""
        state = self.pool.spare_state(leaf)
        item = vdev_identity(leaf, self.pool, self.style, self.naming)
        item |= {"class": "spare", "state": _STATES.get(state, state)}
        if state == "INUSE":
            item["aux"] = "SPARED"
        self._activities(item, leaf)
        return item

    def _space(self, item: Document, vdev: PracticeVdev, top: PracticeVdev | None) -> None:
        size = self.style.size
        if vdev.kind == "root":
            item["alloc_space"] = size(self.pool.allocated)
            item["total_space"] = size(self.pool.size)
            tops = self.pool.tops("normal", "special", "dedup")
            item["def_space"] = size(sum((child.size >> 9) * child.ratio for child in tops))
        elif vdev.allocated and (vdev is top or vdev.vdev_class == "l2cache"):
            item["alloc_space"] = size(vdev.allocated)
        if vdev.vdev_class == "l2cache":
            item["total_space"] = size(vdev.asize)
            item["rep_dev_size"] = size(
                space_formulas.leaf_asize(partition_bytes(vdev)) + space_formulas.LABELS
            )
        elif vdev is top:
            item["total_space"] = size(vdev.size)
            item["def_space"] = size((vdev.size >> 9) * vdev.ratio)
            item["rep_dev_size"] = size(vdev.size + (space_formulas.LABELS if vdev.is_leaf else 0))
            if expandable(vdev):
                item["ex_dev_size"] = size(expandable(vdev))
        elif top is not None:
            share = -(-top.size // (len(top.children) - int(top.is_expanding))) if top.parity else top.size
            item["rep_dev_size"] = size(share + (space_formulas.LABELS if vdev.is_leaf else 0))
        if vdev.is_leaf:
            item["phys_space"] = size(partition_bytes(vdev))

    def _activities(self, item: Document, vdev: PracticeVdev) -> None:
        if not vdev.is_leaf:
            return
        if "i" in self.options:
            self._activity(item, vdev.initialize, ("init", "initialized", "to_initialize", "UNINITIALIZED"))
        if "t" in self.options:
            if vdev.can_trim:
                self._activity(item, vdev.trim, ("trim", "trimmed", "to_trim", "UNTRIMMED"))
            item["trim_notsup"] = self.style.plain(0 if vdev.can_trim else 1)

    def _activity(
        self, item: Document, activity: LeafActivity | None, keys: tuple[str, str, str, str]
    ) -> None:
        prefix, done, total, never = keys
        if activity is None:
            item[f"{prefix}_state"] = never
            return
        item[f"{prefix}_state"] = activity.state
        item[done] = self.style.size(activity.done)
        item[total] = self.style.size(activity.total)
        item[f"{prefix}_time"] = self.style.moment(activity.at)
        item[f"{prefix}_errors"] = self.style.count(0)
