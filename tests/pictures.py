"""Draws the manual's pictures. `python -m tests.pictures`, or those of the practice host: `... NAME...`.

Most show the console on the practice host, as it is; guards and datasets show plans and states of the tests.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from tests.practice.exercises.learner import NEW, Learner
from tests.ui import plans, states
from tests.ui.administrator import called_at_night
from tests.ui.contents import give_contents
from tests.ui.frames import frame, make_app, source_of
from tests.ui.planned import give_outlook, settle
from zconsole.actions.plan import Plan
from zconsole.base.clock import Clock
from zconsole.base.user_config_file import Config, config_folder, load_config
from zconsole.model.host.host_state import HostState
from zconsole.practice import PracticeHost
from zconsole.service.collecting_thread import Engine
from zconsole.storage.write_setting_to_config_file import write_setting
from zconsole.ui.app import RACK_KEY, ZConsoleApp
from zconsole.ui.dialogs.plan import PlanDialog

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
SPEED: Final = 10  # a minute of the practice host in six seconds
STORY_S: Final = 75.0  # by then one disk of bulk has grown slow
MARKED_AFTER_S: Final = 30.0  # that; the picture of the past is drawn later still
POOLS: Final = frozenset({"bulk", "tank", "vault"})
TRIES, TRY_EVERY_S = 50, 0.1
READ_FOR_IT: Final = frozenset({"pool-latency", "latency", "load", "arc", "guests", "guests-80", "guest-80"})
READ_FOR_S: Final = 45.0  # those are drawn after they were watched for a while
WIDE, NARROW = (132, 36), (80, 24)
DARK: Final = Config(theme="dark")
EXERCISE: Final = "zconsole --demo=failed-disk"


class FastClock:
    """The machine's time, some times faster."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._began, self._epoch = time.monotonic(), time.time()

    def now(self) -> float:
        return self._epoch + self.monotonic()

    def monotonic(self) -> float:
        return (time.monotonic() - self._began) * self._speed

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._speed)


PICTURES: Final = (  # name, size, keys
    ("pools", WIDE, ()),
    ("pools-80", NARROW, ()),
    ("pool-io", WIDE, ("bulk",)),
    ("pool-latency", WIDE, ("bulk", "2", "n")),
    ("latency", WIDE, ("bulk", "n", "enter")),
    ("pool-slow", WIDE, ("bulk", "3", "n")),
    ("past", WIDE, ("bulk", "less_than_sign", "n")),
    ("load", WIDE, ("tank", "L", "down")),
    ("arc", WIDE, ("A", "down", "down")),
    ("pool-errors", WIDE, ("vault", "5")),
    ("pool-identity-80", NARROW, ("vault", "7")),
    ("events", WIDE, ("e",)),
    ("findings", WIDE, ("f",)),
    ("guests", WIDE, ("V",)),
    ("guests-80", NARROW, ("V",)),
    ("guest-80", NARROW, ("V", "slash", *"mail", "enter", "enter")),
    ("help", WIDE, ("question_mark",)),
)
GUARDS: Final[tuple[tuple[str, Callable[[], Plan]], ...]] = (
    ("plan-catastrophic", plans.destroy_gold),
    ("plan-topology", plans.attach),
)
STATIC: Final[tuple[tuple[str, Callable[[], HostState], tuple[str, ...], tuple[int, int]], ...]] = (
    ("datasets", states.gold, ("D", "down", "down", "enter", "down"), (110, 30)),
    (
        "datasets-marked",
        states.with_families,
        ("D", "slash", *"*daily", "enter", "V", "down", "down"),
        (110, 30),
    ),
    ("calendar", states.with_families, ("D", "down", "K"), NARROW),
)


