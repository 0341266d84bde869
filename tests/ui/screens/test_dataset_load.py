"""The load of datasets, now and then."""

from __future__ import annotations

from tests.ui.frames import frame
from tests.ui.past import MINUTE_BACK, SIZE, cached, lines, loaded, moment


async def test_who_caused_the_load_then_and_not_who_does_now() -> None:
    app = loaded()

    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("L")
        assert "tank/vm/database does" in lines(app)[0]
        assert "4 of 5 active" in lines(app)[1]

        await pilot.press(*[MINUTE_BACK] * 3)

        assert "tank/backup moves 93% of all bytes" in lines(app)[0]
        assert "750 of 1050 active, 50 kept · read 2.6k/s" in lines(app)[1]
        assert lines(app)[3].startswith(" tank/backup")
        assert "database" not in frame(app)
        assert "with gaps" in frame(app)
        await pilot.press("end")
        others = next(line for line in lines(app) if line.startswith(" (700 others)"))
        expected = ["25%", "900", "10", "6.00", "1.00", "6.83", "KiB", "102", "KiB", "·", "·"]
        assert expected == others.split()[2:]
        assert "of the others what they did together" in frame(app)

        await pilot.press("o", "O", "slash", *"user1", "enter")

        named = [line.split()[0] for line in lines(app)[3:13]]
        assert [f"tank/home/user1{at}" for at in range(9, -1, -1)] == named


async def test_of_a_time_at_which_nothing_was_read_it_is_said() -> None:
    app = cached()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*[MINUTE_BACK] * 3, "A")

        assert "PAST 11:03:40" == moment(app)
        assert "Nothing is kept of 11:03:40 UTC." in frame(app)
        assert "only while this screen is open" in frame(app)
        assert "[ goes to 11:02:40, ] goes to 11:04:42." in frame(app)
        assert "commits" not in frame(app)
