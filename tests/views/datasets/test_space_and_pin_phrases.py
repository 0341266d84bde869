"""What is said of the space of a dataset, of a clone and of a snapshot."""

from __future__ import annotations

import pytest

from zconsole.analysis.dependencies.clone_space_and_pinned_snapshots import Divergence, OriginCost
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.datasets.space_and_pin_phrases import clone_line, named, snapshot_parts, space_parts
from zconsole.views.layout.state_age_and_link_phrases import join
from zconsole.views.layout.styled_text import plain

GIB = 1 << 30


def snapshot(holds: int = 0) -> Dataset:
    return Dataset("tank/a@1", "snapshot", used_bytes=GIB, holds=holds)


def test_of_a_dataset_only_what_takes_space_is_told() -> None:
    volume = Dataset("tank/v", "volume", used_by_dataset_bytes=GIB, used_by_snapshots_bytes=0)

    assert ["1.00 GiB live"] == [plain(each) for each in space_parts(volume)]


def test_a_clone_tells_what_is_its_own_and_what_it_pins_besides_its_origin() -> None:
    apart = Divergence("tank/c", "tank/a@1", GIB, 3 * GIB, None)

    said = plain(clone_line("tank/a@1", apart, ("tank/a@1", "tank/z@0")))

    assert "clone of tank/a@1 · 1.00 GiB its own (25%), 3.00 GiB shared · pins too: tank/z@0" == said


@pytest.mark.parametrize(
    ("said", "holds", "clones"),
    [
        ("destroying it alone frees 1.00 GiB", 0, ()),
        ("cannot be destroyed while it is held, would free 1.00 GiB", 1, ()),
        (
            (
                "cannot be destroyed alone, it has a clone: tank/c · "
                "keeps 1.00 GiB that its own dataset does not need, "
                "1.00 KiB to 2.00 KiB of it used by no clone"
            ),
            1,
            ("tank/c",),
        ),
    ],
)
def test_a_snapshot_tells_what_keeps_it_or_what_it_frees(
    said: str, holds: int, clones: tuple[str, ...]
) -> None:
    cost = OriginCost("tank/a@1", clones, holds, GIB, 1024, 2048)

    assert said == plain(join(list(snapshot_parts(snapshot(holds), cost))))


def test_of_many_names_the_first_are_told_with_their_count() -> None:
    assert "a, b, c, d and 2 more" == named("abcdef")
