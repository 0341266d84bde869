"""What is proposed to free space is told with how sure it is."""

from __future__ import annotations

from tests.ui import reclaims
from zconsole.views.datasets.free_space_proposal import chosen, chosen_runs, reclaim_lines
from zconsole.views.layout.styled_text import plain


def test_what_may_go_is_not_said_to_be_all_where_more_could_be_proposed() -> None:
    """The datasets give enough; the pool may keep blocks that they share with others."""
    said = plain(next(reclaim_lines(reclaims.perhaps())))

    assert said.endswith("PERHAPS NOT ENOUGH, the oldest 2 snapshots of 2 datasets free 6.00 GiB to 16.0 GiB")


def test_the_fewest_are_said_to_be_the_fewest() -> None:
    said = plain(next(reclaim_lines(reclaims.fewest())))

    assert said.endswith((", and fewer do not", ", the fewest that were found"))


def test_neighbours_are_one_run_and_each_has_its_name() -> None:
    found = reclaims.oldest()

    assert len(chosen_runs(found)) < len(chosen(found))
    assert all(name.partition("@")[0] in "".join(chosen_runs(found)) for name in chosen(found))
