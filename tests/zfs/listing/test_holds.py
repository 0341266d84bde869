"""The holds of snapshots: tags of any kind, times in both forms, and commands that are not too long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.model.host.plan_facts import Hold
from zconsole.zfs.listing.holds import AT_ONCE, MAX_BYTES, batches, list_holds, parse_holds

TAGS = st.text(
    st.characters(blacklist_characters="\n", blacklist_categories=("Cs",)), min_size=1, max_size=20
)
HOLDS = st.builds(
    Hold,
    st.from_regex(r"tank(/[a-z ]{1,8}){0,3}@[a-z0-9:_-]{1,12}", fullmatch=True),
    TAGS,
    st.integers(0, 4102444800).map(lambda moment: moment // 60 * 60),
)


@given(holds=st.lists(HOLDS))
def test_whatever_zfs_can_print_is_read_back(holds: list[Hold]) -> None:
    text = "".join(
        f"{hold.snapshot}\t{hold.tag}\t{time.strftime('%a %b %e %k:%M %Y', time.gmtime(hold.since))}\n"
        for hold in holds
    )

    assert tuple(holds) == parse_holds(text)


def test_a_newer_zfs_may_print_seconds() -> None:
    assert (Hold("tank@a", "keep", 1795218576), Hold("tank@a", "b")) == parse_holds(
        "tank@a\tkeep\t1795218576\ntank@a\tb\t-\n"
    )


def test_an_answer_cut_short_is_an_error_or_the_first_holds() -> None:
    whole = "tank@a\tkeep\tSat Nov 21  0:05 2026\ntank/home@b\tmy\ttag\tSat Nov 21 12:05 2026\n"
    holds = parse_holds(whole)

    assert ("keep", "my\ttag") == tuple(hold.tag for hold in holds)
    for at in range(len(whole)):
        try:
            part = parse_holds(whole[:at])
        except ParseError:
            continue
        assert holds[: len(part)] == part


@pytest.mark.parametrize("line", ["tank\tkeep\t1", "tank@a\t\t1", "tank@a\tkeep\tsoon", "cannot open 'x'"])
def test_what_is_no_hold_is_an_error(line: str) -> None:
    with pytest.raises(ParseError):
        parse_holds(f"{line}\n")


@given(names=st.lists(st.text("abc/@ ü", min_size=1, max_size=200), max_size=600))
def test_every_snapshot_is_asked_for_once_and_no_command_is_too_long(names: list[str]) -> None:
    found = list(batches(names))

    assert names == [name for batch in found for name in batch]
    assert all(0 < len(batch) <= AT_ONCE for batch in found)
    assert all(sum(len(name.encode()) + 3 for name in batch) <= MAX_BYTES for batch in found)


def test_no_flag_is_used_that_an_older_zfs_does_not_know() -> None:
    assert ("zfs", "holds", "-H", "tank@a", "tank@b") == list_holds(("tank@a", "tank@b")).argv
