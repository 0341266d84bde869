"""History of a pool: who destroyed what, newest first."""

from __future__ import annotations

import pytest

from zconsole.views.layout.table import place
from zconsole.views.pools.command_history import COLUMNS, NEEDS_ROOT, choose, destroys, notes, page
from zconsole.zfs.listing.history import HistoryRecord

SET = HistoryRecord(100, "zfs set quota=1T tank/a", user="root", host="storage1")
DESTROY = HistoryRecord(200, "zfs destroy -r tank/a", user="chen", host="storage1")
INTERNAL = HistoryRecord(300, "destroy tank/b (77) (bptree, mintxg=1)", host="storage1", txg=9)
SNAPSHOT = HistoryRecord(400, "snapshot tank/a@x (78)", host="storage1", txg=10)
ALL = (SET, DESTROY, INTERNAL, SNAPSHOT)


def said(records: tuple[HistoryRecord, ...], *, has_internal: bool = False) -> list[str]:
    table = page("nas · tank", choose(records, has_internal=has_internal), now=500.0).table
    return [row.cells[-1].text for row in table.rows]


def test_the_newest_record_is_first_and_internal_ones_only_where_they_destroy() -> None:
    assert [INTERNAL.text, DESTROY.text, SET.text] == said(ALL)


def test_all_internal_records_on_request() -> None:
    assert SNAPSHOT.text == said(ALL, has_internal=True)[0]


def test_the_second_line_names_who_destroyed_last() -> None:
    numbers = page("nas · tank", choose(ALL, has_internal=False), now=500.0).numbers

    assert "last destroyed 5m ago by chen" in "".join(span.text for span in numbers)


@pytest.mark.parametrize(
    ("is_so", "text"),
    [
        (True, "zfs destroy tank/a@x"),
        (True, "zpool destroy tank"),
        (True, "zfs rollback -r tank/a@x"),
        (False, "zfs set comment=destroy tank/a"),
        (False, "zfs snapshot tank/destroy@x"),
    ],
)
def test_what_destroys(is_so: bool, text: str) -> None:
    assert is_so == destroys(HistoryRecord(1, text, user="root"))


def test_a_destruction_without_a_command_has_no_user() -> None:
    told = "".join(span.text for each in notes(INTERNAL, 400.0) for span in each)

    assert "no user: ZFS records one for zfs and zpool commands only" in told


def test_a_user_without_root_is_told_why_nothing_is_shown() -> None:
    rows = page("nas · tank", None, problem=NEEDS_ROOT).table.rows

    assert [NEEDS_ROOT] == ["".join(span.text for span in row.line or ()) for row in rows]


@pytest.mark.parametrize(
    ("cells", "shown"),
    [(38, ["at", "command"]), (58, ["at", "user", "command"]), (78, ["at", "user", "host", "command"])],
)
def test_when_stays_where_there_is_no_room_for_who(cells: int, shown: list[str]) -> None:
    assert shown == [column.id for column, _, _ in place(COLUMNS, cells).places]
