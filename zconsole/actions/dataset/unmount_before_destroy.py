"""Unmount before destroy, as separate steps: a program destroys unmounted datasets only.

What a key opens is unmounted so too, before the key is unloaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.plan import LONG_STEP_TIMEOUT_S, Condition, ConditionKind, Step
from zconsole.actions.step_subject import of_datasets
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.dataset_argv import mount, unmount

MOUNTPOINT: Final = "mountpoint"
LEGACY: Final = "legacy"
_OWN: Final = frozenset({"local", "received"})


TO_DESTROY: Final = "so that it can be checked and destroyed in one txg"


def unmounting(datasets: Sequence[Dataset], facts: PlanFacts, why: str = TO_DESTROY) -> Iterator[Step]:
    """A step per own mountpoint with its inheriting descendants; deepest first."""
    mounted = sorted((each for each in datasets if each.is_mounted), key=lambda each: each.name)
    sources = {name: source for name, key, _, source in facts.properties if key == MOUNTPOINT}
    groups: dict[str, list[Dataset]] = {}
    for each in mounted:
        leader = next((name for name in groups if each.name.startswith(f"{name}/")), None)
        follows = leader is not None and sources.get(each.name, "local") not in _OWN
        groups.setdefault(leader if leader is not None and follows else each.name, []).append(each)
    places = {each.name: each.mountpoint or "" for each in mounted}
    for leader in sorted(groups, key=lambda name: (places[name], name), reverse=True):
        taken = groups[leader]
        with_them = "" if len(taken) == 1 else f" and {len(taken) - 1} below it"
        yield Step(
            unmount(leader),
            f"unmount {leader}{with_them}, {why}",
            timeout_s=LONG_STEP_TIMEOUT_S,
            settled_by=tuple(
                Condition(ConditionKind.PROPERTY_IS, each.name, each.pool, "mounted", "no") for each in taken
            ),
            subjects=of_datasets(taken),
            put_back=tuple(mount(each.name) for each in taken),
        )


def refuse_legacy(draft: Draft, datasets: Sequence[Dataset]) -> None:
    """`zfs unmount` does not unmount what /etc/fstab or mount(8) mounted."""
    for each in datasets:
        if each.is_mounted and each.mountpoint == LEGACY:
            draft.refuse(
                "legacy", f"{each.name} is mounted by mount(8) or fstab, and zfs unmount leaves that alone",
                "umount it first: findmnt -t zfs shows where it is",
            )  # fmt: skip
