"""Pools screen, the first one: all pools of all hosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, TargetKind, target_of_pool
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.time_travel import SampledPast, TimeTravel
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.escape_measure_cut_text import clean
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line
from zconsole.views.pools import pool_list as views


class PoolsScreen(ConsoleScreen):
    """Pools of all hosts, trouble on top."""

    PLACE = "pools"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    PARTS: ClassVar[Mapping[str, type]] = {"time": TimeTravel}

    def __init__(self) -> None:
        super().__init__()
        self._asked: set[tuple[str, str]] = set()  # host keys that the user was shown
        self.time = TimeTravel(self, SampledPast(self.console, self._timeline, self._shown_hosts))

    def _timeline(self) -> tuple[str, str] | None:
        """The pool under the cursor; without history, the first pool of its host that has one."""
        host, pool = self._selected()
        if not host:
            return None
        names = (
            each.name for state in self.console.states.newest() if state.host == host for each in state.pools
        )
        span = self.console.states.span
        return next(((host, name) for name in (pool, *names) if span(host, name) is not None), (host, pool))

    def _shown_hosts(self) -> Mapping[str, str | None]:
        return dict.fromkeys(state.host for state in self.console.states.newest())

    def page(self, view: View) -> Page:
        return views.page(view)

    def is_filling(self, view: View) -> bool:
        """Whether a host has not reported its pools yet, or not the status of each."""
        return any(_is_filling(host.state) for host in view.hosts)

    def named(self, key: str) -> str:
        host, pool = views.host_and_pool(key)
        return clean(pool.replace("\0", " ") or host)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        return views.notes(view, key)

    def show(self, view: View) -> None:
        super().show(view)
        if self.is_active:
            self._meet(view)

    def _meet(self, view: View) -> None:
        """Ask once about the key of a new host."""
        for host in view.hosts:
            fingerprint = host.state.link.fingerprint
            if fingerprint is not None and (host.state.host, fingerprint) not in self._asked:
                self._ask(host.state)
                return

    def _ask(self, host: HostState) -> None:
        if host.link.fingerprint is not None:
            self._asked.add((host.host, host.link.fingerprint))
            self.console.ask_host_key(host)

    def _selected(self) -> tuple[str, str]:
        return views.host_and_pool(self.rows.key)

    def action_open(self) -> None:
        """Open the pool under the cursor."""
        host, pool = self._selected()
        if host and pool and "\0" not in pool:
            self.console.open_pool(host, pool)
        elif host:
            self.action_host_key()

    def subject(self) -> tuple[str, str]:
        host, pool = self._selected()
        return host, "" if "\0" in pool else pool

    def action_unlock(self) -> None:
        """Allow changes on the host under the cursor for a while."""
        host, _ = self._selected()
        if host:
            self.console.unlock(host)

    def action_act(self) -> None:
        """Offer the actions of the pool under the cursor, or of its host."""
        host, pool = self._selected()
        if host:
            named = pool and "\0" not in pool
            self.console.act(host, target_of_pool(pool) if named else Target(TargetKind.HOST, "", host))

    def action_repair(self) -> None:
        """Open the repair of the pool under the cursor, or the one that the user was called for."""
        host, pool = self.subject()
        self.console.repair_pool(host, pool)

    def action_host_key(self) -> None:
        """Show the key of the host under the cursor, where it awaits an answer."""
        host = self.view.host(self._selected()[0]) if self.view is not None else None
        if host is None or host.state.link.fingerprint is None:
            self.say("no host key waits for an answer here", "dim")
        else:
            self._ask(host.state)

    def action_refresh(self) -> None:
        """Read again; try to connect to a disconnected host now."""
        host, pool = self._selected()
        if host and not pool:
            self.console.states.refresh(host)
            self.say("trying now")
        else:
            super().action_refresh()


def _is_filling(state: HostState) -> bool:
    """Whether the first readings will still move pools of a host."""
    match state.link.state:
        case LinkState.CONNECTING:
            return True
        case LinkState.UP:
            return state.pools_at is None or any(
                each.pool.taken_at is None and not each.pool.problem for each in state.pools
            )
        case _:
            return False
