"""Snapshots in columns say what the same ones say as objects: what hangs on what, what a filter means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.dependencies.columns import in_columns, pools
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.dependencies.snapshot_graph import Chained, Names, Picked
from zconsole.analysis.search.snapshot_filter_in_time_slices import cloned_in, parts
from zconsole.model.datasets.dataset import Dataset


@given(pools())
def test_columns_hang_together_as_objects_do(datasets: tuple[Dataset, ...]) -> None:
    objects, columns = build_graph(datasets), in_columns(datasets)

    assert dict(objects.datasets) == dict(columns.datasets)
    assert len(objects.datasets) == len(columns.datasets)
    assert {name: tuple(each) for name, each in objects.snapshots.items()} == {
        name: tuple(each) for name, each in columns.snapshots.items()
    }
    assert objects.children == columns.children
    assert objects.bookmarks == columns.bookmarks
    assert objects.clones == columns.clones
    assert cloned_in(objects) == cloned_in(columns)
    for name in objects.children:
        assert list(parts(objects, name)) == list(parts(columns, name))


@given(pools())
def test_of_what_was_not_read_only_the_name_and_its_numbers_are_known(datasets: tuple[Dataset, ...]) -> None:
    columns = in_columns(datasets, is_read=False)

    for each in datasets:
        if each.type == "snapshot":
            assert columns.datasets[each.name] == Dataset(
                each.name, "snapshot", clones=each.clones, createtxg=each.createtxg, guid=each.guid
            )
    assert "tank@nothing" not in columns.datasets
    assert "tank/nothing@x" not in columns.datasets
    assert 5 not in columns.datasets


@given(pools(), st.data())
def test_names_are_found_where_they_stand(datasets: tuple[Dataset, ...], data: st.DataObject) -> None:
    for names in in_columns(datasets).snapshots.values():
        assert isinstance(names, Names)
        every = list(names)
        some = data.draw(st.lists(st.sampled_from(range(len(every))), unique=True).map(sorted))
        picked = Picked(names, some)
        chained = Chained(["tank#x"], picked)

        assert [names[at] for at in range(len(names))] == every
        assert [names.find(each) for each in reversed(every)] == list(reversed(range(len(every))))
        assert [every[at] for at in some] == list(picked)
        assert ["tank#x", *picked] == list(chained)
        assert [picked.find(each) for each in every] == [
            some.index(at) if at in some else None for at in range(len(every))
        ]
        assert all(at == chained.index(each) for at, each in enumerate(chained))
        assert tuple(every[1:3]) == names[1:3]
        assert every[-1] == names[-1]
        with pytest.raises(IndexError):
            names[len(every)]
        with pytest.raises(ValueError, match="tank"):
            names.index(every[0], 1)
