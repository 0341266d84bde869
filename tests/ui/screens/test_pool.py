"""The screen of one pool: columns, order, the slow disk and the way to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states, watched
from tests.ui.frames import frame, make_app, source_of
from tests.ui.trees import seen
from zconsole.actions.intent import TargetKind
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import SLOW
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.latency import LatencyScreen
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.screens.repair import RepairScreen
from zconsole.views.layout.table import RowsOnDemand
from zconsole.views.pools import pool_page as views
from zconsole.views.pools.vdev_columns import SETS

SIZE = (80, 24)


@pytest.mark.parametrize(
    ("titles", "key"),
    [("R/s", "1"), ("R p99", "2"), ("ASYNC R", "4"), ("CKSUM", "5"), ("ALLOC", "6"), ("SERIAL", "7")],
)
async def test_columns_change_by_key(titles: str, key: str) -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", key)

        assert titles in frame(app)


async def test_the_tree_keeps_its_order_until_the_user_sorts() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter")
        before = [row.split(" ")[-1] for row in frame(app).split("\n")]
        pool = states.pool_state(states.tank(), samples=(states.sample(states.tank(), slow="ZL2F0D02"),))
        source_of(app).replace(states.host("storage1", pool))
        await pilot.pause()
        names = [line[:24] for line in frame(app).split("\n")[3:]]
        assert len(before) == len(frame(app).split("\n"))
        assert [i for i, name in enumerate(names) if "0C44" in name] < [
            i for i, name in enumerate(names) if "0D02" in name
        ]

        for _ in range(7):
            await pilot.press("o")
        assert "R ms↓" in frame(app)
        names = [line[:24] for line in frame(app).split("\n")]
        order = [name for name in names if "0C44" in name or "0D02" in name]
        assert "0D02" in order[0]


SIZE = (80, 24)


def lines(app: ZConsoleApp) -> list[str]:
    return frame(app).split("\n")


async def test_the_slow_disk_is_named_in_the_first_line_and_marked_in_its_row() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter")

        assert "▲ slow disk: …ZL2F0C44 5.4x read latency" in lines(app)[0]
        assert ["ONLINE SLOW"] == [line[22:33] for line in lines(app) if "ZL2F0C44 ONLINE SLOW" in line]


async def test_n_goes_to_what_is_wrong_and_the_box_says_why() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "n")

        assert "▲ SLOW 5.4x: reads 41 ms (peers 7.7) · since 11:00, 6m" in frame(app)
        assert "costs mirror-1 17 ms, tank 6.1 ms a read · busy 97% (peers 31%) · score 0.93" in frame(app)
        assert "next: smartctl -x /dev/sdc, cable and slot · w why  R replace" in frame(app)


async def test_n_goes_on_to_the_next_and_round() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press("enter")
        seen = []
        for _ in range(8):
            await pilot.press("n")
            seen.append(app.front().rows.key)  # type: ignore[union-attr]

        assert 4 <= len(set(seen)) < len(seen)
        assert seen[0] == seen[len(set(seen))]


async def test_n_where_nothing_is_wrong_says_so() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "n")

        assert "no findings on any vdev" in frame(app)


async def test_a_disk_that_was_slow_is_told_of_but_not_marked() -> None:
    app = make_app(watched.slow(watched.over()))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", *["down"] * 5)

        assert "nothing to report" in lines(app)[0]
        assert "was SLOW 5.4x: reads 41 ms (peers 7.7) · 11:00:34 to 11:04:35, 2m ago" in frame(app)
        assert not [line for line in lines(app) if "ZL2F0C44 ONLINE SLOW" in line]


async def test_a_disk_that_cannot_be_judged_says_why() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("enter")
        assert "Slow or not: 1 of 7 disks had too little I/O to tell." in frame(app)

        await pilot.press("end", "up", "up", "up")

        assert "slow or not: no similar disk had I/O to compare with" in frame(app)


async def test_a_resilvering_disk_keeps_its_word() -> None:
    """Whatever the detector says: what ZFS says of the state is worse, or is the reason."""
    slow = watched.slow(watched.verdict(disk="ata-ST12000NM0127_ZL2F0A91", vdev="raidz2-0", kind=SLOW))
    bulk = states.degraded().pools[1]
    state = replace(slow, pools=(replace(bulk, judgement=slow.pools[0].judgement),))
    app = make_app(state)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter")

        assert any("FAULTED ✗" in line for line in lines(app))
        assert not any("ONLINE SLOW" in line for line in lines(app)[3:])


async def test_histograms_are_wanted_while_their_columns_are_shown() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "2")
        assert [("latency", "storage1", "tank")] == source_of(app).live

        await pilot.press("1")
        assert ("latency", "storage1", None) == source_of(app).live[-1]

        await pilot.press("2", "escape")
        assert ("latency", "storage1", None) == source_of(app).live[-1]
        assert 4 == len(source_of(app).live)


async def test_half_and_nearly_all_and_the_longest_of_the_last_seconds() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "2")

        assert await seen(pilot, app, "1074")
        row = next(line for line in lines(app) if "ZL2F0C44 ONLINE SLOW" in line)
        assert ["67", "268", "1074"] == row.split()[4:7]


async def test_h_shows_the_past_and_again_a_longer_one() -> None:
    app = make_app(watched.slow())

    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("enter", "3")
        assert "6m30s ago" in lines(app)[2]

        await pilot.press("3")
        assert "19m30s ago" in lines(app)[2]

        await pilot.press("3", "3")
        assert "6m30s ago" in lines(app)[2]


async def test_capital_r_opens_the_repair_of_a_disk_and_plans_to_replace_a_sound_one() -> None:
    app = make_app(watched.slow())
    asked = []

    async with app.run_test(size=SIZE) as pilot:
        app.act = lambda *words: asked.append(words)  # type: ignore[method-assign]
        await pilot.press("enter", "n", "R")
        assert isinstance(app.screen, RepairScreen)
        assert "is slow" in frame(app)
        await pilot.press("escape", "down", "R")

        ((host, target, action),) = asked
        assert ("storage1", TargetKind.LEAF, "replace") == (host, target.kind, action)
        assert watched.SLOW_DISK != target.name


async def test_capital_r_on_a_replacing_vdev_opens_the_repair_of_its_disk() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "down", "down")
        assert isinstance(app.screen, PoolScreen)
        assert "data/0/0" == app.screen.rows.key  # replacing-0
        await pilot.press("R")

        assert isinstance(app.screen, RepairScreen)
        assert "ZL2F0A91 has failed" in frame(app)


async def test_enter_on_a_slow_disk_shows_how_slow_and_on_a_failed_one_its_repair() -> None:
    slow, failed = make_app(watched.slow()), make_app(states.degraded())

    async with slow.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "n", "enter")
        assert isinstance(slow.screen, LatencyScreen)
    async with failed.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "n", "n", "n", "enter")
        assert isinstance(failed.screen, RepairScreen)
        assert "ZL2F0A91 has failed" in frame(failed)


def test_of_three_hundred_disks_only_those_in_sight_are_drawn() -> None:
    """A row is made when it is looked at."""
    vdevs = tuple(
        states.group(f"mirror-{at}", "mirror", states.disk(f"sd{at}a"), states.disk(f"sd{at}b"))
        for at in range(150)
    )
    pool = Pool("tank", "ONLINE", guid=1, vdevs=vdevs)
    state = states.host("storage1", states.pool_state(pool, seconds=2))
    view = make_app(state).view()
    about = views.subject(view, "storage1", "tank")
    assert about is not None

    rows = views.page(about, view, SETS["io"], views.VdevHistory()).table.rows
    assert isinstance(rows, RowsOnDemand)
    assert [f"data/{at}" for at in range(10)] == [row.key for row in rows[1:30:3]]

    assert 451 == len(rows)
    assert 10 == len(rows._made)


async def test_a_long_tail_is_a_slow_disk_too_and_explained_in_full() -> None:
    app = make_app(watched.slow(watched.tail()))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter", "n")

        assert "▲ slow disk: …ZL2F0C44 ≥4.0x read tail latency" in lines(app)[0]
        assert ["ONLINE SLOW"] == [line[22:33] for line in lines(app) if "ZL2F0C44 ONLINE SLOW" in line]
        assert "▲ TAIL ≥4.0x: 99% of reads within 268 ms (peers 34)" in frame(app)
        assert "1 in 100 reads of this disk takes so long" in frame(app)

        await pilot.press("w")

        assert "reads     within 50% 8.4 ms, 99% 268 ms, 99.9% 537 ms; its peers 8.4, 34, 67" in frame(app)
        assert "it is as fast as its peers in the mean" in frame(app)
