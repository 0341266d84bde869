"""Names that ZFS takes, and those that it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.actions.checks.name_rules import check_bookmark, check_dataset, check_snapshot, check_tag
from zconsole.base.errors import UsageError

PARTS = st.text(alphabet="abzABZ09-_.:", min_size=1, max_size=12).filter(lambda part: part not in {".", ".."})


@given(parts=st.lists(PARTS, min_size=2, max_size=5), short=PARTS)
def test_names_of_what_zfs_allows_are_taken(parts: list[str], short: str) -> None:
    base = "/".join(parts)

    assert base == check_dataset(base)
    assert f"{base}@{short}" == check_snapshot(f"{base}@{short}")
    assert f"{base}#{short}" == check_bookmark(f"{base}#{short}")


@pytest.mark.parametrize(
    "name",
    [
        "", "tank", "tank/", "/tank", "tank//a", "tank/a/", "tank/.", "tank/../b", "tank/a@b", "tank/a#b",
        "tank/a%b", "tank/a,b", "tank/ä", "tank/a\x1b[31m", "tank/a\n", "tank/ a", "tank/a ", "tank/a*",
        "tank/" + "a" * 251, "/".join(["tank", *["a"] * 50]),
    ],
)  # fmt: skip
def test_other_names_are_not(name: str) -> None:
    with pytest.raises(UsageError):
        check_dataset(name)


@pytest.mark.parametrize(
    "name", ["tank@", "@a", "tank", "tank@a@b", "tank@a/b", "tank@a%b", "tank@a,b", "tank@..", "tank#a"]
)
def test_a_snapshot_has_one_name_behind_one_mark(name: str) -> None:
    with pytest.raises(UsageError):
        check_snapshot(name)


@given(text=st.text())
def test_no_text_that_is_taken_could_be_an_option_or_a_range(text: str) -> None:
    for check in (check_dataset, check_snapshot, check_bookmark):
        try:
            name = check(text)
        except UsageError:
            continue
        assert not set(name) & set("%,\t\n\x1b")
        assert 255 >= len(name)


@pytest.mark.parametrize("tag", ["", "-r", ".send-1", "a\nb", "x" * 256])
def test_tags_that_zfs_keeps_or_would_misread_are_not_taken(tag: str) -> None:
    with pytest.raises(UsageError):
        check_tag(tag)


def test_a_tag_may_be_any_printable_text() -> None:
    assert "backup 2026/ä" == check_tag("backup 2026/ä")
