"""Identity check right before a step is sent: the named objects are still those of the plan.

One command per kind of object, with nothing between it and the step. Channel programs check for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zconsole.actions.step_subject import StepSubject, SubjectKind, disk_in_words, which
from zconsole.base.bounded_int import natural
from zconsole.base.errors import HostError, ParseError
from zconsole.base.fixed_width_formatting import size
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.collect.readings.facts_for_plans import read_kstat_guid
from zconsole.execution.identity_lookup import read_whereabouts, read_which
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.system.lsblk import lsblk_of, parse_lsblk
from zconsole.system.pool_and_disk_identity import parse_pool_and_disks, pool_and_disks
from zconsole.zfs.listing.object_identity import FoundObject
from zconsole.zfs.listing.pool_get import get_guid, parse_properties


async def verify_identities(asker: Asker, subjects: Sequence[StepSubject]) -> tuple[str, ...]:
    """Differences to the plan, a sentence each. Raises HostError and ParseError."""
    differences: list[str] = []
    pools = [each for each in subjects if each.kind is SubjectKind.POOL]
    disks = [each for each in subjects if each.kind is SubjectKind.DISK]
    if len(pools) == 1 and disks:
        differences += await _pool_and_disks(asker, pools[0], disks)
        subjects = [each for each in subjects if each.kind is SubjectKind.DATASET]
    for kind, look in (
        (SubjectKind.POOL, _pools),
        (SubjectKind.DISK, _disks),
        (SubjectKind.DATASET, _datasets),  # last: for a pool destroyed whole it checks the pool as well
    ):
        asked = [each for each in subjects if each.kind is kind]
        if asked:
            differences += await look(asker, asked)
    return tuple(differences)


async def _datasets(asker: Asker, subjects: Sequence[StepSubject]) -> list[str]:
    """Check datasets in one command, with all descendants where they are destroyed whole."""
    is_whole = any(each.is_whole for each in subjects)
    names = _uncovered(subjects) if is_whole else [each.name for each in subjects]
    newest = {each.name: each.newest_txg for each in subjects if each.newest_txg is not None}
    depth = 1 if newest and not is_whole else None
    read = await read_which(asker, names, recursive=is_whole, depth=depth)
    found = {each.name: each for each in read}
    wrong = [each for each in subjects if _which(found.get(each.name)) != each.seen]
    told = await _told(asker, wrong, found) if wrong else []
    for each in subjects:
        now = found.get(each.name)
        if now is not None and each not in wrong:
            told += _too_much(each, now)
            if each.is_mounted is not None and now.is_mounted is not each.is_mounted:
                told.append(f"{each.name} is {'not ' if each.is_mounted else ''}mounted")
    known = {each.name for each in subjects}
    new = [each for each in read if each.name not in known and (is_whole or _is_newer(each, newest))]
    return told + [f"{each.name} is new, and would go too" for each in new]


def _is_newer(found: FoundObject, newest: Mapping[str, int]) -> bool:
    """Whether an object is a snapshot or bookmark of one of these datasets, newer than the txg."""
    most = newest.get(_base(found.name))
    return most is not None and found.createtxg is not None and found.createtxg > most


def _base(name: str) -> str:
    """The dataset of a snapshot or bookmark; "" for others."""
    return dataset_of(name) if set(name) & set("@#") else ""


def _uncovered(subjects: Sequence[StepSubject]) -> list[str]:
    """Topmost names that cover all others."""
    tops: list[str] = []
    for name in sorted(each.name for each in subjects):
        if not any(name.startswith((f"{top}/", f"{top}@", f"{top}#")) for top in tops):
            tops.append(name)
    return tops


async def _told(asker: Asker, wrong: Sequence[StepSubject], found: dict[str, FoundObject]) -> list[str]:
    """Present locations of the plan's objects, as far as readable."""
    try:
        places = await read_whereabouts(asker, pool_of(wrong[0].name), [each.name for each in wrong])
    except (HostError, ParseError):
        places = {}
    told = []
    for each in wrong:
        elsewhere = [
            name
            for name in places.get(each.seen, ())
            if name != each.name and ("#" in name) is ("#" in each.name)
        ]
        meant = f"; the reviewed one is {elsewhere[0]} now" if elsewhere else ""
        if each.name in found:
            now = f"is another object than the one that was reviewed ({_which(found[each.name])})"
        else:
            now = "is gone"
        told.append(f"{each.name} {now}{meant}")
    return told


def _too_much(subject: StepSubject, now: FoundObject) -> Iterator[str]:
    for what, most, seen in (
        ("written since its last snapshot", subject.most_written, now.written_bytes),
        ("referenced", subject.most_referenced, now.referenced_bytes),
    ):
        if most is not None and seen is not None and seen > most:
            yield f"{subject.name} has {size(seen)} {what}, and was to have {size(most)} at most"


def _which(found: FoundObject | None) -> str:
    return "" if found is None else which(found.guid, found.createtxg)


async def _pools(asker: Asker, subjects: Sequence[StepSubject]) -> list[str]:
    return [told for each in subjects for told in _not_that_pool(each, await _guid(asker, each.name))]


def _not_that_pool(subject: StepSubject, guid: int | None) -> Iterator[str]:
    if guid is None:
        yield f"there is no pool {subject.name} any more"
    elif f"guid {guid}" != subject.seen:
        yield f"{subject.name} is another pool than the one that was reviewed (guid {guid})"


async def pool_is(asker: Asker, subject: StepSubject) -> bool:
    """Whether the pool with this name is the reviewed one. Raises HostError and ParseError."""
    return f"guid {await _guid(asker, subject.name)}" == subject.seen


async def _guid(asker: Asker, pool: str) -> int | None:
    """Pool guid from kstat, also of a suspended pool; otherwise from zpool."""
    guid = await read_kstat_guid(asker.host, pool)
    if guid is not None:
        return guid
    completed = await _ended(asker, get_guid(pool), "pool-guid", pool)
    text = completed.stdout.decode("utf-8", "surrogateescape")
    value = next((each.value for each in parse_properties(text, pool)), "") if completed.is_done else ""
    return natural(value)


async def _pool_and_disks(asker: Asker, pool: StepSubject, disks: Sequence[StepSubject]) -> list[str]:
    """Check pool and disks with one command, right before the step."""
    command = pool_and_disks(pool.name, [each.name for each in disks])
    completed = await _ended(asker, command, "pool-and-disks", pool.name)
    guid, found = parse_pool_and_disks(completed.stdout.decode("utf-8", "backslashreplace"))
    return [*_not_that_pool(pool, guid), *_not_those(disks, found)]


async def _disks(asker: Asker, subjects: Sequence[StepSubject]) -> list[str]:
    """Check identity and contents of the devices behind the links, in one command."""
    completed = await _ended(asker, lsblk_of([each.name for each in subjects]), "lsblk-of")
    text = completed.stdout.decode("utf-8", "backslashreplace")
    return list(_not_those(subjects, parse_lsblk(text) if text else ()))


async def _ended(asker: Asker, command: Command, kind: str, pool: str = "") -> Completed:
    completed = await asker.run(command, kind=kind, pool=pool)
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, asker.host.label)
    return completed


def _not_those(subjects: Sequence[StepSubject], disks: Sequence[Disk]) -> Iterator[str]:
    """Differences of the disks; exchanged device names alone are none."""
    found = [disk_in_words(disk) for disk in disks]
    others = [each for each in found if each not in {subject.seen for subject in subjects}]
    now = f", is {'; '.join(others)}" if others else ", and is not there"
    for each in subjects:
        if each.seen not in found:
            yield f"{each.name} was {each.seen}{now}"
