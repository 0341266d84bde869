"""Freeze the file systems of guests through their agents while a snapshot is taken.

By default a guest that cannot be frozen is in the way: who asks for consistent snapshots does not want to
find out at the restore that one is not. `--where-possible` takes it all the same, and names the guests for
which it is only what a power failure would leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft, Needs, Option, PlanAgain
from zconsole.actions.intent import Intent
from zconsole.actions.plan import (
    LONG_STEP_TIMEOUT_S,
    Condition,
    ConditionKind,
    Step,
    permissions_on,
)
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER
from zconsole.base.name_lists import shortened
from zconsole.base.quantities import parse_duration
from zconsole.model.dataset_names import dataset_of
from zconsole.model.guests.guest import LIBVIRT_ACCESS, SYSTEM, Guest, GuestState
from zconsole.model.guests.guest_agent import FROZEN, AgentReading
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.agent_commands import freeze_status
from zconsole.system.libvirt.frozen_snapshot_script import (
    FROZEN_GUESTS,
    SCRIPT,
    WATCHED_S,
    FrozenSnapshot,
    commands_as_root,
    freeze_argv,
    frozen_names,
    frozen_snapshot_argv,
    list_argv,
    list_saved_argv,
    status_argv,
    thaw_argv,
)
from zconsole.zfs.change.argv_template import GUEST_UUID, GUESTS, MARKED, SNAPSHOT, CommandForm
from zconsole.zfs.change.dataset_argv import set_property

DEADLINE_S: Final = 10.0  # as long as Windows lets its writers stand still
LEAST, MOST = "2s", "2m"
MOST_GUESTS: Final = 100
_NAMED: Final = 5
_FROZEN: Final = "file systems are frozen meanwhile"
_LISTED: Final = 30  # guests in the one line that says what happens to them


def _why_closed(intent: Intent, facts: PlanFacts) -> str:
    """Why menus disable it: no guest that runs on the dataset or below it has an agent."""
    if facts.guests is None:
        return ""
    base = dataset_of(intent.target)
    on = [
        each
        for each in facts.guests
        if each.status.state.is_active
        and any(place == base or place.startswith(f"{base}/") for place in written_places(each))
    ]
    if not on:
        return "" if unmapped_guests(facts.guests) else f"no running guest lives on {base}"
    if not any(each.definition.has_agent_channel for each in on):
        return f"no running guest on {base} has an agent"
    return ""


FREEZE_GUESTS: Final = Option(
    "freeze-guests", "freeze the file systems of the running guests on it, by their agents, for that time",
    why_not=_why_closed,
)  # fmt: skip
WHERE_POSSIBLE: Final = Option(
    "where-possible", "with freeze-guests: also if some of the guests cannot be frozen", why_not=_why_closed
)
FREEZE_DEADLINE: Final = Option(
    "freeze-deadline", "how long guests may be frozen, then they are thawed whatever happens (10s)",
    kind="text", why_not=_why_closed,
)  # fmt: skip
OPTIONS: Final = (FREEZE_GUESTS, WHERE_POSSIBLE, FREEZE_DEADLINE)


def written_places(guest: Guest) -> tuple[str, ...]:
    """Datasets and volumes that the guest writes to: those of its uppermost images."""
    written = (each.images[0] for each in guest.disks if each.is_written and each.images)
    return tuple(dict.fromkeys(place for image in written for place in image.places))


def unmapped_guests(guests: Iterable[Guest]) -> tuple[str, ...]:
    """Active guests with disks of which it is not known what holds them, with these and why."""
    return tuple(
        f"{guest.name} {target} ({why})"
        for guest in guests
        if guest.status.state.is_active
        for target, why in guest.written_unmapped
    )


def agents_to_ask(intent: Intent, facts: PlanFacts) -> Needs:
    """The agents of the guests that may live on what is snapshotted."""
    if not intent.flag(FREEZE_GUESTS.name):
        return Needs()
    bases = [dataset_of(name) for name in (intent.target, *intent.arguments)]
    below = intent.flag("recursive")
    on = [
        each
        for each in facts.guests or ()
        if each.status.state.is_executing
        and each.definition.is_agent_connected is not False
        and each.definition.has_agent_channel
        and any(
            place == base or (below and place.startswith(f"{base}/"))
            for base in bases
            for place in written_places(each)
        )
    ]
    return Needs(agents=tuple(each.definition.uuid for each in on))


def freeze_during(
    draft: Draft, intent: Intent, facts: PlanFacts, made: Iterable[str], snapshot: tuple[str, ...]
) -> None:
    """Put the freeze around the one step of a draft that takes these snapshots, by this argv."""
    if not intent.flag(FREEZE_GUESTS.name):
        for option in (WHERE_POSSIBLE, FREEZE_DEADLINE):
            if dict(intent.options).get(option.name):
                draft.refuse(
                    "no-freeze", f"{option.name} is for freeze-guests", "", PlanAgain(FREEZE_GUESTS.name)
                )
        return
    if facts.guests is None:
        why = facts.guests_problem or "the guests of this host were not read"
        draft.refuse("no-libvirt", why, "see that libvirtd runs, and that virsh reaches it")
        return
    taken = {dataset_of(name) for name in made}
    guests = [
        each for each in facts.guests
        if each.status.state.is_active and taken.intersection(written_places(each))
    ]  # fmt: skip
    draft.saw("running guests on it", ", ".join(sorted(each.definition.uuid for each in guests)))
    unmapped = unmapped_guests(each for each in facts.guests if each not in guests)
    if unmapped:
        listed = shortened(unmapped, _NAMED)
        draft.warnings.append(
            f"whether running guests are on it, and have to be frozen, is not known: {listed}"
        )
    containers = {
        (use.name, use.detail.partition(",")[0])
        for use in facts.uses or ()
        if use.kind == CONTAINER and dataset_of_object(use.object) in taken
    }
    if not guests and not containers:
        none = "no running guest is known to live on it" if unmapped else "no running guest lives on it"
        draft.notes.append(f"{none}: nothing is frozen")
        return
    frozen = _check(draft, intent, guests, containers, facts)
    if len(frozen) > MOST_GUESTS:
        draft.refuse(
            "many-guests", f"{len(frozen)} guests cannot be frozen at once", "fewer datasets at once"
        )
    if not frozen:
        draft.notes.append("no guest can be frozen: the snapshot is crash-consistent")
        return
    deadline_s = deadline_of(intent)
    _tell(draft, frozen, taken, deadline_s)
    _replace_step(draft, intent, frozen, snapshot, deadline_s)


def deadline_of(intent: Intent) -> float:
    """Seconds that guests may be frozen. Raises UsageError."""
    given = intent.text(FREEZE_DEADLINE.name)
    return DEADLINE_S if given is None else parse_duration(given, bare="s", least=LEAST, most=MOST)


def _check(
    draft: Draft,
    intent: Intent,
    guests: Sequence[Guest],
    containers: Iterable[tuple[str, str]],
    facts: PlanFacts,
) -> list[Guest]:
    """The guests that will be frozen; each of the others is told, and in the way unless that was allowed.

    `containers` that run are others too, by name and kind.
    """
    agents = {each.uuid: each for each in facts.agents}
    frozen: list[Guest] = []
    others: dict[tuple[str, str], list[str]] = {}  # names by why and remedy
    for guest in guests:
        is_asked = guest.definition.connection == SYSTEM
        agent = agents.get(guest.definition.uuid) if is_asked else None
        draft.saw(f"state of guest {guest.name}", guest.status.state.in_words)
        draft.saw(f"agent of guest {guest.name}", _agent_seen(guest, agent))
        if agent is not None and agent.status == FROZEN:
            draft.refuse(
                "already-frozen",
                f"the file systems of {guest.name} are frozen already: the thaw would end another backup",
                "wait for it; if nothing else has frozen them: "
                f"virsh -c qemu:///system domfsthaw {guest.definition.uuid}",
            )
            continue
        why = why_not_frozen(guest, agent)
        if why:
            others.setdefault((why, _remedy(guest)), []).append(guest.name)
        else:
            frozen.append(guest)
    for name, kind in sorted(containers):
        why = f"nothing freezes it: {kind}"
        others.setdefault((why, "stop what writes in it, or the container, first"), []).append(name)
    _tell_others(draft, others, is_optional=intent.flag(WHERE_POSSIBLE.name))
    return frozen


def _tell_others(draft: Draft, others: dict[tuple[str, str], list[str]], *, is_optional: bool) -> None:
    """Those that cannot be frozen, by the reason; in the way unless that was allowed."""
    for (why, remedy), names in others.items():
        listed, words = shortened(names, _LISTED), why if len(names) == 1 else _of_several(why)
        if is_optional:
            are, part = ("is", "its part is") if len(names) == 1 else ("are", "their parts are")
            draft.warnings.append(f"{listed} {are} not frozen, {part} crash-consistent: {words}")
        else:
            draft.refuse("not-frozen", f"{listed} cannot be frozen: {words}", remedy)
    if others and not is_optional:
        without = shortened([name for each in others.values() for name in each], _NAMED)
        draft.again.append(PlanAgain(WHERE_POSSIBLE.name, f"take it without a freeze of {without}"))


def _of_several(why: str) -> str:
    """The reason in the plural."""
    return next((f"{many}{why.removeprefix(one)}" for one, many in _PLURALS if why.startswith(one)), why)


_PLURALS: Final = (
    ("nothing freezes it", "nothing freezes them"),
    ("it is a guest of", "they are guests of"),
    ("it is paused, and its agent hears", "they are paused, and their agents hear"),
    ("it is", "they are"),
    ("it has no channel for an agent", "they have no channels for an agent"),
    ("its agent is", "their agents are"),
    ("its agent was", "their agents were"),
    ("its agent does", "their agents do"),
)


def _remedy(guest: Guest) -> str:
    """What lets a guest be frozen that cannot be."""
    state, definition = guest.status.state, guest.definition
    if definition.connection != SYSTEM:
        return "take its snapshot while it is shut off"
    if not state.is_executing:
        return "resume it first" if state is GuestState.PAUSED else "wait until it runs, or is shut off"
    if not definition.has_agent_channel:
        return (
            "add the channel org.qemu.guest_agent.0 to the definition (virsh edit, then a restart of the "
            "guest; or virsh attach-device), and start qemu-guest-agent in the guest"
        )
    return "start qemu-guest-agent in the guest"


def why_not_frozen(guest: Guest, agent: AgentReading | None) -> str:
    """Why a running guest cannot be frozen; empty if it can."""
    state, definition = guest.status.state, guest.definition
    if definition.connection != SYSTEM:
        return f"it is a guest of {definition.connection}, whose agents are not asked"
    if not state.is_executing:
        is_paused = state is GuestState.PAUSED
        return "it is paused, and its agent hears nothing" if is_paused else f"it is {state.in_words}"
    if not definition.has_agent_channel:
        return "it has no channel for an agent"
    if definition.is_agent_connected is False:
        return "its agent is not connected"
    if agent is None:
        return "its agent was not asked"
    if not agent.was_asked:
        return "" if definition.is_agent_connected else f"its agent was not asked: {agent.problem}"
    return "" if agent.status else f"its agent does not answer: {agent.problem}"


def _agent_seen(guest: Guest, agent: AgentReading | None) -> str:
    """What of the agent decides; not the words of an error, which may differ from one time to the next."""
    why = why_not_frozen(guest, agent)
    return (agent.status if agent is not None else "") or ("answers" if not why else "does not answer")


def _tell(draft: Draft, frozen: Sequence[Guest], taken: set[str], deadline_s: float) -> None:
    if len(frozen) > 1:
        listed = shortened(sorted(each.name for each in frozen), _LISTED)
        draft.notes.append(f"{listed}: running, their agents answer; their {_FROZEN}")
    for guest in frozen:
        places = shortened(sorted(taken.intersection(written_places(guest))), _NAMED)
        if len(frozen) == 1:
            draft.notes.append(f"{guest.name}, on {places}: running, its agent answers; its {_FROZEN}")
        elsewhere = [
            f"{each.disk.target} on {each.images[0].place or each.disk.source}"
            for each in guest.disks
            if each.images and not each.disk.is_read_only and each.images[0].place not in taken
        ]
        if elsewhere:
            listed = shortened(elsewhere, _NAMED)
            draft.notes.append(
                f"{guest.name}: all its disks stand still meanwhile, and are not in it: {listed}"
            )
    these = frozen[0].name if len(frozen) == 1 else f"these {len(frozen)} guests"
    draft.warnings.append(
        f"all writes in {these} wait from the freeze until the thaw, at most about {deadline_s:g} s"
    )
    draft.notes.append(
        f"after {deadline_s:g} s a process on the host thaws what is frozen whatever happens, also without "
        f"this console, and tries for {WATCHED_S // 60}m"
    )
    draft.notes.append(
        "consistent are file systems; of databases only what the guest's own freeze hooks prepare "
        "(qemu-guest-agent's fsfreeze-hook.d; VSS in Windows)"
    )


def _replace_step(
    draft: Draft, intent: Intent, frozen: Sequence[Guest], snapshot: tuple[str, ...], deadline_s: float
) -> None:
    step = draft.steps[0]
    guests = tuple((each.definition.uuid, each.name) for each in frozen)
    is_optional = intent.flag(WHERE_POSSIBLE.name)
    words = FrozenSnapshot(max(1, round(deadline_s)), guests, snapshot, is_optional)
    names = shortened([each.name for each in frozen], _NAMED)
    noted = Condition(ConditionKind.PROPERTY_IS, intent.target, key=FROZEN_GUESTS, value=frozen_names(guests))
    bases = dict.fromkeys(dataset_of(each) for each in (intent.target, *intent.arguments))
    draft.steps[0] = Step(
        frozen_snapshot_argv(words),
        f"freeze {names}, {step.why}, and thaw",
        stdin=SCRIPT,
        timeout_s=LONG_STEP_TIMEOUT_S,
        settled_by=(*step.settled_by, *(() if is_optional else (noted,))),
        permissions=(*step.permissions, *permissions_on("userprop", *bases), LIBVIRT_ACCESS),
        escalates=commands_as_root(words),
    )


FORMS: Final = (
    CommandForm(freeze_argv, (GUEST_UUID,), grant=GUESTS),
    CommandForm(thaw_argv, (GUEST_UUID,), grant=GUESTS),
    CommandForm(status_argv, (GUEST_UUID,), grant=GUESTS, only_reads=True),
    CommandForm(lambda uuid: freeze_status(uuid).argv, (GUEST_UUID,), grant=GUESTS, only_reads=True),
    CommandForm(list_argv, grant=GUESTS, only_reads=True),
    CommandForm(list_saved_argv, grant=GUESTS, only_reads=True),
    CommandForm(set_property, (SNAPSHOT, FROZEN_GUESTS, MARKED)),
)
