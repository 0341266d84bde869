"""Esc goes one step back, in every flow, and nothing that was answered is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest
from textual.pilot import Pilot

from tests.ui import plans, states
from tests.ui.flows.test_free_space import reclaim
from tests.ui.flows.test_plan_and_run import on_two_hosts, with_spare_disk
from tests.ui.frames import make_app, source_of
from tests.ui.planned import give_outlook
from tests.ui.trees import chained
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan, RefusalReason, Risk, WayOut
from zconsole.analysis.capacity.scenario import Scenario
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import ImportablePool
from zconsole.storage.capacity_scenarios import ScenarioStore
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.chooser import Chooser
from zconsole.ui.dialogs.free_space_proposal import ReclaimDialog
from zconsole.ui.dialogs.plan import PlanDialog
from zconsole.ui.dialogs.text_prompts_and_notices import _LineDialog
from zconsole.ui.screens.datasets import DatasetsScreen
from zconsole.ui.screens.shared.console_screen import ConsoleScreen

SIZE = (100, 30)
Step = tuple[str, ...]  # keys of which the last one leads on


class AnyPlan(dict[Intent, "Plan | Exception"]):
    """A plan for each intent: refused without the option that its way out adds, or under a taken name."""

    def __init__(self, *, refused_without: str = "", taken: str = "") -> None:
        super().__init__()
        self._refused_without, self._taken = refused_without, taken

    def get(self, key: Intent, default: object = None) -> Plan:  # type: ignore[override]
        del default
        if self._refused_without and not key.flag(self._refused_without):
            other = replace(key, options=tuple(sorted((*key.options, (self._refused_without, True)))))
            way = ((f"plan again with {self._refused_without}", other),)
            return replace(plans.refused(), intent=key, alternatives=way)
        if self._taken and key.target == self._taken:
            reason = RefusalReason("exists", f"{key.target} already exists", way_out=WayOut.NAME)
            return replace(plans.refused(), intent=key, refusals=(reason,))
        return replace(plans.scrub(), intent=key, risk=Risk.ROUTINE)


@dataclass(frozen=True)
class Flow:
    """Steps from the first screen to the last dialog, on hosts."""

    steps: Sequence[Step]
    hosts: Callable[[], Sequence[HostState]] = lambda: (states.with_datasets(),)
    plans: AnyPlan = field(default_factory=AnyPlan)
    before: Step = ()  # keys to the screen on which it begins
    prepare: Callable[[ZConsoleApp], None] = lambda _: None


def offering_pools(app: ZConsoleApp) -> None:
    """Two pools can be imported."""
    source_of(app).pools_to_import = tuple(
        ImportablePool(name, at, "ONLINE") for at, name in enumerate(("old", "new"))
    )


def proposing(app: ZConsoleApp) -> None:
    """Space can be freed by the oldest snapshots, or by the fewest."""
    source_of(app).reclaims = {each: reclaim(each) for each in ("oldest", "fewest")}


def typed(words: str) -> Step:
    """The keys of words, and Enter."""
    return (*("space" if each == " " else each for each in words), "enter")


def spare_disk() -> Sequence[HostState]:
    """A host with a disk to choose."""
    return (with_spare_disk(),)


def single() -> Sequence[HostState]:
    """The pool of a host is one disk."""
    host = with_spare_disk()
    (tank, *_), (whole, *_) = host.pools, states.tank().vdevs
    pool = replace(states.tank(), vdevs=whole.children[:1])
    return (replace(host, pools=(replace(tank, pool=replace(tank.pool, value=pool)),)),)


def with_a_scenario(app: ZConsoleApp) -> None:
    """Two plans of a purchase are kept."""
    give_outlook(app)
    for name in ("five years", "ten years"):
        ScenarioStore().keep(Scenario(name, "storage1", "tank", states.NOW, {"bays": "24"}))


DATASET, DISK = ("D", "down"), ("enter", "down", "down")
SNAPSHOT = (*DATASET, "enter", "down", "down")
FLOWS = {
    "scrub": Flow([("a",), typed("scrub"), ("enter",)]),
    "snapshot": Flow([("a",), typed("snapshot keep"), typed("gold"), ("space", "enter")]),
    "a name that is taken": Flow(
        [("a",), typed("snapshot keep"), typed("gold"), ("space", "enter"), ("f6",), ("end", "2", "enter")],
        plans=AnyPlan(taken="tank@gold"),
    ),
    "destroy, refused": Flow([("delete",), ("enter",), ("f6",)], before=DATASET,
                             plans=AnyPlan(refused_without="recursive")),
    "rename": Flow([("a",), typed("rename"), typed("tank/other"), ("space", "enter")], before=DATASET),
    "rename, refused": Flow([("a",), typed("rename"), typed("tank/other"), ("enter",), ("f6",)],
                            before=DATASET, plans=AnyPlan(refused_without="parents")),
    "set a property": Flow([("a",), typed("set prop"), typed("atime=off"), ("enter",)], before=DATASET),
    "hold": Flow([("a",), typed("hold"), typed("keep"), ("space", "enter")], before=SNAPSHOT),
    "an option with a value": Flow(
        [("a",), typed("export"), (*"guests-within", "space", "enter", "enter"), typed("90")]
    ),
    "replace": Flow([("a",), typed("replace"), ("down", "enter"), ("enter",)], spare_disk, before=DISK),
    "attach": Flow([("a",), typed("attach disk"), ("enter",), ("enter",)], spare_disk, before=DISK),
    "add": Flow([("a",), typed("add vdev"), typed("mirror"), ("space", "enter")], spare_disk),
    "another disk, by its menu": Flow(
        [("R",), ("enter",), ("enter",), ("enter",)], single, before=("enter", "down")
    ),
    "send": Flow([("a",), typed("send to"), ("down", "enter"), typed("2"), ("enter",)], on_two_hosts,
                 before=("down", *DATASET)),
    "import": Flow([("a",), typed("import"), ("down", "enter"), ("enter",)], lambda: (states.empty(),),
                   prepare=offering_pools),
    "free space": Flow([("F",), typed("20G"), ("tab", "enter")], lambda: (chained(),), before=DATASET,
                       prepare=proposing),
    "silence": Flow([("z",), ("down", "enter"), typed("known"), typed("3d")], lambda: (states.degraded(),),
                    before=("f", "down", "down", "down")),
    "delete a scenario": Flow([("delete",), ("down", "enter")], prepare=with_a_scenario, before=("P",)),
}  # fmt: skip


def what_is_answered(app: ZConsoleApp) -> tuple[object, ...]:
    """The dialog or screen in front, with what the user has chosen or typed there."""
    front = app.screen
    match front:
        case Chooser():
            return type(front).__name__, front.rows.key, getattr(front, "_marked", None)
        case _LineDialog():
            return type(front).__name__, front._box.value
        case PlanDialog():
            return type(front).__name__, front._plan.intent
        case ReclaimDialog():
            return type(front).__name__, front._found.wish
        case DatasetsScreen():
            return type(front).__name__, front.rows.key
        case ConsoleScreen():
            return type(front).__name__, front.rows.key
    raise AssertionError(front)


@pytest.mark.parametrize("name", FLOWS)
async def test_escape_goes_one_step_back_and_nothing_is_lost(name: str) -> None:
    flow = FLOWS[name]
    app = make_app(*flow.hosts())
    source_of(app).plans = flow.plans
    flow.prepare(app)
    async with app.run_test(size=SIZE) as pilot:
        await press(pilot, *flow.before)
        left = []
        for *keys, leading in flow.steps:
            await press(pilot, *keys)
            left.append(what_is_answered(app))
            before = app.screen
            await press(pilot, leading)
            assert before is not app.screen, f"{leading} leads nowhere from {left[-1]}"
        for expected in reversed(left):
            await press(pilot, "escape")
            assert expected == what_is_answered(app)

        assert [] == source_of(app).executed


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each after the one before has had its effect."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
