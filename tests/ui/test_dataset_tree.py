"""The tree of datasets, used as a user would: filtered, marked, jumped through, and acted on."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import Future
from dataclasses import replace
from time import process_time

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.states import GIB, NOW, TICKS
from tests.ui.trees import screen_of, seen, typed
from zconsole.actions.intent import Intent
from zconsole.analysis.snapshots.free_space import Destroying, SnapshotChoice
from zconsole.analysis.snapshots.freed_space import Chain, Freed
from zconsole.analysis.snapshots.retention_locks import LockedSnapshot
from zconsole.base.errors import CommandFailed
from zconsole.execution.facts.snapshot_space import Reclaim, Wish
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_details import DatasetDetails, Set
from zconsole.model.host.host_state import HostState, Reading


def chained(count: int = 6) -> HostState:
    """A file system with snapshots of 1 GiB each that share 10 GiB with their neighbours."""
    snapshots = tuple(
        Dataset(f"tank/home@{at}", "snapshot", GIB, referenced_bytes=50 * GIB, createtxg=at,
                creation=int(NOW) - (count - at) * 86400, holds=0, written_bytes=11 * GIB)
        for at in range(count)
    )  # fmt: skip
    home = Dataset("tank/home", "filesystem", 110 * GIB, referenced_bytes=50 * GIB, written_bytes=GIB,
                   used_by_snapshots_bytes=60 * GIB, used_by_dataset_bytes=GIB)  # fmt: skip
    listed = (Dataset("tank", "filesystem", 111 * GIB), home, *snapshots)
    pool = replace(states.pool_state(states.tank()), datasets=Reading(listed, TICKS - 5))
    return states.host("storage1", pool)


async def test_from_a_clone_to_its_origin_and_back() -> None:
    """What it stands on is opened for it."""
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "end")
        assert screen_of(app).rows.key == "tank/vm2"
        await pilot.press("c")
        assert (screen_of(app).rows.key or "").split("\n") == ["tank/images@gold", "tank/vm2"]
        await pilot.press("c")
        assert screen_of(app).rows.key == "tank/vm2"
        await pilot.press("c", "enter")

        assert screen_of(app).rows.key == "tank/vm2"


async def test_a_snapshot_leads_to_its_clone_and_others_say_that_they_have_none() -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "c")
        assert "it is no clone, and has none" in frame(app)
        await typed(pilot, "has:clones")
        await pilot.press("end", "up", "up", "c")

        assert screen_of(app).rows.key == "tank/vm1"


async def test_a_filter_finds_and_a_wrong_one_says_why() -> None:
    """The rows stay as they were while what is typed makes no sense."""
    app = make_app(states.with_datasets())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await typed(pilot, "held")
        assert "@2026-11-01" in frame(app)
        assert "1 of 11 found" in frame(app)
        await typed(pilot, " older:soon")
        assert "'soon' is not an age" in frame(app).splitlines()[1]
        assert "@2026-11-01" in frame(app)
        await pilot.press("escape")

        assert screen_of(app).rows.count == 7


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
        await pilot.press("D", "plus", "V")
        await pilot.pause()
        assert "3 marked" in frame(app)
        assert "1 held" in frame(app)
        assert "1 with clones" in frame(app)
        await pilot.press("x")
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
        await pilot.press("V", "escape")
        await typed(pilot, "@5")
        await pilot.press("V", "escape", "D")
        await pilot.pause()

        ((host, wanted),) = source_of(app).prepared
        assert host == "storage1"
        assert wanted == Intent("destroy", "tank/home@0", ("tank/home@1", "tank/home@5"))


async def test_marks_go_with_what_they_were_on() -> None:
    app = make_app(chained(6))

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "plus", "V")
        await pilot.pause()
        source_of(app).replace(chained(4))
        await pilot.pause()
        await pilot.pause()

        assert list(screen_of(app).marks.names) == [f"tank/home@{at}" for at in range(4)]
        assert "4 marked" in frame(app)


def reclaim(order: str) -> Reclaim:
    """Two of four snapshots free what is needed; the newest stays."""
    (pool,) = chained().pools
    _, home, *snapshots = pool.datasets.value or ()
    chosen = frozenset({0, 1} if order == "oldest" else {2})
    freed = Freed(22 * GIB, 22 * GIB)
    return Reclaim(
        Wish("tank/home", 20 * GIB, order),  # type: ignore[arg-type]
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
        await pilot.press("f")
        await pilot.pause()
        assert "1 snapshot frees 22.0 GiB, and fewer do not" in frame(app)
        await pilot.press("m")
        await pilot.pause()

        assert list(screen_of(app).marks.names) == ["tank/home@2"]
        assert [wish.need_bytes for _, wish in source.wishes] == [20 * GIB] * 2
        assert source.executed == []


async def test_an_amount_that_is_none_is_told() -> None:
    app = make_app(chained())

    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("D", "down", "F", *"much", "enter")
        await pilot.pause()

        assert "'much' is not a size: 500M, 1.5G or 2T" in frame(app)


async def test_properties_are_read_only_where_the_cursor_rests() -> None:
    """With their sources; of a clone also what it got since its origin."""
    app = make_app(states.with_datasets())
    source = source_of(app)
    source.looks["tank/vm2"] = DatasetDetails(
        "tank/vm2", (Set("compression", "zstd", "inherited from tank"),), 5 * GIB
    )

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "down", "down", "end")

        assert await seen(pilot, app, "compression=zstd from tank")
        assert source.looked_at[-1] == ("storage1", "tank/vm2", "tank/images@gold")


@pytest.mark.parametrize(
    ("keys", "words"), [("D", "/(a|aa)+$/"), ("D", "/(a+)+$/"), ("", "(a|aa)+$"), ("", "/(a|aa)+$/")]
)
async def test_an_expression_that_explodes_never_stops_the_screen_and_is_given_up(
    keys: str, words: str
) -> None:
    """Of CPU time, no two turns of the loop are further apart than a key press may wait."""
    names = [f"tank/{'a' * 60}b{at}" for at in range(3000)]
    pool = replace(
        states.pool_state(replace(states.tank(), name="t" + "/" + "a" * 60 + "b")),
        datasets=Reading(
            (Dataset("tank", "filesystem", 9), *(Dataset(each, "filesystem", 1) for each in names)), TICKS
        ),
    )
    app = make_app(states.host("storage1", pool))
    gaps: list[float] = []

    async def beat() -> None:
        while True:
            began = process_time()
            await asyncio.sleep(0.02)  # a beat, not a wait
            gaps.append(process_time() - began)

    gc.freeze()  # what all tests before have left is not looked through meanwhile
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        beating = asyncio.create_task(beat())
        await typed(pilot, words)
        is_easy = words == "/(a+)+$/"  # the engine sees through it
        expected = "filter /(a+)+$/" if is_easy else "given up: the expression takes too long"
        is_told = await seen(pilot, app, expected)
        beating.cancel()

        assert is_told
        assert 0.5 > max(gaps)
        if keys:
            await pilot.press("V")
            assert not screen_of(app).marks.names


async def test_a_filter_of_many_comes_in_slices_and_keys_come_between() -> None:
    """All of it is there in the end, and marking all that is shown waits for none of it."""
    many = tuple(
        Dataset(f"tank/d{at // 1000}@auto-{at % 1000}", "snapshot", 1, createtxg=at) for at in range(15_000)
    )
    systems = (Dataset("tank", "filesystem", 9), *(Dataset(f"tank/d{at}", "filesystem") for at in range(15)))
    pool = replace(states.pool_state(states.tank()), datasets=Reading((*systems, *many), TICKS))
    app = make_app(states.host("storage1", pool))

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D")
        await typed(pilot, "auto-*7")
        await pilot.press("V")
        await pilot.pause()

        assert len(screen_of(app).marks.names) == 1500
        assert "1500 of 15016 found" in frame(app)
