"""Guests and containers whose writes a property stops: read-only, limits of space, reservations given up.

Below a limit ZFS fails writes with EDQUOT (dsl_dir.c, dsl_dataset.c), and with ENOSPC only where the pool
itself is full. QEMU's default policy `enospc` pauses a guest at ENOSPC alone (blk_get_error_action), so a
limit gives its guests errors in the midst of their file systems; the policy `stop` pauses at any error,
`ignore` loses the writes. A volume that grows stops nothing, and its guest does not see it by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.actions.action_spec import MOST_REFUSALS, Draft
from zconsole.actions.checks.dataset_in_use_checks import MOST_GUESTS, OF_LIBVIRT, saw_off_guests
from zconsole.actions.plan import Dependent
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER
from zconsole.analysis.dependencies.uses_by_guests import GUEST, OFF_GUESTS
from zconsole.analysis.guests.guests_of_a_full_pool import BY_POLICY, FullEffect
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts

READ_ONLY: Final = "readonly"
LIMITS: Final = frozenset({"quota", "refquota"})
RESERVATIONS: Final = frozenset({"reservation", "refreservation"})
OF_USERS: Final = (
    *("userquota@", "groupquota@", "projectquota@"),
    *("defaultuserquota", "defaultgroupquota", "defaultprojectquota"),
)
OF_IO: Final = frozenset(
    {"sync", "logbias", "primarycache", "secondarycache", "recordsize", "checksum", "copies", "dedup"}
    | {"direct", "prefetch", "special_small_blocks", "redundant_metadata"}
)  # how what is on a dataset reads and writes
OF_ALL_BELOW: Final = frozenset({"quota", "reservation"})
LEAST_LEFT: Final = 10  # a limit that leaves less than a tenth of itself counts as one that is reached
WITHOUT_RESERVATION: Final = "without it writes fail when the pool is full"  # where nobody is known to write
NONE: Final = frozenset({"none", "0"})
_NAMED: Final = 5
_AT_LIMIT: Final = {
    FullEffect.WRITES_LOST: "writes are lost, because the disks ignore errors",
    FullEffect.SEES_ERRORS: "these guests see write errors (QEMU pauses at ENOSPC, and a limit gives EDQUOT)",
    FullEffect.PROGRAMS_FAIL: "the writes of these containers fail",
    FullEffect.PAUSED: "these guests are paused, by their policy for any error",
}


def is_about_writes(name: str, value: str) -> bool:
    """Whether this value can stop writes, so that it has to be read who writes."""
    if name == READ_ONLY:
        return value == "on"
    if name in LIMITS or name.startswith(OF_USERS):
        return value not in NONE
    return name in RESERVATIONS


def check_writers(
    draft: Draft,
    dataset: Dataset,
    wanted: tuple[str, str, int | None],
    heirs: Sequence[Dataset],
    facts: PlanFacts,
) -> None:
    """Name those who write to a dataset, or to what is below it, and refuse what breaks them at once.

    `wanted` are the property, its value and that in bytes; `heirs` are the descendants that inherit it.
    """
    name, value, wanted_bytes = wanted
    if name in OF_IO:
        _tell_guests(draft, _uses(dataset, name, heirs, facts))
    if not is_about_writes(name, value):
        return
    uses = list(_uses(dataset, name, heirs, facts))
    saw_off_guests(draft, {f"{use.kind} {use.name}" for use in uses if use.kind in OFF_GUESTS})
    running = [use for use in uses if use.kind in {GUEST, CONTAINER} and use.is_written]
    names = shortened(sorted({use.name for use in running}), _NAMED)
    if name == READ_ONLY:
        _refuse_read_only(draft, uses, running)
    elif not names or not _is_lowered(name, wanted_bytes, dataset, facts):
        return
    elif name in LIMITS:
        _tell_limit(draft, dataset, wanted, running, facts)
    elif name in RESERVATIONS:
        draft.warnings[:] = [each for each in draft.warnings if each != WITHOUT_RESERVATION]
        draft.warnings.append(f"without that reservation the writes of {names} fail when the pool is full")
    else:
        policies = "; ".join(beyond_limit(running, facts))
        draft.warnings.append(f"where that is the limit of the user who writes: {policies}")


def _tell_guests(draft: Draft, uses: Iterable[OutsideUse]) -> None:
    """Those whose reads and writes a property is about; nothing of them stops."""
    names = {use.name: use.kind in OFF_GUESTS for use in uses}
    if names:
        listed = [f"{name} (off)" if is_off else name for name, is_off in sorted(names.items())]
        draft.notes.append(f"it is about the reads and writes of {shortened(listed, _NAMED)}")


def tell_growth(draft: Draft, volume: Dataset, facts: PlanFacts) -> None:
    """A volume that grows: who has it open goes on, and does not see it by itself."""
    uses = facts.uses_of(volume.name)
    guests = sorted({use.name for use in uses if use.kind == GUEST})
    draft.saw(f"uses of {volume.name}", ", ".join(sorted(f"{use.kind} {use.name}" for use in uses)) or "none")
    if guests:
        go, see = ("goes", "sees") if len(guests) == 1 else ("go", "see")
        draft.notes.append(
            f"{shortened(guests, _NAMED)} {go} on, and {see} the size after virsh blockresize or a restart"
        )
    draft.notes.append("partitions and the file system in it are grown there")


def _uses(dataset: Dataset, name: str, heirs: Iterable[Dataset], facts: PlanFacts) -> Iterable[OutsideUse]:
    touched = {dataset.name, *(each.name for each in heirs)}
    if name in OF_ALL_BELOW:
        touched |= {
            each.name
            for each in facts.datasets
            if each.type in FILESYSTEMS_AND_VOLUMES and each.name.startswith(f"{dataset.name}/")
        }
    for use in facts.uses or ():
        if dataset_of_object(use.object) in touched and use.kind in {*OF_LIBVIRT, CONTAINER}:
            yield use


def _refuse_read_only(draft: Draft, uses: Sequence[OutsideUse], running: Iterable[OutsideUse]) -> None:
    for use in uses:
        if use.is_written:
            draft.dependents.append(Dependent(use.kind, use.name, f"on {use.object}, {use.detail}"))
    readers = {use.name for use in uses if not use.is_written}
    readers -= {use.name for use in uses if use.is_written}
    if readers:
        draft.notes.append(f"guests that only read there go on: {shortened(sorted(readers), _NAMED)}")
    guests = sorted({use.name for use in running if use.kind == GUEST and not use.way_to_stop})
    blocking = list(running)
    if len(guests) > MOST_GUESTS:
        blocking = [use for use in running if use.kind != GUEST or use.way_to_stop]
        places = shortened(sorted({use.object for use in running if use.name in guests}), MOST_GUESTS)
        listed = shortened(guests, MOST_GUESTS)
        words = f"guests {listed} write to {places}: their writes would fail from that moment"
        draft.refuse("in-use", words, "shut them down first")
    for use in blocking[:MOST_REFUSALS]:
        draft.refuse(
            "in-use", f"{use.kind} {use.name} writes to {use.object}: its writes would fail from that moment",
            f"{use.way_to_stop or f'shut {use.name} down'} first",
        )  # fmt: skip
    if len(blocking) > MOST_REFUSALS:
        draft.refuse("in-use", f"and {len(blocking) - MOST_REFUSALS} more write there")


def _is_lowered(name: str, wanted: int | None, dataset: Dataset, facts: PlanFacts) -> bool:
    """Whether a limit is set or lowered, or a reservation lowered; also where the present one is unknown."""
    now = natural(facts.property(dataset.name, name) or "")
    if wanted is None:
        return name not in RESERVATIONS  # refreservation=auto is the whole volume
    if now is None:
        return True
    if name in RESERVATIONS:
        return wanted < now
    return not now or wanted < now


def _tell_limit(
    draft: Draft,
    dataset: Dataset,
    wanted: tuple[str, str, int | None],
    running: Sequence[OutsideUse],
    facts: PlanFacts,
) -> None:
    """How much they may still write; those for whom that is next to nothing are dependents."""
    name, value, limit = wanted
    used = dataset.used_bytes if name == "quota" else dataset.referenced_bytes
    left = None if limit is None or used is None else limit - used
    available = dataset.available_bytes
    if left is not None and available is not None and available <= left:
        draft.notes.append(
            f"{size(available)} are available to {dataset.name}: a {name} of {value} limits nothing now"
        )
        return
    about = "how much is left is not known" if left is None else f"{size(max(0, left))} are left"
    effects = "; ".join(beyond_limit(running, facts))
    draft.warnings.append(f"{about} below a {name} of {value}. Beyond it {effects}")
    if limit is None or left is None or left * LEAST_LEFT < limit:
        for use in running:
            draft.dependents.append(Dependent(use.kind, use.name, f"on {use.object}, {use.detail}"))


def beyond_limit(running: Sequence[OutsideUse], facts: PlanFacts) -> Iterator[str]:
    """What EDQUOT does to them, a clause each with its guests, the worst first."""
    by_effect: dict[FullEffect, dict[str, None]] = {}
    for use in running:
        by_effect.setdefault(_at_limit(use, facts), {})[use.name] = None
    for effect, words in _AT_LIMIT.items():
        if effect in by_effect:
            yield f"{words}: {shortened(sorted(by_effect[effect]), _NAMED)}"


def _at_limit(use: OutsideUse, facts: PlanFacts) -> FullEffect:
    if use.kind == CONTAINER:
        return FullEffect.PROGRAMS_FAIL
    policies = {
        disk.disk.error_policy
        for guest in facts.guests or ()
        if guest.name == use.name
        for disk in guest.disks
        if use.path in {disk.disk.path, *disk.disk.backing}
    }
    return next((BY_POLICY[each] for each in policies if each in BY_POLICY), FullEffect.SEES_ERRORS)
