"""Names are taken apart so that the parts make the name again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.dataset_names import dataset_of, last_part, parent_of, pool_of, short_of

PART = st.text("abcXYZ019-_.: ", min_size=1, max_size=8)
DATASET = st.lists(PART, min_size=1, max_size=5).map("/".join)
MARK = st.sampled_from("@#")


@pytest.mark.parametrize(
    ("name", "pool", "dataset", "short"),
    [
        ("tank", "tank", "tank", ""),
        ("tank@a", "tank", "tank", "a"),
        ("tank#b", "tank", "tank", "b"),
        ("tank/home/anna@2026-11-01", "tank", "tank/home/anna", "2026-11-01"),
        ("tank/home#b", "tank", "tank/home", "b"),
        ("", "", "", ""),
    ],
)
def test_each_part_of_a_name(name: str, pool: str, dataset: str, short: str) -> None:
    assert pool == pool_of(name)
    assert dataset == dataset_of(name)
    assert short == short_of(name)


@pytest.mark.parametrize(
    ("dataset", "parent", "last"),
    [("tank", "", "tank"), ("tank/a", "tank", "a"), ("tank/a/b", "tank/a", "b")],
)
def test_a_dataset_stands_in_its_parent(dataset: str, parent: str, last: str) -> None:
    assert parent == parent_of(dataset)
    assert last == last_part(dataset)


@given(DATASET, MARK, PART)
def test_dataset_and_short_name_make_the_name_again(dataset: str, mark: str, short: str) -> None:
    name = f"{dataset}{mark}{short}"

    assert dataset == dataset_of(name)
    assert short == short_of(name)
    assert pool_of(dataset) == pool_of(name)


@given(DATASET)
def test_a_dataset_is_its_own_and_stands_in_its_pool(dataset: str) -> None:
    assert dataset == dataset_of(dataset)
    assert "" == short_of(dataset)
    assert dataset.split("/", maxsplit=1)[0] == pool_of(dataset)


@given(DATASET, PART)
def test_parent_and_last_part_make_the_dataset_again(parent: str, last: str) -> None:
    assert parent == parent_of(f"{parent}/{last}")
    assert last == last_part(f"{parent}/{last}")


@given(st.text())
def test_any_text_has_parts(text: str) -> None:
    assert text.startswith(dataset_of(text))
    assert dataset_of(text).startswith(pool_of(text))
    assert text.endswith(short_of(text))
