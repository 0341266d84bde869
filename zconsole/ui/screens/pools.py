"""Pools screen, the first one: all pools of all hosts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import BindingType

from zconsole.actions.intent import Target, TargetKind, target_of_pool
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.base_screen import NOTES_LOW, RULE_AND_FOOTER_LINES, TALL
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.time_travel import SampledPast, TimeTravel
from zconsole.ui.screens_by_name import FIRST_SLOW_DISK, loaded
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.escape_measure_cut_text import clean
from zconsole.views.layout.labelled_paragraph import wrapped
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line, Lines
from zconsole.views.layout.table import Row, Table
from zconsole.views.pools import pool_list as views
from zconsole.views.pools.folded_hosts_and_groups import LOST, REST, UNGROUPED, ListRoom, group_key, is_folded
from zconsole.views.pools.pool_columns import BAR_CELLS, NAME_CELLS, WIDE, WIDE_BAR_CELLS, name_cells

if TYPE_CHECKING:
    from zconsole.model.datasets.dataset_settings import DatasetSettings
    from zconsole.ui.screens.shared.last_minutes_of_pools import LastMinutes
    from zconsole.views.layout.click_targets import ClickTarget
    from zconsole.views.overview.sections_below_pools import ToldBelow
    from zconsole.views.pools.pool_page import ShownPool
    from zconsole.views.pools.vdev_rows import VdevRow

DETAILS_LOW: Final = 2 * NOTES_LOW  # rows that the sections leave to the details of a pool
DETAILS_TALL: Final = 6
FRESH_CELLS: Final = 7  # ` live` at the end of the first line, and the margin
FULL: Final = frozenset(
    {"capacity-critical", "capacity-warning", "full-soon"}
)  # findings of a pool short of space
LEAST_FREE: Final = 3  # rows from which on sections are drawn


class PoolsScreen(ConsoleScreen):
    """Pools of all hosts, trouble on top."""

    PLACE = "pools"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)
    PARTS: ClassVar[Mapping[str, type]] = {"time": TimeTravel}

    def __init__(self) -> None:
        super().__init__()
        self._asked: set[tuple[str, str]] = set()  # host keys that the user was shown
        self._folding: dict[str, bool] = {}  # of hosts, and of groups by their keys
        self._chosen: tuple[str, str, str] | None = None  # a leaf on the wall: host, pool, its key
        self._last_minutes: LastMinutes | None = None
        self._room: ListRoom | None = None  # as it was drawn last
        self._listed = 0, 0  # rows of the list that match the filter, and all
        self._held: dict[tuple[str, str], tuple[tuple[DatasetSettings, ...], int]] = {}  # by snapshots
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
        """The list, and what there is room for below, of the rows that match, in their order."""
        is_whole = not self._shape.words
        cells, free = self.app.size.width - 1, self._rows_free()
        room = self._room = ListRoom(
            WIDE_BAR_CELLS if cells >= WIDE else BAR_CELLS,
            free if is_whole else None,
            dict(self._folding),
            cells - FRESH_CELLS,
            self._name_cells(view),
            self._snapshot_bytes(view),
        )
        page = views.page(view, room)
        listed = page.table.rows if is_whole else self._shape.of(page.table, view.now).rows
        self._listed = len(listed), len(page.table.rows)
        if self.time is not None and self.time.at is not None:
            return page
        if not self.console.is_first_frame_shown:
            return page
        left = free - len(listed)
        if left < LEAST_FREE or not any(pool.pool.value for host in view.hosts for pool in host.state.pools):
            return page
        return replace(page, table=self._with_sections(view, page.table, cells, left))

    def _with_sections(self, view: View, table: Table, cells: int, left: int) -> Table:
        """The list with the sections below it, in the cells and rows that are left."""
        from zconsole.views.overview.sections_below_pools import Room  # noqa: PLC0415  # behind the first frame

        listed = self._shape.of(table, view.now).rows
        is_sorted = self._shape.column is not None
        pools = tuple(views.host_and_pool(each.key) for each in listed)
        only = frozenset(pools) if self._shape.words else None
        below = self._told_below(view, listed)
        room = Room(cells, left, pools if is_sorted else (), only)
        rows = self._minutes().rows(view, room, self._chosen, below)
        return Table(table.columns, (*table.rows, *rows))

    def matching(self) -> tuple[int, int]:
        """How many rows of the list match the filter, and how many it has."""
        return self._listed

    def _told_below(self, view: View, rows: Sequence[Row]) -> ToldBelow:
        """What the details tell in full of the row under the cursor, in the lines that they always have."""
        told: list[Line] = []
        left = self._detail_lines
        from zconsole.views.overview.sections_below_pools import ToldBelow  # noqa: PLC0415  # behind the first frame

        key = self.rows.key or next((each.key for each in rows if each.is_selectable), None)
        words = self.notes(view, key)
        pieces = [(each, len(tuple(wrapped(each, self.app.size.width - 2)))) for each in words]
        is_cut = sum(lines for _, lines in pieces) > left
        for each, lines in pieces:
            left -= lines
            if left < 0 or (is_cut and left == 0):
                break
            told.append(each)
        return ToldBelow(views.host_and_pool(key)[0], tuple(told))

    @staticmethod
    def _name_cells(view: View) -> int:
        names = (name for host in view.hosts for name in (host.name, host.group))
        return name_cells(names) if len(view.hosts) > 1 else NAME_CELLS

    def _minutes(self) -> LastMinutes:
        """What is kept of the last minutes; loaded with the first pools, behind the first frame."""
        if self._last_minutes is None:
            from zconsole.ui.screens.shared.last_minutes_of_pools import (  # noqa: PLC0415  # behind the first frame
                LastMinutes,
            )

            self._last_minutes = LastMinutes(self.console.states, self.console.repairs.of_this_second)
        return self._last_minutes

    def _snapshot_bytes(self, view: View) -> dict[tuple[str, str], int]:
        """The space that only snapshots hold, of each pool whose datasets were read."""
        for host in view.hosts:
            for pool in host.state.pools:
                key, settings = (host.state.host, pool.name), pool.settings.value
                if settings is not None and (key not in self._held or self._held[key][0] is not settings):
                    self._held[key] = settings, sum(each.by_snapshots_bytes or 0 for each in settings)
        return {key: held for key, (_, held) in self._held.items()}

    def _rows_free(self) -> int:
        """The rows for the list and all below it, where the details keep some of theirs."""
        return self.app.size.height - self._head_lines - 1 - RULE_AND_FOOTER_LINES - self._detail_lines

    @property
    def _detail_lines(self) -> int:
        return DETAILS_TALL if self.app.size.height >= TALL else DETAILS_LOW

    def is_filling(self, view: View) -> bool:
        """Whether a host has not reported its pools yet, or not the status of each."""
        return any(_is_filling(host.state) for host in view.hosts)

    def put_on_host(self, host: str) -> None:
        """Put the cursor on a host; a group that is folded, and a filter, give way."""
        if self._seek_host(host):
            return
        found = self.view.host(host) if self.view is not None else None
        if found is not None:
            self._shape = replace(self._shape, words="")
            self._folding[group_key(found.group or UNGROUPED)] = False
            self.draw()
            self._seek_host(host)

    def _seek_host(self, host: str) -> bool:
        def found(lines: Lines, _at: int) -> int | None:
            places = range(len(lines))
            return next((at for at in places if views.host_and_pool(lines.key(at))[0] == host), None)

        return self.rows.seek(found)

    def named(self, key: str) -> str:
        host, pool = views.host_and_pool(key)
        return clean(pool.replace("\0", " ") or host)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        told = views.notes(view, key)
        chosen = self._chosen_words(view)
        return told if chosen is None else (chosen, *told)

    def _chosen_words(self, view: View) -> Line | None:
        """The disk that is chosen on the wall, while the cursor stands on its pool."""
        if self._chosen is None or self._chosen[:2] != self._selected():
            return None
        pool = view.pool(*self._chosen[:2])
        return None if pool is None else self._minutes().words(pool, self._chosen)

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
        """Open the pool under the cursor, at the disk that is chosen on the wall; unfold a host."""
        host, pool = self._selected()
        if host and pool and "\0" not in pool:
            is_chosen = self._chosen is not None and self._chosen[:2] == (host, pool)
            self.console.open_pool(host, pool, self._chosen[2] if self._chosen and is_chosen else "")
        elif host and self._awaits_answer(host):
            self.action_host_key()
        elif self.rows.key is not None:
            self._fold(host or self.rows.key)

    def _fold(self, key: str) -> None:
        """Fold a host or a group, or unfold it; a row of several of its hosts unfolds the group."""
        group = key.removesuffix(REST).removesuffix(LOST)
        if self.view is not None and self._room is not None:
            self._folding[group] = key == group and not is_folded(self.view, self._room, group)
            self.draw()
            self.rows.put_on(group if group != key else self.rows.key or "")

    def _awaits_answer(self, host: str) -> bool:
        found = self.view.host(host) if self.view is not None else None
        return found is not None and found.state.link.fingerprint is not None

    def action_disk_before(self) -> None:
        """Choose the disk before on the wall."""
        self._choose(-1)

    def action_disk_after(self) -> None:
        """Choose the next disk on the wall."""
        self._choose(1)

    def _choose(self, step: int) -> None:
        host, pool = self._selected()
        leaves = self._minutes().wall(host, pool).leaves
        keys = [leaf.key for leaf in leaves]
        if not keys or not self._minutes().is_drawn:
            self.say("no wall of disks is shown for this row", "dim")
            return
        if self._chosen is not None and self._chosen[:2] == (host, pool) and self._chosen[2] in keys:
            at = (keys.index(self._chosen[2]) + step) % len(keys)
        else:
            at = 0 if step > 0 else len(keys) - 1
        self._chosen = host, pool, keys[at]
        self.draw()

    def clicked(self, target: ClickTarget, *, is_again: bool) -> None:
        """Choose a disk on the wall, or a pool, as the arrows do; at the second click open it."""
        key = views.key_of(target.host, target.pool)
        if target.finding or is_again or not self.rows.has(key):
            super().clicked(target, is_again=True)
            return
        self.rows.put_on(key)
        self._chosen = (target.host, target.pool, target.leaf) if target.leaf else None
        self.draw()

    def serial(self) -> str:
        """That of the disk that is chosen on the wall, while the cursor stands on its pool."""
        from zconsole.views.pools.pool_page import serial_of_leaf  # noqa: PLC0415  # of one key

        host = self.shown.host(self._selected()[0]) if self.shown is not None else None
        if host is None or self._chosen is None or self._chosen[:2] != self._selected():
            return ""
        leaves = self._minutes().wall(*self._chosen[:2]).leaves
        leaf = next((each.vdev for each in leaves if each.key == self._chosen[2]), None)
        return "" if leaf is None else serial_of_leaf(host.state.inventory.value, leaf)

    def unusable(self) -> frozenset[str]:
        """What a pool needs no repair, evidence on a slow disk, or space for."""
        host, pool = self._selected()
        found = self.shown.host(host) if self.shown is not None else None
        findings = found.findings if found is not None else ()
        has_repair = any(each.repaired_pool == pool for each in findings)
        is_full = any(each.id in FULL and each.evidence.get("pool") == pool for each in findings)
        state = found.state.pool(pool) if found is not None else None
        has_slow = state is not None and bool(state.slow)
        needless = {"repair": not has_repair, "free_pool": not is_full, "why_slow_disk": not has_slow}
        return frozenset(action for action, is_needless in needless.items() if is_needless)

    def subject(self) -> tuple[str, str]:
        host, pool = self._selected()
        return host, "" if "\0" in pool else pool

    def action_unlock(self) -> None:
        """Allow changes on the host under the cursor for a while."""
        host, _ = self._selected()
        if host:
            self.console.unlock(host)

    def acted_on(self) -> tuple[str, Target] | str:
        """The pool under the cursor, or its host."""
        host, pool = self._selected()
        if not host:
            return "there is no host under the cursor"
        is_pool = pool and "\0" not in pool
        return host, target_of_pool(pool) if is_pool else Target(TargetKind.HOST, "", host)

    def action_repair(self) -> None:
        """Open the repair of the pool under the cursor, or the one that the user was called for."""
        host, pool = self.subject()
        self.console.repair_pool(host, pool)

    def action_why_slow_disk(self) -> None:
        """Show the evidence for the slow disk of the pool under the cursor; of several the first one."""
        found: tuple[ShownPool, VdevRow | None] | None = (
            None if self.view is None else loaded(FIRST_SLOW_DISK)(self.view, *self.subject())
        )
        if found is None:
            self.say("there is no pool under the cursor that was read", "dim")
        elif found[1] is None:
            self.say("no disk of this pool is known to be slow", "dim")
        else:
            self.console.open_why(*found)

    def action_free_pool(self) -> None:
        """Ask how much space to free in the pool under the cursor, on the screen of its datasets."""
        host, pool = self.subject()
        if host and pool:
            self.console.open("datasets", host, pool, None, "reclaim")
        else:
            self.say("there is no pool under the cursor", "dim")

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
