"""Reclaim flow: ask for an amount, compute the snapshots that free it on the host, show and mark them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from zconsole.actions.checks.command_to_free_space import amount_to_type
from zconsole.analysis.snapshots.amount_to_free import SpaceGoal, SpaceLimit, space_goals, tightest
from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.errors import UsageError, ZConsoleError
from zconsole.base.fixed_width_formatting import size
from zconsole.base.quantities import parse_bytes
from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal
from zconsole.model.dataset_names import pool_of
from zconsole.ui.dialogs.free_space_proposal import AMOUNT, MARK, NEXT, PLAN, ReclaimDialog
from zconsole.ui.dialogs.please_wait import answer_of
from zconsole.ui.dialogs.text_prompts_and_notices import ProposalDialog, TellDialog
from zconsole.views.datasets.free_space_proposal import ReclaimAnswer, amount_lines, chosen
from zconsole.views.datasets.what_else_holds_space import plan_of_next
from zconsole.views.layout.styled_text import EMPTY, Line, line

if TYPE_CHECKING:
    from zconsole.ui.app_protocol import ConsoleApp

Then = Callable[[ReclaimAnswer], Awaitable[bool]]  # False to show the proposal again


class Reclaiming:
    """Dialogs of a reclaim, one flow at a time. The flow does not change the host."""

    def __init__(self, app: ConsoleApp, host: str, *, can_mark: bool = True) -> None:
        self._app = app
        self._host = host
        self._can_mark = can_mark  # where snapshots are listed

    async def ask(self, dataset: str, then: Then, proposed: str = "") -> bool:
        """Ask for the amount, and let `then` take the snapshots; False where the question was left."""
        goals = self._goals(dataset)
        words = (
            line(
                (self._host, self._app.host_colour(self._host)),
                (" · free space in ", "dim"),
                (dataset, "title"),
            ),
            EMPTY,
            line(
                "How much is needed? 500G, 1.5T, 500GB; 500 alone is GiB. Snapshots of it and of all "
                "below it are looked through; held ones, origins of clones, what replication needs and the "
                "newest of each stay."
            ),
            *amount_lines(goals),
        )
        proposed = proposed or (amount_to_type(goals[0].need_bytes) if goals else "")
        wrong: tuple[Line, ...] = ()
        while True:
            asked = (*words, *wrong)
            typed = await self._app.push_screen_wait(ProposalDialog(self._app.paint, asked, proposed))
            if typed is None:
                return False
            proposed, wrong = typed, ()  # is there again after a step back
            try:
                need = parse_bytes(typed, bare="G")
            except UsageError as error:
                wrong = (EMPTY, line((error.message, "warn")), line((error.hint, "dim")))
                continue
            if await self._propose(ReclaimGoal(dataset, need), then):
                return True

    async def _propose(self, wish: ReclaimGoal, then: Then) -> bool:
        """Show proposals until one is taken; False to ask for the amount again."""
        found: Reclaim | None = None
        while True:
            found = found or await self._find(wish)
            if found is None:
                return False
            answer = await self._app.push_screen_wait(
                ReclaimDialog(self._app.paint, found, can_mark=self._can_mark)
            )
            if answer in {MARK, PLAN}:
                if await then(ReclaimAnswer(chosen(found), is_to_plan=answer == PLAN)):
                    return True
                continue
            if answer == NEXT:
                if await then(ReclaimAnswer(instead=plan_of_next(found))):
                    return True
                continue
            if answer == AMOUNT:
                return False
            wish, found = replace(wish, order="fewest" if wish.order == "oldest" else "oldest"), None

    def _goals(self, dataset: str) -> tuple[SpaceGoal, ...]:
        """Amounts that get the pool, or a quota above the dataset, below a level of use."""
        state = self._app.view().pool(self._host, pool_of(dataset))
        if state is None:
            return ()
        known = state.pool.value
        filled = None if known is None else fill(known)
        pool = None
        if filled is not None and not filled.is_raw:
            pool = SpaceLimit(state.name, filled)
        return space_goals(tightest(dataset, pool, state.datasets.value or state.settings.value or ()))

    async def _find(self, wish: ReclaimGoal) -> Reclaim | None:
        words = f"looking for the {wish.order} snapshots that free {size(wish.need_bytes)}"
        try:
            return await answer_of(self._app, self._app.queries.reclaim(self._host, wish), words)
        except ZConsoleError as error:
            await self._tell(error)
            return None

    async def _tell(self, error: ZConsoleError) -> None:
        words = [line((error.message, "warn"))]
        if error.hint:
            words.append(line((error.hint, "dim")))
        await self._app.push_screen_wait(TellDialog(self._app.paint, words))
