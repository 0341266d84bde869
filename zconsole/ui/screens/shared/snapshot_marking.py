"""A list whose snapshots can be marked, and that says what the marked ones free together."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Iterable, Mapping
from itertools import islice
from typing import Final

from textual import events

from zconsole.analysis.dependencies.closure import Graph
from zconsole.analysis.snapshots.marked_set import Marked, marked
from zconsole.base.errors import ZConsoleError
from zconsole.collect.ask import in_words
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.views.datasets.marked_snapshots import marks_line
from zconsole.views.layout.styled_text import Line

ASK_AFTER_S: Final = 0.3  # without another mark
MOST_AT_ONCE: Final = 10_000
FEW: Final = 2000  # marks that are added up at once; more of them in a thread


class MarkingScreen(ConsoleScreen):
    """Marks are full names of snapshots; they outlive filters, and go with what they were on."""

    def __init__(self, host: str, pool: str) -> None:
        super().__init__()
        self.host = host
        self.pool = pool
        self.marks: dict[str, None] = {}  # in the order of marking
        self._last_marked: str | None = None
        self._counted: Marked | None = None
        self._frees: Mapping[str, int] | None = None
        self._frees_problem = ""

    # What the list knows; overridden

    def hung(self) -> Graph | None:
        """What was listed."""
        raise NotImplementedError

    def snapshot(self) -> str | None:
        """The snapshot under the cursor, on its own place."""
        raise NotImplementedError

    def snapshots_to(self, start: str | None) -> Iterable[str] | None:
        """Those from one to the cursor, or all that are shown; None where the first is not shown."""
        raise NotImplementedError

    def is_made_late(self) -> bool:
        """Whether adding up has to wait for what is read of the snapshots then."""
        return False

    async def read_for(self, names: Iterable[str]) -> str:
        """Read what it takes to add up these; why that cannot be done, or nothing."""
        del names
        return ""

    # Marking

    def on_key(self, event: events.Key) -> None:
        """Space marks here; in other lists it turns the page."""
        if event.key == "space" and self.rows.has_focus:
            event.stop()
            event.prevent_default()
            self.action_mark_one()

    def action_mark_one(self) -> None:
        """Mark the snapshot under the cursor, or no longer, and go on to the next row."""
        name = self.snapshot()
        if name is None:
            self.say("only snapshots can be marked", "dim")
            return
        if name in self.marks:
            del self.marks[name]
        else:
            self.marks[name] = None
        self._last_marked = name
        self.rows.action_move(1)
        self.count_marks()

    def action_mark_range(self) -> None:
        """Mark every snapshot from the one marked last to the one under the cursor."""
        names = self.snapshots_to(self._last_marked) if self._last_marked is not None else None
        if names is None:
            self.say("Space marks the first; then v marks all from there to the cursor", "dim")
        else:
            self.mark(names)

    def action_mark_shown(self) -> None:
        """Mark every snapshot that is shown: all that a filter found."""
        names = self.snapshots_to(None)
        if names is None:
            self.say("the filter has not found all yet: nothing was marked", "dim")
        else:
            self.mark(names)

    def action_mark_none(self) -> None:
        """No marks."""
        self.marks.clear()
        self._last_marked = None
        self.say("no marks", "dim")
        self.count_marks()

    def mark(self, names: Iterable[str]) -> None:
        """Mark these as well; not more than can be looked through at once."""
        before = len(self.marks)
        some = iter(names)
        self.marks.update(dict.fromkeys(islice(some, MOST_AT_ONCE)))
        more = "; not more at once" if next(some, None) is not None else ""
        self.say(f"{len(self.marks) - before} more marked{more}", "dim")
        self.count_marks()

    def keep_marks(self, known: Container[str], same: Container[str] = ()) -> None:
        """A new listing: what is gone is not marked any more. Datasets in `same` are as they were."""
        if self.marks:
            kept = {name: None for name in self.marks if name.partition("@")[0] in same or name in known}
            if len(kept) < len(self.marks) or not self.is_made_late():
                self.marks = kept
                self.count_marks()

    # What they free together

    def count_marks(self) -> None:
        """Add up what they free, and ask ZFS where that is not known to the byte."""
        self._counted = self._frees = None
        self._frees_problem = ""
        hung = self.hung()
        if hung is not None and len(self.marks) <= FEW and not self.is_made_late():
            self._counted = marked(hung, self.marks)
        self.run_worker(self._ask_frees(hung, tuple(self.marks)), group="frees", exclusive=True)
        self.draw()

    async def _ask_frees(self, hung: Graph | None, names: tuple[str, ...]) -> None:
        if hung is None or not names:
            return
        if self._counted is None:
            self._frees_problem = await self.read_for(names)
            self.draw()
            if self._frees_problem:
                return
            self._counted = await asyncio.to_thread(marked, hung, names)
            self.draw()
        questions = self._counted.questions
        if questions:
            await asyncio.sleep(ASK_AFTER_S)
            try:
                answer = self.console.queries.frees(self.host, self.pool, questions)
                self._frees = await asyncio.wrap_future(answer)
            except ZConsoleError as error:
                self._frees_problem = in_words(error)
            self.draw()

    def marks_words(self) -> Line:
        """How many there are, and what they free; empty without marks."""
        return marks_line(len(self.marks), self._counted, self._frees, self._frees_problem)
