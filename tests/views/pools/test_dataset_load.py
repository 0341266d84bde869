"""Who causes the load, and that rows stay where they are."""

from __future__ import annotations

from dataclasses import replace

from tests.ui import states, watched
from tests.ui.frames import frame, make_app, source_of
from tests.ui.states import NOW
from zconsole.model.pools.dataset_io import DatasetIo, DatasetIoSample
from zconsole.views.layout.styled_text import plain
from zconsole.views.pools.dataset_load import Ranking, notes

SIZE = (80, 24)


def sample(at: float, **written: float) -> DatasetIoSample:
    """Datasets that write so many MiB a second in operations of a MiB."""
    rows = tuple(DatasetIo(f"tank/{name}", 0.0, mib, 0.0, mib * 2**20) for name, mib in written.items())
    return DatasetIoSample(at, 2.0, rows)


def ranked(*samples: DatasetIoSample) -> list[str]:
    ranking = Ranking()
    for each in samples:
        ranking.take_in(each)
    return [each.io.name.removeprefix("tank/") for each in ranking.busy]


def test_the_busiest_is_on_top() -> None:
    assert ["b", "c", "a"] == ranked(sample(1.0, a=5.0, b=90.0, c=20.0))


def test_many_small_operations_are_a_load_as_well() -> None:
    ranking = Ranking()
    ranking.take_in(watched.activity())

    first = ranking.busy[:2]

    assert ["tank/backup", "tank/vm/database"] == sorted(each.io.name for each in first)
    assert all(each.share > 0.75 for each in first)


def test_equals_stand_in_the_order_of_their_names_whatever_the_last_second_brought() -> None:
    steps = [sample(float(at), a=50.0 + (at % 3), b=50.0 + ((at + 1) % 3)) for at in range(12)]

    assert all(["a", "b"] == ranked(*steps[: at + 1]) for at in range(12))


def test_a_burst_of_a_second_moves_no_row_and_a_lasting_change_does() -> None:
    quiet = [sample(float(at), a=90.0, b=10.0) for at in range(5)]

    assert ["a", "b"] == ranked(*quiet, sample(5.0, a=10.0, b=90.0))
    assert ["b", "a"] == ranked(*quiet, *(sample(5.0 + at, a=10.0, b=90.0) for at in range(8)))


def test_what_ended_is_idle_after_a_while() -> None:
    ranking = Ranking()
    ranking.take_in(sample(1.0, a=10.0, b=10.0))
    for at in range(40):
        ranking.take_in(sample(2.0 + at, a=10.0, b=0.0))

    assert ["tank/a"] == [each.io.name for each in ranking.busy]
    assert ["tank/b"] == [each.name for each in ranking.idle]


def test_a_reading_is_counted_once() -> None:
    ranking, reading = Ranking(), sample(2.0, a=10.0, b=90.0)
    ranking.take_in(sample(1.0, a=90.0, b=10.0))
    for _ in range(50):
        ranking.take_in(reading)

    assert ["a", "b"] == [each.io.name.removeprefix("tank/") for each in ranking.busy]


def test_the_selected_dataset_is_told_in_words() -> None:
    ranking = Ranking()
    ranking.take_in(watched.activity())

    words = [plain(each) for each in notes(ranking.find("tank/vm/database"))]

    assert "tank/vm/database" == words[0]
    assert "92% of all operations, 18% of all bytes · 1.9k reads/s of 7.98 KiB" in words[1]
    assert words[1].endswith(" · 840 commits/s that somebody waits for")
    assert ["tank", "It does nothing now."] == [plain(each) for each in notes(ranking.find("tank"))]
    assert [] == list(notes(ranking.find("tank/gone")))


async def test_the_first_line_names_who_causes_it() -> None:
    app = make_app(watched.loaded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("L")

        assert frame(app).startswith(" storage1 · tank load · tank/vm/database does 92% of all operations")
        assert {("objsets", "storage1", "tank"), ("guests", "storage1", True)} == set(source_of(app).live)

        await pilot.press("escape")
        assert {("objsets", "storage1", None), ("guests", "storage1", False)} == set(source_of(app).live[2:])


async def test_nobody_is_blamed_for_what_many_do() -> None:
    many = sample(NOW, **{f"vm{number}": 5.0 for number in range(20)})
    app = make_app(watched.loaded(many))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("L")

        assert "spread over many: tank/vm0 does the most, 5%" in frame(app).split("\n")[0]


async def test_a_dataset_is_acted_on_among_the_others() -> None:
    pool = replace(states.with_datasets().pools[0], dataset_io=watched.loaded().pools[0].dataset_io)
    app = make_app(states.host("storage1", pool))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("L", "slash", *"home", "enter", "enter")

        front = app.front()
        assert front is not None
        assert ("datasets", "tank/home") == (front.PLACE, front.rows.key)


async def test_why_there_is_nothing_is_said() -> None:
    app = make_app(watched.loaded(problem="grep: not found"))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("L")

        assert "The counters cannot be read: grep: not found" in frame(app)


async def test_what_is_old_says_so() -> None:
    app = make_app(watched.loaded())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("L")
        source_of(app).replace(watched.loaded(), monotonic=states.TICKS + 30)
        await pilot.pause()

        assert "31s old" in frame(app).split("\n")[0]


async def test_rows_stand_in_the_order_of_the_shares_that_are_shown_with_the_arrow() -> None:
    ranking, turns = Ranking(), 0
    before: list[str] = []
    for at in range(60):
        ranking.take_in(
            sample(float(at), **{f"vm{n}": 5.0 + n + 0.3 * ((at * (n + 3)) % 4) for n in range(12)})
        )
        shown = [round(100 * each.share) for each in ranking.busy]
        assert sorted(shown, reverse=True) == shown
        names = [each.io.name for each in ranking.busy]
        turns += at > 20 and names != before
        before = names
    assert 0 == turns  # what goes to and fro by less than a part in a hundred moves no row

    app = make_app(watched.loaded())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("L")
        lines = frame(app).split("\n")
        assert "SHARE↓" in lines[2]
        assert lines[3].split()[0] in lines[0]
