"""Lines of `zfs list`: none is taken for whole that is not."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.zfs.listing.complete_lines_of_zfs_list import whole_lines


def test_lines_are_numbered_from_one_and_keep_what_is_data() -> None:
    assert [(1, "tank\t1\u2028x"), (2, "tank/a\t2")] == list(whole_lines("tank\t1\u2028x\ntank/a\t2\n"))
    assert [] == list(whole_lines(""))


def test_a_line_that_was_cut_is_an_error_that_names_it() -> None:
    with pytest.raises(ParseError, match="truncated") as raised:
        list(whole_lines("tank\t1\ntank/a"))

    assert "tank/a" in str(raised.value)
