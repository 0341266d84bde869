"""A plan as a document: refused, downtime, lost, space, survives, runs, undo, warnings, instead; then names.

Short and urgent paragraphs come first; a long list shows its first names and the count.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import groupby
from typing import Final, TypeVar

from zconsole.actions.action_usage_and_plan_command import plan_command, where_words
from zconsole.actions.answers_to_change import AnswerToChange
from zconsole.actions.byte_count_tolerance import Figure
from zconsole.actions.checks.command_to_free_space import SpaceToFree
from zconsole.actions.plan import (
    COMMAND_CHARACTERS,
    IRREVERSIBLE,
    Dependent,
    Plan,
    Rehearsal,
    Risk,
    Sender,
    Step,
    split_command,
    split_long,
)
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import size
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.views.changes.command_as_typed_in_shell import piped, typed
from zconsole.views.changes.topology_and_survival_before_after import survival, topology
from zconsole.views.layout.labelled_paragraph import labelled
from zconsole.views.layout.screen_key_registry import way_out_key
from zconsole.views.layout.state_age_and_link_phrases import counted, join
from zconsole.views.layout.styled_text import EMPTY, TEXT, Line, line, spread, whole, wrap_end
from zconsole.zfs.change.channel_program import is_program

RISK_STYLE: Final = {
    Risk.ROUTINE: "info",
    Risk.CAUTION: "warn",
    Risk.DESTRUCTIVE: "bad",
    Risk.CATASTROPHIC: "bad",
    Risk.REFUSED: "bad",
}
_ALIKE: Final = 1  # commands that are shown of those that differ only in their object
_PUT_BACK: Final = "if what follows is not done: "
_SAID_LINES: Final = 12  # of ZFS's own words
_FIGURES: Final = 4  # a line each
_LEAST_BYTES: Final = 1024  # smaller numbers are read as they are
_OF_PROGRAMS: Final = (
    "ZFS runs it in one txg: it looks at each object again, and changes nothing unless all are those that "
    "were reviewed"
)
_SIGNED: Final = (
    "a guid with a minus is the one of zfs get less 2^64: numbers of a channel program are signed"
)
_WHY_LOST: Final = frozenset(
    {"clone", "mount", "guest", "container"}
)  # dependents that explain why a name matters
_IN_THE_WAY: Final = frozenset({"guest", "container", "process", "holder", "swap"})


_Each = TypeVar("_Each")


class PlanForm(Enum):
    """Where a plan is shown; the value says where to find the rest of a long list."""

    DIALOG = "all are at the end"  # it scrolls, and alternatives have a key
    SHORT = "--full has all"
    FULL = ""


def title(plan: Plan, cells: int, colour: str | None = None, most: int = 2) -> tuple[Line, ...]:
    """The host and the risk, then the action and its target. `colour` is the host's style.

    The action and its target take at most so many lines; a longer one loses its beginning.
    """
    wide = spread(_host(plan, colour or "title"), _risk(plan), cells)
    return (wide, *wrap_end(line((plan.title, "title")), cells, most))


def in_brief(plan: Plan) -> Line:
    """What a destructive plan takes away, in one line, where its paragraphs are not seen first."""
    if plan.is_refused or plan.risk not in {Risk.DESTRUCTIVE, Risk.CATASTROPHIC}:
        return EMPTY
    is_final = plan.undo is None or plan.undo.startswith(IRREVERSIBLE)
    lost = counted(len(plan.destroys), "object") if plan.destroys else "data" if plan.loses else "nothing"
    told = [IRREVERSIBLE] if is_final else []
    told.append(f"LOST {lost}")
    if plan.lost and plan.frees_bytes is not None:
        told.append(f"FREES {size(plan.frees_bytes)}")
    return line((", ".join(told), "bad"))


def paragraphs_of_loss(plan: Plan, answers: Sequence[AnswerToChange] = ()) -> int:
    """How many of the first paragraphs in the dialog go down to what is lost, freed, and its undo."""
    told = document(plan, answers=answers)
    labels = [each[0].text.strip() if each else "" for each in told]
    return max((at + 1 for at, label in enumerate(labels) if label in {"LOST", "FREES", "UNDO"}), default=0)


def spaces_to_free(plan: Plan) -> tuple[tuple[str, SpaceToFree], ...]:
    """The sentences of a refused plan whose way on is to free space, each once, with what is asked for."""
    found = {each.frees: each.instead for each in plan.refusals if each.frees is not None}
    return tuple((instead, space) for space, instead in found.items())


def ways_on(plan: Plan, answers: Sequence[AnswerToChange] = ()) -> tuple[str, ...]:
    """What the function keys of a refused plan do: alternatives, other answers, and freeing space."""
    return (
        *(sentence for sentence, _ in plan.alternatives),
        *(each.words for each in answers),
        *(instead for instead, _ in spaces_to_free(plan)),
    )


def headline(plan: Plan) -> Line:
    """The title in one line: `storage1 (storage1.example.net): scrub tank [ROUTINE]`."""
    return (*_host(plan, "title"), *line(": ", (plan.title, "title"), " ["), *_risk(plan), *line("]"))


def _host(plan: Plan, style: str) -> Line:
    """The host, and its own name where that differs."""
    identity = plan.identity
    own = f" ({identity.hostname})" if identity.hostname not in {"", identity.label} else ""
    return line((identity.label, style), (own, "dim"))


def _risk(plan: Plan) -> Line:
    return line((plan.risk.value.upper(), RISK_STYLE[plan.risk]))


def document(
    plan: Plan,
    form: PlanForm = PlanForm.DIALOG,
    where: Sequence[str] | None = None,
    answers: Sequence[AnswerToChange] = (),
) -> tuple[Line, ...]:
    """Everything between the title and the confirmation; not wrapped yet.

    `where` selects the host in commands; by default what the identity of the plan's machine tells. `answers`
    are those of the user that a key of the dialog changes.
    """
    return tuple(_document(plan, form, where_words(plan.identity) if where is None else where, answers))


def paragraphs_of_refusal(plan: Plan, answers: Sequence[AnswerToChange]) -> int:
    """How many of the first paragraphs in the dialog say why a plan is refused, and what to do about it."""
    return sum(1 for _ in _refused(plan, PlanForm.DIALOG, (), answers))


def _refused(
    plan: Plan, form: PlanForm, where: Sequence[str], answers: Sequence[AnswerToChange]
) -> Iterator[Line]:
    yield from refusals(plan)
    if not plan.is_refused:
        return
    yield from _commands(plan, form, where)
    yield from _alternatives(plan, form, where)
    if form is PlanForm.DIALOG:
        begin = len(plan.alternatives)
        for at, words in enumerate(ways_on(plan, answers)[begin:], start=begin + 1):
            yield labelled("NEXT", line((f"{way_out_key(at)} ", "key"), words))


def _document(
    plan: Plan, form: PlanForm, where: Sequence[str], answers: Sequence[AnswerToChange]
) -> Iterator[Line]:
    yield from _refused(plan, form, where, answers)
    yield from _paragraph("DOWNTIME", plan.downtime, "warn")
    yield from _lost(plan)
    if plan.lost:
        known = "not known beforehand" if plan.frees_bytes is None else size(plan.frees_bytes)
        yield labelled("FREES", line(known))
    yield from _paragraph("SPACE", plan.space)
    yield from _paragraph("STAYS", plan.stays)
    yield from survival(plan)
    yield from _steps(plan, form)
    if plan.steps and not plan.is_refused:
        yield labelled("UNDO", _undo(plan))
    for warning in plan.warnings:
        yield labelled("WARNING", line((warning, "warn")), "warn")
    if not plan.is_refused:
        yield from _alternatives(plan, form, where)
    yield from _lost_names(plan, form)
    yield from _dependents(plan, form)
    yield from topology(plan, has_branches=form is PlanForm.DIALOG)
    for note in plan.notes:
        yield labelled("NOTE", line(note))
    if any(each.startswith("guid=-") for step in plan.steps for each in step.argv):
        yield labelled("NOTE", line(_SIGNED))
    yield from _rests_on(plan, form)
    for rehearsal in plan.rehearsals:
        yield from _rehearsal(rehearsal, form)
    if form is PlanForm.DIALOG:
        yield from _rest(plan)
    if form is not PlanForm.SHORT:
        yield from _long_texts(plan)


def _paragraph(label: str, told: Sequence[str], style: str = TEXT) -> Iterator[Line]:
    """A statement, and what belongs to it below."""
    for at, each in enumerate(told):
        yield labelled("" if at else label, line((each, "dim" if at else style)))


def _more(what: str, form: PlanForm, style: str = "dim") -> Line:
    return labelled("", line((f"and {what}: {form.value}", style)))


def refusals(plan: Plan) -> Iterator[Line]:
    """The refusals that no confirmation overrides, each with its rule and the alternative."""
    for refusal, instead in plan.refusals_with_remedies:
        yield labelled("REFUSED", line(refusal.reason, (f" ({refusal.rule})", "dim")), "bad")
        if instead and not refusal.command:
            yield labelled("", line((f"instead: {instead}", "dim")))


def _lost(plan: Plan) -> Iterator[Line]:
    """Data without a name, and the number of objects that the plan destroys."""
    if plan.is_refused:
        return
    for each in plan.loses:
        yield labelled("LOST", line((each, "bad")), "bad")
    if not plan.destroys and plan.loses:
        return
    if not plan.destroys:
        yield labelled("LOST", line(("nothing", "ok")))
        return
    count = counted(len(plan.destroys), "object")
    yield labelled("LOST", line((f"{count}{plan.in_use}", "bad")), "bad")


def _lost_names(plan: Plan, form: PlanForm) -> Iterator[Line]:
    """What the plan destroys, by name; live data first."""
    if plan.is_refused or not plan.destroys:
        return
    first, rest = (plan.lost, ()) if form is PlanForm.FULL else split_long(plan.lost)
    yield from _names(plan, first, "DESTROYS")
    if rest:
        live = len(frozenset(plan.live).intersection(rest))
        yield _more(f"{len(rest)} more{f', {live} of them live' if live else ''}", form, "bad")


def _names(plan: Plan, names: Sequence[str], label: str = "") -> Iterator[Line]:
    """A line for each name, with the reason why it matters where known."""
    reasons = {each.name: each.detail for each in plan.dependents if each.kind in _WHY_LOST}
    live = frozenset(plan.live)
    for name in names:
        told = [line(("live", "bad")) if name in live else EMPTY, line((reasons.get(name, ""), "dim"))]
        yield labelled(label, (*line(name), *_in_brackets(join(told, ", "))), "bad")
        label = ""


def _in_brackets(told: Line) -> Line:
    return (*line((" (", "dim")), *told, *line((")", "dim"))) if told else EMPTY


def _undo(plan: Plan) -> Line:
    if plan.undo is None:
        return line((IRREVERSIBLE, "bad"))
    if plan.undo.startswith(IRREVERSIBLE):
        return line((plan.undo, "warn"))
    told = line(plan.undo, (undone_on(plan.undo, plan.identity), "dim"))
    return told if plan.is_reversible else (*line(("in part: ", "warn")), *told)


def undone_on(undo: str, machine: MachineIdentity) -> str:
    """Which host the commands of an undo are typed on, where that is another one: ` (on storage1)`."""
    is_named = not where_words(machine) or undo.startswith(IRREVERSIBLE) or "zconsole plan" in undo
    return "" if is_named else f" (on {machine.label})"


def _dependents(plan: Plan, form: PlanForm) -> Iterator[Line]:
    first, rest = (plan.dependents, ()) if form is PlanForm.FULL else split_long(plan.dependents)
    yield from _depending(first)
    if rest:
        yield _more(f"{len(rest)} more", form)


def _depending(dependents: Sequence[Dependent]) -> Iterator[Line]:
    label = "DEPENDS"
    for each in dependents:
        style = "warn" if each.kind in _IN_THE_WAY else "dim"
        yield labelled(
            label, (*line((f"{each.kind} ", style), each.name), *_in_brackets(line((each.detail, "dim"))))
        )
        label = ""


def _rests_on(plan: Plan, form: PlanForm) -> Iterator[Line]:
    """The numbers that the plan depends on, how much they may grow, and the numbers that it ignores."""
    figures = _figures(plan)
    shown = len(figures) if form is PlanForm.FULL else _FIGURES
    yield from map(_figure, figures[:shown])
    if len(figures) > shown:
        yield _more(counted(len(figures) - shown, "more number"), form)
    if plan.not_binding and not plan.is_refused:
        yield labelled("VARIES", line("; ".join(plan.not_binding)))


def _figures(plan: Plan) -> list[Figure]:
    return [each for each in plan.basis.figures if each.bytes is not None and each.most is not None]


def _figure(each: Figure) -> Line:
    room = "and no more" if each.most == each.bytes else f"and at most {size(each.most)} when it runs"
    return labelled("RESTS ON", line(f"{each.what}: {size(each.bytes)}", (f", {room}", "dim")))


def _step(step: Step, plan: Plan, form: PlanForm) -> Iterator[Line]:
    label = "WOULD RUN" if plan.is_refused else "RUNS"
    yield labelled(label, _fed(step.sender, _on(step, _command(step.argv, form), plan)))
    if len(plan.steps) > 1 or step.stdin is not None:
        yield labelled("", line((step.why, "dim")))
    if _is_long(step):
        what = "a channel program" if is_program(step.argv) else "text"
        lines = counted(len((step.stdin or "").splitlines()), "line")
        where = form.value or "at the end"
        yield labelled("", line((f"stdin: {what} of {lines}: {where}", "dim")))
    else:
        yield from _stdin(step)
    first, rest = (step.put_back, ()) if form is PlanForm.FULL else _first_of_alike(step.put_back)
    for argv in first:
        yield labelled("", (*line((_PUT_BACK, "dim")), *typed(argv)))
    if rest:
        yield _more(f"{len(rest)} more like it", form)


def _steps(plan: Plan, form: PlanForm) -> Iterator[Line]:
    """The commands; of many that differ only in their object the first ones, and how many there are."""
    if form is PlanForm.FULL:
        for step in plan.steps:
            yield from _step(step, plan, form)
        return
    for _, alike in groupby(plan.steps, _kind):
        first, rest = _first_steps(tuple(alike))
        for step in first:
            yield from _step(step, plan, form)
        if rest:
            yield _more(f"{counted(len(rest), 'more command')} like it", form)


def _kind(step: Step) -> object:
    """What steps have in common that differ only in the objects that they name."""
    if is_program(step.argv):
        return step.on, is_program, len(step.put_back) > 0
    return step.on, step.argv[:-1], step.sender, step.stdin


def _first_steps(alike: Sequence[Step]) -> tuple[Sequence[Step], Sequence[Step]]:
    """Those that are shown of steps that are alike, and the rest: of programs one, which takes many lines."""
    return (alike[:1], alike[1:]) if is_program(alike[0].argv) else _first_of_alike(alike)


def _first_of_alike(alike: Sequence[_Each]) -> tuple[Sequence[_Each], Sequence[_Each]]:
    """Those that are shown of commands that are alike, and the rest."""
    most = len(alike) if len(alike) <= _ALIKE + 1 else _ALIKE
    return alike[:most], alike[most:]


def _is_long(step: Step) -> bool:
    """Whether the stdin of a step is too long to be shown before the other paragraphs."""
    return step.stdin is not None and (is_program(step.argv) or len(step.stdin) > COMMAND_CHARACTERS)


def _long_texts(plan: Plan) -> Iterator[Line]:
    """The long texts that steps get on stdin, each once, with what it does: the last paragraphs."""
    steps_of: dict[str, list[int]] = {}
    for number, step in enumerate(plan.steps, start=1):
        if step.stdin is not None and _is_long(step):
            steps_of.setdefault(step.stdin, []).append(number)
    for numbers in steps_of.values():
        step = plan.steps[numbers[0] - 1]
        of = f"step {', '.join(map(str, numbers))}" if len(plan.steps) > 1 else "the command"
        if is_program(step.argv):
            words = f"the channel program on stdin of {of}: {step.why}. {_OF_PROGRAMS}"
            yield labelled("PROGRAM", line(words))
        else:
            yield labelled("STDIN", line(f"the text on stdin of {of}: {step.why}"))
        yield from _stdin(step)


def _stdin(step: Step) -> Iterator[Line]:
    for each in (step.stdin or "").splitlines():
        yield labelled("", (*line(("stdin: ", "dim")), *whole(each.expandtabs())))


def _command(argv: Sequence[str], form: PlanForm) -> Line:
    """A command; a long one is cut."""
    shown, left_out = split_command(argv)
    if form is PlanForm.FULL or not left_out:
        return typed(argv)
    return line((shown, "key"), (f" ... and {left_out} more words: {form.value}", "dim"))


def _on(step: Step, command: Line, plan: Plan) -> Line:
    """A command with its host, in a plan for two."""
    host = step.on or plan.identity.label
    return command if plan.other is None else (*command, *line((f" (on {host})", "warn")))


def _fed(sender: Sender | None, command: Line) -> Line:
    if sender is None:
        return command
    return piped(typed(sender.argv), sender.identity.label if sender.is_elsewhere else "", command)


def _rehearsal(rehearsal: Rehearsal, form: PlanForm) -> Iterator[Line]:
    where = line((f" (on {rehearsal.host})", "warn")) if rehearsal.host else EMPTY
    yield labelled("DRY RUN", (*_command(rehearsal.argv, form), *where))
    if rehearsal.status is None:
        return
    said = [each for each in rehearsal.said.splitlines() if each.strip()] or ["(it says nothing)"]
    shown = len(said) if form is PlanForm.FULL else _SAID_LINES
    yield from _said(rehearsal, said[:shown])
    if len(said) > shown:
        yield _more(counted(len(said) - shown, "more line"), form)


def _said(rehearsal: Rehearsal, said: Sequence[str]) -> Iterator[Line]:
    for each in said:
        text = each.expandtabs()
        yield labelled("", (*whole(text, "warn" if rehearsal.status else TEXT), *_last_number_as_size(text)))


def _last_number_as_size(said: str) -> Line:
    """What the bytes at the end of a line are in a unit: ZFS's dry runs print them without."""
    number = natural(said.rpartition(" ")[2])
    return EMPTY if number is None or number < _LEAST_BYTES else line((f"  {size(number)}", "dim"))


