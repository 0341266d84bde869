"""Every screen as text, at the two sizes that matter, healthy and in trouble."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

import pytest
from textual.pilot import Pilot

from tests.ui import states, watched
from tests.ui.frames import UTF8, frame, make_app, source_of
from zconsole.analysis.search.dataset_query import OF_SNAPSHOTS
from zconsole.model.host.host_state import HostState
from zconsole.model.journal import Entry
from zconsole.storage.journal import JournalError
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.shared.base_screen import FILL_AFTER_S

SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
TO_TANK = ("end", "enter")

HEALTHY = (states.healthy,)
DEGRADED = (states.degraded,)
DATASETS = (states.with_datasets,)
SLOW = (watched.slow,)
FLEET = (states.degraded, states.down, states.unknown_key, states.without_zfs)

SCREENS: dict[str, tuple[Sequence[Callable[[], HostState]], Sequence[str]]] = {
    "pools-healthy": (HEALTHY, ()),
    "pools-degraded": (DEGRADED, ()),
    "pools-fleet": (FLEET, ("escape",)),
    "pools-down": ((states.down,), ()),
    "pools-without-zfs": ((states.without_zfs,), ()),
    "pools-connecting": ((states.connecting,), ()),
    "pools-empty": ((states.empty,), ()),
    "pools-suspended": ((states.suspended,), ()),
    "pools-filtered": (DEGRADED, ("slash", *"ta", "enter")),
    "pools-sorted": (DEGRADED, ("o", "o", "o")),
    "host-key": ((states.unknown_key,), ()),
    "pool-io": (DEGRADED, TO_TANK),
    "pool-degraded": (DEGRADED, ("enter",)),
    "pool-latency": (DEGRADED, (*TO_TANK, "2")),
    "pool-slow": (SLOW, ("enter", "n")),
    "pool-slow-answer": (SLOW, ("enter",)),
    "pool-slow-latency": (SLOW, ("enter", "2", "n")),
    "pool-heat": (SLOW, ("enter", "3", "n")),
    "latency": (SLOW, ("enter", "n", "enter")),
    "latency-sizes": (SLOW, ("enter", "n", "enter", "2")),
    "latency-pool": (SLOW, ("enter", "enter")),
    "latency-unread": (HEALTHY, ("enter", "enter")),
    "why": (SLOW, ("enter", "n", "w")),
    "why-guests": ((watched.slow_under_guests,), ("enter", "n", "w")),
    "pool-queues": (DEGRADED, (*TO_TANK, "4")),
    "pool-errors": (DEGRADED, ("enter", "5")),
    "pool-space": (DEGRADED, (*TO_TANK, "6")),
    "pool-identity": (DEGRADED, (*TO_TANK, "7")),
    "pool-vdev": (DEGRADED, ("enter", "down", "down", "down")),
    "pool-filter-wrong": (DEGRADED, (*TO_TANK, "slash", *"disk usde>5")),
    "pool-compared": (DEGRADED, (*TO_TANK, "slash", *"read_ops>0", "enter")),
    "pool-filtered": (DEGRADED, (*TO_TANK, "slash", *"C44", "enter")),
    "pool-down": ((states.down,), ("enter",)),
    "pool-suspended": ((states.suspended,), ("enter",)),
    "datasets": (DATASETS, ("D",)),
    "datasets-open": (DATASETS, ("D", "plus", "down", "down")),
    "datasets-clone": (DATASETS, ("D", "end", "c")),
    "datasets-filtered": (DATASETS, ("D", "slash", *"no:clones 11", "enter")),
    "datasets-filter-empty": (DATASETS, ("D", "slash")),
    "datasets-filter-wrong": (DATASETS, ("D", "slash", *"older:x")),
    "datasets-marked": (DATASETS, ("D", "plus", "asterisk", "home")),
    "datasets-gold": ((states.gold,), ("D", "plus", "end", "up")),
    "datasets-limits": (DATASETS, ("D", "2")),
    "datasets-mounts": (DATASETS, ("D", "3")),
    "datasets-ages": (DATASETS, ("D", "plus", "4")),
    "datasets-guests": ((states.with_guests_on_datasets,), ("D", "end", "up", "up")),
    "datasets-guests-parent": ((states.with_guests_on_datasets,), ("D", *("down",) * 5)),
    "pool-guests": ((states.with_guests,), ("enter",)),
    "calendar": ((states.with_families,), ("D", "down", "K")),
    "datasets-unread": (HEALTHY, ("D",)),
    "load": ((watched.loaded,), ("L", "down")),
    "load-guests": ((watched.loaded_by_guests,), ("L",)),
    "load-unread": (HEALTHY, ("L",)),
    "arc": ((watched.cached,), ("A", "down")),
    "arc-unread": (HEALTHY, ("A",)),
    "commands-none": (HEALTHY, ("C",)),
    "journal-none": (HEALTHY, ("J",)),
    "unlock": (HEALTHY, ("U",)),
    "actions": (HEALTHY, ("a",)),
    "events": (DEGRADED, ("e",)),
    "event": (DEGRADED, ("e", "up", "up", "enter")),
    "findings": (DEGRADED, ("f",)),
    "findings-none": (HEALTHY, ("f",)),
    "advice": ((states.advised,), ("I",)),
    "advice-none": ((states.sound,), ("I",)),
    "advice-unread": (HEALTHY, ("I",)),
    "finding": (DEGRADED, ("f", "enter")),
    "repair": (DEGRADED, ("R",)),
    "repair-next": (DEGRADED, ("R", "n")),
    "repair-slow": ((watched.slow_for_long,), ("R",)),
    "disks": ((states.with_disks,), ("d",)),
    "disks-shelf": ((states.with_disks,), ("d", "h")),
    "disks-unread": (HEALTHY, ("d", "end")),
    "disks-filtered": ((states.with_disks,), ("d", "slash", *"unused", "enter")),
    "disk": ((states.with_disks,), ("d", "enter")),
    "guests": ((states.with_guests,), ("V",)),
    "guests-unread": (HEALTHY, ("V",)),
    "guests-filtered": ((states.with_guests,), ("V", "slash", *"tank/vm/images", "enter")),
    "guest": ((states.with_guests,), ("V", "enter")),
    "finding-guest": ((states.with_guests,), ("f",)),
    "help": (HEALTHY, ("question_mark",)),
    "themes": (HEALTHY, ("T",)),
}


async def whole(pilot: Pilot[None], app: ZConsoleApp) -> None:
    """Wait for what a slow machine draws a little later."""
    front = app.front()
    while front is not None and front.is_behind():
        await pilot.pause(FILL_AFTER_S)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SCREENS)
async def test_a_screen_looks_as_it_should(name: str, size: str, golden: Callable[[str, str], None]) -> None:
    hosts, keys = SCREENS[name]
    app = make_app(*(make() for make in hosts))

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        await whole(pilot, app)

        golden(f"{name}-{size}.txt", frame(app))


@pytest.mark.parametrize(
    ("size", "down"), [("80x24", ("pagedown", "pagedown", "down", "down")), ("160x50", ())]
)
async def test_the_words_of_the_filter_are_among_the_keys(
    size: str, down: Sequence[str], golden: Callable[[str, str], None]
) -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("D", "question_mark")
        await pilot.pause()
        await pilot.press(*down, *["down"] * 20)
        await pilot.pause()
        assert all(f" {', '.join(examples)} " in frame(app) for examples, _ in OF_SNAPSHOTS)

        golden(f"help-datasets-{size}.txt", frame(app))


@pytest.mark.parametrize("size", SIZES)
async def test_the_journal_tells_of_runs_and_ends(size: str, golden: Callable[[str, str], None]) -> None:
    app = make_app(states.healthy())
    source_of(app).entries = states.entries()

    async with app.run_test(size=SIZES[size]) as pilot:
        await pilot.press("J")
        await pilot.pause()
        golden(f"journal-{size}.txt", frame(app))
        await pilot.press("enter")
        await pilot.pause()
        golden(f"entry-{size}.txt", frame(app))


async def test_the_journal_is_shown_once_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the disk answers the screen says so, and can be left."""
    app = make_app(states.healthy())
    reading: list[Future[tuple[Entry, ...]]] = []

    def journal() -> Future[tuple[Entry, ...]]:
        reading.append(Future())
        return reading[-1]

    monkeypatch.setattr(source_of(app), "journal", journal)

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("J")
        await pilot.pause()
        assert "Reading the journal ..." in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("J")
        await pilot.pause()
        reading[-1].set_result(states.entries())
        await pilot.pause()
        shown = frame(app)
        await pilot.press("r")
        reading[-1].set_exception(JournalError("the journal cannot be read: locked"))
        await pilot.pause()

        assert "Reading the journal ..." not in shown
        assert states.entries()[0].title in shown
        assert "the journal cannot be read: locked" in frame(app)


async def test_without_colour_the_words_say_it_all(golden: Callable[[str, str], None]) -> None:
    """NO_COLOR takes the colours, and not a single word or glyph."""
    app = make_app(states.degraded(), environment={**UTF8, "NO_COLOR": "1"})

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()

        golden("pools-degraded-80x24.txt", frame(app))


async def test_a_terminal_of_ascii_gets_ascii(golden: Callable[[str, str], None]) -> None:
    app = make_app(states.degraded(), environment={"TERM": "linux"})

    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()

        shown = frame(app)
        assert shown.isascii()
        golden("pool-degraded-80x24-ascii.txt", shown)
