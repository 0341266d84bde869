"""What can be copied of a row: what is on the screen, by the titles of its columns."""

from __future__ import annotations

import pytest

from zconsole.views.layout.copyable_values import of_row
from zconsole.views.layout.table import Cell, Column, Row, Table

TITLES = ("POOL", "OF USABLE", "R MiB/s", "°C", "80% IN", "p50 ms")
COLUMNS = tuple(Column(title, title, 9, Cell) for title in TITLES)
TABLE = Table(COLUMNS, (Row("tank", tuple(Cell(f"{at}") for at in range(len(TITLES)))),))


def test_labels_keep_their_units() -> None:
    titles = [each.title for each in of_row(TABLE, TABLE.rows[0])]

    assert ["Pool", "Of usable", "R MiB/s", "°C", "80% in", "p50 ms", "Whole row"] == titles


@pytest.mark.parametrize("shown", [("POOL",), ("POOL", "°C")])
def test_a_column_that_is_not_on_the_screen_is_not_offered(shown: tuple[str, ...]) -> None:
    found = [each.text for each in of_row(TABLE, TABLE.rows[0], shown)]

    assert [str(TITLES.index(each)) for each in shown] == found[: len(shown)]
    assert len(shown) + (len(shown) > 1) == len(found)


def test_drawn_bars_are_left_out_of_a_whole_row() -> None:
    """It is pasted into tickets."""
    columns = tuple(Column(each, each, 9, Cell) for each in ("POOL", "CAPACITY", "USED"))
    row = Row("vault", (Cell("vault"), Cell("██████░░░░│░"), Cell("46%")))

    assert "vault  46%" == list(of_row(Table(columns, (row,)), row))[-1].text
