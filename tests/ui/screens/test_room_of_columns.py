"""Names take the room that they need: what stands behind them is not cut beside blanks."""

from __future__ import annotations

from tests.contact_sheets import LOOKS, opened
from tests.ui.frames import frame

DARK = LOOKS[0]


async def test_the_state_of_datasets_with_short_names_has_their_room() -> None:
    async with opened("datasets", DARK, (80, 24)) as app:
        assert "clone of tank/images…" in frame(app)


async def test_the_columns_of_a_pool_come_right_behind_its_names() -> None:
    async with opened("pool-identity", DARK, (160, 50)) as app:
        assert "│ ├ ata-ST8000NM000A-2KE101_ZL2F0A11 ONLINE  " in frame(app)
        assert " ST8000NM000A-2KE101 " in frame(app)


async def test_names_on_a_wide_latency_screen_are_whole() -> None:
    async with opened("latency", DARK, (160, 50)) as app:
        assert "▸ ata-ST8000NM000A-2KE101_ZL2F0C44 " in frame(app)
