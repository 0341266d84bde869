"""Delegated permissions: sections, sets, groups and everyone."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.zfs.recorded import each
from zconsole.base.errors import ParseError
from zconsole.model.host.plan_facts import Delegation
from zconsole.zfs.listing.allow import Grant, allowed, delegations, parse_allow

TEXT = """\
---- Permissions on tank/home/ann ------------------------------------
Permission sets:
\t@basic snapshot,@more
\t@more mount,@basic
Local permissions:
\tuser ann rollback
Descendent permissions:
\tgroup staff destroy
---- Permissions on tank/home ----------------------------------------
Create time permissions:
\tcreate,destroy
Local+Descendent permissions:
\tuser ann @basic,hold
\tuser (unknown: 1005) send
\tgroup two words release
\teveryone bookmark
"""


def test_every_section_is_read() -> None:
    grants = parse_allow(TEXT)

    assert Grant("tank/home/ann", "set", "@basic", frozenset({"snapshot", "@more"})) in grants
    assert Grant("tank/home/ann", "user", "ann", frozenset({"rollback"}), below=False) in grants
    assert Grant("tank/home/ann", "group", "staff", frozenset({"destroy"}), here=False) in grants
    assert Grant("tank/home", "create", "", frozenset({"create", "destroy"})) in grants
    assert Grant("tank/home", "user", "1005", frozenset({"send"})) in grants
    assert Grant("tank/home", "group", "two words", frozenset({"release"})) in grants
    assert Grant("tank/home", "everyone", "", frozenset({"bookmark"})) in grants


def test_a_user_has_what_is_given_to_them_their_groups_and_everyone() -> None:
    grants = parse_allow(TEXT)

    assert (
        Delegation("tank/home/ann", frozenset({"rollback"}), below=False),
        Delegation("tank/home", frozenset({"snapshot", "mount", "hold"})),
        Delegation("tank/home", frozenset({"bookmark"})),
    ) == delegations(grants, "ann", 1000, ("users",))
    assert (
        Delegation("tank/home/ann", frozenset({"destroy"}), here=False),
        Delegation("tank/home", frozenset({"send"})),
        Delegation("tank/home", frozenset({"bookmark"})),
    ) == delegations(grants, "ghost", 1005, ("staff",))


@each("zfs_allow.txt")
def test_what_real_ones_print_is_read(path: Path) -> None:
    """Of the grants in `given.txt` beside it."""
    grants = parse_allow(path.read_text())

    assert Grant("tank/home/ann", "user", "4242", frozenset({"send"})) in grants
    assert Grant("tank/home", "set", "@basic", frozenset({"create", "mount", "@more"})) in grants
    assert Grant("tank/home", "create", "", frozenset({"destroy"})) in grants
    assert (
        Delegation("tank/home/ann", frozenset({"create", "mount", "compression", "quota"})),
        Delegation("tank/home", frozenset({"bookmark"})),
    ) == delegations(grants, "cat", 1003, ())
    assert (
        Delegation("tank/home", frozenset({"rollback"}), below=False),
        Delegation("tank/home", frozenset({"send", "hold", "release"}), here=False),
        Delegation("tank/home", frozenset({"bookmark"})),
    ) == delegations(grants, "bob", 1002, ("storage",))


@each("zfs_allow_long.txt")
def test_no_dashes_stand_behind_a_long_name(path: Path) -> None:
    first, *_ = parse_allow(path.read_text())

    name = "tank/home/ann-of-a-name-that-is-longer-than-the-line-of-dashes-behind-it-is-wide"
    assert Grant(name, "user", "ann", frozenset({"share"}), below=False) == first


@pytest.mark.parametrize(
    ("here", "below", "reached"),
    [
        (True, True, {"tank/a", "tank/a#b", "tank/a@s", "tank/a/b", "tank/a/b@s"}),
        (True, False, {"tank/a", "tank/a#b"}),
        (False, True, {"tank/a@s", "tank/a/b", "tank/a/b@s"}),
    ],
)
def test_a_delegation_reaches_what_zfs_lets_it_reach(here: bool, below: bool, reached: set[str]) -> None:
    """To ZFS a snapshot is below its dataset, and a bookmark is not; seen on OpenZFS 2.4."""
    names = {"tank/a", "tank/a#b", "tank/a@s", "tank/a/b", "tank/a/b@s", "tank", "tank/ab", "tank@s"}
    given = Delegation("tank/a", frozenset({"hold"}), here, below)

    assert reached == {name for name in names if given.reaches(name)}


def test_where_nothing_is_delegated_nothing_is_said() -> None:
    assert () == parse_allow("")


def test_an_answer_cut_short_is_an_error_or_the_first_grants() -> None:
    grants = parse_allow(TEXT)

    for at in range(len(TEXT)):
        try:
            part = parse_allow(TEXT[:at])
        except ParseError:
            continue
        assert grants[: len(part)] == part


@given(text=st.text("\t\n-@ abuser,:PermissionsLocal", max_size=60))
def test_any_text_is_grants_or_an_error(text: str) -> None:
    with suppress(ParseError):
        parse_allow(text)


@pytest.mark.parametrize("line", ["user ann mount", "\tuser ann mount", "Local permissions:"])
def test_a_grant_without_its_heading_is_an_error(line: str) -> None:
    with pytest.raises(ParseError):
        parse_allow(f"{line}\n")


def test_the_question_names_the_dataset() -> None:
    assert ("zfs", "allow", "tank/home") == allowed("tank/home").argv
