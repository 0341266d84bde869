"""The cells of the datasets' table."""

from __future__ import annotations

import pytest

from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.datasets.dataset_columns import SETS, CellContext, DatasetFacts

NOW = 1_795_219_200.0
DAY_S = 86_400


@pytest.mark.parametrize(
    ("days", "words"),
    [(0.5, "12h"), (41, "41d"), (1480, "1480d"), (36_500, "36500d")],
)
def test_an_age_of_years_is_not_cut(days: float, words: str) -> None:
    dataset = Dataset("tank/a", "filesystem", creation=int(NOW - days * DAY_S))
    (age,) = (each for each in SETS["identity"].columns if each.id == "age")
    where = CellContext(Graph({dataset.name: dataset}, {}, {}, {}, {}), NOW)

    cell = age.cell(DatasetFacts(dataset, where))

    assert words == cell.text
    assert len(cell.text) <= age.width
