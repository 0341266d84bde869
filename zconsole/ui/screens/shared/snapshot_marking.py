"""Marking of snapshots in a list, and the space that the marked ones free together."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Mapping
from itertools import islice
from typing import Final, Protocol

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.snapshots.freed_by_marked_snapshots import MarkedSnapshots, marked
from zconsole.base.errors import ZConsoleError
from zconsole.collect.read_command_runner import in_words
from zconsole.model.dataset_names import dataset_of
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.screens.shared.lazy_snapshot_values import SnapshotValues
from zconsole.views.datasets.marked_snapshots import marks_line
from zconsole.views.layout.styled_text import Line

ASK_AFTER_S: Final = 0.3  # without another mark
MOST_AT_ONCE: Final = 10_000
FEW: Final = 2000  # marks that are summed at once; more of them in a thread


class MarkedList(Protocol):
    """List with snapshots that can be marked."""

    def graph(self) -> Graph | None:
        """The listing."""

    def snapshot(self) -> str | None:
        """The snapshot under the cursor, outside a clone's row."""

    def snapshots_to(self, start: str | None) -> Iterable[str] | None:
        """The snapshots from one to the cursor, or all visible ones; None where the first is not visible."""


class SnapshotMarks:
    """Marks of snapshots by full name; they survive filters, and disappear with their snapshots."""

    def __init__(
        self, screen: ConsoleScreen, of: tuple[str, str], shown: MarkedList, values: SnapshotValues
    ) -> None:
        """`of` is the host and the pool; `values` reads the values for the sum."""
        self.names: dict[str, None] = {}  # in the order of marking
        self._screen = screen
        self._of = of
        self._list = shown
        self._values = values
        self._last_marked: str | None = None
        self._counted: MarkedSnapshots | None = None
        self._frees: Mapping[str, int] | None = None
        self._frees_problem = ""

    def action_mark_one(self) -> None:
        """Mark or unmark the snapshot under the cursor, and go to the next row."""
        name = self._list.snapshot()
        if name is None:
            self._screen.say("only snapshots can be marked", "dim")
            return
        if name in self.names:
            del self.names[name]
        else:
            self.names[name] = None
        self._last_marked = name
        self._screen.rows.action_move(1)
        self._count()

    def action_mark_range(self) -> None:
        """Mark every snapshot from the last marked one to the one under the cursor."""
        if self._is_misworded():
            return
        names = self._list.snapshots_to(self._last_marked) if self._last_marked is not None else None
        if names is None:
            self._screen.say("Space marks the first; then v marks all from there to the cursor", "dim")
        else:
            self.mark(names)

    def action_mark_shown(self) -> None:
        """Mark every visible snapshot: all matches of a filter."""
        if self._is_misworded():
            return
        names = self._list.snapshots_to(None)
        if names is None:
            self._screen.say("the filter has not found all yet: nothing was marked", "dim")
        else:
            self.mark(names)

    def _is_misworded(self) -> bool:
        """Say that nothing is marked by a filter with a wrong word: more rows are shown than were meant."""
        if self._screen.is_misworded():
            self._screen.say("the filter has a wrong word: nothing was marked", "warn")
            return True
        return False

    def action_mark_none(self) -> None:
        """Remove all marks."""
        self.names.clear()
        self._last_marked = None
        self._screen.say("no marks", "dim")
        self._count()

    def mark(self, names: Iterable[str]) -> None:
        """Mark further snapshots, up to a limit."""
        before = len(self.names)
        some = iter(names)
        self.names.update(dict.fromkeys(islice(some, MOST_AT_ONCE)))
        more = "; not more at once" if next(some, None) is not None else ""
        self._screen.say(f"{len(self.names) - before} more marked{more}", "dim")
        self._count()

    def keep(self, known: Container[str], same: Container[str] = ()) -> None:
        """Take a new listing: marks of missing snapshots are removed. Datasets in `same` are unchanged."""
        if self.names:
            kept = {name: None for name in self.names if dataset_of(name) in same or name in known}
            if len(kept) < len(self.names) or not self._values.is_made_late():
                self.names = kept
                self._count()

    # What they free together

    def _count(self) -> None:
        """Sum the space that they free, and ask ZFS where it is not known to the byte."""
        self._counted = self._frees = None
        self._frees_problem = ""
        graph = self._list.graph()
        if graph is not None and len(self.names) <= FEW and not self._values.is_made_late():
            self._counted = marked(graph, self.names)
        self._screen.run_worker(self._ask_frees(graph, tuple(self.names)), group="frees", exclusive=True)
        self._screen.draw()

    async def _ask_frees(self, graph: Graph | None, names: tuple[str, ...]) -> None:
        if graph is None or not names:
            return
        if self._counted is None:
            self._frees_problem = await self._values.read_for(names)
            self._screen.draw()
            if self._frees_problem:
                return
            self._counted = await asyncio.to_thread(marked, graph, names)
            self._screen.draw()
        questions = self._counted.questions
        if questions:
            await asyncio.sleep(ASK_AFTER_S)
            try:
                answer = self._screen.console.queries.frees(*self._of, questions)
                self._frees = await asyncio.wrap_future(answer)
            except ZConsoleError as error:
                self._frees_problem = in_words(error)
            self._screen.draw()

    def words(self) -> Line:
        """The number of marks, and the space that they free; empty without marks."""
        return marks_line(len(self.names), self._counted, self._frees, self._frees_problem)
