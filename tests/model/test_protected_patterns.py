"""Patterns of protected names: what they cover, and what leaves them."""

from __future__ import annotations

from fnmatch import fnmatchcase

from hypothesis import given
from hypothesis import strategies as st

from zconsole.model.protected_patterns import covering, left_behind_in, reaching

WORDS = st.text("ab/@[]!*?-", max_size=6)
NAMES = st.text("ab/@", max_size=6)


@given(WORDS, NAMES, st.sampled_from(["a", "ab", "b"]))
def test_a_pattern_that_covers_something_in_a_pool_reaches_into_it(
    pattern: str, rest: str, pool: str
) -> None:
    if (not rest or rest[0] in "/@#") and fnmatchcase(pool + rest, pattern):
        assert pattern == reaching((pattern,), pool)


@given(st.lists(WORDS, max_size=3), NAMES, st.sampled_from(["a", "ab"]), st.sampled_from(["b", "ba"]))
def test_no_object_is_left_unprotected_by_another_name_of_its_pool(
    patterns: list[str], rest: str, pool: str, new: str
) -> None:
    if rest and rest[0] not in "/@#":
        return
    if covering(patterns, pool + rest) is not None and left_behind_in(patterns, pool, new) is None:
        assert covering(patterns, new + rest) is not None


def test_a_pool_of_which_no_name_is_known_may_hold_anything() -> None:
    assert "tank/vm" == reaching(("tank/vm",), "")
    assert reaching((), "") is None
