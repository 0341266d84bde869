"""The ZFS label on a drive: its pool, state and vdev."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a drive that serves or served a pool."""

    pool_name: str
    pool_guid: int
    state: str  # ACTIVE, EXPORTED, DESTROYED, SPARE, L2CACHE
    pool: PracticePool | None = None  # the pool of which it is a member
    leaf: PracticeVdev | None = None
    is_imported: bool = False

    @property
    def has_pool(self) -> bool:
        """Whether it names its pool: those of spares and caches do not."""
        return self.state not in {"SPARE", "L2CACHE"}


def label_of(world: World, disk: PracticeDisk) -> Label | None:
    """The label of a drive; None without a label."""
    for pools, is_imported in ((world.pools.values(), True), (world.importable, False)):
        for pool in pools:
            leaf = next((leaf for leaf in pool.leaves() if leaf.disk is disk), None)
            if leaf is not None:
                state = {"spare": "SPARE", "l2cache": "L2CACHE"}.get(leaf.vdev_class, pool.label_state)
                if leaf.vdev_class == "spare" and leaf not in pool.spares:
                    state = pool.label_state  # it stands in for another
                return Label(pool.name, pool.guid, state, pool=pool, leaf=leaf, is_imported=is_imported)
    if disk.left_label is not None:
        return Label(*disk.left_label, state="ACTIVE")
    return None
