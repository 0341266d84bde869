"""Data errors that a pool counts, and those of them that last."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.zfs.status.lasting_data_errors import lasting_data_errors
from zconsole.zfs.status.status import parse_status_json
from zconsole.zfs.status.status_text import parse_status_text

SUSPENDED = CAPTURES / "2.4" / "suspended"
TEXT = """\
  pool: tank
 state: {state}
config:

\tNAME        STATE     READ WRITE CKSUM
\ttank        ONLINE       0     0     0
\t  sda       ONLINE       3     8     0

errors: 325 data errors, use '-v' for a list
"""


@pytest.mark.parametrize(
    ("expected", "state", "counted"),
    [(325, "ONLINE", 325), (None, "SUSPENDED", 325), (0, "SUSPENDED", 0), (None, "ONLINE", None)],
)
def test_what_a_suspended_pool_counts_is_not_known_to_last(
    expected: int | None, state: str, counted: int | None
) -> None:
    assert expected == lasting_data_errors(state, counted)


def test_zfs_lists_none_of_them_and_the_same_pool_has_none_after_a_clear() -> None:
    (suspended,) = parse_status_json((SUSPENDED / "zpool_status.json").read_bytes())
    (cleared,) = parse_status_text((SUSPENDED / "zpool_status_cleared.txt").read_text())

    assert "SUSPENDED" == suspended.state
    assert None is suspended.error_count
    assert () == suspended.error_files
    assert 0 == cleared.error_count


@pytest.mark.parametrize(("expected", "state"), [(325, "ONLINE"), (None, "SUSPENDED")])
def test_text_is_read_in_the_same_way(expected: int | None, state: str) -> None:
    (pool,) = parse_status_text(TEXT.format(state=state))

    assert expected == pool.error_count
