"""The repair screen: it follows the host, plans what a step offers, and stops loudly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf, link, planned, serial, world
from tests.hosts.helpers import until
from tests.ui import plans, states, watched
from tests.ui.flows.test_plan_and_run import DONE, SCRUB
from tests.ui.frames import frame, make_app, source_of
from zconsole.actions.intent import Intent, intent
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.base.errors import UsageError
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome
from zconsole.model.repair import RepairStep, RepairStepKind, RepairStepState
from zconsole.ui import repair_watch
from zconsole.ui.dialogs.disk_chooser import DiskDialog
from zconsole.ui.dialogs.plan import Confirmed, PlanDialog
from zconsole.ui.dialogs.run import RunDialog
from zconsole.ui.screens.findings.finding_screens import FindingScreen
from zconsole.ui.screens.pools import PoolsScreen
from zconsole.ui.screens.repair import RepairScreen

SIZE = (80, 24)
SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
STOP = (
    "STOP: the wrong disk was pulled, or lost its contact. Put back ZL2F0B21 (at 0:0:12:0); the failed "
    "one is ZL2F0A91 (at 0:0:9:0), still in the host. Nothing is known to be lost yet (no redundancy left "
    "in raidz2-0): when it is back ZFS copies only what was written meanwhile"
)


async def test_from_a_finding_enter_leads_to_its_evidence_and_then_to_the_repair() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f", "enter")
        assert isinstance(app.screen, FindingScreen)
        await pilot.press("enter")
        assert isinstance(app.screen, RepairScreen)
        assert "repair bulk raidz2-0" in frame(app)
        await pilot.press("escape", "escape", "R")
        assert isinstance(app.screen, RepairScreen)


async def test_of_a_pool_that_is_not_read_yet_nothing_is_denied_and_the_repair_follows() -> None:
    bulk = states.degraded().pool("bulk")
    assert bulk is not None
    broken = replace(states.degraded(), pools=(bulk,))
    unread = replace(broken, pools=(replace(bulk, pool=Reading()),))
    app = make_app(unread)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("R")
        assert isinstance(app.screen, RepairScreen)
        assert "has not been read" in frame(app)
        source_of(app).replace(broken, now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()

        assert "has failed" in frame(app)


async def test_a_pool_without_a_repair_says_so_and_stays_where_it_is() -> None:
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("R")

        assert isinstance(app.screen, PoolsScreen)
        assert "no device of tank needs a repair" in frame(app)


async def test_the_screen_follows_the_host_and_the_cursor_its_present_step() -> None:
    """A disk that was taken offline is back: the repair of the pool goes on by itself."""
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("R", "n")
        assert "ZL2F0B17 is offline" in frame(app)
        assert "Enter shows the plan (online)" in frame(app)
        source_of(app).replace(back_online(), now=states.NOW + 1, monotonic=states.TICKS + 1)
        await pilot.pause()

        assert "ZL2F0A91 has failed" in frame(app)
        assert "2 of 2" not in frame(app)
        source_of(app).replace(states.healthy(), now=states.NOW + 2, monotonic=states.TICKS + 2)
        await pilot.pause()
        assert "bulk is not imported on this host now" in frame(app)


def back_online() -> HostState:
    """The degraded host once the disk that was offline is back."""
    state = states.degraded()

    def healed(vdev: Vdev) -> Vdev:
        children = tuple(map(healed, vdev.children))
        return replace(vdev, state="ONLINE" if vdev.state == "OFFLINE" else vdev.state, children=children)

    def with_pool(of: PoolState) -> PoolState:
        pool = of.pool.value
        if pool is None:
            return of
        return replace(of, pool=replace(of.pool, value=replace(pool, vdevs=tuple(map(healed, pool.vdevs)))))

    return replace(state, pools=tuple(map(with_pool, state.pools)))


async def test_enter_plans_the_advised_offer_and_l_the_led() -> None:
    app = make_app(states.degraded())
    asked: list[Intent] = []

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out = lambda _host, intent: asked.append(intent)  # type: ignore[method-assign]
        await pilot.press("R", "n", "enter", "l")

        assert ["online", "locate"] == [each.action for each in asked]
        assert asked[0].arguments == asked[1].arguments


async def test_during_the_resilver_enter_plans_nothing_and_the_way_out_is_a_row_below() -> None:
    app = make_app(states.degraded())
    asked: list[Intent] = []

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out = lambda _host, intent: asked.append(intent)  # type: ignore[method-assign]
        await pilot.press("R", "enter")
        assert [] == asked
        assert "continues by itself" in frame(app)
        await pilot.press("down", "enter")

        assert ["detach"] == [each.action for each in asked]


async def test_c_chooses_the_disk_and_plans_the_replacement_with_it() -> None:
    app = make_app(watched.slow_for_long())
    chosen: list[Intent] = []

    async with app.run_test(size=SIZE) as pilot:
        app.choose_disk = lambda _host, intent: chosen.append(intent)  # type: ignore[method-assign]
        await pilot.press("R", "d")

        assert ["replace"] == [each.action for each in chosen]


async def test_the_disk_chooser_of_a_repair_leads_to_the_plan_and_escape_back_to_the_repair() -> None:
    app = make_app(watched.slow_for_long())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("R", "d")
        await pilot.pause()
        assert isinstance(app.screen, DiskDialog)
        await pilot.press("escape")
        await pilot.pause()

        assert isinstance(app.screen, RepairScreen)
        assert [] == source_of(app).prepared


async def test_steps_are_unfolded_and_folded_again() -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("R", "home")
        assert "…" in frame(app)
        await pilot.press("down", "enter")
        assert "do not touch ZL2F0B21" in frame(app)
        await pilot.press("enter")
        assert "do not touch ZL2F0B21" not in frame(app)


async def test_the_report_is_written_to_a_new_file_only(tmp_path: Path) -> None:
    app = make_app(states.degraded())
    path = tmp_path / "report.md"

    async with app.run_test(size=SIZE) as pilot:
        for _ in range(2):
            await pilot.press("R") if not isinstance(app.screen, RepairScreen) else None
            await pilot.press("W")
            await pilot.pause()
            assert "repair-bulk-ZL2F0A91-" in frame(app)
            await pilot.press("ctrl+u", *str(path), "enter")
            await until(path.exists)  # by a thread
            await pilot.pause()
        await until(lambda: "nothing is written over" in frame(app))

    assert path.read_text().startswith("# ZL2F0A91 in bulk raidz2-0 has failed")


async def test_a_replacement_that_is_done_leads_to_the_repair_from_wherever_it_was_planned() -> None:
    app = make_app(states.degraded())
    source = source_of(app)
    wanted = intent("replace", "bulk", "ZL2F0B17", "/dev/disk/by-id/new")
    source.plans[wanted] = replace(plans.scrub(), intent=wanted)
    source.runs[wanted] = DONE

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out("storage1", wanted)
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        app.screen.dismiss(Confirmed(""))
        await pilot.pause()
        assert isinstance(app.screen, RunDialog)
        assert "Enter to the next step of the repair" in frame(app)
        await pilot.press("enter")
        await pilot.pause()

        assert isinstance(app.screen, RepairScreen)


async def test_a_scrub_leads_nowhere() -> None:
    app = make_app(states.degraded())
    source = source_of(app)
    source.plans[SCRUB], source.runs[SCRUB] = plans.scrub(), DONE

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out("storage1", SCRUB)
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        app.screen.dismiss(Confirmed(""))
        await pilot.pause()
        assert "Esc close" in frame(app)
        await pilot.press("escape")
        await pilot.pause()

        assert isinstance(app.screen, PoolsScreen)


@pytest.mark.parametrize("size", SIZES)
async def test_the_wrong_disk_is_a_loud_stop(
    size: str, golden: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = repairs(states.degraded(), (), states.NOW)[0]
    held = RepairStep(
        RepairStepKind.TAKE_OUT,
        RepairStepState.HELD,
        reason="put the pulled disk back first",
        act="put ZL2F0B21 back into any empty bay",
    )
    steps = tuple(held if each.kind is held.kind else each for each in found.steps)
    stopped = replace(found, alarm=STOP, steps=steps)
    monkeypatch.setattr(repair_watch, "repairs", lambda *_: (stopped,))
    app = make_app(states.degraded())

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("R")
        await pilot.pause()

        assert "STOP: the wrong disk was pulled" in frame(app)
        golden(f"repair-stop-{size}.txt", frame(app))


@pytest.mark.parametrize("size", SIZES)
async def test_what_replaces_a_failed_disk_is_confirmed_by_its_serial(
    size: str, golden: Callable[[str, str], None]
) -> None:
    app = make_app(states.degraded())

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.pause()
        broken = group("mirror-0", leaf(0), leaf(1, "FAULTED"), guid=500, configured_ashift=12)
        made = planned(world(broken), "replace", "tank", "1001", serial(4))
        app.push_screen(PlanDialog(app.paint, made))
        await pilot.pause()

        assert f"To go on, type  {serial(1)[-8:]}" in frame(app)
        golden(f"plan-replace-{size}.txt", frame(app))


async def test_the_read_test_of_the_new_disk_says_its_result_and_without_one_why_not() -> None:
    """The disk is the one that the step of the new disk advises."""
    faulted = group("mirror-0", leaf(0), leaf(1, "FAULTED"))
    app, disk = make_app(trouble_at(faulted, gone=[1], unused=1)), link(2)
    passed = ReadTest(("serial", "x"), states.NOW, ReadTestOutcome.PASSED, 192 << 20, 1.0)

    async with app.run_test(size=SIZE) as pilot:
        source_of(app).read_tests[disk] = passed
        await pilot.press("R", "t")
        await pilot.pause()
        told = frame(app)
        source_of(app).read_tests[disk] = UsageError("it is in use")
        await pilot.press("t")
        await pilot.pause()

        assert "read test passed: 192 MiB at 192 MiB/s" in told
        assert "it is in use" in frame(app)
        assert [disk, disk] == [each for _, each in source_of(app).tested]
