"""Screen of the differences between a snapshot and its successor, from `zfs diff`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType

from zconsole.actions.intent import Target, TargetKind
from zconsole.analysis.snapshots.diff_summary import Differences, DiffSummary, below
from zconsole.base.errors import ZConsoleError
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.model.datasets.snapshot_contents import ChangeKind
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.datasets import snapshot_diff as views
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import Line


class DiffScreen(ConsoleScreen):
    """Comparison that begins with now as the other side; results are shown as they arrive."""

    PLACE = "diff"
    BINDINGS: ClassVar[list[BindingType]] = bindings(PLACE)

    def __init__(self, host: str, snapshots: Sequence[str], older: str) -> None:
        super().__init__()
        self._host = host
        self._snapshots = tuple(snapshots)
        dataset = dataset_of(older)
        self._pairs = _pairs(self._snapshots, older, dataset)
        self._compared = views.Compared(host, *self._pairs[0])
        self._opened: set[str] = set()
        self._asked: Future[Differences] | None = None

    def on_mount(self) -> None:
        self._begin()
        super().on_mount()

    def on_unmount(self) -> None:
        if self._asked is not None:
            self._asked.cancel()

    def page(self, view: View) -> Page:
        del view
        return views.page(self._compared, self._opened)

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return views.notes(self._compared, key)

    def asked_for(self) -> tuple[object, ...]:
        return *super().asked_for(), self._compared.newer, frozenset(self._opened)

    def action_open(self) -> None:
        """Show or hide the changes in the folder under the cursor."""
        folder = views.folder_of(self.rows.key)
        if folder is not None:
            self._opened ^= {folder}
            self.draw()

    def action_other_side(self) -> None:
        """Compare with the next snapshot, with now, or the previous snapshot with this one."""
        pair = (self._compared.older, self._compared.newer)
        at = self._pairs.index(pair)
        if len(self._pairs) == 1:
            self.say("there is no other snapshot to compare with", "dim")
            return
        self._compared = views.Compared(self._host, *self._pairs[(at + 1) % len(self._pairs)])
        self._begin()
        self.draw()

    def action_stop(self) -> None:
        """Stop the command; the results so far stay."""
        if self._asked is not None and not self._asked.done():
            self._asked.cancel()
            self._compared = replace(self._compared, is_stopped=True)
            self.draw()
        else:
            self.say("it is over", "dim")

    def action_browse(self) -> None:
        """Show the files of the older snapshot, in the folder under the cursor."""
        root = self._compared.summary.root if self._compared.summary is not None else ""
        path = below(views.folder_of(self.rows.key) or "", root)
        self.console.open_files(self._host, self._snapshots, self._compared.older, path)

    def acted_on(self) -> tuple[str, Target] | str:
        """The file under the cursor as it is in the older snapshot, to restore it."""
        change, summary = views.change_of(self._compared, self.rows.key), self._compared.summary
        if change is None or summary is None or change.kind is ChangeKind.ADDED:
            return "a restores what the snapshot has: a file that is gone, changed or renamed"
        older = self._compared.older
        path = below(change.path, summary.root)
        return self._host, Target(TargetKind.FILE, pool_of(older), older, path=path)

    def action_refresh(self) -> None:
        """Compare again."""
        self._begin()
        self.draw()

    def _begin(self) -> None:
        if self._asked is not None:
            self._asked.cancel()
        compared = self._compared = views.Compared(self._host, self._compared.older, self._compared.newer)

        def told(summary: DiffSummary) -> None:
            """Take progress; called on the collecting thread, or at once."""
            self.app.call_later(self._take, compared, summary)

        self._asked = self.console.queries.differences(self._host, compared.older, compared.newer, told)
        self.run_worker(self._show_the_end(compared, self._asked), name="diff", exclusive=True)

    def _take(self, asked: views.Compared, summary: DiffSummary) -> None:
        """Take the results so far, unless another comparison has begun."""
        now = self._compared
        if (now.older, now.newer) == (asked.older, asked.newer) and now.whole is None:
            if now.summary is None:
                self._opened.add(summary.root)
            self._compared = replace(now, summary=summary)
            self.draw()

    async def _show_the_end(self, asked: views.Compared, future: Future[Differences]) -> None:
        try:
            whole = await asyncio.wrap_future(future)
        except ZConsoleError as error:
            parts = (error.message, getattr(error, "said", ""), error.hint)
            self._compared = replace(asked, problem=" · ".join(part for part in parts if part))
        else:
            self._opened.add(whole.summary.root)
            self._compared = replace(asked, summary=whole.summary, whole=whole)
        self.draw()


def _pairs(snapshots: Sequence[str], older: str, dataset: str) -> tuple[tuple[str, str], ...]:
    """The pairs to compare, the first one first: now, the next snapshot, the previous one."""
    pairs = [(older, dataset)]
    if older in snapshots:
        at = snapshots.index(older)
        if at + 1 < len(snapshots):
            pairs.append((older, snapshots[at + 1]))
        if at:
            pairs.append((snapshots[at - 1], older))
    return tuple(pairs)
