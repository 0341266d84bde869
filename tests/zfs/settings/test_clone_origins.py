"""Origins of clones, as `zfs list` prints them."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.zfs.settings.clone_origins import CloneOrigin, list_origins, parse_origins


def test_snapshots_are_named_after_the_options() -> None:
    assert ("--", "tank/a@b", "tank/c@d") == list_origins(["tank/a@b", "tank/c@d"]).argv[-3:]


def test_a_line_is_a_snapshot_with_its_age_and_space() -> None:
    assert [CloneOrigin("tank/a b@c", 9, 8)] == list(parse_origins("tank/a b@c\t9\t8\n"))


@pytest.mark.parametrize("line", ["tank/a@b\t9", "tank/a@b\t9\t8\t7", "tank/a@b\t-\t8", "tank/a@b\t9\t-1"])
def test_another_line_is_an_error(line: str) -> None:
    with pytest.raises(ParseError):
        list(parse_origins(f"{line}\n"))
