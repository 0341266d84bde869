"""The disk chooser: typing filters, the list renews itself, and a disk that vanishes is not chosen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app
from zconsole.actions.disk_choices import DiskChoice
from zconsole.ui.dialogs import disk_chooser
from zconsole.ui.dialogs.disk_chooser import DiskDialog, KnownDisks
from zconsole.views.layout.styled_text import line

FITS = DiskChoice("/dev/disk/by-id/ata-A", "AAAA", 8 << 40, "ST8000", "fits")
LARGE = DiskChoice("/dev/disk/by-id/ata-B", "BBBB", 12 << 40, "ST12000", "fits, 4.00 TiB unused")
SMALL = DiskChoice(
    "/dev/disk/by-id/ata-C", "CCCC", 4 << 40, "ST4000", "too small by 4.00 TiB", "it is too small"
)
USED = DiskChoice(
    "/dev/disk/by-id/ata-D", "DDDD", 8 << 40, "ST8000", "in use: tank mirror-0", "x", is_in_use=True
)
EVERY = (FITS, LARGE, SMALL, USED)


PATIENCE = 100


class Stand:
    """The console with the chooser in front, and what it is told when it asks."""

    def __init__(self, *, is_many: bool = False, is_for_one_vdev: bool = False, warning: str = "") -> None:
        self.app = make_app(states.healthy())
        self.known = KnownDisks(EVERY, 3.0)
        self.answers: list[tuple[str, ...] | None] = []
        heading = line("new disk for ZL2F0A11 in tank mirror-0, at least 8.00 TiB")
        self.readings = 0
        self.dialog = DiskDialog(
            self.app.paint,
            (heading, line(warning)) if warning else (heading,),
            lambda: self.known,
            self.read_again,
            is_many=is_many,
            is_for_one_vdev=is_for_one_vdev,
        )

    def read_again(self) -> None:
        """The host is asked for a new reading."""
        self.readings += 1

    def open(self) -> None:
        """Put the chooser in front."""
        self.app.push_screen(self.dialog, self.answers.append)

    def learn(self, *choices: DiskChoice, age_s: float = 0.0) -> None:
        """The host is read again."""
        self.known = KnownDisks(choices, age_s)
        self.dialog.renew()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_it_looks_as_it_should(size: tuple[int, int], golden: Callable[[str, str], None]) -> None:
    stand = Stand()
    async with stand.app.run_test(size=size) as pilot:
        stand.open()
        await pilot.pause()

        golden(f"disk-chooser-{size[0]}x{size[1]}.txt", frame(stand.app))


async def test_the_best_disk_has_the_cursor_and_enter_takes_it() -> None:
    stand = Stand()
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        await pilot.press("enter")

    assert [(FITS.word,)] == stand.answers


async def test_the_host_is_read_again_while_the_list_is_open_and_not_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disk_chooser, "AGAIN_S", 0.01)
    stand = Stand()
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        for _ in range(PATIENCE):
            await pilot.pause(0.01)
            if stand.readings > 2:
                break
        assert 2 < stand.readings
        await pilot.press("escape")
        await pilot.pause()
        seen = stand.readings
        await pilot.pause(0.05)

        assert seen == stand.readings


async def test_a_disk_that_does_not_fit_is_not_taken_and_its_reason_is_told() -> None:
    stand = Stand()
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        await pilot.press("down", "down", "enter")
        await pilot.pause()

        assert "refused: it is too small" in frame(stand.app)
    assert [] == stand.answers


async def test_typing_filters_and_escape_first_clears_what_was_typed() -> None:
    stand = Stand()
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        await pilot.press(*"12000")
        await pilot.pause()
        assert "AAAA" not in frame(stand.app)
        assert "filter: 12000" in frame(stand.app)
        await pilot.press("escape")
        await pilot.pause()
        assert "AAAA" in frame(stand.app)
        await pilot.press(*"bbbb", "enter")

    assert [(LARGE.word,)] == stand.answers


async def test_a_disk_that_vanishes_under_the_cursor_is_not_replaced_by_its_neighbour() -> None:
    stand = Stand()
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        stand.learn(LARGE, SMALL)
        await pilot.pause()
        assert "the disk that was here is gone" in frame(stand.app)
        await pilot.press("enter")
        await pilot.pause()
        assert [] == stand.answers
        await pilot.press("up", "enter")

    assert [(LARGE.word,)] == stand.answers


async def test_a_disk_that_arrives_is_shown_and_the_cursor_stays() -> None:
    stand = Stand()
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        stand.learn(DiskChoice("/dev/disk/by-id/ata-0", "0NEW", 8 << 40, "ST8000", "fits"), *EVERY)
        await pilot.pause()
        assert "0NEW" in frame(stand.app)
        await pilot.press("enter")

    assert [(FITS.word,)] == stand.answers


async def test_disks_in_use_are_shown_on_request() -> None:
    stand = Stand()
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        assert "DDDD" not in frame(stand.app)
        await pilot.press("tab")
        await pilot.pause()
        assert "DDDD" in frame(stand.app)


async def test_several_disks_are_marked_in_the_order_of_choosing() -> None:
    stand = Stand(is_many=True)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        await pilot.press("down", "space", "up", "space", "end", "space", "enter")

    assert [(LARGE.word, FITS.word)] == stand.answers


async def test_of_disks_for_one_vdev_those_that_do_not_go_with_the_first_mark_go_behind_and_say_why() -> None:
    stand = Stand(is_many=True, is_for_one_vdev=True)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        await pilot.press("down", "space")
        await pilot.pause()
        shown = frame(stand.app)
        assert shown.index("[x] BBBB") < shown.index("does not fit beside BBBB") < shown.index("[ ] AAAA")
        assert "8.00 TiB and 12.0 TiB" in shown
        await pilot.press("down")
        await pilot.pause()
        assert "a vdev with disks of 8.00 TiB and 12.0 TiB is refused" in frame(stand.app)
        await pilot.press("up", "space")
        await pilot.pause()

        assert "beside" not in frame(stand.app)


async def test_a_marked_disk_that_is_gone_is_no_longer_marked() -> None:
    stand = Stand(is_many=True)
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()
        await pilot.press("space", "down", "space")
        stand.learn(LARGE, SMALL)
        await pilot.press("enter")

    assert [(LARGE.word,)] == stand.answers


async def test_that_the_old_disk_is_sound_is_told_below_the_heading() -> None:
    stand = Stand(warning="ZL2F0A11 is ONLINE and has no errors: it needs no repair")
    async with stand.app.run_test(size=(80, 24)) as pilot:
        stand.open()
        await pilot.pause()

        assert "ZL2F0A11 is ONLINE and has no errors: it needs no repair" in frame(stand.app)
