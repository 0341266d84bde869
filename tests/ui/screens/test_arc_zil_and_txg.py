"""The cache of a moment that is over."""

from __future__ import annotations

from tests.ui.past import MINUTE_BACK, cached, lines, moment


async def test_the_cache_of_then_has_the_groups_of_then() -> None:
    """Groups that were written later are not among the last ones, nor is what came later in the strip."""
    app = cached()

    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("A")
        now = next(line for line in lines(app) if line.startswith(" tank "))
        await pilot.press(*[MINUTE_BACK] * 4)

        then = next(line for line in lines(app) if line.startswith(" tank "))
        assert "PAST 11:01:40" == moment(app)
        assert now.count("▅") > then.count("▅") == 0
