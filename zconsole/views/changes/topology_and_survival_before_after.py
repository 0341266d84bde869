"""Vdevs of a pool before and after a plan, and how many failures they survive meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.plan import Plan, RedundancyChange
from zconsole.analysis.vdevs.redundancy import NOT_KNOWN
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.views.layout.labelled_paragraph import labelled
from zconsole.views.layout.state_age_and_link_phrases import counted, join, state_style_and_glyph
from zconsole.views.layout.styled_text import TEXT, Line, line
from zconsole.views.pools.vdev_rows import VdevRow, nodes

NEW, GONE, CHANGED, SAME = "+", "-", "~", " "
UNREADABLE: Final = "more devices are out than it can make up for"
_MARK_STYLE: Final = {NEW: "ok", GONE: "bad", CHANGED: "warn", SAME: TEXT}


def survival(plan: Plan) -> Iterator[Line]:
    """How many failures the vdevs that a plan concerns survive before it, while it runs, and after."""
    label = "SURVIVES"
    for change in _concerned(plan):
        yield labelled(label, survives(change))
        label = ""


def _concerned(plan: Plan) -> Sequence[RedundancyChange]:
    """Vdevs that survive more or less, or whose devices change; where there are none, the weakest one."""
    touched = {each.name for each in plan.before.vdevs if _is_touched(each, plan)} if plan.before else set()
    found = [each for each in plan.redundancy if _is_changed(each) or each.vdev in touched]
    return found or sorted(plan.redundancy, key=lambda each: each.after or 0)[:1]


def _is_touched(top: Vdev, plan: Plan) -> bool:
    words = plan.intent.arguments
    is_named = any(str(each.guid) in words or each.name in words for each in top.walk())
    return is_named or (plan.after is not None and top not in plan.after.vdevs)


def topology(plan: Plan, *, has_branches: bool) -> Iterator[Line]:
    """Topology changes of a plan; without branches, indentation shows the nesting of vdevs."""
    before, after = plan.before, plan.after
    if before is None or after is None or before.vdevs == after.vdevs:
        return
    yield from _side("BEFORE", before, after, GONE, has_branches=has_branches)
    yield from _side("AFTER", after, before, NEW, has_branches=has_branches)
    same = len(set(before.vdevs) & set(after.vdevs))
    if same:
        stays = "vdev stays as it is" if same == 1 else "vdevs stay as they are"
        yield labelled("", line((f"  {same} other {stays}", "dim")))


def _is_changed(change: RedundancyChange) -> bool:
    return not change.before == change.during == change.after


def survives(change: RedundancyChange) -> Line:
    """`mirror-1: at most 1 more failure now, none while it runs, 1 after`, or `mirror-1: stays none`."""
    noun = "more failure"
    if len(set(change.told)) == 1:
        count, hedge = change.told[0]
        return (*line(f"{change.vdev}: "), *_stays(count or 0, hedge))
    parts: list[Line] = []
    for (count, hedge), when in zip(change.told, ("now", "while it runs", "after"), strict=True):
        if count is None:
            continue
        if count > 0 and NOT_KNOWN not in hedge:
            words = _hedged(counted(count, noun) if noun else str(count), hedge)
            parts.append(line(f"{words} ", (when, "dim")))
            noun = ""
        else:
            bad = ("none ", "warn") if count == 0 else (f"{UNREADABLE} ", "bad")
            parts.append(line((f"{NOT_KNOWN} ", "warn") if NOT_KNOWN in hedge else bad, (when, "dim")))
    return (*line(f"{change.vdev}: "), *join(parts, ", "))


def _stays(count: int, hedge: tuple[str, str]) -> Line:
    """What a plan does not change."""
    if NOT_KNOWN in hedge:
        return line((NOT_KNOWN, "warn"))
    if count < 0:
        return line((UNREADABLE, "bad"))
    stays = _hedged(counted(count, "more failure"), hedge) if count else "none"
    return line("stays ", (stays, TEXT if count else "warn"))


def _hedged(words: str, hedge: tuple[str, str]) -> str:
    """`at most 1 more failure (perhaps none)`."""
    before, behind = hedge
    return f"{before}{words}{f' ({behind})' if behind else ''}"


def _side(label: str, pool: Pool, other: Pool, mark: str, *, has_branches: bool) -> Iterator[Line]:
    """The top-level vdevs that differ from the other topology, and the vdevs below them."""
    theirs = set(other.vdevs)
    changed = tuple(vdev for vdev in pool.vdevs if vdev not in theirs)
    if not changed:
        yield labelled(label, line(("none of these vdevs", "dim")))
    known = {_place(each): _attributes(each) for each in nodes(other)}
    for each in nodes(replace(pool, vdevs=changed)):
        known_attributes = known.get(_place(each))
        sign = (
            mark if known_attributes is None else (SAME if known_attributes == _attributes(each) else CHANGED)
        )
        yield labelled(label, _vdev(each, sign, has_branches=has_branches))
        label = ""


def _place(node: VdevRow | str) -> tuple[str, str]:
    """The identity of the vdev of a line."""
    if isinstance(node, str):
        return (node, "class")
    return (node.vdev.path or node.vdev.name, node.vdev.vdev_class)


def _attributes(node: VdevRow | str) -> tuple[str, bool]:
    """The attributes of a vdev that may differ."""
    return ("", False) if isinstance(node, str) else (node.vdev.state, node.vdev.is_resilvering)


def _vdev(node: VdevRow | str, mark: str, *, has_branches: bool) -> Line:
    style = _MARK_STYLE[mark]
    if isinstance(node, str):
        return line((f"{mark} ", style), (node, "section"))
    vdev = node.vdev
    branches = node.branches if has_branches else "  " * (node.depth - 1)
    state_style, _ = state_style_and_glyph(vdev.state)
    state = f"  {vdev.state}{' (resilvering)' if vdev.is_resilvering else ''}" if vdev.state else ""
    return line((f"{mark} ", style), (branches, "rule"), (vdev.name, style), (state, state_style))
