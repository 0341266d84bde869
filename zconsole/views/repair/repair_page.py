"""Repair screen: the steps of one repair as rows, the present one unfolded with its offers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.analysis.vdevs.device_names import stable_link
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.base.fixed_width_formatting import size
from zconsole.model.host.host_state import PoolState
from zconsole.model.repair import Repair, RepairOffer, RepairStep, RepairStepKind, RepairStepState
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.common_phrases import freshness, join, link_words
from zconsole.views.layout.screen_page import Page
from zconsole.views.layout.styled_text import EMPTY, Line, Span, fit, line, wrap
from zconsole.views.layout.table import Row, Table
from zconsole.views.repair.repair_document import FOUND_CELLS, headline, step_name, step_state_lines

ADVISED: Final = "▸"  # the first offer of the present step
LEAST_GAIN_BYTES: Final = 1 << 20  # usable space moves by some kilobytes by itself
SWAPPING: Final = {RepairStepKind.IDENTIFY, RepairStepKind.TAKE_OUT}
_STEP: Final = "step "
_OFFER: Final = "offer "
_NO_ROWS: Final = Table((), ())


@dataclass(frozen=True, slots=True)
class ShownRepair:
    """One repair of a pool, its place among the pool's repairs, and the steps that the user unfolded."""

    host: HostView
    repair: Repair
    number: int = 1
    of: int = 1
    unfolded: frozenset[str] = frozenset()
    gained_bytes: int = 0  # usable, since a procedure was opened


def page(about: ShownRepair, view: View, cells: int, room: int) -> Page:
    """The page of a repair in rows of `cells`; where `room` rows hold it, each step has its full text."""
    repair = about.repair
    which = line((f"{about.number} of {about.of}, n: next", "warn")) if about.of > 1 else EMPTY
    rows = tuple(_rows(about, cells, in_full=True))
    if len(rows) > room:
        rows = tuple(_rows(about, cells, in_full=False))
    gained = line((f"{repair.pool} has grown by {size(about.gained_bytes)}", "ok"))
    grown = gained if about.gained_bytes > LEAST_GAIN_BYTES else EMPTY
    told = line((repair.alarm, "bad")) if repair.alarm else line(("; ".join(repair.survives), "text"))
    return Page(
        join([line((about.host.name, "title")), headline(repair)]),
        freshness(view, about.host, _pools(about.host, repair.pool)),
        join([which, grown, told]),
        Table((), rows),
    )


def disk_of(about: ShownRepair) -> str | None:
    """Path of the whole disk of the repaired device; None where the host does not see it."""
    guid = about.repair.device.guid
    for each in host_disks(about.host.state):
        if each.disk is not None and each.leaf is not None and each.leaf.guid == guid:
            return stable_link(each.disk) or each.disk.path
    return None


def no_repair(host: HostView | None, name: str, pool: str, view: View, ended: Repair | None) -> Page:
    """The page of a pool without a repair; `ended` is the one that was shown before."""
    if host is None:
        return Page(line((name, "title")), EMPTY, line(("no such host", "dim")), _NO_ROWS)
    fresh = freshness(view, host, _pools(host, pool))
    first = join([line((host.name, "title")), line(("repair ", "dim"), (pool, "title"))])
    if problem := link_words(host, view):
        return Page(join([first, problem]), fresh, EMPTY, _NO_ROWS)
    if host.state.pools_at is not None and not _pools(host, pool):
        words = (
            f"{pool} is not imported on this host now: it was exported or destroyed, or a boot left it out"
        )
        return Page(first, fresh, line((words, "warn")), _NO_ROWS)
    if not any(each.pool.value is not None for each in _pools(host, pool)):
        return Page(first, fresh, line(("the pool has not been read", "dim")), _NO_ROWS)
    told = line((f"no device of {pool} needs a repair", "ok"))
    if ended is not None:
        last = ended.step(RepairStepKind.AFTER_CARE)
        care = last.found[0] if last.state is RepairStepState.DONE and last.found else "nothing is left to do"
        told = line((f"✓ {ended.device.label} of {ended.vdev}: {care}", "ok"), "; w: report")
    return Page(first, fresh, told, _NO_ROWS)


