"""Planning session as lines: the pool now, when it is full, and the parts below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.capacity.compute_planner_results import PlanningResults
from zconsole.analysis.capacity.planner_inputs import drive_text
from zconsole.analysis.capacity.scenario_figures_and_export import ScenarioFigures
from zconsole.analysis.capacity.vdevs_to_buy import Purchase
from zconsole.analysis.forecast.forecast_sentences import span
from zconsole.analysis.pool_layouts.layout_comparison import Candidate
from zconsole.base.fixed_width_formatting import used_percent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import binary, both, decimal, in_used_units
from zconsole.model.forecast import Forecast, LevelReached, Outlook
from zconsole.model.guests.guest import Guest
from zconsole.views.capacity.drives_to_buy_factor_by_factor import need_lines
from zconsole.views.capacity.forecast import forecast_lines, pace_words
from zconsole.views.capacity.layout_comparison import layout_lines, short
from zconsole.views.capacity.saved_scenario_comparison import kept_lines
from zconsole.views.capacity.what_if import change_lines
from zconsole.views.layout.state_age_and_link_phrases import BAD, WARN, join
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
    """The need in one line: each factor, the total, and the layout that holds it with its space.

    In a narrow line the product stands for the factors, and the layout is said shorter.
    """
    found = session.answers
    if found is None:
        return line(("computing ...", "dim"))
    budget, raw = found.inputs.budget, (decimal(found.raw_bytes), "title")
    begin = (("NEED ", "header"), f"{in_used_units(found.inputs.data_bytes)} ")
    chain = " ".join(f"x{float(factor.value):.3g}" for factor in budget.factors)
    needs = [line(*begin, f"{each} = ", raw) for each in (chain, f"x{float(budget.product):.4g}")]
    choices = [join([need, verdict]) for verdict in _holder(found) for need in needs]
    return next((each for each in choices if line_width(each) <= cells), choices[-1])


def _holder(found: PlanningResults) -> Sequence[Line]:
    """The layout to take, in these bays or in more; only then what holds the data and is advised against.

    In shorter and shorter words. Only what is advised has the mark of it.
    """
    if found.pick is not None:
        named = (f"▸ {short(found.pick.layout.name)}", "ok")
        usable = f"{in_used_units(found.pick.usable_bytes)} usable"
        return line(named, f" holds it, {usable}"), line(named, " holds it")
    holding = [each for each in found.candidates if found.is_enough(each)]
    if found.advised_purchase is not None:
        return _to_buy(found, found.advised_purchase, holding)
    if holding:
        smallest = min(holding, key=lambda each: each.usable_bytes)
        named = (f"{short(smallest.layout.name)} {WARN}", "warn")
        return (
            line(named, f" holds it, {in_used_units(smallest.usable_bytes)} usable, but is advised against"),
            line(named, " holds it, but is advised against"),
            line(named, " is advised against"),
        )
    if found.bought is not None:
        layout = found.bought.layout
        named = (f"{short(layout.name)} {WARN}: {layout.drives} drives", "warn")
        return (
            line(named, f", {in_used_units(found.bought.usable_bytes)} usable, but advised against"),
            line(named, ", advised against"),
        )
    return (line(("no pool that can be planned holds it", "warn")),)


def _to_buy(found: PlanningResults, bought: Purchase, holding: Sequence[Candidate]) -> Sequence[Line]:
    """What to buy for more bays than these, and beside it what would fit in them."""
    layout, usable = bought.layout, bought.usable_bytes
    named = (f"▸ {short(layout.name)}: {layout.drives} drives", "ok")
    sized = line(named, f" of {drive_text(found.inputs.drive.size_bytes)}, {in_used_units(usable)} usable")
    told = [
        line(named, f", {decimal(usable)} ({binary(usable)}) usable"),
        line(named, f", {in_used_units(usable)} usable"),
        line(named, f", {in_used_units(usable)}"),
        line(named),
    ]
    if not holding:
        return (line(*told[0], ", the smallest that holds it"), *told)
    smallest = min(holding, key=lambda each: each.usable_bytes)
    against = (f"{short(smallest.layout.name)} {WARN}", "warn")
    bays = f"in the {found.inputs.bays} bays"
    only = "only " if len(holding) == 1 else ""
    return (
        join([sized, line(f"{bays} {only}", against, ", advised against")]),
        join([told[1], line(f"{bays} ", against, " is advised against")]),
        *told,
    )


def parts(session: PlannerState, cells: int, *, is_tall: bool) -> Iterator[tuple[str, tuple[Line, ...]]]:
    """The parts from top to bottom, each with its id; all lines fit into the width."""
    height = 12 if is_tall else 8
    if cells >= SIDE_BY_SIDE:
        half = (cells - _GAP) // 2
        left = (_heading("forecast", half), *_forecast(session, half, height))
        right = (_heading("need", half), *wrap_each(need_lines(session.answers, half), half))
        yield "forecast", _beside(left, right, half)
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
        early = "" if first.earliest is None else f", at the earliest in {span(first.earliest - forecast.at)}"
        return line((f"{first.percent} % not within 10 years", "title"), (early, "dim"))
    when = line((f"above {first.percent} % {WARN}", "warn"))
    if not first.is_reached:
        when = _passing(first, forecast.at)
        if first.earliest is not None:
            late = "over 10 years" if first.latest is None else span(first.latest - forecast.at)
            when = (*when, *line((f" ({span(first.earliest - forecast.at)} to {late})", "dim")))
    return join([when, _passing(full, forecast.at)], ", ")


def _passing(passing: LevelReached, at: float) -> Line:
    """`80 % in 32 days`."""
    level = "full" if passing.percent == 100 else f"{passing.percent} %"
    if passing.likely is None:
        return line(f"{level} not within 10 years")
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


def _beside(left: Sequence[Line], right: Sequence[Line], cells: int) -> tuple[Line, ...]:
    """Two parts side by side."""
    rows = []
    for at in range(max(len(left), len(right))):
        one = fit(left[at], cells) if at < len(left) else EMPTY
        other = fit(right[at], cells) if at < len(right) else EMPTY
        blank = Span(" " * (cells - line_width(one) + _GAP))
        rows.append((*one, blank, *other) if other else one)
    return tuple(rows)
