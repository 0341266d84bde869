"""Which hosts and groups are one row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states
from zconsole.model.host.host_state import HostState
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.pools.folded_hosts_and_groups import ListRoom, group_key, is_folded

DOWN, QUIET = states.down(), states.healthy()


def view(of: dict[str, tuple[HostState, ...]]) -> View:
    """Hosts of groups, each with a name of its own."""
    named = [
        (group, replace(each, host=f"{group}{at}"))
        for group, all_of in of.items()
        for at, each in enumerate(all_of)
    ]
    return View(tuple(HostView(each, group=group) for group, each in named), states.NOW, states.TICKS)


@pytest.mark.parametrize(
    ("expected", "rows"),
    [
        ({"lost": False, "quiet": False, "mixed": False}, 100),
        ({"lost": True, "quiet": True, "mixed": False}, 8),
    ],
)
def test_a_group_folds_where_rows_are_few_and_all_of_it_is_down_or_quiet(
    expected: dict[str, bool], rows: int
) -> None:
    found = view({"lost": (DOWN,) * 9, "quiet": (QUIET,) * 9, "mixed": (DOWN, QUIET)})

    assert expected == {each: is_folded(found, ListRoom(rows=rows), group_key(each)) for each in expected}


@pytest.mark.parametrize("folded", [True, False])
def test_what_the_user_has_folded_or_unfolded_stays_so(folded: bool) -> None:
    found = view({"lost": (DOWN,) * 9, "quiet": (QUIET,) * 9})
    keys = (group_key("lost"), "quiet0")
    room = ListRoom(rows=8, folding=dict.fromkeys(keys, folded))

    assert [folded, folded] == [is_folded(found, room, each) for each in keys]