def notes(about: ShownRepair, key: str | None) -> Sequence[Line]:
    """Below the steps: the offer under the cursor, and what still has the data."""
    offer = offer_at(about.repair, key)
    told = [] if offer is None else [line(("Enter", "key"), f" {_effect(offer)}")]
    step, current = step_at(about.repair, key), about.repair.current
    if step is not None and step is not current and step.offers:
        many = f"{len(step.offers)} change{'s' if len(step.offers) > 1 else ''}"
        words = "hides" if step.kind.value in about.unfolded else "shows"
        told.append(line(("Enter", "key"), f" {words} {many} that this step offers"))
    if current is not None and current.kind in SWAPPING and current.state is RepairStepState.NOW:
        told.append(line(("h", "key"), " says whether disks of this host are swapped while it runs"))
    return (*told, line((about.repair.safety, "text")))


def _effect(offer: RepairOffer) -> str:
    if offer.wants_disk:
        return "shows the disks, those that fit first"
    return f"plans it ({offer.action}): nothing runs before you have confirmed the plan"


def is_led_on(repair: Repair) -> bool:
    """Whether the last run on the locate LED turned it on."""
    turned = [run.title for run in repair.runs if run.is_done and "locate LED" in run.title]
    return bool(turned) and turned[-1].startswith("turn on")


# Rows


def _rows(about: ShownRepair, cells: int, *, in_full: bool) -> Iterator[Row]:
    yield from _alarm(about.repair, cells)
    for step in about.repair.steps:
        yield from _step(about, step, cells, in_full=in_full)


def offer_at(repair: Repair, key: str | None) -> RepairOffer | None:
    """The offer of a row; of the present step's own row the advised one."""
    for step in repair.steps:
        if key == _step_key(step):
            return step.offers[0] if step.offers and _is_advised(repair, step, 0) else None
        for at, offer in enumerate(step.offers):
            if key == _offer_key(step, at):
                return offer
    return None


def step_at(repair: Repair, key: str | None) -> RepairStep | None:
    """The step whose own row that is."""
    return next((step for step in repair.steps if key == _step_key(step)), None)


def first_row(repair: Repair) -> str | None:
    """The row on which the cursor begins: the advised offer of the present step, or the step."""
    step = repair.current
    if step is None:
        return None
    return _offer_key(step, 0) if _is_advised(repair, step, 0) else _step_key(step)


def _step_key(step: RepairStep) -> str:
    return _STEP + step.kind.value


def _offer_key(step: RepairStep, at: int) -> str:
    return f"{_OFFER}{step.kind.value}\0{at}"


def _alarm(repair: Repair, cells: int) -> Iterator[Row]:
    """What has to be dealt with before anything else, in full."""
    if repair.alarm:
        for at, piece in enumerate(wrap(line((f"✗ {repair.alarm}", "bad")), cells)):
            yield Row(f"alarm {at}", line=piece, is_selectable=False)


def _step(about: ShownRepair, step: RepairStep, cells: int, *, in_full: bool) -> Iterator[Row]:
    """A step in full with its offers where it is unfolded, else in one row."""
    is_open = step is about.repair.current or step.kind.value in about.unfolded
    told, room = tuple(step_state_lines(step)), max(1, cells - FOUND_CELLS)
    pieces = (
        [piece for each in told for piece in wrap(each, room)] if is_open or in_full else [fit(told[0], room)]
    )
    yield Row(_step_key(step), line=(*step_name(step), *pieces[0]))
    for at, piece in enumerate(pieces[1:]):
        indented = (Span(" " * FOUND_CELLS), *piece)
        yield Row(f"text {step.kind.value} {at}", line=indented, is_selectable=False)
    for at, offer in enumerate(step.offers if is_open else ()):
        mark = ADVISED if _is_advised(about.repair, step, at) else " "
        words = line(" " * (FOUND_CELLS - 2), (f"{mark} {offer.words}", "key" if mark == ADVISED else "text"))
        yield Row(_offer_key(step, at), line=fit(words, cells))


def _is_advised(repair: Repair, step: RepairStep, at: int) -> bool:
    """Whether an offer is the advised one: a resilver is waited for, whatever is offered meanwhile."""
    return (
        at == 0 and step is repair.current and bool(step.offers) and step.kind is not RepairStepKind.RESILVER
    )


def _pools(host: HostView, pool: str) -> tuple[PoolState, ...]:
    return tuple(each for each in host.state.pools if each.name == pool)
