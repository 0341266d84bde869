"""Planning session as lines: the pool now, when it is full, and the parts below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Final

from zconsole.analysis.capacity.compute_planner_results import PlanningResults
from zconsole.analysis.capacity.planner_inputs import drive_text
from zconsole.analysis.capacity.scenario_figures_and_export import ScenarioFigures
from zconsole.analysis.forecast.forecast_sentences import span
from zconsole.base.fixed_width_formatting import used_percent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import both, in_used_units, with_digits
from zconsole.model.forecast import Forecast, LevelReached, Outlook
from zconsole.model.guests.guest import Guest
from zconsole.views.capacity.drives_to_buy_factor_by_factor import need_lines
from zconsole.views.capacity.forecast import forecast_lines, pace_words
from zconsole.views.capacity.layout_comparison import layout_lines, short
from zconsole.views.capacity.saved_scenario_comparison import kept_lines
from zconsole.views.capacity.table_units_and_lines import PRECISE, SizeUnit, size_unit
from zconsole.views.capacity.what_if import change_lines
from zconsole.views.layout.state_age_and_link_phrases import BAD, WARN, counted, join
from zconsole.views.layout.styled_text import EMPTY, Line, Span, fit, line, line_width, wrap_each

SIDE_BY_SIDE: Final = 140  # least cells for two parts side by side
PARTS: Final = {
    "forecast": "Forecast",
    "need": "Need",
    "layouts": "Layouts",
    "changes": "What if",
    "scenarios": "Scenarios side by side",
}
_GAP: Final = 3
_FULL_PERCENT: Final = 80
SOON_S: Final = 180 * 86400.0  # time left for a purchase


@dataclass(frozen=True, slots=True)
class PlannerState:
    """State of the planner at one moment. None is not computed or not read yet."""

    host: str
    pool: str
    used_bytes: int | None = None  # the pool now
    usable_bytes: int | None = None
    outlook: Outlook | None = None
    waits_for: str = ""  # what is read before anything is computed
    problem: str = ""  # why there is no forecast, or no pool to plan from
    answers: PlanningResults | None = None
    kept: tuple[ScenarioFigures, ...] = ()
    kept_problem: str = ""
    others: int = 0  # saved scenarios of other pools
    guests: tuple[Guest, ...] = ()  # of the host, as far as they were read

    @property
    def forecast(self) -> Forecast | None:
        """The forecast, if it has been read."""
        return None if self.outlook is None else self.outlook.forecast


def answer_line(session: PlannerState) -> Line:
    """The first line: the pool, and the date on which it is full."""
    about = line((session.host, "title"), (" · ", "dim"), (session.pool, "title"))
    return join([about, _when(session)])


def numbers_line(session: PlannerState) -> Line:
    """The second line: the used part and the growth rate."""
    used, usable = session.used_bytes, session.usable_bytes
    if used is None or usable is None or not usable:
        return line(("how full the pool is has not been read", "dim"))
    full = 100 * used / usable
    style = "bad" if full >= 90 else "warn" if full >= _FULL_PERCENT else "text"
    parts = [
        line(f"{both(used)} of {both(usable)}, ", (used_percent(full), style)),
        line((pace_words(session.forecast), "dim")),
    ]
    return join(parts)


def need_line(session: PlannerState, cells: int) -> Line:
    """The need in one line, factor by factor, and whether the pool that is there holds it.

    The numbers are in one unit, and as long as a check by hand takes. In a narrow line the product stands for
    the factors.
    """
    found = session.answers
    if found is None:
        return line((session.waits_for or "computing ...", "dim"))
    size = size_unit(found.wanted_bytes)
    factors = found.inputs.budget.of_usable
    product = with_digits(float(prod(each.value for each in factors)), PRECISE)
    chain = " ".join(f"x{with_digits(float(each.value), PRECISE)}" for each in factors)
    data = size.words(found.inputs.data_bytes, PRECISE)
    wanted = (f"{size.words(found.wanted_bytes)} usable", "title")
    needs = [line(("NEED ", "header"), f"{data} {each} = ", wanted) for each in (chain, f"x{product}")]
    choices = [
        join([need, verdict]) if verdict else need for verdict in _now(session, found, size) for need in needs
    ]
    return next((each for each in choices if line_width(each) <= cells), choices[-1])


def _now(session: PlannerState, found: PlanningResults, size: SizeUnit) -> Sequence[Line]:
    """Whether the pool that is there holds the need, in shorter and shorter words."""
    usable, pool = found.now_usable_bytes, session.pool
    if usable is None:
        return (EMPTY,)
    if found.is_held_already:
        return (
            line((f"{pool} has {size.words(usable)} and holds it: nothing to buy", "ok")),
            line((f"{pool} holds it: nothing to buy", "ok")),
            line(("nothing to buy", "ok")),
        )
    lacking = size.words(found.wanted_bytes - usable)
    if found.addition is not None:
        layout = found.addition.layout
        drives, added = counted(layout.drives, "drive"), short(layout.name)
        few = found.bays_lacking_to_add
        lacks_bays = line((f", {counted(few, 'bay')} more than there are", "warn")) if few else EMPTY
        more = f"add {added} to it, {drives}, and it has {size.words(found.addition.usable_bytes)}"
        too_little = f"{pool} has {size.words(usable)}, {lacking} too little"
        in_short = f"add {added}: {counted(few, 'bay')} too few" if few else f"{pool} lacks {lacking}"
        return (
            (*line((too_little, "warn"), f"; {more}"), *lacks_bays),
            (*line((f"{pool} lacks {lacking}", "warn"), f": add {added}, {drives}"), *lacks_bays),
            (*line((f"add {added} to {pool}, {drives}", "warn")), *lacks_bays),
            line((in_short, "warn")),
        )
    return (
        line((f"{pool} has {size.words(usable)}, {lacking} too little", "warn")),
        line((f"{pool} lacks {lacking}", "warn")),
    )


def proposal_line(session: PlannerState, cells: int) -> Line:
    """The smallest layout that holds the need, its drives, and whether the bays take them.

    Only what is advised has the mark of it. In a narrow line less is said.
    """
    found = session.answers
    if found is None:
        return EMPTY
    if found.proposal is None:
        return line((found.why, "warn"))
    layout, usable = found.proposal.layout, in_used_units(found.proposal.usable_bytes)
    new = line(("a new pool for it: ", "dim")) if found.is_held_already else EMPTY
    named = (*new, *line((f"▸ {short(layout.name)}", "ok"), f": {counted(layout.drives, 'drive')}"))
    sized = (*named, *line(f" of {drive_text(found.inputs.drive.size_bytes)}, {usable} usable"))
    choices = [(*sized, *line(each)) for each in _beside(found)]
    choices += [(*named, *line(f", {usable} usable{each}")) for each in _beside(found)[-2:]]
    choices += [(*named, *line(f", {usable}")), named, named[len(new) :]]
    return next((each for each in choices if line_width(each) <= cells), choices[-1])


def _beside(found: PlanningResults) -> Sequence[str]:
    """How the drives of the proposal go with the bays, in shorter and shorter words."""
    bays, drives = found.inputs.bays, 0 if found.proposal is None else found.proposal.layout.drives
    if found.bays_lacking:
        least = next(
            (each for each in found.candidates if found.is_enough(each) and each.layout.drives <= bays), None
        )
        few = f", {counted(found.bays_lacking, 'bay')} more than there are"
        if least is None:
            return (f"{few}: nothing smaller holds it", few)
        only = f": in the {bays} bays only {short(least.layout.name)} {WARN} holds it, advised against"
        return f"{few}{only}", few
    free = f"; {bays - drives} of {counted(bays, 'bay')} {'stays' if bays - drives == 1 else 'stay'} free"
    told = ", the smallest that holds it"
    less = "" if not found.slower else f"; {WARN} {found.slower}"
    short_less = "" if not found.slower else f"; {WARN} less random I/O than now"
    room = (f"{told}{free}",) if drives < bays else ()
    return tuple(
        f"{each}{slower}"
        for slower in dict.fromkeys((less, short_less))
        for each in (*room, told, ", the smallest")
    )


def parts(session: PlannerState, cells: int, *, is_tall: bool) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """The parts from top to bottom, each with its id; all lines fit into the width."""
    height = 12 if is_tall else 8
    if cells >= SIDE_BY_SIDE:
        half = (cells - _GAP) // 2
        left = (_heading("forecast", half), *_forecast(session, half, height))
        right = (_heading("need", half), *wrap_each(need_lines(session.answers, half), half))
        yield "forecast", _side_by_side(left, right, half)
        yield "need", ()
    else:
        yield (
            "forecast",
            (
                _heading("forecast", cells),
                *_forecast(session, cells, height),
            ),
        )
        yield "need", (_heading("need", cells), *wrap_each(need_lines(session.answers, cells), cells))
    yield "layouts", (_heading("layouts", cells), *layout_lines(session.answers, cells))
    yield (
        "changes",
        (
            _heading("changes", cells),
            *change_lines(session.answers, session.forecast, session.used_bytes, session.usable_bytes, cells),
        ),
    )
    yield (
        "scenarios",
        (
            _heading("scenarios", cells),
            *kept_lines(session.kept, session.kept_problem, session.others, cells),
        ),
    )


def hint_line(title: str, problem: str, words: str) -> Line:
    """The line below the fields: the error of a field, or the format of the field with the focus."""
    if problem:
        return line((f"{BAD} {title}: ", "bad"), (problem, "bad"))
    return line((f"{title}: " if title else "", "header"), (words, "dim"))


def _when(session: PlannerState) -> Line:
    forecast = session.forecast
    if forecast is None:
        return (
            line((session.problem, "warn")) if session.problem else line(("reading its history ...", "dim"))
        )
    if forecast.trend is None:
        return line(("too little is known to say when it is full", "dim"))
    first, full = forecast.trend.passings[0], forecast.trend.passings[-1]
    if full.is_reached:
        return line((f"it is full {BAD}", "bad"))
    if first.likely is None and not first.is_reached:
        early = "" if first.earliest is None else f", range from {span(first.earliest - forecast.at)}"
        return line((f"{first.percent} % not within 10y", "title"), (early, "dim"))
    when = line((f"above {first.percent} % {WARN}", "warn"))
    if not first.is_reached:
        when = _passing(first, forecast.at)
        if first.earliest is not None:
            late = "over 10y" if first.latest is None else span(first.latest - forecast.at)
            when = (*when, *line((f" ({span(first.earliest - forecast.at)} to {late})", "dim")))
    return join([when, _passing(full, forecast.at)], ", ")


def _passing(passing: LevelReached, at: float) -> Line:
    """`80 % in 32 days`."""
    level = "full" if passing.percent == 100 else f"{passing.percent} %"
    if passing.likely is None:
        return line(f"{level} not within 10y")
    style = "warn" if passing.likely - at < SOON_S else "title"
    return line((f"{level} in {span(passing.likely - at)}", style))


def _forecast(session: PlannerState, cells: int, height: int) -> Iterator[Line]:
    """The forecast, or why there is none yet."""
    if session.forecast is not None:
        lines = forecast_lines(session.forecast, cells, height, session.guests)
    elif session.problem:
        lines = iter([line((session.problem, "warn"))])
    else:
        lines = iter([line(("Its history is being read ...", "dim"))])
    yield from wrap_each(lines, cells)


def _heading(part: str, cells: int) -> Line:
    title = line(("── ", "rule"), (PARTS[part], "section"), (" ", "rule"))
    return (*title, Span("─" * max(0, cells - line_width(title)), "rule"))


def _side_by_side(left: Sequence[Line], right: Sequence[Line], cells: int) -> tuple[Line, ...]:
    """Two parts side by side."""
    rows = []
    for at in range(max(len(left), len(right))):
        one = fit(left[at], cells) if at < len(left) else EMPTY
        other = fit(right[at], cells) if at < len(right) else EMPTY
        blank = Span(" " * (cells - line_width(one) + _GAP))
        rows.append((*one, blank, *other) if other else one)
    return tuple(rows)
