"""Alerts screen: what the user was called for, with times; Enter goes to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from textual.binding import BindingType

from zconsole.analysis.alerts.states_and_events_of_host import LINK_LOST, RUN_ENDED
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.alerts import alert_list as views
from zconsole.views.alerts.console_calls import ConsoleCall
from zconsole.views.findings.finding_list_and_detail import counts
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.copyable_values import CopyableValue, sentence_first
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import Line

UNLIKE_SILENCED: Final = (
    "acknowledged; the finding goes on counting: z in Findings (f) silences that until a time"
)
ALERT: Final = "Alert"
GUEST: Final = "guest-paused-io-error"


class AlertsScreen(ConsoleScreen):
    """Alerts, newest first."""

    PLACE = "alerts"
    WRAPS_ROWS = True
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def page(self, view: View) -> Page:
        alerts = self.console.alerts
        return views.page(alerts.calls, alerts.not_called_for(), counts(view), view.now)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return tuple(views.notes(self._call(key), view.now))

    def copyable(self) -> Iterable[CopyableValue]:
        """The sentence first, as of findings."""
        call = self._call(self.rows.key)
        if call is None:
            return super().copyable()
        of = call.pool or call.host
        return sentence_first(CopyableValue(ALERT, call.words), of, super().copyable())

    def action_open(self) -> None:
        """Go to what the alert is about."""
        self.action_go_to()

    def action_go_to(self) -> None:
        """Go to what the alert is about."""
        call = self._call(self.rows.key)
        if call is None:
            return
        if call.number:
            self.console.alerts.acknowledge([call.number])
        host = self.console.view().host(call.host)
        if call.is_of_repair:
            self.console.open_repair(call.host, call.pool)
        elif call.id == RUN_ENDED:
            self.console.open("journal")
        elif host is None or call.id == LINK_LOST or host.state.pool(call.pool) is None:
            self.say(f"{call.pool or call.host} has no screen of its own now", "dim")
        elif call.id == GUEST:
            self.console.open("guests", call.host)
        else:
            self.console.open_pool(call.host, call.pool)

    def action_acknowledge(self) -> None:
        """Acknowledge the alert under the cursor."""
        call = self._call(self.rows.key)
        if call is not None:
            self._acknowledge([call])
            self.draw()
            self.say(UNLIKE_SILENCED)

    def action_acknowledge_all(self) -> None:
        """Acknowledge all alerts, and the states that held before."""
        alerts = self.console.alerts
        unseen = [each for each in (*alerts.calls, *alerts.not_called_for()) if not each.is_seen]
        self._acknowledge(unseen)
        self.draw()
        self.say(f"{counted(len(unseen), 'alert')} acknowledged; the findings go on counting")

    def _acknowledge(self, calls: Sequence[ConsoleCall]) -> None:
        alerts = self.console.alerts
        alerts.acknowledge([each.number for each in calls if each.number])
        alerts.acknowledge_held([each.key for each in calls if not each.number and each.key is not None])

    def _call(self, key: str | None) -> ConsoleCall | None:
        alerts = self.console.alerts
        known = (*alerts.calls, *alerts.not_called_for())
        return next((each for each in known if views.key_of(each) == key), None)
