"""Repair screen: the steps of a guided repair, live, with the changes that the present step offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, TargetKind
from zconsole.actions.repair.journal_runs_of_repair import is_led_on
from zconsole.actions.repair.repairs_of_host import intent_of_offer
from zconsole.base.errors import UsageError
from zconsole.model.repair import Procedure, Repair, RepairOffer
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.repair_watch import repair_of, successor
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens_by_name import Want
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line
from zconsole.views.repair import one_repair_page as views
from zconsole.views.repair.one_repair_page import ShownRepair


class RepairScreen(ConsoleScreen):
    """One repair of a pool. `device` is a guid or a name in the pool; without one the most urgent repair.

    `asked` is a procedure on a sound vdev, in place of a repair.
    """

    PLACE = "repair"
    NEEDS_NUMBERS = True  # what to do now
    ABOUT = ("host", "pool")
    NOTES = (3, 5)
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, pool: str, device: str = "", asked: Procedure | None = None) -> None:
        super().__init__()
        self._asked = asked
        self._usable_before: int | None = None
        self.host = host
        self.pool = pool
        self._device = device
        self._repair: Repair | None = None  # the last one that was shown
        self._about: ShownRepair | None = None
        self._unfolded: frozenset[str] = frozenset()
        self._followed: object = None  # step of the repair on which the cursor was put

    # Contents

    def page(self, view: View) -> Page:
        host = view.host(self.host)
        self._about = None
        if host is None or host.state.pool(self.pool) is None:
            return views.no_repair(host, self.host, self.pool, view, None)
        watch = self.console.repairs.watch
        if self._asked is not None:
            return self._asked_page(host, self._asked, view)
        found = [each for each in watch.of(host.state, view.now, view.monotonic) if each.pool == self.pool]
        chosen = self._chosen(found)
        if chosen is None:
            if self._repair is not None:
                self._repair = watch.ended(host.state, self.pool, view.now) or self._repair
            ended = None if self._repair is None else watch.as_one(self._repair)
            return views.no_repair(host, self.host, self.pool, view, ended, self.app.size.width - 2)
        self._repair = chosen
        number = found.index(chosen) + 1
        self._about = ShownRepair(host, chosen, number, len(found), self._unfolded)
        return views.page(self._about, view, self.app.size.width - 2, self.rows.rows_shown)

    def _asked_page(self, host: HostView, asked: Procedure, view: View) -> Page:
        try:
            found = self.console.repairs.watch.asked(host.state, asked, view.now, view.monotonic)
        except UsageError:  # the vdev is gone
            return views.no_repair(host, self.host, self.pool, view, None)
        pool = host.state.pool(self.pool)
        usable = pool.pool.value.usable_bytes if pool is not None and pool.pool.value is not None else None
        self._usable_before = self._usable_before or usable
        self._repair = found
        gained = usable - self._usable_before if usable and self._usable_before else 0
        self._about = ShownRepair(host, found, unfolded=self._unfolded, gained_bytes=gained)
        return views.page(self._about, view, self.app.size.width - 2, self.rows.rows_shown)

    def _chosen(self, found: Sequence[Repair]) -> Repair | None:
        """The repair that is shown: the one from before as long as it lasts, then the next of the pool."""
        if self._repair is not None:
            return successor(self._repair, found) or next(iter(found), None)
        asked = repair_of(found, self.pool, self._device) if self._device else None
        return asked or next(iter(found), None)

    def wants(self) -> frozenset[Want]:
        """The guests too where the host is shut down for a swap: they stop with it."""
        is_cold = self._about is not None and not self._about.host.state.has_hot_swap
        guests = frozenset({Want("guests", self.host)}) if is_cold else frozenset()
        return guests | {Want("disks", self.host)}

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return views.notes(self._about, key) if self._about is not None else ()

    def unusable(self) -> frozenset[str]:
        gone = frozenset({"report"}) if self._repair is None else frozenset()
        return views.unusable_actions(self._about, self.rows.key) | gone

    def key_titles(self) -> dict[str, str]:
        return views.key_titles(self._about, self.rows.key)

    def show(self, view: View) -> None:
        super().show(view)
        if self.is_active:
            self.console.repairs.mark_as_seen(self.host, self.pool)

    def draw(self) -> None:
        """Draw; the cursor follows the repair to its present step."""
        super().draw()
        if self._about is None or not self._is_ready:
            return
        now = self._present_step()
        if now != self._followed:
            self._followed = now
            row = views.first_row(self._about.repair)
            if row is not None:
                self.rows.put_on(row)
                self._draw_words()

    def _present_step(self) -> object:
        """Identity of the step that is due."""
        if self._about is None:
            return None
        repair = self._about.repair
        current = repair.current
        return (repair.key, current.kind, current.is_by_hand) if current is not None else (repair.key,)

    def named(self, key: str) -> str:
        del key
        return "this offer"

    def asked_for(self) -> tuple[object, ...]:
        return (*super().asked_for(), self._unfolded, self._present_step())

    def subject(self) -> tuple[str, str]:
        return self.host, self.pool

    # Actions

    def action_open(self) -> None:
        """Do what Enter does; for a click."""
        self.action_plan_offer()

    def action_plan_offer(self) -> None:
        """Plan the offer under the cursor; of a step show all that it found."""
        if self._about is None:
            return
        repair = self._about.repair
        offer = views.offer_at(repair, self.rows.key)
        step = views.step_at(repair, self.rows.key)
        if offer is not None:
            self._plan(offer)
        elif step is not None and step is not repair.current:
            self._unfolded = self._unfolded ^ {step.kind.value}
            self.draw()
        elif step is not None:
            first = views.first_offer(step)
            if first is not None:
                self.rows.put_on(first)
                self._draw_words()
            self.say(views.waits(step), "dim")

    def action_other_disk(self) -> None:
        """Choose the disk for the replacement."""
        offer = self._offer(lambda each: each.wants_disk)
        if offer is None:
            self.say("this step does not need a disk", "dim")
        else:
            self._plan(offer)

    def action_read_test(self) -> None:
        """Read a little of the new disk before it is used."""
        steps = self._about.repair.steps if self._about is not None else ()
        disk = next((step.untested for step in steps if step.untested), "")
        if disk:
            self._test(disk)
        else:
            self.say("there is no new disk to test", "dim")

    def action_locate(self) -> None:
        """Plan to turn the locate LED of the disk on, or off after it was turned on here."""
        is_lit = self._repair is not None and is_led_on(self._repair.runs)
        offer = self._offer(
            lambda each: each.action == views.LOCATE and bool(dict(each.options).get("off")) == is_lit
        )
        if offer is None:
            self.say("this step has no locate LED to switch", "dim")
        else:
            self._plan(offer)

    def action_blink(self) -> None:
        """Make the activity light of the disk blink by reads."""
        disk = views.disk_of(self._about) if self._about is not None else None
        if self._repair is None or disk is None:
            self.say("the host does not see this disk", "dim")
            return
        from zconsole.ui.flows.activity_light import blink  # noqa: PLC0415  # rarely used

        self.console.gate.expect_dialog()
        self.console.run_worker(blink(self.console, self.host, self._repair.device, disk), name="blink")

    def action_hot_swap(self) -> None:
        """Say whether disks of this host can be swapped while it runs; kept."""
        self.say(self.console.repairs.swap_cold(self.host))
        self.draw()

    def action_next_repair(self) -> None:
        """Show the next repair of the pool."""
        if self._about is None or self._about.of < 2 or self.view is None:
            self.say(f"{self.pool} has no other repair", "dim")
            return
        state = self._about.host.state
        found = self.console.repairs.watch.of(state, self.view.now, self.view.monotonic)
        mine = [each for each in found if each.pool == self.pool]
        self._repair = mine[self._about.number % len(mine)]
        self._unfolded = frozenset()
        self.draw()

    def acted_on(self) -> tuple[str, Target] | str:
        """The device in repair."""
        if self._repair is None:
            return "there is no device here"
        device = self._repair.device
        return self.host, Target(TargetKind.LEAF, self.pool, device.name, device.guid)

    def serial(self) -> str:
        return self._repair.device.serial if self._repair is not None else ""

    def action_report(self) -> None:
        """Write a report for the ticket to a file."""
        if self._repair is None:
            self.say("there is no repair to report on", "dim")
            return
        from zconsole.ui.flows.repair_report import write_report  # noqa: PLC0415  # rarely used

        self.console.gate.expect_dialog()
        self.console.run_worker(
            write_report(self, self.console.repairs.watch.as_one(self._repair)), name="report"
        )

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)

    def action_refresh(self) -> None:
        """Read the host and the journal again."""
        self.console.repairs.read_journal()
        self.console.states.refresh(self.host)
        self.say("reading everything again")

    def _offer(self, fits: Callable[[RepairOffer], bool]) -> RepairOffer | None:
        """The first offer of that kind, of the present step before others."""
        if self._about is None:
            return None
        repair = self._about.repair
        steps = sorted(repair.steps, key=lambda each: each is not repair.current)
        return next((offer for step in steps for offer in step.offers if fits(offer)), None)

    def _plan(self, offer: RepairOffer) -> None:
        wanted = intent_of_offer(offer)
        if offer.wants_disk:
            self.console.choose_disk(self.host, wanted)
        else:
            self.console.carry_out(self.host, wanted)

    def _test(self, disk: str) -> None:
        from zconsole.ui.flows.read_test import run_read_test  # noqa: PLC0415  # rarely used

        self.console.gate.expect_dialog()
        self.console.run_worker(run_read_test(self, self.host, disk), name="read test")
