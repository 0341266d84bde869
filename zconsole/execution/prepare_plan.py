"""Preparation of a plan: read the host, plan, and run ZFS's dry runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.checks.dry_run_checks import check_dry_runs
from zconsole.actions.guest.shut_down_guests_first import SHUT_DOWN_GUESTS
from zconsole.actions.intent import Intent
from zconsole.actions.make_plan import plan
from zconsole.actions.options_that_resolve_refusals import with_all_options
from zconsole.actions.plan import Plan, RefusalReason, Rehearsal, Risk, Step
from zconsole.base.errors import HostError, ParseError, UsageError
from zconsole.collect.privilege import read_privileges
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.guest_steps_without_root import (
    by_libvirt,
    commands_to_ask_for,
    is_of_libvirt,
    needs_no_root,
)
from zconsole.execution.facts.read_facts import read_facts
from zconsole.hosts.host import Command, Outcome
from zconsole.model.guests.guest import LIBVIRT
from zconsole.model.host.plan_facts import PlanFacts, PrivilegeMode, Privileges
from zconsole.system.open_files import OPEN_FILES
from zconsole.zfs.listing.device_label import read_label

DRY_RUN_TIMEOUT_S: Final = 120.0
MOST_OFFERS_READ: Final = 3
NOT_REHEARSED: Final = "not run: it needs the password for sudo"


async def prepare(reader: Reader, intent: Intent) -> Plan:
    """Make the plan with dry runs. Raises UsageError for invalid words, and HostError."""
    facts = await read_whole(reader, intent)
    made = plan_or_refuse(intent, facts)
    return await _offers_tried(reader, made, facts) if made.is_refused else await _rehearsed(reader, made)


async def _offers_tried(reader: Reader, made: Plan, facts: PlanFacts) -> Plan:
    """A refused plan whose offered options were planned on what these need to know.

    They read more of the host, as the snapshots below or the definitions of guests, and that may be an
    obstacle of its own, with options of its own. Where they read no more, the plan has judged them already.
    """
    read = made.intent
    reader = replace(reader, io_sample_s=0.0)  # what it is measured for are words of a plan that may run
    for _ in range(MOST_OFFERS_READ):
        wanted = with_all_options(made.intent, made.alternatives)
        try:
            if wanted == read or _reads(wanted, facts) == _reads(read, facts):
                break
            read, facts = wanted, await read_whole(reader, wanted)
            then = plan_or_refuse(made.intent, facts)
        except UsageError:
            break
        if then.is_refused:
            made = replace(made, alternatives=then.alternatives)
    return made


def _reads(intent: Intent, facts: PlanFacts) -> tuple[Needs | bool | None, ...]:
    """What is read of the host for an intent; whether channel programs may be run is no obstacle."""
    action = spec(intent.action)
    further = (action.further, action.last)
    more = (None if needed is None else needed(intent, facts) for needed in further)
    needs = replace(action.needs(intent), programs=False)
    return needs, *more, intent.flag(SHUT_DOWN_GUESTS.name)


async def read_whole(reader: Reader, intent: Intent) -> PlanFacts:
    """Facts for an intent, with privileges for its exact steps.

    Delegated operations need no password, although sudo may ask for one even when it allows nothing.
    """
    facts = await read_facts(replace(reader, expected=tuple(_expected(reader, intent))), intent)
    as_root = replace(facts, privileges=replace(facts.privileges, privilege_mode=PrivilegeMode.ROOT))
    every_step = plan_or_refuse(intent, as_root).steps
    if facts.other is not None:
        facts = replace(facts, other=await _with_privileges(reader, facts.other, every_step))
    all_steps = [step for step in every_step if not step.on]
    steps = [each for each in all_steps if not needs_no_root(each, facts)]
    permissions = [each for step in steps for each in step.permissions]
    concerned = [on for permission, on in permissions if permission != LIBVIRT]
    asked = [argv for step in steps for argv in await commands_to_ask_for(reader.privilege, step, facts)]
    privileges = await read_privileges(reader.privilege, asked, concerned)
    if privileges.privilege_mode is PrivilegeMode.SUDO_PASSWORD:
        delegations = (*await reader.privilege.delegated(concerned), *by_libvirt(facts))
        plain = replace(
            facts, privileges=replace(privileges, privilege_mode=PrivilegeMode.PLAIN, delegations=delegations)
        )
        if not plan_or_refuse(intent, plain).is_refused:
            return plain
    delegations = (*privileges.delegations, *by_libvirt(facts))
    return replace(facts, privileges=replace(privileges, delegations=delegations))


async def _with_privileges(reader: Reader, other: PlanFacts, steps: Sequence[Step]) -> PlanFacts:
    """The facts of the second host with the privileges for the steps there."""
    label = other.identity.label
    own = [each for each in steps if each.on == label]
    own = [each for each in own if not (other.may_change_guests and is_of_libvirt(each))]
    concerned = [on for step in own if not is_of_libvirt(step) for _, on in step.permissions]
    there = reader.at(label)
    privileges = await read_privileges(there.privilege, [step.argv for step in own], concerned)
    delegations = (*privileges.delegations, *by_libvirt(other))
    return replace(other, privileges=replace(privileges, delegations=delegations))


def _expected(reader: Reader, intent: Intent) -> Iterator[tuple[str, ...]]:
    """Commands of the plan, by what is known before anything is read: whether they may run as root."""
    known = reader.known
    if known is None or known.user.number == 0:
        return
    action = spec(intent.action)
    facts = PlanFacts(
        known.identity,
        known.version,
        reader.clock.now(),
        known.pools,
        known.expected,
        privileges=Privileges(known.user.name, known.user.number, PrivilegeMode.ROOT),
    )
    yield OPEN_FILES.argv
    with suppress(UsageError):
        labels = action.further(intent, facts).labels if action.further is not None else ()
        yield from (read_label(path).argv for path in labels)
        yield from (step.argv for step in plan_or_refuse(intent, facts).steps)


def plan_or_refuse(intent: Intent, facts: PlanFacts) -> Plan:
    """The plan; a refused one when a suspended pool hides the intent's objects."""
    try:
        return plan(intent, facts)
    except UsageError:
        pool = facts.pool(intent.pool)
        if pool is None or not pool.is_suspended:
            raise
        reason = RefusalReason(
            "suspended",
            f"{pool.name} is suspended: what is in it cannot be listed, and changes would hang",
            "bring its devices back, then clear it",
        )
        title = f"{intent.action} {intent.target}"
        return Plan(
            intent, title, intent.target, facts.identity, Risk.REFUSED, facts.taken_at, refusals=(reason,)
        )


