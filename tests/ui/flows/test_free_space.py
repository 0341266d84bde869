"""So much is to come free: the answer, and its marks."""

from __future__ import annotations

from dataclasses import replace

from tests.ui.frames import frame, make_app, source_of
from tests.ui.states import GIB
from tests.ui.trees import chained, screen_of
from zconsole.actions.intent import Intent
from zconsole.analysis.snapshots.freed_space import Chain, Freed
from zconsole.analysis.snapshots.snapshots_to_free_space import SnapshotChoice
from zconsole.analysis.snapshots.snapshots_to_keep import LockedSnapshot
from zconsole.execution.facts.snapshots_to_free_space import Reclaim, ReclaimGoal


def reclaim(order: str) -> Reclaim:
    """Two of four snapshots free what is needed; the newest stays."""
    (pool,) = chained().pools
    _, home, *snapshots = pool.datasets.value or ()
    chosen = frozenset({0, 1} if order == "oldest" else {2})
    freed = Freed(22 * GIB, 22 * GIB)
    return Reclaim(
        ReclaimGoal("tank/home", 20 * GIB, order),  # type: ignore[arg-type]
        (Chain(home, tuple(snapshots)),),
        SnapshotChoice(
            (chosen,), freed, (freed,), is_enough=True, is_fewest=True if order == "fewest" else None
        ),
        (LockedSnapshot("tank/home@5", "newest", "the newest of its dataset"),),
        freed,
        0,
        3,
    )


async def test_free_so_much_shows_the_answer_and_marks_it() -> None:
    """The oldest first, the fewest by a key; nothing is destroyed by either."""
    app = make_app(chained())
    source = source_of(app)
    source.reclaims = {each: reclaim(each) for each in ("oldest", "fewest")}

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("D", "down", "F", *"20G", "enter")
        await pilot.pause()
        assert "the oldest 2 snapshots free 22.0 GiB" in frame(app)
        assert "tank/home@5 (the newest of its dataset)" in frame(app)
        await pilot.press("tab")
        await pilot.pause()
        assert "1 snapshot frees 22.0 GiB, and fewer do not" in frame(app)
        await pilot.press("space")
        await pilot.pause()

        assert ["tank/home@2"] == list(screen_of(app).marks.names)
        assert [wish.need_bytes for _, wish in source.wishes] == [20 * GIB] * 2
        assert [] == source.executed


async def test_enter_plans_the_destruction_of_what_is_proposed_and_runs_nothing() -> None:
    app = make_app(chained())
    source = source_of(app)
    source.reclaims = {each: reclaim(each) for each in ("oldest", "fewest")}
    destroying = Intent("destroy", "tank/home@0", ("tank/home@1",))

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("D", "down", "F", *"20G", "enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()

        assert [("storage1", destroying)] == source.prepared
        assert ["tank/home@0", "tank/home@1"] == list(screen_of(app).marks.names)
        assert [] == source.executed


async def test_a_number_alone_is_gib() -> None:
    app = make_app(chained())
    source = source_of(app)
    source.reclaims = {each: reclaim(each) for each in ("oldest", "fewest")}

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("D", "down", "F", *"20", "enter")
        await pilot.pause()

        assert [20 * GIB] == [wish.need_bytes for _, wish in source.wishes]


async def test_on_the_first_screen_the_pool_under_the_cursor_is_what_space_is_freed_in() -> None:
    app = make_app(chained())
    source = source_of(app)
    source.reclaims = {each: reclaim(each) for each in ("oldest", "fewest")}

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("F")
        await pilot.pause()
        assert "free space in tank" in frame(app)
        await pilot.press(*"20G", "enter")
        await pilot.pause()
        assert "the oldest 2 snapshots free 22.0 GiB" in frame(app)
        await pilot.press("escape")
        await pilot.pause()

        assert ["tank"] == [wish.dataset for _, wish in source.wishes]
        assert "tank" == screen_of(app).pool
        assert [] == list(screen_of(app).marks.names)


async def test_an_amount_that_is_none_is_told() -> None:
    app = make_app(chained())

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("D", "down", "F", *"much", "enter")
        await pilot.pause()

        assert "'much' is not a size" in frame(app)
        assert "500 alone is 500G" in frame(app)
        assert "How much is needed?" in frame(app), "beside the question, where it is corrected"
        await pilot.press("ctrl+u", "0", "enter")
        await pilot.pause()

        assert "'0' is too small" in frame(app)
        assert "'much'" not in frame(app)


async def test_of_a_full_pool_the_amount_to_the_next_level_is_proposed_and_typing_replaces_it() -> None:
    state = chained()
    (pool,) = state.pools
    assert pool.pool.value is not None
    filled = replace(pool.pool.value, usable_used_bytes=970 * GIB, usable_available_bytes=30 * GIB)
    app = make_app(replace(state, pools=(replace(pool, pool=replace(pool.pool, value=filled)),)))
    source = source_of(app)
    source.reclaims = {each: reclaim(each) for each in ("oldest", "fewest")}

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("F")
        await pilot.pause()
        shown = " ".join(frame(app).replace("│", " ").split())
        assert (
            "is 97% used, of 0.98 TiB: freeing 20.0 GiB brings it to 95%, 70.0 GiB to 90%, 170 GiB to 80%"
            in shown
        )
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press(*"3G", "enter")
        await pilot.pause()

        assert [20 * GIB, 3 * GIB] == [wish.need_bytes for _, wish in source.wishes]
