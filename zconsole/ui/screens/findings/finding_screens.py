"""Findings screen: worst first, and one finding in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from textual.binding import BindingType

from zconsole.actions.intent import proposed_intent
from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.model.finding import Finding
from zconsole.ui.flows.choose_finding import silence_one_of, with_one_of
from zconsole.ui.flows.silence_finding import unsilence
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.findings import finding_list_and_detail as views
from zconsole.views.findings.advice import ADVICE
from zconsole.views.findings.advice_list import FREES, AdvicePoint, plan_words, without_plan
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.copyable_values import FINDING, CopyableValue, sentence_first
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.serial_in_device_name import serial_of_finding
from zconsole.views.layout.styled_text import Line
from zconsole.views.repair.remedy_of_finding import remedies

DONE_BY_HAND: Final = "What to do says how"


class FindingsScreen(ConsoleScreen):
    """All findings of all hosts."""

    PLACE = "findings"
    WRAPS_ROWS = True
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def page(self, view: View) -> Page:
        return views.page(view)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return views.notes(view, key)

    def unusable(self) -> frozenset[str]:
        """The repair, of a row that has none."""
        found = views.point_of(self.shown, self.rows.key) if self.shown is not None else None
        return frozenset() if found is not None and found[1].first.repaired_pool else frozenset({"repair"})

    def key_titles(self) -> dict[str, str]:
        return {} if self._silenced() is None else {"silence": "speak again"}

    def _silenced(self) -> SilencedFinding | None:
        return views.silenced_at(self.shown, self.rows.key) if self.shown is not None else None

    def serial(self) -> str:
        found = views.point_of(self.shown, self.rows.key) if self.shown is not None else None
        return serial_of_finding(found[1].first.evidence) if found is not None else ""

    def copyable(self) -> Iterable[CopyableValue]:
        """The sentence first, which one pastes into a ticket; then what it is on."""
        found = views.point_of(self.shown, self.rows.key) if self.shown is not None else None
        if found is None:
            return super().copyable()
        return copyable_finding(found[1].first, super().copyable())

    def action_open(self) -> None:
        """Show the evidence of the finding under the cursor."""
        found = views.point_of(self.shown, self.rows.key) if self.shown is not None else None
        if found is not None and self.shown is not None:
            self.app.push_screen(FindingScreen(*found, self.shown.now))

    def action_silence(self) -> None:
        """Silence the finding under the cursor, or end its silence."""
        found = views.point_of(self.shown, self.rows.key) if self.shown is not None else None
        quiet = self._silenced()
        if quiet is not None:
            self.console.gate.expect_dialog()
            self.run_worker(unsilence(self, quiet.silence), exclusive=True, group="silence")
        elif found is not None:
            host, point = found
            silence_one_of(self, host, point.findings)

    def action_repair(self) -> None:
        """Open the repair of the device of the finding under the cursor, or of its pool."""
        found = views.point_of(self.shown, self.rows.key) if self.shown is not None else None
        if found is not None:
            host, point = found
            repair(self, host, point.first)
        else:
            self.console.repair_called()


def copyable_finding(finding: Finding, others: Iterable[CopyableValue]) -> Iterator[CopyableValue]:
    """What can be copied of a finding, its sentence first."""
    return sentence_first(CopyableValue(FINDING, finding.sentence), finding.subject, others)


def repair(screen: ConsoleScreen, host: HostView, finding: Finding) -> None:
    """Open the repair that a finding asks for."""
    pool = finding.evidence.get("pool")
    named = [str(each) for each in (finding.evidence.get("vdev_guid"), finding.evidence.get("vdev")) if each]
    name = host.state.host
    if not isinstance(pool, str):
        screen.say("this finding is on no device of a pool", "dim")
    elif named and screen.console.repairs.of_device(name, pool, *named) is not None:
        screen.console.open_repair(name, pool, named[0])
    else:
        screen.console.repair_pool(name, pool)


async def plan_advice(screen: ConsoleScreen, host: HostView, finding: Finding) -> bool:
    """Plan the action that follows a piece of advice, by the ordinary guard; False to go back."""
    action = finding.advised.action if finding.advised is not None else None
    if action is None:
        how = without_plan(ADVICE[finding.id])
        screen.say(how if how == FREES else f"{how}; {DONE_BY_HAND}", "dim")
        return True
    wanted = proposed_intent(action)
    return await screen.console.within(host.state.host, lambda flow: flow.complete(wanted))


class FindingScreen(TextScreen):
    """Finding as it was when the screen was opened: the sentence, its meaning, the numbers.

    Of advice it is all that one rule says of a pool.
    """

    PLACE = "finding"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: HostView, point: AdvicePoint, now: float) -> None:
        super().__init__()
        self._host = host
        self._point = point
        self._finding = point.first
        self._remedy_of = remedies(host.state, now)
        self._planned = tuple(each for each in point.findings if plan_words(each))

    def unusable(self) -> frozenset[str]:
        """Enter where no plan and no repair follows, R where there is no repair."""
        can_follow = self._finding.advised is None or bool(self._planned)
        if self._finding.repaired_pool:
            return frozenset()
        return frozenset({"repair_device"} if can_follow else {"repair_device", "follow"})

    def serial(self) -> str:
        return serial_of_finding(self._finding.evidence)

    def copyable(self) -> Iterator[CopyableValue]:
        """The finding in a sentence, what it is on, and all that is said of it."""
        yield from copyable_finding(self._finding, super().copyable())

    def action_follow(self) -> None:
        """Plan what the advice says; without advice, open the repair."""
        if self._finding.advised is None or self._finding.repaired_pool:
            repair(self, self._host, self._finding)
        else:
            of = self._planned or (self._finding,)
            with_one_of(self, of, "Plan for", lambda finding: plan_advice(self, self._host, finding))

    def action_repair_device(self) -> None:
        """Open the repair of the device of the finding, or of its pool."""
        repair(self, self._host, self._finding)

    def heading(self) -> tuple[Line, Line]:
        return views.heading(self._host, self._point)

    def text(self) -> Sequence[Line]:
        return tuple(views.details(self._point, self._remedy_of))
