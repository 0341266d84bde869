"""Marked snapshots: what they free together, and one plan of all."""

from __future__ import annotations

from concurrent.futures import Future

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.states import GIB
from tests.ui.trees import chained, screen_of, seen, typed
from zconsole.actions.intent import Intent
from zconsole.analysis.snapshots.snapshots_to_free_space import Destroying
from zconsole.base.errors import CommandFailed


async def test_marks_say_what_they_free_together() -> None:
    """Bounds at once, and ZFS's own word when it has answered; what is held is not asked for."""
    app = make_app(chained())
    waiting: Future[dict[str, int]] = Future()
    asked: list[tuple[Destroying, ...]] = []

    def frees(_host: str, _pool: str, questions: tuple[Destroying, ...]) -> Future[dict[str, int]]:
        asked.append(questions)
        return waiting

    source_of(app).frees = frees  # type: ignore[method-assign, assignment]

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "plus", "down", "down", "down", "space", "down", "v")
        await pilot.pause()
        assert "3 marked" in frame(app)
        assert "3.00 GiB to" in frame(app)
        assert "asking ..." in frame(app)
        waiting.set_result({"tank/home": 23 * GIB})

        assert await seen(pilot, app, "free exactly 23.0 GiB")
        assert asked == [(Destroying("tank/home", (("1", "3"),)),)]


async def test_what_zfs_does_not_say_stays_a_bound_with_the_reason() -> None:
    app = make_app(chained())
    source_of(app).canned_frees = CommandFailed("zfs destroy on storage1 failed")

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "plus", "down", "down", "down", "space", "space")

        assert await seen(pilot, app, "zfs destroy on storage1 failed")
        assert "2.00 GiB to" in frame(app)


async def test_what_cannot_go_is_said_and_marks_can_be_taken_away() -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "plus", "asterisk")
        await pilot.pause()
        assert "3 marked" in frame(app)
        assert "1 held" in frame(app)
        assert "1 with clones" in frame(app)
        await pilot.press("backslash")
        await pilot.pause()

        assert " 3 marked" not in frame(app)


async def test_only_snapshots_can_be_marked() -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "space")
        await pilot.pause()

        assert "only snapshots can be marked" in frame(app)
        assert not screen_of(app).marks.names


async def test_marks_outlive_the_filter_and_all_go_into_one_plan() -> None:
    app = make_app(chained())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await typed(pilot, "older:4d")
        await pilot.press("asterisk", "escape")
        await typed(pilot, "@5")
        await pilot.press("asterisk", "escape", "delete")
        await pilot.pause()

        ((host, wanted),) = source_of(app).prepared
        assert "storage1" == host
        assert wanted == Intent("destroy", "tank/home@0", ("tank/home@1", "tank/home@5"))


async def test_marks_go_with_what_they_were_on() -> None:
    app = make_app(chained(6))

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "plus", "asterisk")
        await pilot.pause()
        source_of(app).replace(chained(4))
        await pilot.pause()
        await pilot.pause()

        assert list(screen_of(app).marks.names) == [f"tank/home@{at}" for at in range(4)]
        assert "4 marked" in frame(app)
