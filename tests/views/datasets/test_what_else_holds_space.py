"""Where snapshots do not free enough, what else holds space is named, largest first, with its price."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import reclaims
from tests.ui.states import GIB
from zconsole.execution.facts.snapshots_to_free_space import Reclaim
from zconsole.model.datasets.dataset import Dataset
from zconsole.views.datasets.free_space_proposal import reclaim_lines
from zconsole.views.datasets.what_else_holds_space import what_else_lines
from zconsole.views.layout.styled_text import plain


def told(found: Reclaim) -> list[str]:
    return [plain(each) for each in what_else_lines(found)]


LIVE = (
    "tank/vm/database-of-the-bookkeeping 910 GiB, tank/home 340 GiB, tank/vm/web1 120 GiB, "
    "tank/vm/db 60.0 GiB, tank/images 45.0 GiB, and 1 more"
)
NO_DATA = "no data: refreservation=none on tank/vm/db; its writes can fail then when the pool is full"


def test_live_data_reservations_kept_snapshots_clones_and_quotas_are_named_largest_first() -> None:
    assert [
        "What else holds space in tank",
        f"  live data         {LIVE}",
        "  reserved, unused  tank/vm/db 200 GiB",
        "  kept snapshots    at most 28.0 GiB in 14 snapshots",
        "  clones            tank/vm/web1 160 GiB of tank/images@gold",
        "  limited by quota  tank/home 500 GiB",
        f"The next 100 GiB would cost: {NO_DATA}",
    ] == told(reclaims.too_little())


@pytest.mark.parametrize(
    ("expected", "live"),
    [
        (
            "live data; the smallest dataset with so much of it is tank/b, 120 GiB",
            {"tank/a": 910, "tank/b": 120, "tank/c": 9},
        ),
        ("the live data of 2 datasets", {"tank/a": 60, "tank/b": 55, "tank/c": 5}),
        ("more than there is: all live data is 5.00 GiB", {"tank/c": 5}),
    ],
)
def test_the_next_100_gib_are_told_by_the_least_loss(expected: str, live: dict[str, int]) -> None:
    datasets = tuple(
        Dataset(name, "filesystem", used_by_dataset_bytes=gib * GIB) for name, gib in live.items()
    )

    assert (
        f"The next 100 GiB would cost: {expected}"
        == told(replace(reclaims.too_little(), datasets=datasets))[-1]
    )


def test_it_stands_before_the_names_and_only_where_snapshots_do_not_free_enough() -> None:
    lines = [plain(each) for each in reclaim_lines(reclaims.too_little())]

    assert lines.index("What else holds space in tank") < next(
        at for at, each in enumerate(lines) if "@" in each and at > 8
    )
    assert not any(plain(each).startswith("What else") for each in reclaim_lines(reclaims.oldest()))
