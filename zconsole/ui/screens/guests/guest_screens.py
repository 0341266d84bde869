"""Guests screen of a host, and the screen of one guest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.analysis.guests.where_to_free_space import dataset_to_look_at, where_to_free
from zconsole.model.dataset_names import pool_of
from zconsole.model.guests.guest import Guest, GuestState, word_for
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens_by_name import Want
from zconsole.views.datasets.free_space_proposal import ReclaimAnswer
from zconsole.views.guests import guests_page as views
from zconsole.views.guests.guest_detail import GuestHost, guest_document, heading
from zconsole.views.guests.guest_list import row_key
from zconsole.views.guests.pools_and_copies_of_guest import datasets_of
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import EMPTY, Line, line


class GuestsScreen(ConsoleScreen):
    """Every guest of a host, those in trouble first; read at libvirt's events while it is in front."""

    PLACE = "guests"
    ABOUT = ("host",)
    NOTES = (5, 8)
    FILTER_HINT = "name, state, dataset or path"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str) -> None:
        super().__init__()
        self.host = host
        self._guests: tuple[Guest, ...] = ()

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("guests", self.host)})

    def page(self, view: View) -> Page:
        self._guests = views.shown_guests(view, self.host)
        return views.page(view, self.host, self._guests, self.app.size.width - 2)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        host = view.host(self.host)
        if host is None:
            return ()
        return tuple(views.notes(self._guests, key, host.findings, host.state))

    def named(self, key: str) -> str:
        guest = views.guest_at(self._guests, key)
        return guest.name if guest is not None else key

    def subject(self) -> tuple[str, str]:
        return self.host, ""

    def unusable(self) -> frozenset[str]:
        """What the guest under the cursor gives no cause for: to resume it, to look at its dataset."""
        return _unusable(views.guest_at(self._guests, self.rows.key))

    def action_open(self) -> None:
        """Show everything known of the guest under the cursor."""
        guest = views.guest_at(self._guests, self.rows.key)
        if guest is not None:
            self.app.push_screen(GuestScreen(self.host, guest))

    def acted_on(self) -> tuple[str, Target] | str:
        """The guest under the cursor."""
        guest = views.guest_at(self._guests, self.rows.key)
        return "there is no guest under the cursor" if guest is None else _acted_on(self, self.host, guest)

    def action_resume_guest(self) -> None:
        """Plan to resume the guest under the cursor."""
        _resume(self, self.host, views.guest_at(self._guests, self.rows.key))

    def action_guest_dataset(self) -> None:
        """Show the dataset that the guest under the cursor is on."""
        _show_dataset(self, self.host, views.guest_at(self._guests, self.rows.key))

    def action_reclaim(self) -> None:
        """Find snapshots that free space for the guest under the cursor, and plan their destruction."""
        _free_space(self, self.host, views.guest_at(self._guests, self.rows.key))

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)


class GuestScreen(TextScreen):
    """One guest, live."""

    PLACE = "guest"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, guest: Guest) -> None:
        super().__init__()
        self.host = host
        self._guest = guest
        self._is_gone = False

    def wants(self) -> frozenset[Want]:
        first = datasets_of(self._guest)[:1]  # the datasets of one pool are read, that of its first disk
        return frozenset(
            {Want("guests", self.host), *(Want("objsets", self.host, pool_of(each)) for each in first)}
        )

    def page(self, view: View) -> Page:
        found = views.guest_at(views.shown_guests(view, self.host), row_key(self._guest))
        self._is_gone = found is None
        self._guest = found or self._guest
        return super().page(view)

    def heading(self) -> tuple[Line, Line]:
        first, second = heading(self.host, self._guest)
        gone = line(("this guest is gone; what follows was known before", "bad"))
        return first, gone if self._is_gone else second or EMPTY

    def unusable(self) -> frozenset[str]:
        """What this guest gives no cause for."""
        return _unusable(self._guest)

    def text(self) -> Sequence[Line]:
        among = views.shown_guests(self.shown, self.host) if self.shown is not None else ()
        host = self.shown.host(self.host) if self.shown is not None else None
        on = None if host is None else GuestHost(host.state, host.findings, self.console.states.now())
        return tuple(guest_document(self._guest, among, on=on))

    def acted_on(self) -> tuple[str, Target] | str:
        """This guest."""
        return _acted_on(self, self.host, self._guest)

    def action_resume_guest(self) -> None:
        """Plan to resume this guest."""
        _resume(self, self.host, self._guest)

    def action_guest_dataset(self) -> None:
        """Show the dataset that this guest is on."""
        _show_dataset(self, self.host, self._guest)

    def action_reclaim(self) -> None:
        """Find snapshots that free space for this guest, and plan their destruction."""
        _free_space(self, self.host, self._guest)

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)


