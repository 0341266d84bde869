"""Mount placements: new mount points of file systems, inheriting children included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from zconsole.actions.action_spec import Needs
from zconsole.actions.object_lookup import listed_datasets
from zconsole.analysis.dependencies.mount_safety import normal
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import parent_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts

MOUNTPOINT: Final = "mountpoint"
CANMOUNT: Final = "canmount"
OVERLAY: Final = "overlay"
OWN: Final = frozenset({"local", "received"})  # sources of a value that is not inherited
ON, OFF = "on", "off"


@dataclass(frozen=True, slots=True)
class Placement:
    """File system and its mount point after the action or the next import."""

    dataset: str
    path: str  # as the kernel gets it, with the pool's altroot
    canmount: str = ON
    is_mounted: bool = False  # mounted now, anywhere: it will be remounted
    overlay: str | None = None  # None is unknown

    @property
    def is_by_itself(self) -> bool:
        """Whether the action or the next import mounts it."""
        return self.canmount == ON or (not self.is_never and self.is_mounted)

    @property
    def is_never(self) -> bool:
        """Whether ZFS never mounts it; descendants inherit its mountpoint nevertheless."""
        return self.canmount == OFF


def in_altroot(path: str, pool: str, facts: PlanFacts) -> str:
    """A value of `mountpoint` as path with the altroot."""
    altroot = facts.altroot(pool)
    return f"{altroot.rstrip('/')}{path}" if altroot and path.startswith("/") else path


def place_below(above: str | None, below: str) -> str | None:
    """Inherited mountpoint of a descendant; `below` is the rest of its name with the slash."""
    if above is None or not above.startswith("/"):
        return above
    return f"{above.rstrip('/')}{below}" or "/"


def of_new(
    name: str, parent: Dataset | None, properties: Sequence[str], facts: PlanFacts, *, parents: bool = False
) -> tuple[Placement, ...]:
    """Placements of a new file system below `parent`, and of its new ancestors."""
    if parent is None:
        return ()
    given = dict(word.partition("=")[::2] for word in properties)
    own = given.get(MOUNTPOINT)
    between = _missing(name, parent.name) if parents else ()
    found = [(each, place_below(parent.mountpoint, each.removeprefix(parent.name)), ON) for each in between]
    inherited = place_below(parent.mountpoint, name.removeprefix(parent.name))
    path = inherited if own is None else in_altroot(own, parent.pool, facts)
    found.append((name, path, given.get(CANMOUNT, ON)))
    overlay = given.get(OVERLAY)
    return tuple(
        Placement(each, where, canmount, overlay=overlay if each == name else None)
        for each, where, canmount in found
        if where is not None and where.startswith("/")
    )


def of_change(
    dataset: Dataset, path: str | None, heirs: Sequence[str], facts: PlanFacts
) -> tuple[Placement, ...]:
    """Placements of a file system with the new mountpoint `path`, and of its inheriting descendants."""
    every = (dataset, *listed_datasets(heirs, facts))
    moved = ((each, place_below(path, each.name.removeprefix(dataset.name))) for each in every)
    return tuple(
        _placed(each, where, facts) for each, where in moved if where is not None and _changes(each, where)
    )


def of_rename(dataset: Dataset, new: str, facts: PlanFacts) -> tuple[Placement, ...]:
    """Placements of a renamed file system and its inheriting descendants."""
    if dataset.type != "filesystem" or source_of(dataset.name, facts) in OWN:
        return ()
    above = parent_of(new)
    while above and facts.dataset(above) is None:
        above = parent_of(above)
    parent = facts.dataset(above)
    if parent is None:
        return ()
    path = place_below(parent.mountpoint, new.removeprefix(above))
    return of_change(dataset, path, heirs_of(dataset.name, facts), facts)


def as_it_is(dataset: Dataset, facts: PlanFacts) -> tuple[Placement, ...]:
    """Placement of a file system at its present mountpoint."""
    where = dataset.mountpoint
    if where is None or not where.startswith("/") or dataset.is_mounted or dataset.canmount == OFF:
        return ()
    return (_placed(dataset, where, facts),)


def heirs_of(name: str, facts: PlanFacts, *, with_own: bool = False) -> tuple[str, ...]:
    """Descendants that inherit the mountpoint; with `with_own` also those with one of their own."""
    return tuple(sorted(_heirs(name, facts, with_own=with_own)))


def source_of(name: str, facts: PlanFacts) -> str:
    """The source of a dataset's mountpoint, as `zfs get` prints it."""
    return next(
        (source for of, key, _, source in facts.properties if (of, key) == (name, MOUNTPOINT)), "unknown"
    )


def targets(placements: Iterable[Placement]) -> Needs:
    """Needs for the checks of these mounts."""
    return Needs(targets=tuple(dict.fromkeys(each.path for each in placements)))


def _heirs(name: str, facts: PlanFacts, *, with_own: bool) -> Iterator[str]:
    for each, key, value, source in facts.properties:
        if key != MOUNTPOINT or value == "-" or "@" in each or not each.startswith(f"{name}/"):
            continue
        origin = source.removeprefix("inherited from ")
        follows = source == "default" or (origin != source and f"{name}/".startswith(f"{origin}/"))
        if follows or with_own:
            yield each


def _placed(dataset: Dataset, path: str, facts: PlanFacts) -> Placement:
    return Placement(
        dataset.name,
        path,
        dataset.canmount or ON,
        is_mounted=bool(dataset.is_mounted),
        overlay=facts.property(dataset.name, OVERLAY),
    )


def _changes(dataset: Dataset, path: str) -> bool:
    """Whether the file system, or what inherits from it, will be mounted at another path than now."""
    if not path.startswith("/") or dataset.type != "filesystem":
        return False
    now = dataset.mountpoint or ""
    is_there = dataset.is_mounted or dataset.canmount == OFF
    return not (is_there and now.startswith("/") and normal(now) == normal(path))


def _missing(name: str, above: str) -> tuple[str, ...]:
    """The names between a dataset and an ancestor, topmost first."""
    found: list[str] = []
    each = parent_of(name)
    while each and each != above:
        found.append(each)
        each = parent_of(each)
    return tuple(reversed(found))