async def why_refused(reader: Reader, intent: Intent) -> str | None:
    """Why an intent would be refused as the host is now; empty if it is not, None if that was not read."""
    return (await why_refused_or_lost(reader, intent))[0]


async def why_refused_or_lost(reader: Reader, intent: Intent) -> tuple[str | None, str]:
    """The same, and what would be lost by it; empty if nothing."""
    now = replace(reader, io_sample_s=0.0, known=None)
    try:
        made = plan_or_refuse(intent, await read_whole(now, intent))
    except UsageError as error:
        return error.message, ""
    except (HostError, ParseError):
        return None, ""
    return "; ".join(each.reason for each in made.refusals), "; ".join(made.loses)


async def _rehearsed(reader: Reader, made: Plan) -> Plan:
    """The plan with dry run results; refused when ZFS refuses."""
    told: list[Rehearsal] = []
    refusals = list(made.refusals)
    for rehearsal in made.rehearsals:
        if rehearsal.status is not None:  # the dry run was part of reading the facts
            told.append(rehearsal)
            continue
        way = await reader.privilege.way(rehearsal.argv)
        wants_password = (
            way.privilege_mode is PrivilegeMode.SUDO_PASSWORD
            and made.privilege_mode is not PrivilegeMode.PLAIN
        )
        if wants_password and rehearsal.decides:
            told.append(replace(rehearsal, said=NOT_REHEARSED))
            continue
        stdin = None if rehearsal.stdin is None else rehearsal.stdin.encode()
        command = Command(rehearsal.argv, timeout_s=DRY_RUN_TIMEOUT_S, stdin=stdin)
        command = await reader.privilege.to_read(command)
        completed = await reader.asker.run(command, kind="dry-run", pool=made.intent.pool)
        said = "\n".join(
            part.decode("utf-8", "replace").strip("\n")
            for part in (completed.stdout, completed.stderr)
            if part
        )
        told.append(replace(rehearsal, said=said or completed.reason, status=completed.status))
        if not rehearsal.decides:
            continue
        if completed.outcome is Outcome.UNKNOWN:
            refusals.append(RefusalReason("dry-run", f"ZFS's own dry run gave no answer: {completed.reason}"))
        elif not completed.is_done:
            refusals.append(
                RefusalReason("dry-run", f"ZFS would refuse it: {completed.said or completed.reason}")
            )
    risk = Risk.REFUSED if refusals else made.risk
    return check_dry_runs(replace(made, rehearsals=tuple(told), refusals=tuple(refusals), risk=risk))
