"""What a destructive plan is about and takes away is seen first at every size, and that more is below."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import plans, states
from tests.ui.frames import frame, make_app
from zconsole.actions.checks.command_to_free_space import space_to_free
from zconsole.actions.plan import Plan, RefusalReason, Risk
from zconsole.ui.dialogs.plan import Answer, FreeSpace, PlanDialog

SIZES = ((40, 8), (60, 15), (80, 24), (160, 50))
FINAL = replace(
    plans.destroy_many(), undo=None, frees_bytes=501 << 30, target="tank/vm/images@before-migration"
)
LACKS = RefusalReason(
    "space", "tank/images has 0 B left", "free space in tank; then resume mail01",
    command=space_to_free("tank", 10 << 30).command, frees=space_to_free("tank", 10 << 30),
)  # fmt: skip


async def shown(plan: Plan, size: tuple[int, int], *keys: str) -> tuple[str, list[Answer | None]]:
    """The frame of a plan's dialog, and its answer to keys."""
    app = make_app(states.healthy())
    answers: list[Answer | None] = []
    async with app.run_test(size=size) as pilot:
        dialog = PlanDialog(app.paint, plan, clock=lambda: 0.0)
        app.push_screen(dialog, answers.append)
        await pilot.pause()
        dialog.shown(0.0)
        await pilot.pause()
        seen = frame(app)
        await pilot.press(*keys)
    return seen, answers


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_lost_and_freed_for_good_is_seen_before_any_key(size: tuple[int, int]) -> None:
    seen, _ = await shown(FINAL, size)

    words = " ".join(seen.replace("┃", " ").split())
    assert "cannot be undone" in words
    assert "LOST" in words
    assert "49 objects" in words
    assert "FREES" in words
    assert "501 GiB" in words


@pytest.mark.parametrize("size", SIZES[:2])
async def test_a_low_terminal_says_that_more_is_below(size: tuple[int, int]) -> None:
    seen, _ = await shown(FINAL, size)

    assert " of " in next(row for row in seen.splitlines() if "1-" in row)


@pytest.mark.parametrize("size", SIZES)
async def test_the_title_of_a_plan_ends_with_its_object(size: tuple[int, int]) -> None:
    long = "destroy the file system tank/" + "a-name-of-many-letters/" * 8 + "gitlab"
    seen, _ = await shown(replace(FINAL, title=long), size)

    assert long[-14:] in "".join(row.strip("┃ ") for row in seen.splitlines())


@pytest.mark.parametrize("size", SIZES)
async def test_a_refusal_for_lack_of_space_has_a_key_that_frees_space(size: tuple[int, int]) -> None:
    refused = replace(plans.scrub(), risk=Risk.REFUSED, refusals=(LACKS,), steps=())
    seen, answers = await shown(refused, size, "f6")

    assert "F6 free space in tank" in " ".join(seen.split())
    assert "zconsole reclaim" not in seen
    (answer,) = answers
    assert isinstance(answer, FreeSpace)
    assert ("tank", "10G", "") == (answer.space.dataset, answer.space.amount, answer.space.host)
