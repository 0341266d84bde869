"""Advice screen: what an expert would say, the plan of each one key away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import proposed_intent
from zconsole.ui.flows.silence_finding import silence, unsilence
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.findings.finding_screens import FindingScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens_by_name import Want
from zconsole.views.findings import advice_page as views
from zconsole.views.findings.advice_list import NO_PLAN
from zconsole.views.findings.not_judged.silence_problems import silence_problems
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line


class AdviceScreen(ConsoleScreen):
    """Advice on all hosts."""

    PLACE = "advice"
    NOTES = (6, 12)
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def wants(self) -> frozenset[Want]:
        """Guests, and what lives on datasets; with that, settings that are not recent."""
        hosts = [host.state.host for host in self.shown.hosts] if self.shown is not None else []
        return frozenset(Want(what, host) for what in ("guests", "contents") for host in hosts)

    def page(self, view: View) -> Page:
        return views.page(view, silence_problems(self.console.config))

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return tuple(views.notes(view, key))

    def action_plan_advice(self) -> None:
        """Plan the action that follows the advice under the cursor, by the ordinary guard."""
        found = self._under_cursor()
        if found is None:
            return
        action = found.finding.advised.action if found.finding.advised is not None else None
        if action is None:
            self.say(f"{NO_PLAN}: w says what to do", "dim")
        else:
            self.console.complete(found.host.state.host, proposed_intent(action))

    def action_open(self) -> None:
        """A click on the row that is selected plans, as Enter does."""
        self.action_plan_advice()

    def action_in_full(self) -> None:
        """Show all that is said of the advice under the cursor."""
        found = self._under_cursor()
        if found is not None:
            self.app.push_screen(FindingScreen(found.host, found.finding))

    def action_silence(self) -> None:
        """Silence the finding under the cursor, or end its silence."""
        found = self._under_cursor()
        if found is None:
            return
        self.console.gate.expect_dialog()
        if found.silenced is None:
            self.run_worker(silence(self, found.host, found.finding), exclusive=True, group="silence")
        else:
            self.run_worker(unsilence(self, found.silenced.silence), exclusive=True, group="silence")

    def _under_cursor(self) -> views.AdvisedRow | None:
        return views.row_at(self.shown, self.rows.key) if self.shown is not None else None
