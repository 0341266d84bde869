"""Planner: from an intent and the facts of a host to a plan. Pure and deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.action_catalogue import SPECS, spec
from zconsole.actions.action_spec import ActionSpec, Draft
from zconsole.actions.action_usage_and_plan_command import plan_with_host, where_words, with_host
from zconsole.actions.checks.dataset_in_use_checks import unread_guests
from zconsole.actions.guest.guests_without_their_disks import tell_lost_disks, warn_of_guests_that_stay_off
from zconsole.actions.guest.shut_down_guests_first import draft_of
from zconsole.actions.intent import Intent
from zconsole.actions.options_that_resolve_refusals import ways_out
from zconsole.actions.plan import (
    RUNNING,
    SURE,
    Dependent,
    OtherHost,
    Plan,
    PlanBasis,
    RedundancyChange,
    RefusalReason,
    Risk,
    Step,
)
from zconsole.actions.step_subject import named_in
from zconsole.analysis.dependencies.uses_by_guests import OFF_GUESTS, SAVED_GUEST
from zconsole.analysis.vdevs.redundancy import Redundancy, pool_redundancy
from zconsole.analysis.vdevs.topology_after_change import continued
from zconsole.base.errors import UsageError
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of, parent_of
from zconsole.model.guests.guest import LIBVIRT_ACCESS
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.argv_template import DEFINE, GUESTS
from zconsole.zfs.change.channel_program import is_program

UNKNOWN: Final = "unknown"
_NAMED: Final = 5  # guests in a sentence
IDENTIFYING: Final = ("machine-id", "host key")  # basis entries that identify the machine
RULED: Final = frozenset({"zpool", "zfs", "ledctl", "virsh"})  # programs with rules in `zconsole sudoers`


def plan(intent: Intent, facts: PlanFacts) -> Plan:
    """Plan an intent on this host.

    An impossible or forbidden action gives a plan with `refusals`. Raises UsageError for invalid words:
    unknown action,
    missing argument, unknown option.
    """
    where = where_words(facts.identity)
    try:
        return plan_with_host(_plan(intent, facts), where)
    except UsageError as error:
        error.hint = with_host(error.hint, where)
        raise


def _plan(intent: Intent, facts: PlanFacts) -> Plan:
    draft = _judged(intent, facts)
    if any(each.kind in {"guest", "container"} for each in draft.dependents):
        draft.raise_risk(Risk.CATASTROPHIC)
    _tell_lost_memory(draft)
    tell_lost_disks(draft, facts)
    warn_of_guests_that_stay_off(draft, intent, spec(intent.action))
    return Plan(
        intent=intent,
        title=draft.title,
        target=draft.short_target or draft.target if draft.risk is Risk.CAUTION else draft.target,
        identity=facts.identity,
        risk=Risk.REFUSED if draft.refusals else draft.risk,
        made_at=facts.taken_at,
        steps=tuple(_looked_at(step, facts) for step in draft.steps),
        destroys=tuple(sorted(set(draft.destroys))),
        loses=tuple(dict.fromkeys(draft.loses)),
        live=tuple(sorted(set(draft.live))),
        frees_bytes=draft.frees_bytes,
        dependents=tuple(sorted(dict.fromkeys(draft.dependents), key=_by_kind)),
        redundancy=changes(draft.before, draft.during, draft.after, is_at_most=draft.is_at_most),
        before=draft.before,
        after=draft.after,
        is_reversible=draft.is_reversible,
        undo=draft.undo,
        undo_after=draft.undo_after,
        undo_of_nothing_kept=draft.undo_of_nothing_kept,
        at_rest_behind=draft.at_rest_behind,
        alternatives=_alternatives(intent, draft, facts),
        downtime=tuple(draft.downtime),
        space=tuple(draft.space),
        stays=tuple(draft.stays),
        notes=tuple(draft.notes),
        warnings=_warnings(draft, facts),
        refusals=tuple(dict.fromkeys(draft.refusals)),
        rehearsals=tuple(draft.rehearsals),
        basis=_basis(intent, draft, facts),
        not_binding=_not_binding(draft),
        privilege_mode=facts.privileges.privilege_mode,
        other=_other(draft, facts),
    )


def _warnings(draft: Draft, facts: PlanFacts) -> tuple[str, ...]:
    unread = (unread_guests(facts),) if facts.guests_unread else ()
    return tuple(dict.fromkeys((*draft.warnings, *facts.unseen, *unread)))


def _by_kind(dependent: Dependent) -> int:
    """What runs first, then guests that are off, then all else in its order."""
    if dependent.kind in RUNNING:
        return 0
    return 1 if dependent.kind in OFF_GUESTS else 2


def _alternatives(intent: Intent, draft: Draft, facts: PlanFacts) -> tuple[tuple[str, Intent], ...]:
    """What may be done instead: first what does as asked, unless that destroys more than was asked for."""
    ways = ways_out(intent, draft, lambda wanted: _judged(wanted, facts))
    before = dict(intent.options)
    takes_more = any(
        option.takes_more and option.name in dict(wanted.options) and option.name not in before
        for _, wanted in ways
        for option in spec(intent.action).options
    )
    return (*draft.alternatives, *ways) if takes_more else (*ways, *draft.alternatives)


def _judged(intent: Intent, facts: PlanFacts) -> Draft:
    """The draft of an action, with the refusals common to all actions."""
    known = spec(intent.action)
    draft = draft_of(known, intent, facts)
    _refuse_what_is_never_done(known, intent, draft, facts)
    return draft


def _tell_lost_memory(draft: Draft) -> None:
    """A saved memory is of no use without the disks that it was saved with."""
    saved = sorted({each.name for each in draft.dependents if each.kind == SAVED_GUEST})
    if draft.destroys and saved:
        draft.raise_risk(Risk.CATASTROPHIC)
        draft.loses.append(f"the saved memory of {shortened(saved, _NAMED)}, with all not yet on its disks")


def _other(draft: Draft, facts: PlanFacts) -> OtherHost | None:
    """The second host, if steps change it."""
    other = facts.other
    if other is None or not any(step.on for step in draft.steps):
        return None
    return OtherHost(other.identity, other.privileges.privilege_mode)


def _refuse_what_is_never_done(known: ActionSpec, intent: Intent, draft: Draft, facts: PlanFacts) -> None:
    """Refusals common to all actions: read-only host, protected objects, missing privileges."""
    if facts.policy.read_only:
        draft.refuse("read-only", facts.policy.read_only, facts.policy.read_only_ends or "act on it by hand")
    other = facts.other
    if other is not None and other.policy.read_only:
        draft.refuse("read-only", other.policy.read_only, other.policy.read_only_ends or "act on it by hand")
    _refuse_what_is_protected(draft, facts)
    _refuse_to_unprotect(draft, facts)
    pool = facts.pool(intent.pool)
    if pool is not None and pool.is_suspended and not known.works_suspended:
        draft.refuse(
            "suspended", f"{pool.name} is suspended: every command that changes it would hang",
            "bring its devices back, then clear it",
        )  # fmt: skip
    for host in filter(None, (facts, other)):
        on = "" if host is facts else host.identity.label
        lacking = _lacking_permission([step for step in draft.steps if step.on == on], host, on)
        if lacking is not None:
            draft.refusals.append(lacking)


def _refuse_what_is_protected(draft: Draft, facts: PlanFacts) -> None:
    """One refusal per pattern, for any number of objects."""
    covered: dict[str, list[str]] = {}
    for name in sorted(set(draft.destroys)):
        pattern = facts.policy.protects(name)
        if pattern is not None:
            covered.setdefault(pattern, []).append(name)
    for pattern, names in covered.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        are = "are" if more else "is"
        draft.refuse(
            "protected", f"{names[0]}{more} {are} protected by the pattern {pattern!r} of the configuration",
            "remove it from `protected` there",
        )  # fmt: skip


def _refuse_to_unprotect(draft: Draft, facts: PlanFacts) -> None:
    """Refuse renames that would take an object out of a protecting pattern."""
    leaving: dict[str, list[tuple[str, str]]] = {}
    for old, new in sorted(set(draft.renames)):
        pattern = facts.policy.loses(old, new)
        if pattern is not None:
            leaving.setdefault(pattern, []).append((old, new))
    for pattern, pairs in leaving.items():
        (old, new), more = pairs[0], len(pairs) - 1
        others = f", and so would {more} more" if more else ""
        draft.refuse(
            "protected",
            f"{old} is protected by the pattern {pattern!r} of the configuration, and would not be "
            f"as {new}{others}",
            "choose a name that is protected as well, or remove it from `protected` there",
        )  # fmt: skip
    for old, new in draft.pool_renames:
        pattern = facts.policy.loses_in(old, new)
        if pattern is not None:
            draft.refuse(
                "protected",
                f"what is in {old} is protected by the pattern {pattern!r} of the configuration, and would "
                f"not be in a pool called {new}",
                "keep its name, or remove it from `protected` there",
            )  # fmt: skip
    for name in sorted(set(draft.wipes)):
        pattern = facts.policy.protects_in(name)
        if pattern is not None:
            draft.refuse(
                "protected", f"the pattern {pattern!r} of the configuration protects what may be in {name}, "
                "which cannot be listed while it is not imported",
                "import it and destroy what is not needed, or remove it from `protected` there",
            )  # fmt: skip


def _lacking_permission(steps: Sequence[Step], facts: PlanFacts, on_host: str) -> RefusalReason | None:
    """What the user lacks on the host of these steps; `on_host` names another one than the plan's."""
    privileges = facts.privileges
    if privileges.is_root:
        return None
    user = privileges.user or "this user"
    user = f"{user} on {on_host}" if on_host else user
    for step in steps:
        if not step.permissions:
            program, *words = step.argv
            is_ruled = program in RULED
            what = f"{program} {words[0]}" if is_ruled else program
            return RefusalReason(
                "permission", f"{user} is not root, and {what} cannot be delegated",
                "zconsole sudoers --no-password prints what sudo needs" if step.escalates
                else "zconsole sudoers prints what sudo needs" if is_ruled
                else f"zconsole sudoers has no rule for {program}: who may run it as root may do anything",
            )  # fmt: skip
        for permission, on in step.permissions:
            if (permission, on) == LIBVIRT_ACCESS and not privileges.may(permission, on):
                return RefusalReason(
                    "permission", f"{user} may not change the guests of {on}",
                    f"add this user to the group libvirt{_rules_of(step)}",
                )  # fmt: skip
            if not privileges.may(permission, on):
                return RefusalReason(
                    "permission", f"{user} lacks the permission {permission!r} on {on}",
                    f"root can grant it: zfs allow {privileges.user or 'USER'} {permission} "
                    f"{_allowed_on(on, facts)}{_rules_of(step) or '; or zconsole sudoers'}",
                )  # fmt: skip
    return None


