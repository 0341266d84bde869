"""Faults are switched on and off while commands wait."""

from __future__ import annotations

import asyncio

import pytest

from zconsole.practice import Faults


@pytest.mark.parametrize(
    ("argv", "hangs"),
    [
        (("zpool", "status", "tank"), True),
        (("zpool", "status"), True),
        (("zpool",), False),
        (("zpool", "list"), False),
    ],
)
def test_a_command_hangs_by_the_beginning_of_its_words(argv: tuple[str, ...], hangs: bool) -> None:
    assert hangs is Faults(hanging={("zpool", "status")}).hangs(argv)


async def test_a_change_wakes_all_that_wait() -> None:
    faults = Faults()
    waiting = [asyncio.ensure_future(faults.wait()) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(each.done() for each in waiting)

    faults.changed()
    await asyncio.gather(*waiting)

    later = asyncio.ensure_future(faults.wait())
    await asyncio.sleep(0)
    assert not later.done()
    later.cancel()
