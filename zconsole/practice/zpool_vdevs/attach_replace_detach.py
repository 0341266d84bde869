"""`zpool attach`, `zpool replace` and `zpool detach`."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.program_reply import Refusal, Reply, Waiting
from zconsole.practice.world import space_formulas
from zconsole.practice.world.drives import DriveKind
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.scan_trim_removal_expansion_states import Expansion
from zconsole.practice.world.start_or_abort_scrub_and_resilver import (
    LEAST_MISSED,
    PACES,
    pace_of,
    start_rebuild,
    start_resilver,
)
from zconsole.practice.world.vdev_names import kind_name, whole_disk
from zconsole.practice.world.vdev_sizes import auto_ashift, partition_bytes
from zconsole.practice.world.vdev_states_and_drive_unplugging import derive_states
from zconsole.practice.world.vdev_tree_changes import detach as let_go
from zconsole.practice.world.vdev_tree_changes import is_required, number, put_above, settle, top_of
from zconsole.practice.zpool.pool_imported_and_writable_checks import (
    REFUSED_BY_LIBZFS,
    allow,
    cannot,
    no_checkpoint,
    open_pool,
)
from zconsole.practice.zpool.usage_and_arguments import misuse, operands, pairs, read
from zconsole.practice.zpool.wait import is_busy_with
from zconsole.practice.zpool.write_history_and_event_records import event, internal, note
from zconsole.practice.zpool_vdevs.vdev_lookup import FoundVdev, find
from zconsole.practice.zpool_vdevs.vdev_specification import (
    Demands,
    NewVdevTree,
    ashift_of,
    label,
    may_be_used,
    read_words,
)

_MISSING = ("missing pool name argument", "missing <device> specification")
_BUSY_GROUPS = ("replacing", "spare")
_NO_SPECIES = "can only attach to mirrors and top-level disks"
_TOO_ALIGNED = "The new device cannot have a higher alignment requirement than the top-level vdev."


@dataclass(frozen=True, slots=True)
class _Job:
    """A device that is to come into a pool beside another or in its place."""

    pool: PracticePool
    old: PracticeVdev
    new: PracticeVdev
    action: str
    is_replacing: bool
    is_rebuild: bool
    spare: PracticeVdev | None = None  # the idle spare of which `new` is the working half

    def refuse(self, why: str) -> Refusal:
        """The kernel says no."""
        return cannot(self.action, why, REFUSED_BY_LIBZFS)


def attach(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool attach`."""
    return _attach_or_replace(world, args, is_replacing=False)


def replace(world: World, args: Sequence[str]) -> Reply | Waiting:
    """Answer `zpool replace`."""
    return _attach_or_replace(world, args, is_replacing=True)


def spare_in(world: World, pool: PracticePool, old: PracticeVdev, spare: PracticeVdev) -> bool:
    """Let an idle hot spare stand in for a device, as ZED does; returns whether ZFS accepts it."""
    job = _Job(pool, old, _working_half(spare), "", is_replacing=True, is_rebuild=False, spare=spare)
    try:
        _check_pool(job)
        _check_place(job)
        _check_size(job, NewVdevTree())
    except Refusal:
        return False
    _do(world, job)
    return True


def _attach_or_replace(world: World, args: Sequence[str], *, is_replacing: bool) -> Reply | Waiting:
    command = "replace" if is_replacing else "attach"
    options = read(command, args, "fo:sw")
    missing = [*_MISSING] if is_replacing else [*_MISSING, "missing <new_device> specification"]
    words = operands(command, options, *missing, most=3)
    properties = pairs(command, options, "o")
    if set(properties) - {"ashift"}:
        raise misuse(command)
    name, old_word, new_word = words[0], words[1], words[-1]
    pool = open_pool(world, name)
    ashift = ashift_of(pool.properties | properties)
    wanted, spare = _new_device(world, pool, new_word, ashift=ashift)
    may_be_used(world, pool, wanted, Demands(force="f" in options, level=False, replacing=is_replacing))
    action = f"cannot attach {new_word} to {old_word}"
    if is_replacing:
        action = f"cannot replace {old_word} with {new_word}"
    if spare is None and world.user_id == 0:
        label(world, wanted)
    found = _existing(pool, old_word, action)
    allow(world, pool, action, REFUSED_BY_LIBZFS)
    new = _working_half(spare) if spare is not None else wanted.spec.tops[0]
    job = _Job(pool, found.vdev, new, action, is_replacing, "s" in options, spare)
    _check_pool(job)
    _check_place(job)
    _check_size(job, wanted)
    _do(world, job)
    note(world, pool, command, args)
    if "w" not in options:
        return Reply()
    kind = "replace" if is_replacing else "raidz_expand" if job.old.kind == "raidz" else "resilver"
    return Waiting(lambda: not is_busy_with(pool, kind), Reply())


