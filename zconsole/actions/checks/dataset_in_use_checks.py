"""Users of datasets: dependents, what must be stopped first, and who may unmount."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from zconsole.actions.action_spec import MOST_REFUSALS, Draft
from zconsole.actions.plan import Dependent, Risk
from zconsole.analysis.dependencies.dataset_or_device_of_path import device_of_volume
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER, CONTAINER_DATA
from zconsole.analysis.dependencies.uses_by_guests import GUEST, OFF_GUESTS, SAVED_GUEST, named_in_unmounted
from zconsole.analysis.guests.dataset_names_of_engines import DatasetNamesOfEngines
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import parent_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts

OF_LIBVIRT: Final = frozenset({GUEST, *OFF_GUESTS})
MOST_GUESTS: Final = 3  # with a refusal each
OF_GUESTS: Final = frozenset({*OF_LIBVIRT, CONTAINER, CONTAINER_DATA})


def check_uses(
    draft: Draft, datasets: Sequence[Dataset], facts: PlanFacts, *, undone: str, changes_data: bool = False
) -> None:
    """Add users of these as dependents, and refuse running ones. `undone` is the consequence for them.

    With `changes_data` guests are refused that would go on with a saved memory on other data.
    """
    if facts.uses is None:
        draft.warnings.append("its users could not be read: check for open files and running guests")
    by_object: dict[str, list[OutsideUse]] = {}
    for use in facts.uses or ():
        by_object.setdefault(use.object, []).append(use)
    named, chosen = DatasetNamesOfEngines(facts.datasets), {each.name for each in datasets}
    off: dict[str, None] = {}
    blocked: list[tuple[Dataset, OutsideUse]] = []
    for each in datasets:
        uses = [*by_object.get(each.name, ()), *by_object.get(device_of_volume(each.name), ())]
        if each.is_mounted and not any(use.kind == "mount" for use in uses) and each.mountpoint is not None:
            uses.append(OutsideUse(each.name, "mount", each.mountpoint))
        uses += [use for use in named_in_unmounted(each, facts.uses or ()) if use not in uses]
        for use in uses:
            detail = f"on {each.name}" + (f", {use.detail}" if use.detail else "")
            draft.dependents.append(Dependent(use.kind, use.name, detail))
        draft.dependents += _belongs_to(named, each, uses, chosen)
        places = sorted(f"{use.kind} {use.name}" for use in uses if use.kind not in OFF_GUESTS)
        if places:
            draft.saw(f"uses of {each.name}", ", ".join(places))
        off |= dict.fromkeys(f"{use.kind} {use.name}" for use in uses if use.kind in OFF_GUESTS)
        if changes_data:
            refuse_saved_memory(draft, [use for use in uses if use.kind == SAVED_GUEST])
        blocked += [(each, use) for use in uses if _blocks(use, each)]
    _refuse_users(draft, blocked, undone)
    saw_off_guests(draft, off)
    if any(each.type in FILESYSTEMS_AND_VOLUMES for each in datasets):
        check_unread_guests(draft, facts)


def check_unread_guests(draft: Draft, facts: PlanFacts) -> None:
    """What a guest that runs may have open, without it being known, is changed as if one had."""
    if facts.guests_unread:
        draft.raise_risk(Risk.CATASTROPHIC)
        draft.warnings.append(unread_guests(facts))


def unread_guests(facts: PlanFacts) -> str:
    """What is not known of guests, and what to do."""
    return (
        f"{facts.guests_unread}: whether one of them has it open is not known. Plan it again later, or see "
        "first what they have (virsh domblklist GUEST)"
    )


def _refuse_users(draft: Draft, blocked: Iterable[tuple[Dataset, OutsideUse]], undone: str) -> None:
    """A refusal for each user of each dataset, at most so many of a dataset; many guests are one together."""
    found = list(blocked)
    guests = [(each.name, use.name) for each, use in found if _is_plain_guest(use)]
    names = sorted({name for _, name in guests})
    if len(names) > MOST_GUESTS:
        found = [(each, use) for each, use in found if not _is_plain_guest(use)]
        places = shortened(list(dict.fromkeys(place for place, _ in guests)), MOST_GUESTS)
        listed = shortened(names, MOST_GUESTS)
        draft.refuse("in-use", f"guests {listed} are on {places}: {undone}", "shut them down first")
    told: Counter[str] = Counter()
    for each, use in found:
        told[each.name] += 1
        if told[each.name] <= MOST_REFUSALS:
            draft.refuse("in-use", f"{use.kind} {use.name} is on {each.name}: {undone}", _stop(use))


def _is_plain_guest(use: OutsideUse) -> bool:
    """A guest of a libvirt that answers, which a plan can shut down."""
    return use.kind == GUEST and not use.way_to_stop


def saw_off_guests(draft: Draft, off: Iterable[str]) -> None:
    """Guests that are off, a part of the basis without which it is compared once guests were shut down."""
    if listed := ", ".join(sorted(off)):
        draft.saw("guest definitions", listed)


def refuse_saved_memory(draft: Draft, uses: Iterable[OutsideUse]) -> None:
    """A guest whose memory is saved goes on with what it believes to be on its disks, and damages them."""
    for use in uses:
        draft.refuse(
            "saved-memory", f"{use.name} is off with its memory saved: its next start goes on from there, on "
            f"other data below {use.path}, and damages it",
            f"start {use.name} and shut it down; or virsh managedsave-remove, as if its power had failed",
        )  # fmt: skip


def tell_names_of_engines(draft: Draft, datasets: Sequence[Dataset], facts: PlanFacts) -> tuple[str, ...]:
    """Add those of these datasets as dependents that are named as an engine of containers names its own."""
    named, chosen = DatasetNamesOfEngines(facts.datasets), {each.name for each in datasets}
    found = [of_name for each in datasets for of_name in _belongs_to(named, each, (), chosen)]
    draft.dependents += found
    return tuple(each.name for each in found)


def refuse_unmounting_as_user(draft: Draft, datasets: Iterable[Dataset], facts: PlanFacts) -> None:
    """Refuse for users: on Linux only root can unmount, whatever `zfs allow` says."""
    mounted = [each.name for each in datasets if each.is_mounted]
    if mounted and not facts.privileges.is_root:
        draft.refuse("unmount-permission", f"{mounted[0]} is mounted, and only root can unmount it",
                     "zconsole sudoers prints what sudo needs")  # fmt: skip


def _belongs_to(
    named: DatasetNamesOfEngines, dataset: Dataset, uses: Iterable[OutsideUse], chosen: Collection[str]
) -> Iterator[Dependent]:
    """What a dataset's name or mount point says of containers, where nothing surer is known of it.

    A layer is told by the dataset above it.
    """
    if any(use.kind in OF_GUESTS for use in uses):
        return
    found = named.of(dataset)
    if found is not None and (not found.is_layer or parent_of(dataset.name) not in chosen):
        yield Dependent(CONTAINER_DATA, dataset.name, f"{found.words}; whether it is one is not known")


def _blocks(use: OutsideUse, dataset: Dataset) -> bool:
    """Running programs, and a foreign file system mounted from a volume, block."""
    return use.is_running or (use.kind == "mount" and dataset.type == "volume")


def _stop(use: OutsideUse) -> str:
    if use.way_to_stop:
        return f"{use.way_to_stop}, first"
    match use.kind:
        case "mount":
            return f"unmount {use.name} first"
        case "guest" | "container":
            return f"shut {use.name} down first"
        case "swap":
            return f"swapoff {use.name} first"
        case "holder":
            return f"take {use.name} off it first"
        case _:
            return f"end {use.name} first"


def with_guests(names: Sequence[str], facts: PlanFacts) -> list[str]:
    """Names of datasets, each with the guests and containers that have their disks on it."""
    told = []
    for name in names:
        users = dict.fromkeys(use.name for use in facts.uses_of(name) if use.kind in OF_GUESTS)
        told.append(f"{name} (of {shortened(list(users), MOST_GUESTS)})" if users else name)
    return told