def _rules_of(step: Step) -> str:
    """The rules for sudo that have a step on guests, as the other way out; "" where none has."""
    grants = {
        form.grant
        for known in SPECS
        for form in known.commands
        if form.grant in {GUESTS, DEFINE} and len(form.build(*form.words)) == len(step.argv)
        if form.build(*form.words)[:-1] == step.argv[:-1]
    }
    if step.escalates and LIBVIRT_ACCESS in step.permissions:
        return f"; or zconsole sudoers --with {GUESTS} --no-password"
    return "".join(f"; or zconsole sudoers --with {grant}" for grant in sorted(grants))


def _allowed_on(name: str, facts: PlanFacts) -> str:
    """Dataset on which a permission is granted: the nearest existing one."""
    base = dataset_of(name)
    while "/" in base and facts.dataset(base) is None:
        base = parent_of(base)
    return base


def _basis(intent: Intent, draft: Draft, facts: PlanFacts) -> PlanBasis:
    """Facts that the action used, and the identity of machine and pool."""
    identity = facts.identity
    parts = {
        "machine-id": identity.machine_id or UNKNOWN,
        "host key": identity.host_key or UNKNOWN,
        "hostname": identity.hostname or UNKNOWN,
        "OpenZFS": facts.version.userland,
    }
    if facts.other is not None:
        other = facts.other.identity
        parts[f"machine-id of {other.label}"] = other.machine_id or UNKNOWN
        parts[f"host key of {other.label}"] = other.host_key or UNKNOWN
    pool = facts.pool(intent.pool)
    if pool is not None:
        parts[f"guid of {pool.name}"] = str(pool.guid or UNKNOWN)
        parts[f"state of {pool.name}"] = pool.state
    return PlanBasis(
        tuple(sorted({**parts, **draft.basis}.items())),
        tuple(draft.figures.values()),
        facts.guests_problem,
    )


