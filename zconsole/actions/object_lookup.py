"""Lookup of objects named in an intent; raises UsageError for missing ones."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.actions.intent import Target
from zconsole.analysis.vdevs.disk_identity_and_links import serial_in_name
from zconsole.base.errors import UsageError
from zconsole.base.name_lists import meant_by
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset, type_in_words
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev


def the_pool(name: str, facts: PlanFacts) -> Pool:
    """The imported pool with this name. Raises UsageError."""
    pool = facts.pool(name)
    if pool is None:
        there = ", ".join(each.name for each in facts.pools) or "none"
        raise UsageError(
            f"there is no pool {name!r} on {facts.identity.label}", hint=f"Pools there: {there}."
        )
    return pool


def the_dataset(name: str, facts: PlanFacts) -> Dataset:
    """The dataset, snapshot or bookmark with this name. Raises UsageError."""
    dataset = facts.dataset(name)
    if dataset is None:
        the_pool(pool_of(name), facts)
        meant = meant_by(name, (each.name for each in facts.datasets if ("@" in name) == ("@" in each.name)))
        raise UsageError(
            f"there is no dataset {name!r} on {facts.identity.label}",
            hint=meant or "Use full names: pool/dataset@snapshot.",
        )
    return dataset


def dataset_of_type(name: str, types: frozenset[str], facts: PlanFacts, *, hint: str) -> Dataset:
    """The dataset with this name and one of these types. Raises UsageError."""
    dataset = the_dataset(name, facts)
    if dataset.type not in types:
        raise UsageError(f"{name} is a {type_in_words(dataset)}", hint=hint)
    return dataset


def listed_datasets(names: Iterable[str], facts: PlanFacts) -> tuple[Dataset, ...]:
    """The names that were listed, as datasets, in the given order."""
    listed = {dataset.name: dataset for dataset in facts.datasets}
    return tuple(listed[name] for name in names if name in listed)


def is_vdev(pool: Pool, word: str) -> bool:
    """Whether a word means a vdev of the pool, or several."""
    return bool(_vdevs(pool, word))


def _vdevs(pool: Pool, word: str) -> list[Vdev]:
    exact = [vdev for vdev in pool.walk() if word in {vdev.name, vdev.path, str(vdev.guid)}]
    by_path = [vdev for vdev in pool.walk() if vdev.path is not None and vdev.path.endswith(f"/{word}")]
    return exact or by_path or [vdev for vdev in pool.walk() if word and word in _serials(vdev)]


def _serials(vdev: Vdev) -> set[str]:
    """The serial number of a device, by which screens and messages call it: from its name and its devid."""
    return {serial_in_name(vdev.name), serial_in_name(vdev.devid or "")}


def the_vdev(pool: Pool, word: str) -> Vdev:
    """The vdev with this guid, name, path, path suffix or serial number. Raises UsageError."""
    exact = _vdevs(pool, word)
    if len({id(vdev) if vdev.guid is None else vdev.guid for vdev in exact}) == 1:
        return min(exact, key=lambda vdev: vdev.vdev_class == "spare")  # a spare in use appears twice
    if len(exact) != 1:
        many = "more than one vdev" if exact else "no vdev"
        meant = "" if exact else _vdev_meant(pool, word)
        raise UsageError(
            f"{pool.name} has {many} {word!r}",
            hint=meant or f"Its vdevs: {', '.join(vdev.name for vdev in pool.walk())}.",
        )
    return exact[0]


def _vdev_meant(pool: Pool, word: str) -> str:
    """`Did you mean ata-HGST_HUH728080ALE604_VLGX4P7Y?` of the end of a name, as its serial number is."""
    names = tuple(dict.fromkeys(vdev.name for vdev in pool.walk()))
    ending = [name for name in names if word and name.casefold().endswith(word.casefold())]
    return f"Did you mean {' or '.join(ending[:3])}?" if ending else meant_by(word, names)


def vdev_of(target: Target, pool: Pool | None) -> Vdev | None:
    """The vdev of a target, by guid; None when missing."""
    if pool is None or target.guid is None:
        return None
    return next((each for each in pool.walk() if each.guid == target.guid), None)
