"""Draws every screen at four sizes, dark, light and in 16 colours, to be looked at.

`python -m tests.contact_sheets FOLDER [NAME...]` writes a sheet a screen, NAME.svg, and with `--single` each
picture by itself. None is kept in the repository: what must not change is in the frames of `tests/ui/frames`.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from textual.pilot import Pilot

from tests.ui import plans
from tests.ui.frames import UTF8, make_app
from tests.ui.planned import give_outlook, settle
from tests.ui.terminal_palettes import BLACK, WHITE, XTERM
from tests.ui.test_frames import DEGRADED, HEALTHY, SCREENS, whole
from zconsole.actions.plan import Plan
from zconsole.base.user_config_file import Config
from zconsole.model.host.host_state import HostState
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.dialogs.plan import PlanDialog

SIZES: Final = ((80, 24), (120, 35), (160, 50), (250, 70))
ON_BLACK: Final = TerminalTheme(BLACK, XTERM.colours[7], list(XTERM.dark), list(XTERM.bright))
ON_WHITE: Final = TerminalTheme(WHITE, BLACK, list(XTERM.dark), list(XTERM.bright))
HEADER: Final = re.compile(r'<svg class="rich-terminal" viewBox="0 0 ([\d.]+) ([\d.]+)"')
GAP: Final = 20.0


@dataclass(frozen=True, slots=True)
class Look:
    """Theme, and the terminal that shows it."""

    name: str
    theme: str | None
    environment: dict[str, str]
    terminal: TerminalTheme


SIXTEEN: Final = {"TERM": "xterm-16color", "LANG": "C.UTF-8"}
LOOKS: Final = (
    Look("dark", "dark", UTF8, ON_BLACK),
    Look("light", "light", UTF8, ON_BLACK),
    Look("16-on-black", None, SIXTEEN, ON_BLACK),
    Look("16-on-white", None, SIXTEEN | {"COLORFGBG": "0;15"}, ON_WHITE),
)

Keys = Sequence[str]
MORE: Final[
    dict[str, tuple[Sequence[Callable[[], HostState]], Keys]]
] = {  # beside those that have a text frame
    "settings": (DEGRADED, ("comma",)),
    "settings-menu": (DEGRADED, ("comma", "enter")),
    "command-line": (DEGRADED, ("colon", *"sc")),
    "alerts": (DEGRADED, ("exclamation_mark",)),
    "tour": (DEGRADED, ("f3",)),
    "vdev-actions": (HEALTHY, ("enter", "down", "down", "a")),
    "own-filter": (HEALTHY, ("slash",)),
}
PLANS: Final[dict[str, Callable[[], Plan]]] = {
    "plan-destroy": plans.destroy_gold,
    "plan-attach": plans.attach,
}


@asynccontextmanager
async def opened(name: str, look: Look, size: tuple[int, int]) -> AsyncIterator[ZConsoleApp]:
    """The console on the screen of that name."""
    hosts, keys = (SCREENS | MORE).get(name, (HEALTHY, ()))
    app = make_app(*(make() for make in hosts), config=Config(theme=look.theme), environment=look.environment)
    if name == "planner":
        give_outlook(app)
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        if name in PLANS:
            app.push_screen(PlanDialog(app.paint, PLANS[name](), clock=lambda: 0.0))
        elif name == "planner":
            await plan_a_purchase(pilot)
        else:
            await whole(pilot, app)
        await pilot.pause()
        yield app


async def plan_a_purchase(pilot: Pilot[None]) -> None:
    """Fill in the planner."""
    await pilot.press("P")
    screen = await settle(pilot)
    screen.form.fill({"drive": "12TB", "bays": "12", "price": "250", "changes": "add raidz2:6"})
    await settle(pilot)


def picture(app: ZConsoleApp, title: str, terminal: TerminalTheme) -> str:
    """What is seen, as SVG, in the colours of a terminal."""
    columns, rows = app.size
    console = Console(
        width=columns,
        height=rows,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        record=True,
        legacy_windows=False,
        safe_box=False,
    )
    console.print(app.screen._compositor.render_update(full=True, screen_stack=app._background_screens))
    return console.export_svg(title=title, theme=terminal)


def sheet(pictures: Sequence[Sequence[str]]) -> str:
    """Rows of pictures as one."""
    parts: list[str] = []
    top = widest = 0.0
    for row in pictures:
        left = height = 0.0
        for each in row:
            found = HEADER.search(each)
            assert found is not None
            wide, high = float(found[1]), float(found[2])
            parts.append(
                each.replace("<svg ", f'<svg x="{left}" y="{top}" width="{wide}" height="{high}" ', 1)
            )
            left, height = left + wide + GAP, max(height, high)
        top, widest = top + height + GAP, max(widest, left)
    whole_of_it = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {widest} {top}">'
    return "\n".join((whole_of_it, *parts, "</svg>"))


async def draw(name: str, folder: Path, looks: Sequence[Look], *, is_single: bool) -> None:
    """Write the sheet of a screen, a row a size."""
    rows: list[list[str]] = []
    for size in SIZES:
        rows.append([])
        for look in looks:
            title = f"{name} {look.name} {size[0]}x{size[1]}"
            async with opened(name, look, size) as app:
                rows[-1].append(picture(app, title, look.terminal))
            if is_single:
                (folder / f"{title.replace(' ', '-')}.svg").write_text(rows[-1][-1])
    path = folder / f"{name}.svg"
    path.write_text(sheet(rows))


async def main(folder: Path, names: Sequence[str], looks: Sequence[Look], *, is_single: bool) -> None:
    """Draw the screens of these names, or all."""
    for name in names or (*SCREENS, *MORE, *PLANS, "planner"):
        await draw(name, folder, looks, is_single=is_single)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--look", choices=[each.name for each in LOOKS], action="append")
    parser.add_argument("--single", action="store_true", help="each picture by itself too")
    found = parser.parse_args()
    os.environ.pop("NO_COLOR", None)
    found.folder.mkdir(parents=True, exist_ok=True)
    chosen = [each for each in LOOKS if not found.look or each.name in found.look]
    asyncio.run(main(found.folder, found.names, chosen, is_single=found.single))