def _new_device(
    world: World, pool: PracticePool, word: str, *, ashift: int
) -> tuple[NewVdevTree, PracticeVdev | None]:
    """The new device; and the hot spare that it is, if it is an idle one of the pool."""
    for spare in pool.spares:
        if spare.kind == "dspare" and spare.path == word:
            return NewVdevTree(), spare
    wanted = read_words(world, [word], ashift)
    disk = wanted.disks()[0]
    idle = (spare for spare in pool.spares if spare.disk is disk and not pool.is_in_use(spare))
    return wanted, next(idle, None)


def _working_half(spare: PracticeVdev) -> PracticeVdev:
    """The leaf of a spare in the tree; the spare itself remains in its list."""
    return PracticeVdev(
        spare.kind,
        spare.guid,
        vdev_class="spare",
        disk=spare.disk,
        path=spare.path,
        asize=spare.asize,
        meter=spare.meter,
    )


def _existing(pool: PracticePool, word: str, action: str) -> FoundVdev:
    found = find(pool, word)
    if found is None:
        raise cannot(action, "no such device in pool", REFUSED_BY_LIBZFS)
    if found.is_idle_spare:
        raise cannot(action, "device is reserved as a hot spare", REFUSED_BY_LIBZFS)
    if found.is_cache:
        raise cannot(action, "device is in use as a cache", REFUSED_BY_LIBZFS)
    return found


def _check_pool(job: _Job) -> None:
    """Check for other work in the pool."""
    pool = job.pool
    no_checkpoint(pool, job.action, REFUSED_BY_LIBZFS)
    if job.is_rebuild and pool.resilver is not None:
        raise job.refuse("currently resilvering")
    if not job.is_rebuild and pool.is_rebuilding:
        raise job.refuse("currently sequentially resilvering")
    if pool.is_removing:
        raise job.refuse("device removal in progress")
    if job.old.kind == "raidz" and pool.is_expanding:
        raise job.refuse("raidz expansion in progress")


def _check_place(job: _Job) -> None:
    """Whether the tree allows a device there."""
    old, pool = job.old, job.pool
    top = top_of(pool, old)
    above = pool.root.parent_of(old)
    if top is None or above is None:
        raise job.refuse(_NO_SPECIES if not job.is_replacing else "invalid target vdev")
    if old.kind == "raidz" and not job.is_replacing:
        _check_raidz(job)
        return
    if not old.is_leaf:
        raise job.refuse(_unsupported(job, top))
    if job.is_rebuild and job.is_replacing and top.kind not in {"mirror", "draid", "disk"}:
        raise job.refuse("only mirror and dRAID vdevs support sequential reconstruction")
    if not job.is_replacing:
        if above is not pool.root and above.kind != "mirror":
            raise job.refuse(_NO_SPECIES)
        return
    if job.spare is not None and top.vdev_class != "normal":
        raise job.refuse(_unsupported(job, top))
    if job.spare is not None and job.spare.kind == "dspare" and not _is_of(job.spare, top):
        raise job.refuse("dRAID spares can only replace child devices in their parent's dRAID vdev")
    is_spare = old.vdev_class == "spare"
    if above.kind == "spare" and is_spare != (job.spare is not None):
        raise job.refuse("can only be replaced by another hot spare" if is_spare else _unsupported(job, top))


def _is_of(spare: PracticeVdev, top: PracticeVdev) -> bool:
    return top.draid is not None and spare.path.startswith(f"draid{top.parity}-{top.vdev_id}-")


def _unsupported(job: _Job, top: PracticeVdev) -> str:
    """The words for ENOTSUP."""
    if not job.is_replacing:
        return _NO_SPECIES
    if top.vdev_class == "log":
        return "cannot replace a log with a spare"
    return "already in replacing/spare config; wait for completion or use 'zpool detach'"


def _check_raidz(job: _Job) -> None:
    if "raidz_expansion" in job.pool.disabled_features:
        raise job.refuse("raidz_expansion feature must be enabled in order to attach a device to raidz")
    if any(not child.is_leaf or not child.is_usable for child in job.old.children):
        raise job.refuse("raidz vdev has devices that are are offline or being replaced")


def _check_size(job: _Job, wanted: NewVdevTree) -> None:
    """Whether the device is large enough and can be addressed as finely as the vdev is."""
    top = top_of(job.pool, job.old)
    if top is None:
        raise job.refuse(_NO_SPECIES)
    if partition_bytes(job.new) and space_formulas.leaf_asize(partition_bytes(job.new)) < _least(top):
        raise job.refuse("device is too small")
    disk = job.new.disk
    if disk is None:
        return
    if max(wanted.ashift or auto_ashift(disk), disk.sectors[0].bit_length() - 1) > top.ashift:
        raise job.refuse(_TOO_ALIGNED)


