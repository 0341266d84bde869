"""Whether the devices of a pool to import suffice, and what they survive behind the import."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import Draft, PlanAgain
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Risk
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.analysis.vdevs.topology_after_change import resilvered
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import HEALTHY_STATES, ImportablePool, Pool, Scan, Vdev

USABLE: Final = frozenset({"ONLINE", "DEGRADED"})
# What `zpool import` says of a pool (`show_import`), as far as the devices are not what is wrong.
_READ_ONLY_HERE: Final = "can only be accessed in read-only mode"
_NOT_READ_HERE: Final = ("not supported on this system", "incompatible version")
_DAMAGED: Final = ("pool metadata is corrupted", "pool data is corrupted")
_RESILVERED: Final = "were being resilvered"
_OUT_BY_ERRORS: Final = "too many errors"  # a device that ZFS had taken out: none that is missing
_LEFT_BEHIND: Final = frozenset({"exported", "destroyed"})  # states of a label written by the last txgs


def judge_devices(found: ImportablePool, intent: Intent, facts: PlanFacts, draft: Draft) -> None:
    """Refuse a pool that ZFS would not open, and tell what its vdevs survive where it would."""
    away = [leaf for top in found.vdevs for leaf in top.leaves() if is_away(leaf)]
    vital = [leaf.name for leaf in away if is_vital(leaf)]
    logs = [top for top in found.vdevs if _is_missing_log(top)]
    lost = [top.name for top in found.vdevs if is_vital(top) and top.state not in {*USABLE, ""}]
    is_foreign = found.is_of_another_host or found.is_active_elsewhere or found.wants_hostid
    is_for_its_log = bool(logs) and not vital  # before 2.2 such a pool is UNAVAIL, yet `-m` imports it
    is_usable = found.state.partition(" ")[0] in USABLE or is_for_its_log or is_foreign
    if lost:
        missing = f"missing or damaged are {', '.join(vital or lost)}"
        draft.refuse(
            "missing-devices", f"{found.name} cannot be imported: {missing}", "bring the devices back"
        )
    elif not is_usable:
        _refuse_as_it_is(found, vital, intent, draft)
    elif vital:
        draft.warnings.append(f"missing or damaged: {', '.join(vital)}")
    if is_usable and any(each in found.status for each in _DAMAGED):
        draft.warnings.append(f"ZFS says of it: {found.status}")
    _judge_logs(found, away, logs, intent, draft)
    if not lost and (is_usable or _is_for_reading(found, intent)):
        _tell_what_it_survives(found, intent, facts, draft)


def _refuse_as_it_is(found: ImportablePool, vital: list[str], intent: Intent, draft: Draft) -> None:
    """The refusal of a pool that ZFS calls UNAVAIL or FAULTED; what is to be done depends on the reason."""
    cannot = f"{found.name} cannot be imported: {found.status or found.state}"
    if _is_for_reading(found, intent):
        draft.warnings.append(f"{found.status}: only a newer OpenZFS can write to it")
    elif _READ_ONLY_HERE in found.status:
        draft.refuse(
            "unsupported-feature", cannot, "import it on a host with a newer OpenZFS to write to it",
            PlanAgain("read-only", "what it has can be read here"),
        )  # fmt: skip
    elif any(each in found.status for each in _NOT_READ_HERE):
        draft.refuse("unsupported-feature", cannot, "import it on a host with a newer OpenZFS")
    elif vital:
        missing = f"missing or damaged are {', '.join(vital)}"
        draft.refuse(
            "missing-devices", f"{found.name} cannot be imported: {missing}", "bring the devices back"
        )
    elif any(each in found.status for each in _DAMAGED):
        draft.refuse(
            "damaged-pool", cannot,
            f"its devices are there: zpool import -F -n {found.guid} tells, as root and without a change, "
            "whether it can go back to an earlier txg, which gives up the last seconds of writes; decide "
            "that by hand",
        )  # fmt: skip
    else:
        draft.refuse("missing-devices", cannot, "bring the devices back")


def _is_for_reading(found: ImportablePool, intent: Intent) -> bool:
    """Whether the pool has features that this OpenZFS can read, and is to be imported read-only."""
    return _READ_ONLY_HERE in found.status and intent.flag("read-only")


def _is_missing_log(top: Vdev) -> bool:
    """Whether ZFS takes a log for missing (`spa_check_for_missing_logs`): a top-level one that does not open.

    A mirror with one device has every record; one that was offline or had failed before has none.
    """
    if top.vdev_class != "log" or top.state in {*USABLE, *HEALTHY_STATES, "OFFLINE", ""}:
        return False
    return not (top.state == "FAULTED" and _OUT_BY_ERRORS in top.note)


def _judge_logs(
    found: ImportablePool, away: list[Vdev], logs: list[Vdev], intent: Intent, draft: Draft
) -> None:
    missing = ", ".join(leaf.name for top in logs for leaf in top.leaves() if leaf.state not in USABLE)
    in_logs = {id(leaf) for top in logs for leaf in top.leaves()}
    for top in found.vdevs:
        halves = [leaf.name for leaf in top.leaves() if leaf in away and id(leaf) not in in_logs]
        if top.vdev_class == "log" and halves:
            rest = "the rest of it has every record" if top.children else "it was out of use before"
            draft.warnings.append(
                f"of the log {top.name}, {joined_by_and(halves)} is missing or damaged: {rest}"
            )
    if logs and not intent.flag("without-log"):
        again = PlanAgain("without-log", "give up the last synchronous writes")
        draft.refuse("missing-log", f"the log device {missing} is missing", "bring it back", again)
    elif logs:
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.loses.append("synchronous writes that were only in the missing log")
    elif intent.flag("without-log"):
        draft.refuse(
            "needless-option", "no log device is missing", "", PlanAgain("without-log", is_given=False)
        )


def _tell_what_it_survives(found: ImportablePool, intent: Intent, facts: PlanFacts, draft: Draft) -> None:
    """`zpool import` shows which devices open, and not what they missed: that is in the pool itself.

    The labels tell of a device that was not there for the last writes. ZFS fills it after the import, but
    not in a pool that is read-only.
    """
    behind = [leaf for leaf, _ in _behind(found, facts)]
    marked = tuple(_marked(top, behind) for top in found.vdevs)
    scan = Scan("resilver", "scanning") if _RESILVERED in found.status and not behind else None
    opened = Pool(
        intent.text("name") or found.name, found.state.partition(" ")[0], found.guid, vdevs=marked, scan=scan
    )
    is_read_only = intent.flag("read-only")
    draft.is_at_most = True
    draft.during, draft.after = opened, opened if is_read_only else resilvered(opened)
    for leaf, why in _behind(found, facts):
        then = "nothing fills it while the pool is read-only" if is_read_only else "it is resilvered then"
        draft.warnings.append(f"{leaf.name} {why}: it lacks what was written meanwhile; {then}")
    if _RESILVERED in found.status:
        goes_on = "it does not go on while the pool is read-only" if is_read_only else "it goes on then"
        draft.warnings.append(f"ZFS was resilvering when {found.name} was used last; {goes_on}")


def _behind(found: ImportablePool, facts: PlanFacts) -> Iterator[tuple[Vdev, str]]:
    """Devices that were not written to last, with what their labels show.

    A txg that is written to a top-level vdev is written to each of its devices; the last ones of an export to
    all devices of the pool.
    """
    of_pool = {each.path: each for each in facts.labels or () if each.pool_guid == found.guid}
    ended = [each for each in of_pool.values() if each.state in _LEFT_BEHIND]
    newest = max((_written(each) for each in of_pool.values()), default=0)
    is_ended = any(_written(each) == newest for each in ended)
    for top in found.vdevs:
        if top.vdev_class in {"cache", "spare"}:
            continue
        known = [
            (leaf, label) for leaf in top.leaves() if (label := _label(leaf, of_pool, facts)) is not None
        ]
        last = max((_written(label) for _, label in known), default=0)
        for leaf, label in known:
            if is_away(leaf) or leaf.state == "OFFLINE":
                continue
            if 0 < _written(label) < last:
                yield (
                    leaf,
                    f"was written to in txg {_written(label)} last, and others of {top.name} in {last}",
                )
            elif is_ended and label.state == "active":
                yield leaf, f"was not there when {found.name} was exported"


def _label(leaf: Vdev, of_pool: dict[str, DiskLabel], facts: PlanFacts) -> DiskLabel | None:
    return of_pool.get(label_path(leaf, facts.inventory) or "")


def _written(label: DiskLabel) -> int:
    return label.last_txg or 0


def _marked(vdev: Vdev, behind: list[Vdev]) -> Vdev:
    """The vdev with the devices that are behind as targets of a resilver."""
    if vdev.children:
        return replace(vdev, children=tuple(_marked(child, behind) for child in vdev.children))
    return replace(vdev, is_resilvering=True) if any(vdev is each for each in behind) else vdev


def is_away(leaf: Vdev) -> bool:
    """Whether ZFS does not open it; one that was taken offline is not missing."""
    return bool(leaf.state) and leaf.state not in HEALTHY_STATES and leaf.state != "OFFLINE"


def label_path(leaf: Vdev, inventory: Inventory | None) -> str | None:
    """Path of its label: `zpool import` prints the disk, and ZFS uses its first partition."""
    if leaf.path is not None or inventory is None:
        return leaf.path
    for link, _ in inventory.links:
        if link.endswith((f"/{leaf.name}-part1", f"/{leaf.name}p1")):
            return link
    for link, _ in inventory.links:
        if link.endswith(f"/{leaf.name}"):
            return link
    devices = [device for disk in inventory.disks for device in disk.walk() if device.name == leaf.name]
    return next(((device.children[0] if device.children else device).path for device in devices), None)
