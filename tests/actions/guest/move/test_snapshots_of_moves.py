"""What the snapshots of moves tell: the next number, and whether a move was begun and has not ended."""

from __future__ import annotations

import pytest

from tests.doubles.plan_worlds import filesystem, snapshot
from zconsole.actions.guest.move.snapshots_of_moves import begun_with, has_live, next_number
from zconsole.model.datasets.dataset import Dataset

NAME = "tank/web01"


def kept(*shorts: str, written: int = 0) -> list[Dataset]:
    """Snapshots, the oldest first; behind `=` what was written up to one."""
    made = []
    for txg, each in enumerate(shorts, 20):
        short, _, own = each.partition("=")
        made.append(snapshot(f"{NAME}@{short}", txg, written_bytes=int(own or 0)))
    return [filesystem(NAME, written_bytes=written), *made]


@pytest.mark.parametrize(
    ("datasets", "begun"),
    [
        (kept(), None),
        (kept("daily", "weekly"), None),
        (kept("zconsole-move-1-live", written=9), ("1-live", "1-live")),
        (kept("zconsole-move-1-live", "zconsole-move-2-live=5", "daily=7", written=3), ("1-live", "2-live")),
        (kept("zconsole-move-1-live", "zconsole-move-3-off=5"), ("1-live", "3-off")),
        (kept("zconsole-move-1-live", "zconsole-move-3-off=5", "zconsole-move-4-off"), ("1-live", "4-off")),
        # it ran since
        (kept("zconsole-move-1-live", "zconsole-move-3-off", written=1), None),
        (kept("zconsole-move-1-live", "zconsole-move-3-off", "daily=1"), None),
        # an earlier move ended here, the guest ran, and this one began with it off
        (kept("zconsole-move-1-live", "zconsole-move-3-off", "zconsole-move-4-off=8"), None),
        (kept("zconsole-move-1-off"), None),
    ],
)
def test_a_begun_move_is_told_by_what_was_written_since(
    datasets: list[Dataset], begun: tuple[str, str] | None
) -> None:
    found = begun_with(datasets[0], datasets)

    assert begun == (None if found is None else tuple(each.partition("-move-")[2] for each in found))


def test_a_snapshot_of_a_running_guest_is_told_from_others() -> None:
    assert has_live(NAME, kept("zconsole-move-1-live", "zconsole-move-2-off"))
    assert not has_live(NAME, kept("zconsole-move-2-off", "zconsole-move-x-live"))
    assert not has_live("tank/other", kept("zconsole-move-1-live"))


def test_numbers_go_on_behind_the_largest() -> None:
    assert 42 == next_number(["zconsole-move-41-off", "daily", "zconsole-move-7-live", "zconsole-move-x-off"])
    assert 1 == next_number([])
