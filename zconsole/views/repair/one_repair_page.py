"""Repair screen: the steps of one repair as rows, the present one unfolded with its offers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.repair.journal_runs_of_repair import is_led_on
from zconsole.analysis.vdevs.disk_identity_and_links import stable_link
from zconsole.analysis.vdevs.host_disks import host_disks
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import PoolState
from zconsole.model.repair import Repair, RepairOffer, RepairStep, RepairStepKind, RepairStepState
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.labelled_paragraph import ParagraphLabel, wrapped
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import freshness, join, link_words
from zconsole.views.layout.styled_text import EMPTY, Line, Span, fit, hang, line, line_width, wrap
from zconsole.views.layout.table import Row, Table
from zconsole.views.repair.due_step import due_line
from zconsole.views.repair.repair_and_step_lines import (
    FOUND_CELLS,
    headline,
    step_lines,
    step_name,
    step_state_lines,
)

ADVISED: Final = "▸"  # the first offer of the present step
OFFERED: Final = "▹"  # any other offer
LEAST_GAIN_BYTES: Final = 1 << 20  # usable space moves by some kilobytes by itself
SEPARATOR: Final = " · "  # between the parts of the first line
LOCATE: Final = "locate"
RUNNING: Final = "scan-running"  # the finding that tells how far a scrub or resilver is
_SWAPPING: Final = {RepairStepKind.IDENTIFY, RepairStepKind.TAKE_OUT}
_OF_A_REPAIR: Final = frozenset({"plan_offer", "other_disk", "read_test", "locate", "blink", "hot_swap"}) | {
    "next_repair",
    "act",
}
_READ_FIRST: Final = (
    RepairStepState.NOW,
    RepairStepState.HELD,
    RepairStepState.NEXT,
    RepairStepState.DONE,
    RepairStepState.NOT_NEEDED,
)
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
    """The page of a repair in rows of `cells`; as much of each step is told as `room` rows hold."""
    repair = about.repair
    fresh = freshness(view, about.host, _pools(about.host, repair.pool))
    gained = line((f"{repair.pool} has grown by {size(about.gained_bytes)}", "ok"))
    grown = gained if about.gained_bytes > LEAST_GAIN_BYTES else EMPTY
    host = line((about.host.name, "title"))
    left = cells - line_width(host) - line_width(fresh) - len(SEPARATOR) - 1
    place = f"{about.number} of {about.of}" if about.of > 1 else ""
    return Page(
        join([host, headline(repair, left, place)]),
        fresh,
        join([due_line(repair, cells), grown]),
        Table((), tuple(_rows(about, cells, room))),
    )


def disk_of(about: ShownRepair) -> str | None:
    """Path of the whole disk of the repaired device; None where the host does not see it."""
    guid = about.repair.device.guid
    for each in host_disks(about.host.state):
        if each.disk is not None and each.leaf is not None and each.leaf.guid == guid:
            return stable_link(each.disk) or each.disk.path
    return None


def no_repair(  # noqa: PLR0913, PLR0917  # what the page is of, and its width
    host: HostView | None, name: str, pool: str, view: View, ended: Repair | None, cells: int = 78
) -> Page:
    """The page of a pool without a repair, in rows of `cells`; `ended` is the one that was shown before."""
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
    rows = () if ended is None else _ended_rows(host, ended, cells)
    return Page(first, fresh, told, Table((), tuple(rows)))


def _ended_rows(host: HostView, ended: Repair, cells: int) -> Iterator[Row]:
    """What became of a repair, what still runs, and what each of its steps found."""
    last = ended.step(RepairStepKind.AFTER_CARE)
    care = last.found[0] if last.state is RepairStepState.DONE and last.found else "nothing is left to do"
    named = ended.device.label
    named += "" if named == ended.vdev else f" of {ended.vdev}"
    running = next((each.summary for each in host.of_pool(ended.pool) if each.id == RUNNING), "")
    whole = "; it is complete when this has ended" if running else ""
    told = (
        line((f"✓ {named}: {care}", "ok")),
        *((line((f"now: {running}", "info")),) if running else ()),
        line(("W", "key"), f": report{whole}"),
        EMPTY,
    )
    pieces = [piece for each in told for piece in hang(each, cells)]
    for each in (piece for step in ended.steps for piece in step_lines(step)):
        is_more = isinstance(each[0], ParagraphLabel)
        pieces += wrapped(each, cells) if is_more else hang(each, cells, FOUND_CELLS)
    for at, piece in enumerate(pieces):
        yield Row(f"ended {at}", line=piece, is_selectable=False)


def notes(about: ShownRepair, key: str | None) -> Sequence[Line]:
    """Below the steps: what still has the data, what the pool survives, and what Enter does."""
    repair, offer = about.repair, offer_at(about.repair, key)
    told = [line("; ".join(filter(None, (repair.safety, *repair.survives))))]
    step = step_at(repair, key)
    if offer is not None:
        told.append(line(("Enter", "key"), f" {_effect(offer)}"))
    elif step is not None and step is not repair.current and step.offers:
        many = f"{len(step.offers)} change{'s' if len(step.offers) > 1 else ''}"
        words = "hides" if step.kind.value in about.unfolded else "shows"
        told.append(line(("Enter", "key"), f" {words} {many} that this step offers"))
    elif step is not None and step is repair.current:
        told.append(line((waits(step), "warn" if step.act else "dim")))
    return told


def waits(step: RepairStep) -> str:
    """What the present step waits for, where none of its offers is advised."""
    if not step.act:
        return "nothing to plan at this step: the repair continues by itself"
    if step.state is RepairStepState.HELD:
        return f"held: {step.act}"
    if any(each.wants_disk for each in step.offers):
        return f"waits for a disk that fits (d lists all disks): {step.act}"
    return f"waits for you: {step.act}"


def _effect(offer: RepairOffer) -> str:
    if offer.wants_disk:
        return "shows the disks of the host, those that fit first"
    return f"shows the plan ({offer.action}); nothing runs before you confirm it"


def unusable_actions(about: ShownRepair | None, key: str | None) -> frozenset[str]:
    """Actions of the screen, by id, that would do nothing now."""
    if about is None:
        return _OF_A_REPAIR
    repair, step = about.repair, step_at(about.repair, key)
    offers = [offer for each in repair.steps for offer in each.offers]
    current = repair.current
    usable = {
        "plan_offer": offer_at(repair, key) is not None
        or (step is not None and (step is not current or first_offer(step) is not None)),
        "other_disk": any(each.wants_disk for each in offers),
        "read_test": any(each.untested for each in repair.steps),
        "locate": any(each.action == LOCATE for each in offers),
        "blink": _is_swapping(repair) and disk_of(about) is not None,
        "hot_swap": _is_swapping(repair),
        "next_repair": about.of > 1,
    }
    return frozenset(name for name, is_usable in usable.items() if not is_usable)


def key_titles(about: ShownRepair | None, key: str | None) -> dict[str, str]:
    """What Enter does on the row, and what the key of the LED does."""
    if about is None:
        return {}
    offer, step = offer_at(about.repair, key), step_at(about.repair, key)
    titles = {"locate": f"LED {'off' if is_led_on(about.repair.runs) else 'on'}"}
    if offer is not None and offer.wants_disk:
        titles["plan_offer"] = "choose disk"
    elif offer is None and step is not None:
        is_present = step is about.repair.current
        folds = "fold" if step.kind.value in about.unfolded else "unfold"
        titles["plan_offer"] = "offers" if is_present else folds
    return titles


def _is_swapping(repair: Repair) -> bool:
    """Whether a disk is to be found and taken out now."""
    step = repair.current
    return step is not None and step.kind in _SWAPPING and step.state is RepairStepState.NOW


# Rows


def _rows(about: ShownRepair, cells: int, room: int) -> Iterator[Row]:
    repair = about.repair
    alarm = tuple(_alarm(repair, cells))
    texts = {step.kind: _text(step, cells) for step in repair.steps}
    offers = sum(len(step.offers) for step in repair.steps if _is_open(about, step))
    told = _shares(about, texts, cells, room - len(alarm) - offers)
    # Offers come behind the text of their step, but not where its length would hide them.
    is_long = len(alarm) + offers + sum(told.values()) > room
    yield from alarm
    for step in repair.steps:
        yield from _step(about, step, texts[step.kind][: told[step.kind]], cells, is_long=is_long)


def _shares(
    about: ShownRepair, texts: dict[RepairStepKind, list[Line]], cells: int, room: int
) -> dict[RepairStepKind, int]:
    """How many lines of text each step gets: the open ones all, the others in turn what is left."""
    steps = about.repair.steps
    shares = {
        each.kind: len(texts[each.kind]) if _is_open(about, each) else min(1, len(texts[each.kind]))
        for each in steps
    }
    left = room - sum(shares.values())
    in_turn = sorted(steps, key=lambda each: _READ_FIRST.index(each.state))
    for is_whole in (False, True):  # the first sentence on each step comes before the rest on any
        for step in in_turn:
            wanted = len(texts[step.kind]) if is_whole else _first_lines(step, cells)
            more = max(0, min(left, wanted - shares[step.kind]))
            shares[step.kind] += more
            left -= more
    return shares


def _first_lines(step: RepairStep, cells: int) -> int:
    """Lines of the first sentence on a step."""
    return len(tuple(wrap(next(step_state_lines(step)), max(1, cells - FOUND_CELLS))))


def _text(step: RepairStep, cells: int) -> list[Line]:
    """What is told of a step, in lines."""
    room = max(1, cells - FOUND_CELLS)
    return [piece for each in step_state_lines(step) for piece in wrap(each, room)]


def _is_open(about: ShownRepair, step: RepairStep) -> bool:
    return step is about.repair.current or step.kind.value in about.unfolded


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


def first_offer(step: RepairStep) -> str | None:
    """The row of the first offer of a step; none while a resilver runs, which is best left alone."""
    return _offer_key(step, 0) if step.offers and step.kind is not RepairStepKind.RESILVER else None


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


def _step(
    about: ShownRepair, step: RepairStep, told: Sequence[Line], cells: int, *, is_long: bool
) -> Iterator[Row]:
    """A step with the lines that it gets, and with its offers where it is open."""
    room = max(1, cells - FOUND_CELLS)
    pieces = list(told)
    if len(pieces) < len(_text(step, cells)):
        pieces[-1] = fit((*pieces[-1], Span(" …", "dim")), room)
    texts = [
        Row(f"text {step.kind.value} {at}", line=(Span(" " * FOUND_CELLS), *piece), is_selectable=False)
        for at, piece in enumerate(pieces[1:])
    ]
    offers = tuple(_offers(about, step, cells)) if _is_open(about, step) else ()
    first = _first_lines(step, cells) - 1 if is_long else len(texts)
    yield Row(_step_key(step), line=(*step_name(step), *pieces[0]))
    yield from (*texts[:first], *offers, *texts[first:])


def _offers(about: ShownRepair, step: RepairStep, cells: int) -> Iterator[Row]:
    for at, offer in enumerate(step.offers):
        mark = ADVISED if _is_advised(about.repair, step, at) else OFFERED
        words = line((f"{mark} {offer.words}", "key" if mark == ADVISED else "text"))
        for number, piece in enumerate(wrap(words, max(1, cells - FOUND_CELLS + 2))):
            indent = Span(" " * (FOUND_CELLS if number else FOUND_CELLS - 2))
            key = f"more {step.kind.value} {at} {number}" if number else _offer_key(step, at)
            yield Row(key, line=(indent, *piece), is_selectable=not number)


def _is_advised(repair: Repair, step: RepairStep, at: int) -> bool:
    """Whether an offer is the advised one: none is while a resilver runs, or before a check by hand."""
    if step.is_by_hand or step.kind is RepairStepKind.RESILVER or step is not repair.current:
        return False
    if at or not step.offers:
        return False
    return not (step.act and step.offers[0].wants_disk)  # no disk to choose: one has to come first


def _pools(host: HostView, pool: str) -> tuple[PoolState, ...]:
    return tuple(each for each in host.state.pools if each.name == pool)
