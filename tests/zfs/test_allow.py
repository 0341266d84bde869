"""Delegated permissions: sections, sets, groups and everyone."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.zfs.allow import Grant, allowed, delegations, parse_allow

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
        ("tank/home", frozenset({"snapshot", "mount", "hold", "bookmark"})),
        ("tank/home/ann", frozenset({"rollback"})),
    ) == delegations(grants, "ann", 1000, ("users",))
    assert (
        ("tank/home", frozenset({"bookmark", "send"})),
        ("tank/home/ann", frozenset({"destroy"})),
    ) == delegations(grants, "ghost", 1005, ("staff",))


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