def _least(top: PracticeVdev) -> int:
    """The least size of each device of a vdev: `vdev_get_min_asize`."""
    width = 1
    if top.parity:
        width = len(top.children) - (top.draid.spares if top.draid is not None else int(top.is_expanding))
    return -(-top.size // width)


def _do(world: World, job: _Job) -> None:
    pool, old, new = job.pool, job.old, job.new
    top = top_of(pool, old)
    if top is None:
        raise job.refuse(_NO_SPECIES)
    if old.kind == "raidz":
        _widen(world, pool, old, new)
        return
    old_path = old.path
    new.state, new.missed = "ONLINE", max(LEAST_MISSED, top.allocated)
    new.left_at, new.ashift = world.elapsed, top.ashift
    if job.is_replacing and whole_disk(old.path) == whole_disk(new.path) and old.path:
        old.path += "/old"
    above = pool.root.parent_of(old)
    kind = "mirror" if not job.is_replacing else "spare" if job.spare is not None else "replacing"
    if above is None or above.kind != kind:
        above = PracticeVdev(kind, world.guid())
        put_above(pool, old, above)
    above.children.append(new)
    number(above)
    if job.spare is None:
        new.vdev_class = "normal"
    derive_states(pool)
    if job.spare is not None:
        event(world, pool, "vdev_spare", new)
    event(world, pool, "vdev_attach", new)
    top = top_of(pool, new)
    if job.is_rebuild and top is not None:
        start_rebuild(world, pool, top, new)
    else:
        start_resilver(world, pool)
    verb = "spare in" if job.spare is not None else "replace" if job.is_replacing else "attach"
    between = "for" if job.is_replacing else "to"
    internal(world, pool, "vdev attach", f"{verb} vdev={new.path} {between} vdev={old_path}")


def _widen(world: World, pool: PracticePool, raidz: PracticeVdev, new: PracticeVdev) -> None:
    """Start the expansion of a raidz by one device."""
    new.vdev_class, new.ashift = "normal", raidz.ashift
    raidz.children.append(new)
    number(raidz)
    raidz.is_expanding = True
    slowest = min(
        [PACES[leaf.disk.drive] for leaf in raidz.leaves() if leaf.disk], default=PACES[DriveKind.HDD]
    )
    pool.expansion = Expansion(
        raidz.vdev_id, "SCANNING", int(world.now), max(1, raidz.allocated), min(slowest * 2, pace_of(raidz))
    )
    pool.active_features |= {"raidz_expansion"}
    derive_states(pool)
    event(world, pool, "vdev_attach", new)
    text = f"{pool.name} vdev {raidz.vdev_id} new width {len(raidz.children)}"
    internal(world, pool, "raidz vdev expansion started", text)
    internal(world, pool, "vdev attach", f"attach vdev={new.path} to vdev={kind_name(raidz)}-{raidz.vdev_id}")


def detach(world: World, args: Sequence[str]) -> Reply:
    """Answer `zpool detach`."""
    name, word = operands("detach", read("detach", args), *_MISSING)[:2]
    pool = open_pool(world, name)
    action = f"cannot detach {word}"
    found = _existing(pool, word, action)
    allow(world, pool, action, REFUSED_BY_LIBZFS)
    no_checkpoint(pool, action, REFUSED_BY_LIBZFS)
    leaf = found.vdev
    above = pool.root.parent_of(leaf)
    if not leaf.is_leaf or above is None or above.kind not in {"mirror", *_BUSY_GROUPS}:
        raise cannot(action, "only applicable to mirror and replacing vdevs", REFUSED_BY_LIBZFS)
    if is_required(pool, leaf):
        raise cannot(action, "no valid replicas", REFUSED_BY_LIBZFS)
    let_go(world, pool, leaf)
    _stop_idle_work(world, pool)
    settle(world, pool)
    derive_states(pool)
    event(world, pool, "config_sync")
    note(world, pool, "detach", args)
    return Reply()


def _stop_idle_work(world: World, pool: PracticePool) -> None:
    """A resilver that has no device left to write to comes to its end; a rebuild likewise."""
    scan = pool.resilver
    if scan is not None and not any(leaf.is_resilvering for leaf in pool.root.leaves()):
        scan.issued = scan.to_examine - scan.skipped
        scan.state, scan.end = "FINISHED", int(world.now)
    for top in pool.present:
        rebuild = top.rebuild
        if rebuild is not None and rebuild.is_running and not any(leaf.rebuilt for leaf in top.leaves()):
            rebuild.state, rebuild.end = "CANCELED", int(world.now)
