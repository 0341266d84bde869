"""Capacity planner screen: a session that begins with a live pool, fields on top, results below."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Input

from zconsole.analysis.capacity.compute_planner_results import PlanningResults, answers
from zconsole.analysis.capacity.planner_inputs import FIELDS, USUAL, read_inputs, usual_texts
from zconsole.analysis.capacity.scenario import Scenario
from zconsole.analysis.capacity.scenario_figures_and_export import ScenarioFigures, row_of
from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.analysis.pool_growth.live_pool import LivePool, today
from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.forecast import Outlook, Trend
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.space_samples import DatasetUse
from zconsole.storage.capacity_scenarios import ScenarioStore
from zconsole.storage.run_in_thread import patiently
from zconsole.ui.delayed_calls import Once
from zconsole.ui.flows.saved_scenarios import Planning
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.screens.shared.base_screen import LOWEST, with_margin
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens_by_name import Want
from zconsole.ui.widgets.form import Form
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.views.capacity import planner as views
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, Lines, fit, plain
from zconsole.views.layout.table import Table

if TYPE_CHECKING:
    from zconsole.views.layout.copyable_values import CopyableValue

AFTER_S: Final = 0.08  # without a key before computing: words are typed faster
LOW: Final = 16  # rows of a terminal up to which the fields are visible only while they have the focus
HIGH: Final = 40  # rows from which on the chart is taller
WHOLE: Final = 500  # cells in which nothing is left out
TYPED: Final = "what is typed"
WAITS: Final = "NEED: reading how much of the data snapshots hold ..."
_PART_OF: Final = {
    **dict.fromkeys(("data", "growth", "snapshots", "fill", "units", "redundancy", "systems"), "need"),
    **dict.fromkeys(("block", "drive", "bays", "price", "afr", "layouts"), "layouts"),
    "changes": "changes",
}
_FILLED: Final = ("data", "drive", "bays")  # from the pool
_NO_TABLE: Final = Table((), ())


@dataclass(frozen=True, slots=True)
class _Known:
    """Inputs of the results beside the fields."""

    now: LivePool | None
    uses: tuple[DatasetUse, ...]
    trend: Trend | None

    @property
    def used_bytes(self) -> int:
        """Of the pool now; 0 where it is not known."""
        return 0 if self.now is None else self.now.pool.usable_used_bytes or 0


class PlannerScreen(ConsoleScreen):
    """Planner that computes off the event loop and shows the results when they are ready."""

    PLACE = "planner"
    ABOUT = ("host", "pool")
    HAS_NOTES = False
    HAS_CURSOR = False
    AUTO_FOCUS = "#rows"  # not the first field: its focus scrolls to its results
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    DEFAULT_CSS = """
    PlannerScreen #hint { height: 1; }
    PlannerScreen #sum { height: 2; }
    """

    def __init__(self, host: str, pool: str, store: ScenarioStore | None = None) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self.store = store or ScenarioStore()
        self.kept: tuple[Scenario, ...] = ()
        self.rows_kept: tuple[ScenarioFigures, ...] = ()
        self._session = views.PlannerState(host, pool)
        self._today: LivePool | None = None
        self._is_met = False  # the pool was read, and its fields filled
        self._outlook: Outlook | None = None
        self._initial: dict[str, str] = dict(USUAL)
        self._filled: dict[str, str] = dict(USUAL)  # while nothing was typed
        self._good: dict[str, str] = dict(USUAL)  # the last valid texts, of a field in work that before it
        self._reading = {"outlook"}  # what the fields still wait for
        self._wrong: dict[str, str] = {}
        self._timer: Once | None = None
        self._places: dict[str, int] = {}  # row at which a part begins
        self._part = ""  # the action of the part that was chosen last
        paint = self.console.paint
        self.form = Form(paint, [(each.id, each.title, each.hint, each.is_wide) for each in FIELDS])
        self._hint = TextLines(paint, id="hint")
        self._sum = TextLines(paint, id="sum")

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield widget
            if widget is self._head:
                yield from (self.form, self._hint, self._sum)

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("guests", self.host)})

    def on_mount(self) -> None:
        self._filled = {**self._initial, **self.console.planned.get((self.host, self.pool), {})}
        self.form.fill(self._filled)
        super().on_mount()
        self._read_outlook()
        self._read_kept()

    def _arrange(self) -> None:
        super()._arrange()
        self.form.lay_out(self.app.size.width)
        self._show_form()

    def _show_form(self) -> None:
        is_typed_into = self.form.typed_into is not None
        self.form.display = self.app.size.height > LOW or is_typed_into
        self._hint.display = self.app.size.height >= LOWEST or is_typed_into or bool(self._wrong)
        self._sum.display = self.app.size.height >= LOWEST

    # Drawing

    def page(self, view: View) -> Page:
        pool, host = self._live(view), view.host(self.host)
        self._session = replace(
            self._session,
            guests=guests_and_containers(host.state) if host is not None else (),
            used_bytes=None if pool is None else pool.usable_used_bytes,
            usable_bytes=None if pool is None else pool.usable_bytes,
        )
        return Page(views.answer_line(self._session), EMPTY, views.numbers_line(self._session), _NO_TABLE)

    def lines(self, page: Page) -> tuple[Lines, Line]:
        del page
        cells = self.app.size.width - 2
        shown: list[Line] = []
        self._places = {}
        for part, lines in views.parts(self._session, cells, is_tall=self.app.size.height >= HIGH):
            self._places[part] = len(shown) if lines else self._places.get("forecast", 0)
            shown += [with_margin(each) for each in lines]
            shown += [EMPTY] if lines else []
        return FixedLines(tuple(shown)), EMPTY

    def copyable(self) -> Iterable[CopyableValue]:
        """The proposed layout and the need, as they are told where there is room."""
        from zconsole.views.layout.copyable_values import CopyableValue  # noqa: PLC0415  # of one key

        if self._session.answers is not None:
            yield CopyableValue(
                "Proposal", plain(views.proposal_line(self._session, WHOLE)).removeprefix("▸ ")
            )
            yield CopyableValue("Need", plain(views.need_line(self._session, WHOLE)))

    def _draw_words(self) -> bool:
        is_changed = super()._draw_words()
        cells = self.app.size.width
        answer = (views.need_line(self._session, cells - 2), views.proposal_line(self._session, cells - 2))
        is_changed |= self._sum.show(tuple(with_margin(fit(each, cells - 2)) for each in answer))
        return self._hint.show((with_margin(fit(self._hint_words(), cells - 2)),)) or is_changed

    def _hint_words(self) -> Line:
        field = self.form.typed_into or next(iter(self._wrong), None)
        if field is None:
            return views.hint_line("", "", "Enter types into the fields, Esc goes back to the answers.")
        about = next(each for each in FIELDS if each.id == field)
        wrong = self._wrong.get(field, "")
        counts = f" ({self._good[field] or 'none'} counts)" if wrong else ""
        return views.hint_line(f"{about.title}{counts}", wrong, about.help)

    def show(self, view: View) -> None:
        super().show(view)
        if not self._is_met and self._live(view) is not None:
            self._is_met = True
            self._meet()

    def repaint(self, paint: Paint) -> None:
        super().repaint(paint)
        for widget in (self.form, self._hint, self._sum):
            widget.repaint(paint)

    def _live(self, view: View) -> Pool | None:
        state = view.pool(self.host, self.pool)
        return None if state is None else state.pool.value

    # Reading

    @work(group="meet", exclusive=True)
    async def _meet(self) -> None:
        """Read the pool for the planner, and fill the fields from it."""
        pool = None if self.view is None else self._live(self.view)
        if pool is None:
            return
        self._reading.add("pool")
        try:
            self._today = await patiently(today, pool)
        except ZConsoleError as error:
            self._session = replace(self._session, problem=error.message)
        self._fill_from_pool("pool")

    @work(group="outlook", exclusive=True)
    async def _read_outlook(self) -> None:
        try:
            self._outlook = await asyncio.wrap_future(self.console.queries.outlook(self.host, self.pool))
        except ZConsoleError as error:
            self._session = replace(self._session, problem=error.message)
        else:
            self._session = replace(self._session, outlook=self._outlook, problem="")
        self._fill_from_pool("outlook")

    def _fill_from_pool(self, read: str) -> None:
        """Fill the fields that nobody has changed yet, now that more was read."""
        self._reading.discard(read)
        found = usual_texts(self._today, self._uses)
        typed = self.form.texts
        untouched = {field: found[field] for field in _FILLED if typed[field] == self._initial[field]}
        self._initial = found
        if self._session.answers is None:
            self._good.update({field: found[field] for field in _FILLED})
        self.form.fill(untouched)
        self._filled |= untouched
        self._soon()
        self.draw()

    @property
    def _uses(self) -> tuple[DatasetUse, ...]:
        return () if self._outlook is None else self._outlook.uses or ()

    @work(group="kept", exclusive=True)
    async def _read_kept(self) -> None:
        try:
            self.take_saved(await patiently(self.store.all))
        except ZConsoleError as error:
            self._session = replace(self._session, kept_problem=f"{error.message}. {error.hint}")
            self.draw()

    def take_saved(self, kept: tuple[Scenario, ...]) -> None:
        """Take the saved scenarios."""
        self.kept = kept
        self._session = replace(self._session, kept_problem="")
        self._soon()

    # Computing

    @on(Form.Changed)
    def _on_form_changed(self) -> None:
        """Compute, and keep what was typed for the next time that the planner of the pool is opened."""
        typed = {each: text for each, text in self.form.texts.items() if text != self._initial.get(each)}
        self.console.planned[self.host, self.pool] = typed
        self._soon()

    def _soon(self) -> None:
        """Compute once typing pauses."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = Once(self, AFTER_S, self._begin)

    def _begin(self) -> None:
        self._timer = None
        if self._reading and self._session.answers is None and self.form.texts == self._filled:
            self._session = replace(self._session, waits_for=WAITS)  # no number that changes at once
            self.draw()
        else:
            self._work_out()

    @property
    def is_settled(self) -> bool:
        """Whether nothing is being read or computed."""
        return self._timer is None and all(
            worker.is_finished for worker in self.workers if worker.node is self
        )

    @work(group="answers", exclusive=True)
    async def _work_out(self) -> None:
        texts = self.form.texts
        try:
            wrong, found, rows = await patiently(
                _answer, texts, dict(self._good), self._known(), self._mine()
            )
        except ZConsoleError as error:
            self.say(error.message, "warn")
            return
        self._wrong = wrong
        self._keep_valid(texts, wrong, but=self.form.typed_into)
        self.rows_kept = rows
        is_first = self._session.answers is None
        self._session = replace(
            self._session, answers=found, kept=rows, others=len(self.kept) - len(self._mine())
        )
        self.form.mark(wrong)
        self.draw()
        if is_first and self._part:  # it was asked for before there was anything to show
            self._go_to(self._part.removeprefix("part_"))

    def _keep_valid(self, texts: Mapping[str, str], wrong: Mapping[str, str], *, but: str | None) -> None:
        """Take over valid texts, but not that of a field in work: half a number is not what was meant."""
        valid = {field: text for field, text in texts.items() if field not in wrong and field != but}
        self._good.update(valid)

    def _known(self) -> _Known:
        trend = None if self._outlook is None else self._outlook.forecast.trend
        return _Known(self._today, self._uses, trend)

    def _mine(self) -> tuple[Scenario, ...]:
        return tuple(each for each in self.kept if (each.host, each.pool) == (self.host, self.pool))

    # Typing

    def action_edit(self) -> None:
        """Type into the first field."""
        self.form.display = True
        self.form.begin(next(iter(self._wrong), None))

    def on_descendant_focus(self) -> None:
        """Show the results of the focused field."""
        if not self._is_ready:
            return
        field, texts, known = self.form.typed_into, self.form.texts, self._known()
        self._keep_valid(texts, read_inputs(texts, self._good, known.trend, known.used_bytes)[1], but=None)
        self._show_form()
        if field is not None:
            self._go_to(_PART_OF[field])
        self._draw_words()

    def on_descendant_blur(self) -> None:
        if self._is_ready:
            self._draw_words()

    @on(Input.Submitted)
    def _on_submitted(self) -> None:
        self._stop_typing()

    def _stop_typing(self) -> None:
        self.rows.focus()
        self._show_form()
        self._draw_words()

    def on_key(self, event: events.Key) -> None:
        """Handle keys in a field: arrows go from field to field, Escape back to the results."""
        if self.form.typed_into is None:
            return
        if event.key == "escape":
            self._stop_typing()
        elif event.key in {"up", "down"}:
            self.form.step(1 if event.key == "down" else -1)
        elif event.key in {"pageup", "pagedown"}:
            self.rows.action_page(1 if event.key == "pagedown" else -1)
        else:
            return
        event.stop()
        event.prevent_default()

    # Parts

    def shown_view(self) -> str:
        """The part on top, once one was chosen."""
        return self._part

    def action_next_view(self) -> None:
        """Go to the next part; in the fields to the next field."""
        if self.form.typed_into is not None:
            self.app.action_focus_next()
        else:
            super().action_next_view()

    def action_view_before(self) -> None:
        """Go to the part before; in the fields to the field before."""
        if self.form.typed_into is not None:
            self.app.action_focus_previous()
        else:
            super().action_view_before()

    def _go_to(self, part: str) -> None:
        self._part = f"part_{part}"
        if part in self._places:
            self.rows.show_from(self._places[part])
            self._draw_words()

    def action_part_forecast(self) -> None:
        """Show the forecast."""
        self._go_to("forecast")

    def action_part_need(self) -> None:
        """Show the need, factor by factor."""
        self._go_to("need")

    def action_part_layouts(self) -> None:
        """Show the layouts side by side."""
        self._go_to("layouts")

    def action_part_changes(self) -> None:
        """Show the effects of changes."""
        self._go_to("changes")

    def action_part_scenarios(self) -> None:
        """Show the saved scenarios."""
        self._go_to("scenarios")

    # Scenarios

    def action_keep_scenario(self) -> None:
        """Save the fields under a name."""
        self.console.gate.expect_dialog()
        self._begin_flow(Planning(self.console, self).keep)

    def action_open_scenario(self) -> None:
        """Load a scenario into the fields."""
        self._begin_flow(Planning(self.console, self).open)

    def action_drop_scenario(self) -> None:
        """Delete a scenario."""
        self._begin_flow(Planning(self.console, self).drop)

    def action_export_scenarios(self) -> None:
        """Export scenarios to a file."""
        self._begin_flow(Planning(self.console, self).export)

    @work(group="scenarios", exclusive=True)
    async def _begin_flow(self, flow: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await flow()

    def action_reset_scenario(self) -> None:
        """Restore the initial fields."""
        self.form.fill(usual_texts(self._today, self._uses))
        self._soon()
        self.say("the fields are filled from the pool", "dim")

    def action_refresh(self) -> None:
        """Read the pool and its history again."""
        super().action_refresh()
        self._is_met = False
        self._read_outlook()


def _answer(
    texts: Mapping[str, str], good: Mapping[str, str], known: _Known, kept: Sequence[Scenario]
) -> tuple[dict[str, str], PlanningResults, tuple[ScenarioFigures, ...]]:
    """Compute everything, in a thread: errors, results, and the scenarios side by side."""
    inputs, wrong = read_inputs(texts, good, known.trend, known.used_bytes)
    found = answers(inputs, known.now, known.uses)
    rows = [row_of(TYPED, texts, found)]
    for each in kept:
        filled = {**USUAL, **each.texts}
        kept_inputs, _ = read_inputs(filled, USUAL, known.trend, known.used_bytes)
        rows.append(row_of(each.name, filled, answers(kept_inputs, known.now, known.uses)))
    return wrong, found, tuple(rows)