def _unusable(guest: Guest | None) -> frozenset[str]:
    """Actions that only say why they do nothing for a guest."""
    if guest is None:
        return frozenset({"open", "act", "resume_guest", "guest_dataset", "reclaim"})
    is_paused = guest.is_of_libvirt and guest.status.state is GuestState.PAUSED
    unusable = frozenset() if is_paused else frozenset({"resume_guest"})
    return unusable if dataset_to_look_at(guest) else unusable | {"guest_dataset", "reclaim"}


def _word(screen: ConsoleScreen, host: str, guest: Guest) -> str:
    """The word that names a guest in a plan, unlike the others of its host."""
    others = views.shown_guests(screen.shown, host) if screen.shown is not None else ()
    return word_for(guest, others)


def _acted_on(screen: ConsoleScreen, host: str, guest: Guest) -> tuple[str, Target] | str:
    """A guest as the object of actions; why a container is none."""
    if guest.is_of_libvirt:
        return host, Target(TargetKind.GUEST, "", _word(screen, host, guest))
    return _of_container(guest)


def _of_container(guest: Guest) -> str:
    return f"its own commands stop and start it: {guest.definition.connection}"


def _resume(screen: ConsoleScreen, host: str, guest: Guest | None) -> None:
    """Plan to resume a guest; its plan refuses one that is not paused."""
    if guest is None:
        screen.say("there is no guest under the cursor", "dim")
    elif not guest.is_of_libvirt:
        screen.say(_of_container(guest), "dim")
    else:
        screen.console.carry_out(host, Intent("guest-resume", _word(screen, host, guest)))


def _show_dataset(screen: ConsoleScreen, host: str, guest: Guest | None) -> None:
    """Open Datasets at what a guest's disks are on: that of a disk with an error before the others."""
    if guest is None:
        screen.say("there is no guest under the cursor", "dim")
    elif place := dataset_to_look_at(guest):
        screen.console.open("datasets", host, pool_of(place), place)
    else:
        screen.say(f"the disks of {guest.name} are on no dataset of this host, as far as is known", "dim")


def _free_space(screen: ConsoleScreen, host: str, guest: Guest | None) -> None:
    """Ask how much is needed for a guest, find snapshots that free it, and plan to destroy them."""
    if guest is None:
        screen.say("there is no guest under the cursor", "dim")
    elif place := where_to_free(guest):
        screen.console.gate.expect_dialog()
        screen.run_worker(_reclaim(screen, host, place), group="reclaim", exclusive=True)
    else:
        screen.say(f"the disks of {guest.name} are on no dataset of this host, as far as is known", "dim")


async def _reclaim(screen: ConsoleScreen, host: str, place: str) -> None:
    async def plan(answer: ReclaimAnswer) -> bool:
        names = answer.snapshots
        wanted = answer.instead or Intent("destroy", names[0], tuple(names[1:]))
        return await screen.console.within(host, lambda flow: flow.carry_out(wanted))

    await screen.console.ask_what_to_free(host, place, plan, can_mark=False)
