"""Replace a device by a new disk or a hot spare."""

from __future__ import annotations

from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option, PlanAgain
from zconsole.actions.checks.device_lookup_and_description import (
    bay_of,
    described,
    disk_of_vdev,
    in_bay,
    the_device,
    vdev_argument,
    vdev_in_bay,
    warn_of_shared_trouble,
)
from zconsole.actions.checks.new_device_checks import JOIN_TIMEOUT_S, join, labels_of
from zconsole.actions.checks.unread_or_read_only_pool import refuse_read_only
from zconsole.actions.checks.vdev_change_checks import (
    refuse_checkpoint,
    refuse_moving,
    refuse_while_removing,
    saw_vdev,
    say_resilver,
    warn_of_blocks_that_go,
    warn_of_redundancy,
)
from zconsole.actions.disk_choices import vdev_named
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import the_pool, vdev_of
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, WayOut
from zconsole.actions.vdev.repair_comes_first import DESPITE, refuse_before_repair
from zconsole.actions.vdev.serial_to_type import printed_serial, serial_at, shortest_end
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import fit
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice
from zconsole.analysis.vdevs.redundancy import in_words, is_vital, redundancy_in_pool
from zconsole.analysis.vdevs.spare_fit import spare_objections
from zconsole.analysis.vdevs.topology_after_change import (
    new_leaf,
    parent_of,
    replaced,
    replacing,
    resilvered,
    spared,
    top_of,
)
from zconsole.base.errors import UsageError
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.change.argv_template import DEVICE, GUID, NUMBER, POOL, CommandForm
from zconsole.zfs.change.topology_argv import replace

WITHOUT_DATA: Final = {"cache": "a cache device", "spare": "a hot spare"}


