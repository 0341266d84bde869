"""The activity light of a disk: bursts while the dialog is open, and none after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.system.dd_disk_reads import BURST_MIB, MIB
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog
from zconsole.ui.flows import activity_light
from zconsole.ui.screens.repair import RepairScreen

PATIENCE = 50
SIZES = {"80x24": (80, 24), "160x50": (160, 50)}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_the_disk_is_read_in_bursts_until_a_key(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity_light, "PAUSE_S", 0.0)
    app = make_app(states.degraded())
    source = source_of(app)
    async with app.run_test(size=size) as pilot:
        await pilot.press("R", "i")
        for _ in range(PATIENCE):
            await pilot.pause()
            if len(source.blinks) > 3:
                break
        assert isinstance(app.screen, TellDialog)
        assert "is read in bursts" in frame(app)

        await pilot.press("enter")
        await pilot.pause()
        seen = len(source.blinks)
        await pilot.pause()
        assert isinstance(app.screen, RepairScreen)
        assert seen == len(source.blinks)
        assert 3 <= len({at for _, _, at in source.blinks})


@given(number=st.integers(min_value=0, max_value=10_000), size=st.none() | st.integers(0, 1 << 45))
def test_a_burst_is_within_the_first_16_gib_and_within_the_disk(number: int, size: int | None) -> None:
    at = activity_light.burst_offset_mib(number, size)

    assert 0 == at or (at + BURST_MIB) * MIB <= (size or 0)
    assert activity_light.SPAN_MIB > at


def test_bursts_of_a_small_disk_begin_again_at_its_start() -> None:
    gib = 1 << 30

    assert [0, 128, 256, 384, 0] == [activity_light.burst_offset_mib(each, gib // 2) for each in range(5)]
    assert 128 == len({activity_light.burst_offset_mib(each, 4096 * gib) for each in range(1000)})
    assert {0} == {activity_light.burst_offset_mib(each, None) for each in range(9)}


async def test_after_its_time_it_stops_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity_light, "PAUSE_S", 0.3)  # the dialog is there before
    monkeypatch.setattr(activity_light, "LASTS_S", -1.0)
    app = make_app(states.degraded())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("R", "i")
        for _ in range(PATIENCE):
            await pilot.pause(0.05)
            if "the reads ended" in frame(app):
                break

        assert "the reads ended" in frame(app)
        assert 1 == len(source_of(app).blinks)


async def test_a_disk_that_does_not_answer_is_found_by_the_others() -> None:
    app = make_app(states.degraded())
    source_of(app).is_blind = True
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("R", "i")
        await pilot.pause()

        assert "cannot be made to blink" in frame(app)
        assert "stays dark" in frame(app)
