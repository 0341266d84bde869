"""Devices of a pool: lookup from words, argument for ZFS, description for users."""

from __future__ import annotations

from zconsole.actions.action_spec import Draft
from zconsole.actions.object_lookup import the_vdev
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import bay_told_by_zfs, is_bay_taken, own_disk
from zconsole.analysis.vdevs.enclosure_bays import Bays
from zconsole.analysis.vdevs.redundancy import is_vital
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, Vdev


def the_device(pool: Pool, word: str, action: str) -> Vdev:
    """The device with this guid, name or path. Raises UsageError, also for a group."""
    if not word:
        raise UsageError(
            f"{action} needs a device", hint=f"Those of {pool.name}: {', '.join(_names(pool)) or 'none'}."
        )
    vdev = the_vdev(pool, word)
    if not vdev.is_leaf:
        raise UsageError(
            f"{vdev.name} of {pool.name} is a group of devices",
            hint=f"Name one of them: {', '.join(leaf.name for leaf in vdev.leaves())}.",
        )
    return vdev


def vdev_argument(vdev: Vdev, draft: Draft) -> str:
    """Argument for ZFS: the vdev's guid. Without a guid the plan is refused."""
    if vdev.guid is None:
        draft.refuse("no-guid", f"the guid of {vdev.name} is not known, and a name can mean another device")
        return vdev.name
    return str(vdev.guid)


def saw_device(pool: Pool, vdev: Vdev, draft: Draft) -> None:
    """Add the identity and state of a device and its group to the basis."""
    draft.saw(f"guid of {vdev.name}", vdev.guid)
    top = top_of(pool, vdev)
    for each in top.walk():
        draft.saw(f"state of {path_in(top, each)}", state_in_words(each))


def path_in(top: Vdev, vdev: Vdev) -> str:
    """`mirror-0`, or `mirror-0/ata-X`: a vdev with the group that it is in."""
    return vdev.name if vdev is top else f"{top.name}/{vdev.name}"


def state_in_words(vdev: Vdev) -> str:
    """Its state, and whether it lacks data."""
    return f"{vdev.state}, resilvering" if vdev.is_resilvering else vdev.state


def described(vdev: Vdev, facts: PlanFacts) -> str:
    """The device with model, serial and bay: `ata-X (ST12000NM, serial ZL2F0A91, bay 5)`."""
    whole = disk_of_vdev(vdev, facts)
    if whole is None:
        return vdev_in_bay(vdev, facts)
    serial = f"serial {whole.serial}" if whole.serial else ""
    known = ", ".join(filter(None, (whole.model, serial, bay_of(whole, facts))))
    return f"{vdev.name} ({known})" if known else vdev.name


def disk_of_vdev(vdev: Vdev, facts: PlanFacts) -> Disk | None:
    """The whole disk of a device, as far as the host has it."""
    disk = facts.disk(vdev.path) if vdev.path is not None else None
    if facts.inventory is None or disk is None:
        return None
    return own_disk(vdev, facts.inventory.disk_of(disk.name), facts.place(vdev))


def bay_of(disk: Disk | None, facts: PlanFacts) -> str:
    """`bay 5`; empty where it is not known."""
    name = Bays(facts.inventory).name(disk) if facts.inventory is not None and disk is not None else ""
    return f"bay {name}" if name else ""


def vdev_in_bay(vdev: Vdev, facts: PlanFacts) -> str:
    """`ata-X (bay 5)`; of a disk that the host does not see the bay in which it was last seen."""
    disk = disk_of_vdev(vdev, facts)
    if disk is not None:
        return in_bay(vdev.name, disk, facts)
    last, inventory = facts.place(vdev), facts.inventory or Inventory()
    bays = Bays(inventory)
    bay = (last.bay if last is not None else "") or bay_told_by_zfs(vdev, bays)
    if not bay:
        return vdev.name
    serial = last.serial if last is not None else ""
    was = "was in " if is_bay_taken(bay, serial, inventory, bays) else ""
    return f"{vdev.name} ({was}bay {bay})"


def in_bay(name: str, disk: Disk | None, facts: PlanFacts) -> str:
    """`ata-X (bay 5)`; the name alone where the bay is not known."""
    bay = bay_of(disk, facts)
    return f"{name} ({bay})" if bay else name


def warn_of_shared_trouble(pool: Pool, vdev: Vdev, draft: Draft) -> None:
    """Simultaneous errors on several devices of a group suggest a shared cause."""
    top = top_of(pool, vdev)
    ailing = [leaf.name for leaf in top.leaves() if leaf.has_errors]
    if is_vital(top) and len(ailing) > 1:
        draft.warnings.append(
            f"{len(ailing)} devices of {top.name} have errors ({', '.join(ailing)}): "
            "check the cable, backplane or controller that they share first (with the pool exported or the "
            "host shut down)"
        )


def _names(pool: Pool) -> list[str]:
    return [leaf.name for leaf in pool.walk() if leaf.is_leaf]
