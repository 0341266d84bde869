"""Which snapshots were read."""

from __future__ import annotations

from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope

SCOPE = SnapshotScope(frozenset({"tank/a"}), frozenset({"tank/b"}), frozenset({"tank/c@1"}))


def test_all_is_known_of_what_was_read_whole_or_by_name() -> None:
    assert [True, True, False, True, False] == [
        SCOPE.has(name) for name in ("tank/a", "tank/a@1", "tank/b@1", "tank/c@1", "tank/c@2")
    ]


def test_bookmarks_are_always_read() -> None:
    assert SCOPE.has("tank/z#1")


def test_names_are_known_of_what_was_read_barely_too() -> None:
    assert [True, True, False] == [SCOPE.lists(name) for name in ("tank/a", "tank/b", "tank/c")]


def test_of_two_scopes_the_fuller_reading_counts() -> None:
    both = SCOPE | SnapshotScope(whole=frozenset({"tank/b"}), bare=frozenset({"tank/a", "tank/d"}))

    assert frozenset({"tank/a", "tank/b"}) == both.whole
    assert frozenset({"tank/d"}) == both.bare
    assert frozenset({"tank/c@1"}) == both.named
