"""Disks screen of a host, and the screen of one disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, TargetKind, target_of_vdev
from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.base.lazy_dataclass import dataclass
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.base_text_screen import TextScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens_by_name import Want
from zconsole.views.disks import disks_page as views
from zconsole.views.disks.disk_detail import disk_document, heading
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import EMPTY, Line, Lines, line


class DisksScreen(ConsoleScreen):
    """Every disk of a host, worst first; read again when it opens, and at each plug and pull."""

    PLACE = "disks"
    ABOUT = ("host",)
    NOTES = (4, 8)
    FILTER_HINT = "serial, model, bay, pool or state"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str) -> None:
        super().__init__()
        self.host = host
        self._disks: tuple[HostDisk, ...] = ()
        self._is_map_first = False

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("disks", self.host)})

    def page(self, view: View) -> Page:
        self._disks = views.shown_disks(view, self.host)
        return views.page(view, self.host, self._disks, is_map_first=self._is_map_first)

    def lines(self, page: Page) -> tuple[Lines, Line]:
        drawn, titles = super().lines(page)
        return (BelowMap(drawn, titles), EMPTY) if self._is_map_first and titles else (drawn, titles)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return tuple(views.notes(self._disks, key))

    def named(self, key: str) -> str:
        disk = views.disk_at(self._disks, key)
        return disk.serial if disk is not None else key.rpartition("\0")[2]

    def subject(self) -> tuple[str, str]:
        disk = views.disk_at(self._disks, self.rows.key)
        return self.host, disk.pool.name if disk is not None and disk.pool is not None else ""

    def serial(self) -> str:
        disk = views.disk_at(self._disks, self.rows.key)
        return disk.serial if disk is not None else ""

    def action_open(self) -> None:
        """Show everything known of the disk under the cursor."""
        if views.disk_at(self._disks, self.rows.key) is not None:
            self.console.open("disk", self.host, self.rows.key)

    def action_shelf(self) -> None:
        """Show the map of the shelves above the list, or below it again."""
        self._is_map_first = not self._is_map_first
        self.draw()
        self.rows.action_jump(0)

    def acted_on(self) -> tuple[str, Target] | str:
        """The disk under the cursor in its pool."""
        return self.host, in_pool_or_host(self.host, views.disk_at(self._disks, self.rows.key))

    def action_repair(self) -> None:
        """Open the repair of the disk under the cursor; of a sound disk plan its replacement."""
        repair(self, self.host, views.disk_at(self._disks, self.rows.key))

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)


@dataclass(frozen=True, slots=True)
class BelowMap:
    """Lines of the list below the map of the shelves, with the titles of its columns between."""

    drawn: Lines
    titles: Line

    def __len__(self) -> int:
        return len(self.drawn)

    def line(self, index: int) -> Line:
        return self.titles if self.key(index) == views.NO_ROW.key else self.drawn.line(index)

    def key(self, index: int) -> str:
        return self.drawn.key(index)

    def is_selectable(self, index: int) -> bool:
        return self.drawn.is_selectable(index)


class DiskScreen(TextScreen):
    """One disk, live."""

    PLACE = "disk"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, key: str) -> None:
        super().__init__()
        self.host = host
        self._key = key
        self._disk: HostDisk | None = None
        self._is_gone = False

    def wants(self) -> frozenset[Want]:
        return frozenset({Want("disks", self.host)})

    def page(self, view: View) -> Page:
        found = views.disk_at(views.shown_disks(view, self.host), self._key)
        self._is_gone = found is None
        self._disk = found or self._disk
        return super().page(view)

    def heading(self) -> tuple[Line, Line]:
        if self._disk is None:
            return line((self.host, "title")), EMPTY
        first, second = heading(self.host, self._disk)
        return first, line(
            ("this disk is gone; what follows was known before", "bad")
        ) if self._is_gone else second

    def text(self) -> Sequence[Line]:
        if self._disk is None or self.shown is None:
            return ()
        return tuple(disk_document(self._disk, self.shown.now))

    def serial(self) -> str:
        return self._disk.serial if self._disk is not None else ""

    def acted_on(self) -> tuple[str, Target] | str:
        """This disk in its pool."""
        return self.host, in_pool_or_host(self.host, self._disk)

    def action_repair(self) -> None:
        """Open the repair of this disk; of a sound disk plan its replacement."""
        repair(self, self.host, self._disk)

    def action_unlock(self) -> None:
        """Allow changes on this host for a while."""
        self.console.unlock(self.host)


def in_pool_or_host(host: str, disk: HostDisk | None) -> Target:
    """A disk in its pool; the host where it serves none."""
    if disk is not None and disk.pool is not None and disk.leaf is not None:
        return target_of_vdev(disk.pool, disk.leaf)
    return Target(TargetKind.HOST, "", host)


def repair(screen: ConsoleScreen, host: str, disk: HostDisk | None) -> None:
    """Open the repair of a disk in its pool; of a sound disk plan its replacement."""
    if disk is not None and disk.pool is not None and disk.leaf is not None:
        screen.console.repair_device(host, target_of_vdev(disk.pool, disk.leaf))
    else:
        screen.say("this disk serves no pool: there is nothing to repair", "dim")