async def draw(engine: Engine, clock: Clock, name: str, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    """Open the console, press the keys (a pool's name moves there), and keep what is seen."""
    app = ZConsoleApp(engine.service, DARK, environment={"TERM": "xterm-256color", "LANG": "C.UTF-8"})
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for key in keys:
            if key in POOLS:
                app.open_pool("practice", key)
            else:
                await pilot.press(key)
            await pilot.pause()
        if name in READ_FOR_IT:
            await clock.sleep(READ_FOR_S)
        for _ in range(TRIES):
            app.draw()
            await pilot.pause()
            if is_live(frame(app)):
                break
            await asyncio.sleep(TRY_EVERY_S)
        keep(app, name, "zconsole --demo")


def is_live(shown: str) -> bool:
    """Whether everything has been read, and the machine keeps up with that speed."""
    return not shown.partition("\n")[0].endswith((" old", "reading")) and "The first " not in shown


async def draw_guard(name: str, plan: Plan) -> None:
    """A plan's dialog, with nothing typed."""
    app = make_app(states.healthy(), config=DARK)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        app.push_screen(PlanDialog(app.paint, plan, clock=lambda: 0.0))
        await pilot.pause()
        keep(app, name, "zconsole")


async def draw_static(name: str, state: HostState, keys: tuple[str, ...], size: tuple[int, int]) -> None:
    """A screen on a state of the tests."""
    app = make_app(state, config=DARK)
    source_of(app).canned_frees = {"tank/home": 27 << 31}
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        for _ in range(TRIES):
            await pilot.pause(TRY_EVERY_S)
            if "asking ..." not in frame(app):
                break
        keep(app, name, "zconsole")


async def draw_contents(name: str, *keys: str) -> None:
    """What differs between a snapshot and now, or what is in it."""
    app = make_app(states.with_datasets(), config=DARK)
    give_contents(source_of(app), "tank/home@2026-11-17")
    async with app.run_test(size=NARROW) as pilot:
        for key in ("D", "plus", "down", "down", "down", "down", *keys):
            await pilot.press(key)
            await pilot.pause()
        keep(app, name, "zconsole")


async def draw_planner(name: str, size: tuple[int, int], key: str) -> None:
    """A planning session on a pool with a year behind it."""
    app = make_app(states.healthy(), config=DARK)
    give_outlook(app)
    async with app.run_test(size=size) as pilot:
        await pilot.press("P")
        screen = await settle(pilot)
        screen.form.fill({"drive": "12TB", "bays": "12", "price": "250", "changes": "add raidz2:6"})
        await settle(pilot)
        await pilot.press(key)
        await pilot.pause()
        keep(app, name, "zconsole")


async def draw_settings() -> None:
    """The settings of a user whose file has some, below a home that is nobody's; and a step of the tour."""
    with tempfile.TemporaryDirectory() as home, at_home(home):
        folder = config_folder()
        os.makedirs(folder)  # noqa: PTH103  # a few folders, before anything else runs
        write_setting("interval_s", 2.0)
        write_setting("alerts.bell", False)
        app = make_app(states.degraded(), config=replace(load_config(), theme="dark"))
        async with app.run_test(size=WIDE) as pilot:
            await press(pilot, "comma", "down", "down")
            keep(app, "settings", "zconsole")
        app = make_app(states.degraded(), config=DARK)
        async with app.run_test(size=NARROW) as pilot:
            await press(pilot, "f3", "down")
            keep(app, "tour-80", "zconsole --demo")


@contextmanager
def at_home(home: str) -> Iterator[None]:
    """A home of its own in place of the user's."""
    before = dict(os.environ)
    os.environ["HOME"] = home
    os.environ.pop("XDG_CONFIG_HOME", None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


async def draw_exercise() -> None:
    """An exercise: the briefing, the rack with a locate LED on, and the debriefing."""
    learner = await Learner.begin("failed-disk")
    app = make_app(states.degraded(), config=DARK, exercise=learner.exercise)
    async with app.run_test(size=NARROW) as pilot:
        await pilot.pause()
        keep(app, "practice-briefing", EXERCISE)
        await learner.wait(240)
        await learner.do("ledctl --listed-only locate=/dev/sdc")
        await learner.wait(10)
        await press(pilot, "enter", RACK_KEY, "down")
        keep(app, "practice-rack", EXERCISE)
        await press(pilot, "escape")
        await learner.pull(2, lit=False)
        await learner.insert(NEW, 2)
        await learner.do(f"zpool replace tank {{2}} {NEW}")
        await learner.until_idle()
        await learner.verified()
        await press(pilot, RACK_KEY, "end", "enter")
        keep(app, "practice-debriefing", EXERCISE)


async def draw_repair() -> None:
    """The steps of a repair, from the triage to the after-care, each as it is due."""
    async with called_at_night("failed-disk", DARK) as admin:
        await admin.press("R")
        await admin.sees("2 identify now")
        keep(admin.app, "repair-identify", EXERCISE)
        await admin.plans("locate LED")
        await admin.sees("3 take out now")
        keep(admin.app, "repair-take-out", EXERCISE)
        await admin.at_the_rack("2")
        await admin.sees("4 new disk now")
        keep(admin.app, "repair-new-disk", EXERCISE)
        await admin.at_the_rack("2", NEW)
        await admin.sees("5 replace unavailable")
        admin.clock.skip(3600)
        await admin.sees("5 replace now")
        keep(admin.app, "repair-replace", EXERCISE)
        await admin.plans("replace")
        await admin.sees("6 resilver now")
        keep(admin.app, "repair-resilver", EXERCISE)
        admin.clock.skip(7200)
        await admin.sees("7 after-care now")
        keep(admin.app, "repair-after-care", EXERCISE)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each after the one before has had its effect."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


def keep(app: ZConsoleApp, name: str, title: str) -> None:
    """Write what the app shows."""
    path = FOLDER / f"{name}.svg"
    path.write_text(app.export_screenshot(title=title))
    print(path)


async def main(clock: Clock, *names: str) -> None:
    """Let the practice host live for a while, then draw; with names only those pictures of it."""
    engine = Engine([PracticeHost(clock=clock)], clock=clock)
    engine.start()
    try:
        await clock.sleep(STORY_S)
        engine.mark("practice", "users call: everything is slow", clock.now() + MARKED_AFTER_S)
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, size, keys in PICTURES:
            if names and name not in names:
                continue
            await draw(engine, clock, name, size, keys)
    finally:
        engine.stop()
    if names:
        return
    for name, plan in GUARDS:
        await draw_guard(name, plan())
    await draw_planner("planner", (144, 44), "1")
    await draw_planner("planner-80", NARROW, "4")
    await draw_contents("diff", "d", "down", "enter", "down", "down", "down")
    await draw_contents("files", "b", "down", "down", "down")
    await draw_settings()
    await draw_exercise()
    await draw_repair()
    for name, state, keys, size in STATIC:
        await draw_static(name, state(), keys, size)


if __name__ == "__main__":
    os.environ.pop("NO_COLOR", None)
    asyncio.run(main(FastClock(SPEED), *sys.argv[1:]))
