"""Children before parents, clones before their origins."""

from __future__ import annotations

from tests.doubles.plan_worlds import images
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.dependencies.destroy_order import destruction_order

HUNG = build_graph(images())
ALL = [each.name for each in images()]


def test_nothing_is_destroyed_before_what_stands_on_it() -> None:
    order = destruction_order(HUNG, ALL)
    place = {name: at for at, name in enumerate(order)}

    assert {name for name in ALL if "#" not in name} == set(order)
    assert place["tank/vm1-test"] < place["tank/vm1@patched"] < place["tank/vm1"] < place["tank/images@gold"]
    assert place["tank/images@gold"] < place["tank/images"] < place["tank"]


def test_only_what_is_named_is_in_the_order() -> None:
    assert ("tank/home@daily-1", "tank/home") == destruction_order(HUNG, ["tank/home", "tank/home@daily-1"])


def test_bookmarks_go_with_their_dataset() -> None:
    assert () == destruction_order(HUNG, ["tank/home#daily-1"])


def test_what_is_not_there_is_in_the_order_too() -> None:
    assert ("tank/gone",) == destruction_order(HUNG, ["tank/gone"])
