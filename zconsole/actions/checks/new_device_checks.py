"""Checks shared by actions that change vdevs: the vdevs, and the new devices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft, Needs
from zconsole.actions.checks.pool_device_lookup import path_in, state_in_words
from zconsole.actions.plan import Risk
from zconsole.analysis.vdevs.device_names import (
    DeviceObjection,
    JoiningDevice,
    naming_habit,
    paths_of,
    resolve,
)
from zconsole.analysis.vdevs.device_safety import (
    label_in_words,
    label_of,
    label_paths,
    objections,
    twice,
    unread_labels,
)
from zconsole.analysis.vdevs.redundancy import in_words, is_vital, pool_redundancy
from zconsole.analysis.vdevs.topology_after_change import ashifts, continued, has_parity
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev

JOIN_TIMEOUT_S: Final = 300.0  # ZFS partitions each disk and waits for udev
CHECKPOINT_DISCARD: Final = "checkpoint_discard"


def join(word: str, facts: PlanFacts, draft: Draft, *, pool: Pool | None = None) -> JoiningDevice | None:
    """The device that a word means, named as those of `pool` are; objections become refusals."""
    habit = naming_habit(paths_of(pool)) if pool is not None else ""
    found = resolve(word, facts.inventory, habit)
    if isinstance(found, DeviceObjection):
        draft.saw(f"disk {word}", found.rule)
        draft.refuse(found.rule, found.reason, found.instead)
        return None
    saw_disk(found, facts, draft)
    for each in objections(found, facts):
        draft.refuse(each.rule, each.reason, each.instead)
    if found.is_by_path:
        draft.warnings.append(
            f"{found.path} is the name of a slot, not of a disk: another disk in that slot gets it too"
        )
    return found


def join_all(words: Iterable[str], facts: PlanFacts, draft: Draft) -> dict[str, JoiningDevice]:
    """The devices of several words; none may be named twice."""
    words = tuple(words)
    found = {word: device for word in words if (device := join(word, facts, draft)) is not None}
    for each in twice([found[word] for word in words if word in found]):
        draft.refuse(each.rule, each.reason, each.instead)
    return found


def saw_disk(device: JoiningDevice, facts: PlanFacts, draft: Draft) -> None:
    """Add the identity and contents of a disk to the basis."""
    disk, whole = device.disk, device.whole
    if disk is None or whole is None:
        draft.saw(f"file {device.path}", "named")
        return
    sectors = f"{disk.logical_sector_bytes}/{disk.physical_sector_bytes}"
    draft.saw(
        f"disk {device.path}",
        f"wwn {whole.wwn or '-'} serial {whole.serial or '-'} {disk.size_bytes} B sectors {sectors}",
    )
    contents = [f"{part.name.removeprefix(whole.name)} {part.fstype}".strip() for part in disk.walk()]
    draft.saw(f"contents of {device.path}", ", ".join(filter(None, contents)) or "nothing")
    label = label_of(device, facts)
    unread = unread_labels(device, facts)
    none = "not read" if unread else "none"
    draft.saw(f"label of {device.path}", label_in_words(label) if label is not None else none)
    if facts.labels_barred.intersection(unread):
        draft.warnings.append(
            f"the ZFS label of {device.path}, if it has one, was not read: that takes root without a password"
        )


def labels_of(words: Iterable[str], facts: PlanFacts) -> Needs:
    """Needs the labels of the devices."""
    devices = (resolve(word, facts.inventory) for word in words)
    return Needs(labels=tuple(
        path for device in devices if isinstance(device, JoiningDevice) for path in label_paths(device)
    ))  # fmt: skip


def saw_vdev(top: Vdev, draft: Draft) -> None:
    """Add guids and states of a top-level vdev to the basis."""
    for each in top.walk():
        draft.saw(f"state of {path_in(top, each)}", f"{state_in_words(each)} {each.guid or ''}".strip())


def saw_tops(pool: Pool, draft: Draft) -> None:
    """Add the pool's top-level vdevs to the basis."""
    tops = (f"{top.vdev_class} {top.name} {top.guid or ''}".strip() for top in pool.vdevs)
    draft.saw(f"vdevs of {pool.name}", ", ".join(tops))