def plan_replace(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution for a failing device, destructive for a healthy one, which may be the wrong one."""
    pool = the_pool(intent.target, facts)
    old_word, new_word = _words(intent, pool)
    old = the_device(pool, old_word, "replace")
    top = top_of(pool, old)
    title = f"replace {vdev_in_bay(old, facts)} of {pool.name}"
    short = shortest_end(old, facts)
    draft = Draft(title, printed_serial(old, facts), Risk.CAUTION, short_target=short)
    saw_vdev(top, draft)
    refuse_checkpoint(pool, draft, "replace a device")
    refuse_read_only(pool, facts, draft)
    refuse_moving(top, draft)
    refuse_while_removing(pool, draft)
    _refuse_what_cannot_be_replaced(pool, old, top, draft)
    spare = _spare(pool, new_word)
    if spare is not None:
        _use_spare(pool, old, spare, facts, draft)
    else:
        _use_disk(intent, facts, draft, new_word, old)
    if ailing(old):
        draft.undo = (
            f"while it runs: zpool detach {quote(pool.name)} and the new device; "
            "afterwards there is nothing to undo"
        )
    else:
        _judge_healthy(pool, old, facts, draft)
    refuse_before_repair(pool, old, intent, facts, draft)
    if (reason := intent.text(DESPITE)) is not None:
        draft.warnings.insert(0, f"despite: {reason}")
    say_resilver(pool, draft)
    warn_of_blocks_that_go(pool, old, draft)
    warn_of_redundancy(draft)
    warn_of_shared_trouble(pool, old, draft)
    return draft


def ailing(vdev: Vdev) -> bool:
    """Whether ZFS shows a reason to replace a device."""
    return vdev.state != "ONLINE" or vdev.has_errors or bool(vdev.slow_ios)


def _words(intent: Intent, pool: Pool) -> tuple[str, str]:
    """The old and the new device; the old one may be omitted if only one fails."""
    if len(intent.arguments) >= 2:
        return intent.argument(0), intent.argument(1)
    failing = [
        leaf for leaf in pool.walk() if leaf.is_leaf and leaf.state != "ONLINE" and is_member(pool, leaf)
    ]
    if len(intent.arguments) == 1 and len(failing) == 1:
        return str(failing[0].guid or failing[0].name), intent.argument(0)
    which = joined_by_and([leaf.name for leaf in failing]) or "none"
    raise UsageError("replace needs the old and the new device", hint=f"Devices that fail: {which}.")


def is_member(pool: Pool, leaf: Vdev) -> bool:
    """Whether a device is a regular member of the pool."""
    return top_of(pool, leaf).vdev_class not in WITHOUT_DATA


def _spare(pool: Pool, word: str) -> Vdev | None:
    """The pool's hot spare with this name."""
    return next(
        (
            spare
            for spare in pool.of_class("spare")
            if word in {spare.name, spare.path, str(spare.guid)} or (spare.path or "").endswith(f"/{word}")
        ),
        None,
    )


def _refuse_what_cannot_be_replaced(pool: Pool, old: Vdev, top: Vdev, draft: Draft) -> None:
    if top.vdev_class in WITHOUT_DATA:
        kind = WITHOUT_DATA[top.vdev_class]
        draft.refuse("not-replaceable", f"{old.name} is {kind}, without data to copy",
                     "remove it, and add a new one")  # fmt: skip
        return
    parent = parent_of(pool, old)
    if parent is not None and parent.type == "spare" and old is not parent.children[0]:
        failed = parent.children[0].name
        draft.refuse("spare-in-use", f"{old.name} is a hot spare in use for {failed}",
                     f"replace {failed}: the spare returns by itself")  # fmt: skip
    redundancy = redundancy_in_pool(pool, top)
    if redundancy is not None and is_vital(top) and redundancy.is_lost:
        draft.refuse(
            "nothing-to-copy", f"{top.name} has lost too many devices: nothing has the data of "
            f"{old.name} any more", "bring a device back: online, or clear",
        )  # fmt: skip
    if redundancy is not None and is_vital(top) and redundancy.needs_failed_back:
        draft.raise_risk(Risk.DESTRUCTIVE)
        draft.loses.append(f"not known: blocks that only {old.name} has whole, if there are any")
        draft.warnings.append(
            f"{in_words(redundancy)}: bring a failed device back first (online, or clear); what only it has "
            "is lost once it is replaced"
        )
    if old.is_resilvering:
        draft.warnings.append(f"{old.name} is being resilvered itself; the replacement discards what it has")


def _use_disk(intent: Intent, facts: PlanFacts, draft: Draft, word: str, old: Vdev) -> None:
    """Replace by a disk of the inventory."""
    pool = the_pool(intent.target, facts)
    top = top_of(pool, old)
    device = join(word, facts, draft, pool=pool)
    if device is None:
        return
    new = device.whole.serial if device.whole is not None and device.whole.serial else device.path
    draft.title += f" with {in_bay(new, device.whole, facts)}"
    suits = fit(device, top)
    for each in suits.objections:
        draft.refuse_answer(WayOut.DISKS, each.rule, each.reason, each.instead)
    draft.warnings += suits.warnings
    _describe(old, device, facts, draft)
    leaf = new_leaf(device.path, old.vdev_class)
    sequential = intent.flag("sequential")
    if sequential and top.type.startswith("raidz"):
        draft.refuse("sequential", f"only mirrors and draids resilver in order, and {top.name} is neither",
                     "", PlanAgain("sequential", is_given=False))  # fmt: skip
    named = vdev_argument(old, draft)
    draft.steps.append(
        Step(
            replace(pool.name, named, device.path, ashift=suits.ashift, sequential=sequential),
            f"copy the data of {old.name} to {device.in_words}, then remove {old.name} from the pool",
            timeout_s=JOIN_TIMEOUT_S,
            settled_by=(Condition(ConditionKind.LEAF_THERE, device.path, pool.name),),
        )
    )
    draft.before, draft.during, draft.after = (
        pool,
        replacing(pool, old, leaf),
        resilvered(replaced(pool, old, leaf)),
    )


def _use_spare(pool: Pool, old: Vdev, spare: Vdev, facts: PlanFacts, draft: Draft) -> None:
    """Replace by a hot spare, which is in use until the device is replaced or detached."""
    draft.saw(f"spare {spare.name}", f"{spare.state} {spare.guid or ''}".strip())
    draft.title += f" with the spare {vdev_in_bay(spare, facts)}"
    for each in spare_objections(pool, old, spare):
        draft.refuse_answer(WayOut.DISKS, each.rule, each.reason, each.instead)
    path = _path_of(spare)
    draft.steps.append(
        Step(
            replace(pool.name, vdev_argument(old, draft), path),
            f"use the spare {spare.name} for {old.name}",
            timeout_s=JOIN_TIMEOUT_S,
            settled_by=(Condition(ConditionKind.VDEV_STATE, str(spare.guid), pool.name, value="INUSE"),),
        )
    )
    draft.before = pool
    draft.during = spared(pool, old, spare, is_resilvering=True)
    draft.after = resilvered(spared(pool, old, spare))
    draft.notes.append(
        f"{spare.name} is in use until {old.name} is replaced; to keep it permanently, detach {old.name}"
    )


def _path_of(spare: Vdev) -> str:
    """The spare's name in the pool."""
    path = spare.path or spare.name
    folder = path.rpartition("/")[0]
    return f"{folder}/{spare.name}" if path.startswith(f"{folder}/{spare.name}-part") else path


def _describe(old: Vdev, device: JoiningDevice, facts: PlanFacts, draft: Draft) -> None:
    """Describe both disks with serials and slots."""
    whole = disk_of_vdev(old, facts)
    at = whole.hctl if whole is not None else ""
    where = old.phys_path or (f"at {at}" if at else "")
    draft.notes.append(", ".join(filter(None, (f"old: {described(old, facts)}", old.state, where))))
    at = device.whole.hctl if device.whole is not None else ""
    where = bay_of(device.whole, facts) or (f"at {at}" if at else "")
    draft.notes.append(", ".join(filter(None, (f"new: {device.in_words}", where, device.path))))


def _judge_healthy(pool: Pool, old: Vdev, facts: PlanFacts, draft: Draft) -> None:
    """Warn that the device is healthy; both serial numbers are typed."""
    draft.raise_risk(Risk.DESTRUCTIVE)
    joining = serial_at(draft_word(draft), facts)
    draft.target = f"{draft.target} {joining}".strip()
    failing = [leaf for leaf in pool.walk() if leaf.is_leaf and is_member(pool, leaf) and ailing(leaf)]
    failing.sort(key=lambda leaf: leaf.state == "ONLINE")
    reason = f"ZFS reports no problem of {old.name}: {old.state}, no errors"
    if failing:
        names = joined_by_and([f"{leaf.name} ({leaf.state})" for leaf in failing])
        draft.warnings.insert(0, f"{reason}. Failing in {pool.name}: {names}")
        draft.alternatives += [
            (
                f"replace {leaf.name} ({leaf.state}) instead",
                Intent("replace", pool.name, (str(leaf.guid or leaf.name), draft_word(draft))),
            )
            for leaf in failing
            if draft_word(draft)
        ]
    else:
        draft.warnings.insert(
            0, f"{reason}. After the resilver ZFS wipes its label and removes it from the pool"
        )
    draft.is_reversible = True
    draft.undo = (
        f"while it runs: zpool detach {quote(pool.name)} and the new device; "
        "afterwards replace the new disk with the old one: a full resilver"
    )


def draft_word(draft: Draft) -> str:
    """The new device's path once known."""
    return draft.steps[0].argv[-1] if draft.steps else ""


def _labels(intent: Intent, facts: PlanFacts) -> Needs:
    return labels_of(intent.arguments[-1:], facts)


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    if pool is None:
        return ""
    if pool.has_checkpoint:
        return "the pool has a checkpoint"
    vdev = vdev_of(target, pool)
    if vdev is not None and not is_member(pool, vdev):
        return "it has no data to copy: remove it, and add another one"
    return ""


def _not_sequential(intent: Intent, facts: PlanFacts) -> str:
    """Why a vdev cannot be rebuilt sequentially, from what the screens know."""
    pool = facts.pool(intent.target)
    old = vdev_named(pool, intent.argument(0)) if pool is not None and intent.arguments else None
    top = top_of(pool, old) if pool is not None and old is not None else None
    is_raidz = top is not None and top.type.startswith("raidz")
    return f"ZFS rebuilds mirrors and draids only, and {top.name} is neither" if top and is_raidz else ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "replace", "Replace",
        "Replace a device by a new disk or a hot spare; its data is copied or rebuilt.",
        frozenset({TargetKind.LEAF}), plan_replace,
        arguments=(
            Argument("OLD", "device", "the old device; optional if only one fails", is_optional=True),
            Argument("NEW", "disk", "the new disk, or a hot spare of the pool"),
        ),
        options=(
            Option(
                "sequential", "rebuild a mirror or draid sequentially, and scrub it afterwards",
                why_not=_not_sequential,
            ),
            Option(
                DESPITE, "reason to replace it although something speaks against it (for plan and journal)",
                "text",
            ),
        ),
        key="R", needs=lambda _: Needs(disk_uses=True), further=_labels, why_not=_why_not,
        commands=(CommandForm(replace, (POOL, GUID, DEVICE), {"ashift": NUMBER, "sequential": True}),),
    ),
)  # fmt: skip