def _commands(plan: Plan, form: PlanForm, where: Sequence[str]) -> Iterator[Line]:
    """The commands besides plans that do what a refusal asks for, each once; in the dialog some are keys."""
    has_key = form is PlanForm.DIALOG
    told = [each for each in plan.refusals if each.command and not (has_key and each.frees is not None)]
    for command, instead in {each.command: each.instead for each in told}.items():
        host = () if "--host" in command else where
        yield labelled("NEXT", whole(shlex.join((*command, *host)), "key"))
        yield labelled("", line((instead, "dim")))


def _alternatives(plan: Plan, form: PlanForm, where: Sequence[str]) -> Iterator[Line]:
    """The alternatives, each with the key that plans it, or the command; of a refusal, the ways on."""
    label = "NEXT" if plan.is_refused else "INSTEAD"
    for at, (sentence, wanted) in enumerate(plan.alternatives, start=1):
        if form is PlanForm.DIALOG:
            yield labelled(label, line((f"{way_out_key(at)} ", "key"), sentence))
        else:
            yield labelled(label, whole(plan_command(wanted, where), "key"))
            yield labelled("", line((sentence, "dim")))


def _rest(plan: Plan) -> Iterator[Line]:
    """The shortened lists in full."""
    yield from _depending(split_long(plan.dependents)[1])
    if split_long(plan.lost)[1]:
        yield from _names(plan, plan.lost, "ALL LOST")
    yield from map(_figure, _figures(plan)[_FIGURES:])
    folded = [step for _, alike in groupby(plan.steps, _kind) for step in _first_steps(tuple(alike))[1]]
    for step in plan.steps:
        if step in folded or split_command(step.argv)[1]:
            yield labelled("RUNS ALL", _fed(step.sender, _on(step, typed(step.argv), plan)))
        for argv in step.put_back if step in folded else _first_of_alike(step.put_back)[1]:
            yield labelled("", (*line((_PUT_BACK, "dim")), *typed(argv)))
    for rehearsal in plan.rehearsals:
        said = [each for each in rehearsal.said.splitlines() if each.strip()]
        if split_command(rehearsal.argv)[1] or len(said) > _SAID_LINES:
            yield labelled("DRY RUN", typed(rehearsal.argv))
            yield from _said(rehearsal, said)