def refuse_checkpoint(pool: Pool, draft: Draft, verb: str) -> None:
    """Refuse changes of vdevs while a checkpoint exists."""
    is_discarding = any(
        each.kind == CHECKPOINT_DISCARD and each.state == "active" for each in pool.activities
    )
    draft.saw(f"checkpoint of {pool.name}", "being discarded" if is_discarding else pool.checkpoint_created)
    if is_discarding:
        discarded = f"the checkpoint of {pool.name} is being discarded: ZFS will not {verb} yet"
        draft.refuse("checkpoint", discarded, "wait until it is gone")
    elif pool.checkpoint_bytes is not None or pool.checkpoint_created is not None:
        draft.refuse("checkpoint", f"{pool.name} has a checkpoint, and ZFS will not {verb} while it exists",
                     f"discard it first: zpool checkpoint -d {pool.name}")  # fmt: skip


def refuse_read_only(pool: Pool, facts: PlanFacts, draft: Draft) -> None:
    """Refuse a read-only pool."""
    if pool.name in facts.read_only_pools:
        draft.refuse("pool-read-only", f"{pool.name} is imported read-only",
                     "export it, and import it without readonly=on")  # fmt: skip


def refuse_moving(top: Vdev, draft: Draft) -> None:
    """Refuse a vdev that is being removed."""
    if top.is_removing:
        draft.refuse("removing", f"{top.name} is being removed", "wait for the removal, or cancel it")


def say_resilver(pool: Pool, draft: Draft) -> None:
    """Note the effect of a second resilver."""
    scan = pool.scan
    if scan is None or not scan.is_running:
        return
    if scan.function == "resilver":
        draft.notes.append(
            f"a resilver of {pool.name} is running: this one waits until it is done, "
            "or restarts it if the pool lacks the feature resilver_defer"
        )
    elif scan.function == "scrub":
        draft.notes.append(f"the scrub of {pool.name} ends: ZFS resilvers first")


def warn_of_redundancy(draft: Draft) -> None:
    """Warn of missing redundancy, during the operation and afterwards."""
    if draft.during is not None:
        now = pool_redundancy(draft.before) if draft.before is not None else ()
        before = {each.vdev: each.left for each in now}
        for each in pool_redundancy(draft.during):
            if each.by_design > 0 and each.left <= 0 and before.get(each.vdev, 1) <= 0:
                draft.warnings.append(
                    f"until the resilver is done, one more failure in {each.vdev} loses the pool"
                )


def what_is_lost(before: Pool, after: Pool, draft: Draft) -> None:
    """Raise the risk when a vdev loses its last redundancy."""
    had, was = {each.vdev: each for each in pool_redundancy(before)}, continued(before, after)
    least_before = min((max(0, each.left) for each in had.values()), default=0)
    for each in pool_redundancy(after):
        earlier = had.get(was.get(each.vdev, each.vdev))
        left_before = earlier.left if earlier is not None else least_before
        if each.left <= 0 < left_before:
            draft.raise_risk(Risk.DESTRUCTIVE)
            draft.warnings.append(f"{in_words(each)}: one more failure there loses the pool")


def never_leaves(pool: Pool) -> str:
    """Why ZFS cannot remove data, special or dedup vdevs from this pool; "" if it can."""
    if has_parity(pool):
        kinds = sorted({top.type for top in pool.vdevs if top.type.startswith(("raidz", "draid"))})
        return f"{pool.name} has a {' and a '.join(kinds)} vdev"
    mixed = sorted(ashifts(pool))
    if len(mixed) > 1:
        return f"the vdevs of {pool.name} differ in ashift ({', '.join(map(str, mixed))})"
    return ""


def common_ashift(pool: Pool) -> int | None:
    """The ashift for a new vdev of the pool; None when unknown or mixed."""
    known = ashifts(pool)
    if len(known) == 1:
        return next(iter(known))
    return (pool.ashift or None) if not known else max(known)


def object_of(pool: Pool, vdev: Vdev) -> str:
    """Confirmation text: a device, or a group with its pool, since every pool has a mirror-0."""
    return vdev.name if vdev.is_leaf else f"{pool.name} {vdev.name}"


def vital_tops(pool: Pool) -> tuple[Vdev, ...]:
    """The vdevs whose loss loses the pool."""
    return tuple(top for top in pool.vdevs if is_vital(top))


def joined(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
