"""A plan in words, in the order in which it is read: lost, warnings, undone, depends, changes, runs, instead.

Of long lists the first few stand there, and the rest behind everything else.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.guard import YES, Guard, GuardStage
from zconsole.actions.plan import (
    Dependent,
    Plan,
    RedundancyChange,
    Rehearsal,
    Risk,
    Sender,
    split_command,
    split_long,
)
from zconsole.base.formatting import size
from zconsole.model.pools.pool import Pool
from zconsole.views.layout.phrases import WARN, counted, join, state_look
from zconsole.views.layout.styled_text import EMPTY, TEXT, Line, Span, line, spread, wrap
from zconsole.views.pools.vdev_rows import VdevRow, nodes

RISK_STYLE: Final = {
    Risk.ROUTINE: "info",
    Risk.CAUTION: "warn",
    Risk.DESTRUCTIVE: "bad",
    Risk.CATASTROPHIC: "bad",
    Risk.REFUSED: "bad",
}
LABEL_CELLS: Final = 9  # what stands at the left of a paragraph, with a space behind it
_SAID_LINES: Final = 12  # of ZFS's own words
_FIGURES: Final = 4  # a line each; the file of a plan has all
NEW, GONE = "+", "-"


def title(plan: Plan, cells: int, colour: str | None = None) -> tuple[Line, ...]:
    """The host as it was reached and how bad it is; then what is done to what.

    `colour` is the style of the host's name; where the host calls itself otherwise, that is said too.
    """
    identity = plan.identity
    name = identity.hostname
    calls_itself = f" ({name})" if name and name != identity.label else ""
    host = line((identity.label, colour or "title"), (calls_itself, "dim"))
    risk = line((plan.risk.value.upper(), RISK_STYLE[plan.risk]))
    return (spread(host, risk, cells), *list(wrap(line((plan.title, "title")), cells))[:2])


def body(plan: Plan) -> tuple[Line, ...]:
    """Everything between the title and the guard, a line each; not wrapped yet."""
    return tuple(_body(plan))


def _body(plan: Plan) -> Iterator[Line]:
    for refusal, instead in plan.refusals_told:
        yield _labelled("REFUSED", line(refusal.reason), "bad")
        if instead:
            yield _labelled("", line((f"instead: {instead}", "dim")))
    yield from _lost(plan)
    for warning in plan.warnings:
        yield _labelled(WARN, line((warning, "warn")), "warn")
    if plan.steps and not plan.is_refused:
        yield _labelled("UNDO", _undo(plan))
    yield from _dependents(plan)
    yield from _frees(plan)
    yield from _topology(plan)
    for note in plan.notes:
        yield _labelled("NOTE", line(note))
    for at, step in enumerate(plan.steps):
        yield _labelled("RUNS" if at == 0 else "", fed(_source(step.sender), step.argv, is_cut=True))
        if len(plan.steps) > 1 or step.stdin is not None:
            yield _labelled("", line((step.why, "dim")))
        for argv in step.put_back:
            yield _labelled("", line(("if what follows is not done: ", "dim"), shlex.join(argv)))
    for rehearsal in plan.rehearsals:
        yield from _rehearsal(rehearsal)
    for at, (sentence, _) in enumerate(plan.alternatives, start=1):
        yield _labelled("INSTEAD", line((f"F{at} ", "key"), sentence))
    yield from _rest(plan)


def _lost(plan: Plan) -> Iterator[Line]:
    """What will not be there any more, counted; what is alive first."""
    if plan.is_refused:
        return
    if not plan.destroys:
        if plan.steps:
            yield _labelled("LOST", line(("nothing", "ok")))
        return
    in_use = line((plan.in_use, "bad"))
    yield _labelled("LOST", (*line((counted(len(plan.destroys), "object"), "bad")), *in_use), "bad")
    first, rest = split_long(plan.lost)
    yield from _names(plan, first)
    if rest:
        live = len(frozenset(plan.live).intersection(rest))
        of_them = f", {live} of them live" if live else ""
        yield _labelled("", line((f"and {len(rest)} more{of_them}: all are at the end", "bad")))


def _names(plan: Plan, names: Sequence[str], label: str = "") -> Iterator[Line]:
    """A line each, with why it matters where that is known."""
    reasons = {each.name: each.detail for each in plan.dependents if each.kind in {"clone", "mount", "guest"}}
    live = frozenset(plan.live)
    for name in names:
        is_live = line(("  live", "bad")) if name in live else EMPTY
        why = line((f"  {reasons.get(name, '')}".rstrip(), "dim"))
        yield _labelled(label, (*line((name, TEXT)), *is_live, *why), "bad")
        label = ""


def _dependents(plan: Plan) -> Iterator[Line]:
    first, rest = split_long(plan.dependents)
    yield from _depending(first)
    if rest:
        yield _labelled("", line((f"and {len(rest)} more: at the end", "dim")))


def _depending(dependents: Sequence[Dependent]) -> Iterator[Line]:
    label = "DEPENDS"
    for each in dependents:
        style = "warn" if each.kind in {"guest", "process", "holder", "swap"} else "dim"
        detail = f"  {each.detail}" if each.detail else ""
        yield _labelled(label, line((f"{each.kind} ", style), each.name, (detail, "dim")))
        label = ""


def _rest(plan: Plan) -> Iterator[Line]:
    """What was cut, whole."""
    yield from _depending(split_long(plan.dependents)[1])
    if split_long(plan.lost)[1]:
        yield from _names(plan, plan.lost, "ALL LOST")
    label = "RUNS ALL"
    for step in plan.steps:
        if split_command(step.argv)[1]:
            yield _labelled(label, fed(_source(step.sender), step.argv))
            label = ""


def _frees(plan: Plan) -> Iterator[Line]:
    if plan.lost:
        known = "not known beforehand" if plan.frees_bytes is None else size(plan.frees_bytes)
        yield _labelled("FREES", line(known))
    yield from _rests_on(plan)


def _rests_on(plan: Plan) -> Iterator[Line]:
    """Which numbers the plan rests on, by how much they may grow, and which it does not rest on."""
    figures = [each for each in plan.basis.figures if each.bytes is not None and each.most is not None]
    label = "RESTS ON"
    for each in figures[:_FIGURES]:
        room = "no more" if each.most == each.bytes else f"at most {size(each.most)} when it runs"
        yield _labelled(label, line(f"{each.what}: {size(each.bytes)}", (f"  {room}", "dim")))
        label = ""
    if len(figures) > _FIGURES:
        yield _labelled("", line((f"and on {len(figures) - _FIGURES} more numbers", "dim")))
    if plan.not_binding and not plan.is_refused:
        yield _labelled(label if not figures else "", line(("not on ", "dim"), ", ".join(plan.not_binding)))


def _undo(plan: Plan) -> Line:
    if plan.undo is None:
        return line(("none: it cannot be undone", "bad"))
    return line(plan.undo) if plan.is_reversible else line(("not as it was: ", "warn"), plan.undo)


# The pool before and after


def _topology(plan: Plan) -> Iterator[Line]:
    for at, change in enumerate(plan.redundancy):
        if plan.before is not None and (_is_changed(change) or len(plan.redundancy) == 1):
            yield _labelled(
                "SURVIVES" if at == 0 or not _any_before(plan.redundancy, at) else "", survives(change)
            )
    if plan.before is None or plan.after is None or plan.before == plan.after:
        return
    before, after = _affected(plan.before, plan.after), _affected(plan.after, plan.before)
    old, new = {_identity(each) for each in before}, {_identity(each) for each in after}
    for label, shown, others, mark in (("BEFORE", before, new, GONE), ("AFTER", after, old, NEW)):
        for at, each in enumerate(shown):
            yield _labelled(
                label if at == 0 else "", _vdev_line(each, mark if _identity(each) not in others else " ")
            )
        if not shown:
            yield _labelled(label, line(("none of these vdevs", "dim")))
    rest = len(plan.before.vdevs) - sum(1 for each in before if isinstance(each, VdevRow) and each.depth == 1)
    if rest:
        yield _labelled("", line((f"  {counted(rest, 'other vdev')} stay as they are", "dim")))


def _affected(pool: Pool, other: Pool) -> list[VdevRow | str]:
    """The top-level vdevs that differ in the other pool, each with what is below it, and their classes."""
    theirs = set(other.vdevs)
    changed = tuple(vdev for vdev in pool.vdevs if vdev not in theirs)
    return list(nodes(replace(pool, vdevs=changed)))


def _any_before(changes: Sequence[RedundancyChange], at: int) -> bool:
    return any(_is_changed(change) for change in changes[:at])


def _is_changed(change: RedundancyChange) -> bool:
    return not change.before == change.during == change.after


def survives(change: RedundancyChange) -> Line:
    """`mirror-1 survives 1 more failure now, none during, 1 after`."""
    parts = [(count, when) for count, when in (
        (change.before, "now"), (change.during, "while it runs"), (change.after, "after")
    ) if count is not None]  # fmt: skip
    words = []
    for count, when in parts:
        style = "text" if count > 0 else ("warn" if count == 0 else "bad")
        amount = "none" if count == 0 else ("data is lost" if count < 0 else f"{count} more")
        words.append(line((f"{amount} ", style), (when, "dim")))
    return (*line(f"{change.vdev}: "), *join(words, ", "))


def _identity(node: VdevRow | str) -> tuple[str, str]:
    if isinstance(node, str):
        return ("class", node)
    vdev = node.vdev
    return ("vdev", f"{vdev.path or vdev.name} {vdev.vdev_class}")


def _vdev_line(node: VdevRow | str, mark: str) -> Line:
    style = {NEW: "ok", GONE: "bad"}.get(mark, TEXT)
    if isinstance(node, str):
        return line((f"{mark} ", style), (node, "section"))
    state_style, _ = state_look(node.vdev.state)
    return line(
        (f"{mark} ", style),
        (node.branches, "rule"),
        (node.vdev.name, style),
        (f"  {node.vdev.state}" if node.vdev.state else "", state_style),
    )


# Commands


def typed(argv: Sequence[str]) -> str:
    """A command as a person would type it into a POSIX shell."""
    return shlex.join(argv)


def fed(sender: tuple[Sequence[str], str] | None, argv: Sequence[str], *, is_cut: bool = False) -> Line:
    """A command with what it is fed by, and the host of that where it is another."""
    shown, left_out = split_command(argv) if is_cut else (typed(argv), 0)
    more = line((f" ... and {left_out} more words: at the end", "dim")) if left_out else EMPTY
    if sender is None:
        return (*line((shown, "key")), *more)
    sending, host = sender
    where = line((f" on {host}", "warn")) if host else EMPTY
    return (*line((typed(sending), "key")), *where, *line((" | ", "dim"), (shown, "key")), *more)


def _source(sender: Sender | None) -> tuple[Sequence[str], str] | None:
    if sender is None:
        return None
    return sender.argv, sender.identity.label if sender.is_elsewhere else ""


def _rehearsal(rehearsal: Rehearsal) -> Iterator[Line]:
    where = line((f" on {rehearsal.host}", "warn")) if rehearsal.host else EMPTY
    said, left_out = split_command(rehearsal.argv)
    more = f" ... and {left_out} more words" if left_out else ""
    yield _labelled("DRY RUN", (*line((f"{said}{more}", "dim")), *where))
    if rehearsal.status is None:
        return
    lines = [each for each in rehearsal.said.splitlines() if each.strip()] or ["(it says nothing)"]
    for each in lines[:_SAID_LINES]:
        yield _labelled("", line((each.expandtabs(), TEXT if rehearsal.status == 0 else "warn")))
    if len(lines) > _SAID_LINES:
        yield _labelled("", line((f"and {len(lines) - _SAID_LINES} more lines", "dim")))


def _labelled(label: str, words: Line, style: str = "section") -> Line:
    return (Span(f"{label:<{LABEL_CELLS}}", style if label else "dim"), *words)


# The guard


def question(plan: Plan, guard: Guard, now: float) -> tuple[Line, ...]:
    """Three lines: what to do to go on, what has been typed so far, and what became of the last key."""
    if plan.is_refused:
        return (line(("This cannot be done. No confirmation opens it.", "bad")), EMPTY, EMPTY)
    remark = line((guard.said, "warn"))
    match guard.stage:
        case GuardStage.COUNTING:
            left = max(1, round(guard.deadline - now + 0.5))
            return (line((f"Begins in {left} s.", "bad"), "  Any key stops it."), EMPTY, EMPTY)
        case GuardStage.GO:
            return (line(("Starting ...", "info")), EMPTY, EMPTY)
        case GuardStage.EXPIRED:
            return (line(("This plan has expired: the host may have changed.", "warn")), EMPTY, EMPTY)
        case GuardStage.READY | GuardStage.PRESSED:
            typed = f"{guard.typed}  " if guard.confirm is not None else ""
            answer = YES if guard.stage is GuardStage.PRESSED else f"{guard.answer}_"
            return (
                line("To do it, type  ", (YES, "key")),
                line(("> ", "dim"), (f"{typed}{answer}", "input")),
                remark,
            )
        case _:
            if guard.confirm is None:
                return (EMPTY, EMPTY, EMPTY)
            return (
                line("To go on, type  ", (guard.confirm, "warn")),
                line(("> ", "dim"), (f"{guard.typed}_", "input")),
                remark,
            )


def ways(plan: Plan, guard: Guard, now: float) -> Line:
    """The keys of the last line, "no" first, and how long the plan holds."""
    if plan.is_refused:
        return line(("[ Enter  Go back ]", "cursor"))
    parts = [line(("[ Esc  No, go back ]", "cursor"))]
    if guard.stage is GuardStage.EXPIRED:
        parts.append(line(("F5", "key"), (" plan anew", TEXT)))
    else:
        parts.append(line(("↑↓", "key"), (" scroll", "dim")))
        if guard.expires and guard.stage not in {GuardStage.PRESSED, GuardStage.COUNTING}:
            parts.append(line((f"holds for {max(0, int(guard.expires - now))} s", "dim")))
    return join(parts, "   ")