def _looked_at(step: Step, facts: PlanFacts) -> Step:
    """A step with subjects checked right before it: all that it names, unless it has its own."""
    if step.subjects or is_program(step.argv):
        return step
    at = facts.other if step.on and facts.other is not None else facts
    return replace(step, subjects=named_in(step.argv, at))


def _not_binding(draft: Draft) -> tuple[str, ...]:
    """Freed space depends on shared blocks and on writers; it never makes a plan stale."""
    frees = ("how much comes free",) if draft.destroys else ()
    return tuple(dict.fromkeys((*frees, *draft.not_binding)))


def changes(
    before: Pool | None, during: Pool | None, after: Pool | None, *, is_at_most: bool = False
) -> tuple[RedundancyChange, ...]:
    """Redundancy of each vital top-level vdev before, during and after; `during` defaults to `after`.

    `is_at_most` where devices may lack data that nothing shows.

    A vdev keeps its present name even when the change renames it.
    """
    if before is None and after is None:
        return ()
    during = during or after
    counts: list[dict[str, Redundancy]] = []
    called: dict[str, str] = {}
    earlier: Pool | None = None
    for pool in (before, during, after):
        if pool is not None and earlier is not None:
            called = {name: called.get(was, was) for name, was in continued(earlier, pool).items()}
        found = pool_redundancy(pool) if pool is not None else ()
        counts.append({called.get(each.vdev, each.vdev): each for each in found})
        earlier = pool
    names = dict.fromkeys(name for each in counts for name in each)
    return tuple(_change(name, [each.get(name) for each in counts], is_at_most=is_at_most) for name in names)


def _change(name: str, found: Sequence[Redundancy | None], *, is_at_most: bool) -> RedundancyChange:
    bounds = [each and replace(each, is_at_most=each.is_at_most or is_at_most) for each in found]
    before, during, after = (None if each is None else each.left for each in bounds)
    hedges = tuple(SURE if each is None else each.hedge for each in bounds)
    return RedundancyChange(name, before, during, after, hedges if any(map(any, hedges)) else ())
