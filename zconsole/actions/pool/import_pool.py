"""Import a pool by guid; never one that another host may be using."""

from __future__ import annotations

from datetime import UTC, datetime
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs, Option, PlanAgain
from zconsole.actions.checks.mount_checks import why_not
from zconsole.actions.guest.guests_after_next_mount import tell_guests_of_import
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, WayOut
from zconsole.actions.pool.create import refuse_name
from zconsole.actions.pool.import_device_checks import is_away, judge_devices, label_path
from zconsole.analysis.vdevs.topology_after_change import AUXILIARY_CLASSES
from zconsole.base.errors import UsageError
from zconsole.base.escape_control_characters import visible
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.pool import ImportablePool
from zconsole.zfs.change.argv_template import BELOW, IMPORT, NUMBER, POOL, CommandForm
from zconsole.zfs.change.pool_argv import import_pool

IMPORT_TIMEOUT_S: Final = 600.0  # it replays logs


def plan_import(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution; with --force destructive: the previous host's name must be typed."""
    wants_destroyed = intent.flag("destroyed")
    found = _candidate(intent.target, facts, wants_destroyed=wants_destroyed)
    name = intent.text("name") or found.name
    labels = _labels_of(found, facts)
    owner = _owner(found, labels)
    title = f"import {found.name}" + (f" as {name}" if name != found.name else "")
    draft = Draft(title, found.name, Risk.CAUTION, is_reversible=True)
    there = Condition(ConditionKind.POOL_THERE, str(found.guid))
    draft.steps.append(
        Step(
            import_pool(
                found.guid,
                name if name != found.name else "",
                destroyed=wants_destroyed,
                force=intent.flag("force"),
                without_log=intent.flag("without-log"),
                read_only=intent.flag("read-only"),
                altroot=intent.text("altroot") or "",
            ),
            "open its devices; nothing is mounted",
            timeout_s=IMPORT_TIMEOUT_S,
            settled_by=(there,),
        )
    )
    draft.undo = f"zpool export {quote(name)}"
    _saw(found, labels, facts, draft)
    _tell_of_last_use(found, labels, facts, draft)
    _refuse_other_hosts(found, owner, intent, facts, draft)
    judge_devices(found, intent, facts, draft)
    _judge_place(found, name, intent, facts, draft)
    tell_guests_of_import(
        draft, (found.name, name), intent.text("altroot") or "", facts, is_renamed=name != found.name
    )
    return draft


def _candidate(word: str, facts: PlanFacts, *, wants_destroyed: bool) -> ImportablePool:
    """The pool with this guid, or the only one with this name. Raises UsageError."""
    listed = (facts.destroyed if wants_destroyed else facts.importable) or ()
    found = [each for each in listed if word in {each.name, str(each.guid)}]
    what = "destroyed pool" if wants_destroyed else "pool to import"
    if not found:
        there = ", ".join(f"{each.name} ({each.guid})" for each in listed) or "none"
        raise UsageError(f"there is no {what} {word!r} on {facts.identity.label}", hint=f"Found: {there}.")
    if len(found) > 1:
        guids = ", ".join(str(each.guid) for each in found)
        raise UsageError(f"{len(found)} pools are called {word!r}", hint=f"Give the guid: {guids}.")
    return found[0]


def _labels_of(found: ImportablePool, facts: PlanFacts) -> tuple[DiskLabel, ...]:
    return tuple(label for label in facts.labels or () if label.pool_guid == found.guid)


def _owner(found: ImportablePool, labels: tuple[DiskLabel, ...]) -> str | None:
    """The last host, by its own name."""
    return found.last_host or next(
        (label.hostname for label in _newest_first(labels) if label.hostname), None
    )


def _newest_first(labels: tuple[DiskLabel, ...]) -> list[DiskLabel]:
    return sorted(labels, key=lambda label: -(label.last_txg or label.txg or 0))


def _saw(found: ImportablePool, labels: tuple[DiskLabel, ...], facts: PlanFacts, draft: Draft) -> None:
    """A label that changes shows use by another host, and makes the plan stale."""
    draft.saw(f"guid of {found.name}", found.guid)
    draft.saw(f"state of {found.name}", f"{found.state} {found.see}".strip())
    for vdev in (each for top in found.vdevs for each in top.walk()):
        draft.saw(f"state of {vdev.name}", vdev.state or "unknown")
    for label in labels:
        draft.saw(f"last write to {label.path}", f"txg {label.last_txg} by {label.hostname}, {label.state}")
    elsewhere = sorted(host for host, guid in facts.elsewhere if guid == found.guid)
    draft.saw(f"our other hosts that have {found.name}", ", ".join(elsewhere) or "none")


def _tell_of_last_use(
    found: ImportablePool, labels: tuple[DiskLabel, ...], facts: PlanFacts, draft: Draft
) -> None:
    host = _owner(found, labels)
    when = found.last_access or _last_written(labels)
    if host is None and when is None:
        draft.warnings.append("its labels could not be read: which host used it last, and when, is not known")
        return
    if facts.labels_unread:
        draft.warnings.append(
            f"labels that could not be read: {', '.join(sorted(facts.labels_unread))}; they may tell of a "
            "later use by another host"
        )
    state = next((label.state for label in _newest_first(labels) if label.state), "")
    words = f"last used by {host or 'an unknown host'}, {when or 'time unknown'}"
    draft.notes.append(f"{words}; {state}" if state else words)


def _last_written(labels: tuple[DiskLabel, ...]) -> str | None:
    latest = max((label.last_written for label in labels if label.last_written is not None), default=None)
    if latest is None:
        return None
    try:
        return datetime.fromtimestamp(latest, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):  # a label may contain anything
        return None


def _refuse_other_hosts(
    found: ImportablePool, owner: str | None, intent: Intent, facts: PlanFacts, draft: Draft
) -> None:
    """Refuse a pool that another host may be using: two writers destroy it."""
    for host, guid in facts.elsewhere:
        if guid == found.guid:
            draft.refuse("imported-elsewhere", f"{found.name} is imported on {host} now",
                         f"export it there: zconsole plan export {found.name} --host {host}")  # fmt: skip
    if found.is_active_elsewhere:
        draft.refuse("active", f"{owner} has {found.name} imported and writes to it", "export it there")
    elif found.wants_hostid:
        draft.refuse("no-hostid", f"{found.name} has multihost on, and this host has no hostid",
                     "give it one with zgenhostid(8)")  # fmt: skip
    elif _is_of_another_host(found, facts):
        _judge_foreign(found, owner, intent, facts, draft)
    elif intent.flag("force"):
        lost = "the last synchronous writes are lost all the same" if intent.flag("without-log") else ""
        again = PlanAgain("force", lost, is_given=False)
        draft.refuse("needless-force", f"no other host claims {found.name}", "", again)


def _is_of_another_host(found: ImportablePool, facts: PlanFacts) -> bool:
    """Whether ZFS requires -f: a host with another hostid used it and did not export it."""
    if found.is_of_another_host:
        return True
    if not found.is_destroyed:
        return False
    return any(_is_of_another(label, facts) for label in _labels_of(found, facts))


def _is_of_another(label: DiskLabel, facts: PlanFacts) -> bool:
    """ZFS compares hostids, and accepts a label without one; names replace an unknown hostid."""
    ours, theirs = _number(facts.identity.hostid), _number(label.hostid)
    if theirs is None:
        return False
    return ours != theirs if ours is not None else label.hostname != facts.identity.hostname


def _judge_foreign(
    found: ImportablePool, owner: str | None, intent: Intent, facts: PlanFacts, draft: Draft
) -> None:
    ours = facts.identity
    if owner is None:
        draft.refuse("unknown-host", f"another host used {found.name} last, and which one cannot be read",
                     "read the labels as root: zdb -l on one of its devices")  # fmt: skip
    elif not intent.flag("force"):
        draft.refuse(
            "other-host", f"{found.name} was last used by {owner}, which did not export it",
            f"export it on {owner}",
            PlanAgain("force", f"if {owner} is dead or has lost the disks for good; its name is asked for"),
        )  # fmt: skip
    else:
        draft.target = owner
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.is_reversible = False
        draft.undo = (
            f"zpool export {quote(intent.text('name') or found.name)}; {owner} does not get it back by itself"
        )
        draft.warnings.append(
            f"if {owner} is alive and can reach the disks, both write to them, and the pool is lost"
        )
        if owner == ours.hostname:
            draft.warnings.append(f"{owner} is also what this host calls itself; its hostid is another one")


def _judge_place(found: ImportablePool, name: str, intent: Intent, facts: PlanFacts, draft: Draft) -> None:
    altroot = intent.text("altroot")
    if name != found.name:
        refuse_name(name, facts, draft)
    elif facts.pool(name) is not None:
        draft.refuse_answer(
            WayOut.NAME, "pool-exists", f"a pool {name} is imported already", "give it another name"
        )
    if altroot is not None and not altroot.startswith("/"):
        draft.refuse_answer(WayOut.MOUNTPOINT, "bad-path", f"{altroot!r} is not an absolute path")
    elif altroot is not None:
        objection = why_not(altroot, facts)
        if objection is not None:
            draft.refuse(
                objection.rule,
                f"its file systems would be mounted below {visible(altroot)}: {objection.why}",
                "choose a directory that nothing else uses, such as /mnt",
            )
    draft.notes.append(
        "nothing of it is mounted yet: ZFS reports its mountpoints only after the import; "
        f"zconsole plan mount {name} --below checks each mountpoint and mounts those that hide nothing vital"
    )
    draft.notes.append("no key is loaded: load-key tells from where ZFS would read it")
    if name != found.name:
        draft.pool_renames.append((found.name, name))
        draft.notes.append(f"the new name stays with the pool; it is no longer called {found.name}")
    if intent.flag("read-only"):
        draft.notes.append("read-only: nothing is written to it, not even what its log holds")


def _number(hostid: str | None) -> int | None:
    try:
        return None if hostid is None else int(hostid, 16)
    except ValueError:
        return None


def _needs(intent: Intent) -> Needs:
    wants_destroyed = intent.flag("destroyed")
    return Needs(
        disks=True,
        importable=not wants_destroyed,
        destroyed=wants_destroyed,
        elsewhere=True,
        uses=True,
        shared=(),
    )


def _labels_needed(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the labels of the pool's present devices."""
    listed = (facts.destroyed if intent.flag("destroyed") else facts.importable) or ()
    devices = {
        label_path(leaf, facts.inventory)
        for found in listed
        if intent.target in {found.name, str(found.guid)}
        for top in found.vdevs
        if top.vdev_class not in AUXILIARY_CLASSES
        for leaf in top.leaves()
        if not is_away(leaf)
    }
    altroot = intent.text("altroot") or ""
    return Needs(
        labels=tuple(sorted(path for path in devices if path is not None)),
        targets=(altroot,) if altroot.startswith("/") else (),
    )


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "import", "Import", "Import a pool from this host's disks.",
        frozenset({TargetKind.HOST}), plan_import,
        target_word="POOL-OR-GUID",
        options=(
            Option("name", "give it another name, permanently", "text"),
            Option("read-only", "write nothing to it"),
            Option("altroot", "mount it below this folder", "text"),
            Option("destroyed", "a destroyed pool"),
            Option("without-log", "although its log device is missing"),
            Option("force", "take it from the host that used it last, whose name is then typed"),
        ),
        needs=_needs, further=_labels_needed,
        intent_for=lambda _target: Intent("import", ""),
        commands=(CommandForm(
            import_pool, (NUMBER,),
            {"destroyed": True, "force": True, "without_log": True, "read_only": True,
             "altroot": BELOW, "new_name": POOL},
            grant=IMPORT,
        ),),
    ),
)  # fmt: skip
