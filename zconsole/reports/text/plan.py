"""A plan in words, a line each, in the order in which it is read: lost, warnings, undone, depends, runs.

Of long lists the first few stand there; all of them, and the texts of channel programs, when it is `full`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.binding_figure import Figure
from zconsole.actions.catalogue import spec
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan, RedundancyChange, Rehearsal, Step, split_command, split_long
from zconsole.base.formatting import size
from zconsole.base.harmless_text import visible
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.change.channel_program import is_program

INDENT: Final = "  "
SAID_LINES: Final = 20  # of a dry run's own words
FIGURES: Final = 4  # numbers that a plan rests on, a line each
FULL: Final = "--full has all"
NEW, GONE, SAME = "+", "-", " "


def plan_lines(plan: Plan, saved: str = "", *, is_full: bool = False) -> Iterator[str]:
    """Yield a plan as lines that no terminal obeys; `saved` is the file that it was saved in."""
    return map(visible, _lines(plan, saved, is_full=is_full))


def command_line(wanted: Intent) -> str:
    """Return what makes this plan on the command line."""
    options: list[str] = []
    for name, value in wanted.options:
        options += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    needed = [each.name for each in spec(wanted.action).arguments if not each.is_optional]
    missing = needed[len(wanted.arguments) :]
    words = ["zconsole", "plan", wanted.action, wanted.target, *wanted.arguments, *missing, *options]
    return shlex.join(words)


def _lines(plan: Plan, saved: str, *, is_full: bool) -> Iterator[str]:
    name = plan.identity.hostname
    calls_itself = f" ({name})" if name and name != plan.identity.label else ""
    yield f"{plan.identity.label}{calls_itself}: {plan.title} [{plan.risk.value}]"
    for refusal, instead in plan.refusals_told:
        yield f"Refused ({refusal.rule}): {refusal.reason}."
        if instead:
            yield f"{INDENT}Instead: {instead}."
    yield from _lost(plan, is_full=is_full)
    for warning in plan.warnings:
        yield f"Warning: {warning}."
    if plan.steps and not plan.is_refused:
        yield _undo(plan)
    yield from _dependents(plan, is_full=is_full)
    yield from _topology(plan)
    for note in plan.notes:
        yield f"Note: {note}."
    yield from _rests_on(plan)
    for step in plan.steps:
        yield from _step(step, "Would run" if plan.is_refused else "Runs", is_full=is_full)
    for rehearsal in plan.rehearsals:
        yield from _rehearsal(rehearsal, is_full=is_full)
    for sentence, wanted in plan.alternatives:
        yield f"Instead: {sentence}."
        yield f"{INDENT}{command_line(wanted)}"
    if not plan.is_refused:
        yield _confirmation(plan, saved)


def _dependents(plan: Plan, *, is_full: bool) -> Iterator[str]:
    first, rest = (plan.dependents, ()) if is_full else split_long(plan.dependents)
    for each in first:
        yield f"Depends on it: {each.kind} {each.name}{f' ({each.detail})' if each.detail else ''}"
    if rest:
        yield f"{INDENT}and {len(rest)} more ({FULL})"


def _step(step: Step, label: str, *, is_full: bool) -> Iterator[str]:
    yield f"{label}: {_feed(step)}{_typed(step.argv, is_full=is_full)}"
    yield f"{INDENT}{step.why}"
    lines = (step.stdin or "").splitlines()
    if is_program(step.argv) and not is_full:
        yield f"{INDENT}stdin: a channel program of {len(lines)} lines ({FULL})"
    else:
        yield from (f"{INDENT}stdin: {line}" for line in lines)
    for argv in step.put_back:
        yield f"{INDENT}if what follows is not done: {shlex.join(argv)}"


def _typed(argv: Sequence[str], *, is_full: bool) -> str:
    shown, left_out = (shlex.join(argv), 0) if is_full else split_command(argv)
    return f"{shown} ... and {left_out} more words ({FULL})" if left_out else shown


def _rests_on(plan: Plan) -> Iterator[str]:
    """Which of the numbers must still be so, and what need not."""
    figures = [each for each in plan.basis.figures if each.bytes is not None and each.most is not None]
    for each in figures[:FIGURES]:
        yield f"Rests on: {each.what}: {size(each.bytes)}, {_up_to(each)}."
    if len(figures) > FIGURES:
        yield f"{INDENT}and on {len(figures) - FIGURES} more numbers, which --json lists"
    if plan.not_binding and not plan.is_refused:
        yield f"Does not rest on: {'; '.join(plan.not_binding)}."


def _up_to(figure: Figure) -> str:
    return "and no more" if figure.most == figure.bytes else f"and at most {size(figure.most)} when it runs"


def _lost(plan: Plan, *, is_full: bool) -> Iterator[str]:
    if plan.is_refused:
        return
    if not plan.destroys:
        yield "Lost: nothing."
        return
    known = frozenset(plan.live)
    objects = "object" if len(plan.destroys) == 1 else "objects"
    yield f"Lost: {len(plan.destroys)} {objects}{plan.in_use}:"
    first, rest = (plan.lost, ()) if is_full else split_long(plan.lost)
    yield from (f"{INDENT}{name}{' (live)' if name in known else ''}" for name in first)
    if rest:
        live = sum(name in known for name in rest)
        yield f"{INDENT}and {len(rest)} more{f', {live} of them live' if live else ''} ({FULL})"
    yield f"Frees: {'not known beforehand' if plan.frees_bytes is None else size(plan.frees_bytes)}."


def _topology(plan: Plan) -> Iterator[str]:
    for change in plan.redundancy:
        if len(plan.redundancy) == 1 or not change.before == change.during == change.after:
            yield f"Survives: {_survives(change)}."
    if plan.before is None or plan.after is None or plan.before.vdevs == plan.after.vdevs:
        return
    before, after = set(plan.before.vdevs), set(plan.after.vdevs)
    yield from _tree("Before", plan.before, after, GONE)
    yield from _tree("After", plan.after, before, NEW)
    same = len(before & after)
    if same:
        yield f"{INDENT}{same} other vdev{'s stay as they are' if same > 1 else ' stays as it is'}"


def _survives(change: RedundancyChange) -> str:
    parts = [
        f"{_failures(count)} {when}"
        for count, when in ((change.before, "now"), (change.during, "while it runs"), (change.after, "after"))
        if count is not None
    ]
    return f"{change.vdev} {', '.join(parts)}"


def _failures(count: int) -> str:
    if count < 0:
        return "has lost data"
    return "no failure" if count == 0 else f"{count} more failure{'s' if count > 1 else ''}"


def _tree(label: str, pool: Pool, others: set[Vdev], mark: str) -> Iterator[str]:
    """The top-level vdevs that are not in the other tree, with what is below them."""
    changed = [top for top in pool.vdevs if top not in others]
    yield f"{label}:{'' if changed else ' none of these vdevs'}"
    known = {_identity(vdev) for top in others for vdev in top.walk()}
    for top in changed:
        role = "" if top.vdev_class == "data" else f" ({top.vdev_class})"
        yield from _branch(top, 0, known, mark, role)


def _branch(
    vdev: Vdev, depth: int, known: set[tuple[object, ...]], mark: str, role: str = ""
) -> Iterator[str]:
    changed = SAME if _identity(vdev) in known else mark
    yield f"{INDENT}{changed} {INDENT * depth}{vdev.name}{role}  {vdev.state}"
    for child in vdev.children:
        yield from _branch(child, depth + 1, known, mark)


def _identity(vdev: Vdev) -> tuple[object, ...]:
    """What tells whether a line of the tree is the same in both."""
    return (vdev.path or vdev.name, vdev.vdev_class, vdev.state, vdev.is_resilvering)


def _feed(step: Step) -> str:
    """What feeds a step, in front of it."""
    sender = step.sender
    if sender is None:
        return ""
    return f"{shlex.join(sender.argv)} {f'(on {sender.identity.label}) ' if sender.is_elsewhere else ''}| "


def _rehearsal(rehearsal: Rehearsal, *, is_full: bool) -> Iterator[str]:
    where = f" on {rehearsal.host}" if rehearsal.host else ""
    yield f"ZFS's own dry run{where}: {_typed(rehearsal.argv, is_full=is_full)}"
    said = [line for line in rehearsal.said.splitlines() if line.strip()]
    for line in said[:SAID_LINES]:
        yield f"{INDENT}{line.expandtabs()}"
    if len(said) > SAID_LINES:
        yield f"{INDENT}and {len(said) - SAID_LINES} more lines"


def _undo(plan: Plan) -> str:
    if plan.undo is None:
        return "Undo: none."
    return f"Undo: {plan.undo}" if plan.is_reversible else f"Undo, not as it was: {plan.undo}"


def _confirmation(plan: Plan, saved: str) -> str:
    confirm = "" if plan.confirm is None else f" --confirm {shlex.quote(plan.confirm)}"
    if saved:
        return f"To run it: zconsole apply {shlex.quote(saved)}{confirm}"
    return f"To run it, save it with -o FILE, and: zconsole apply FILE{confirm}"
