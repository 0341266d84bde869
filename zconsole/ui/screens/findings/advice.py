"""Advice screen: what an expert would say, the plan of each one key away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.ui.flows.choose_finding import silence_one_of, with_one_of
from zconsole.ui.flows.silence_finding import unsilence
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.findings.finding_screens import FindingScreen, copyable_finding, plan_advice
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens_by_name import Want
from zconsole.views.findings import advice_page as views
from zconsole.views.findings.not_judged.silence_problems import silence_problems
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.copyable_values import CopyableValue
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line


class AdviceScreen(ConsoleScreen):
    """Advice on all hosts."""

    PLACE = "advice"
    WRAPS_ROWS = True
    NOTES = (6, 12)
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def wants(self) -> frozenset[Want]:
        """Guests, and what lives on datasets; with that, settings that are not recent."""
        hosts = [host.state.host for host in self.shown.hosts] if self.shown is not None else []
        return frozenset(Want(what, host) for what in ("guests", "contents") for host in hosts)

    def is_filling(self, view: View) -> bool:
        """Until the user moves it the cursor is on the worst advice, also on one that is read last."""
        del view
        return True

    def page(self, view: View) -> Page:
        return views.page(view, silence_problems(self.console.config))

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return tuple(views.notes(view, key))

    def unusable(self) -> frozenset[str]:
        """All keys of a row, where there is none."""
        is_none = self._under_cursor() is None
        return frozenset({"plan_advice", "in_full", "silence"}) if is_none else frozenset()

    def key_titles(self) -> dict[str, str]:
        found = self._under_cursor()
        if found is None:
            return {}
        told = {} if found.planned else {"plan_advice": "what to do"}
        return told if found.silenced is None else told | {"silence": "speak again"}

    def copyable(self) -> Iterable[CopyableValue]:
        """The sentence first, as of other findings."""
        found = self._under_cursor()
        return super().copyable() if found is None else copyable_finding(found.finding, super().copyable())

    def action_plan_advice(self) -> None:
        """Plan the action that follows the advice under the cursor; without one show what to do by hand."""
        found = self._under_cursor()
        if found is not None and not found.planned:
            self.action_in_full()
        elif found is not None:
            with_one_of(
                self, found.planned, "Plan for", lambda finding: plan_advice(self, found.host, finding)
            )

    def action_open(self) -> None:
        """A click on the row that is selected does what Enter does."""
        self.action_plan_advice()

    def action_in_full(self) -> None:
        """Show all that is said of the advice under the cursor."""
        found = self._under_cursor()
        if found is not None and self.shown is not None:
            self.app.push_screen(FindingScreen(found.host, found.point, self.shown.now))

    def action_silence(self) -> None:
        """Silence the finding under the cursor, or end its silence."""
        found = self._under_cursor()
        if found is None:
            return
        if found.silenced is not None:
            self.console.gate.expect_dialog()
            self.run_worker(unsilence(self, found.silenced.silence), exclusive=True, group="silence")
        else:
            silence_one_of(self, found.host, found.point.findings)

    def _under_cursor(self) -> views.AdvisedRow | None:
        return views.row_at(self.shown, self.rows.key) if self.shown is not None else None
