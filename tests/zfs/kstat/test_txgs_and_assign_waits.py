"""Transaction groups: every recorded history, what stays known of it, and how long writes waited."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.pools.kernel_counters import Txg
from zconsole.zfs.kstat.pool_state_and_kstat_parser import Kstat
from zconsole.zfs.kstat.txgs_and_assign_waits import assign_waits, parse_assign_waits, parse_txgs, together

RECORDED = sorted(CAPTURES.glob("*/*/kstat_*_txgs.txt"))
WAITS = sorted(CAPTURES.glob("*/*/kstat_*_dmu_tx_assign.txt"))
MIRRORS = CAPTURES / "2.4" / "healthy-mirrors"


def txg(number: int, state: str = "C") -> Txg:
    return Txg(number, 0, state, 0, 0, 0, 0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_every_recorded_history_is_read_whole(path: Path) -> None:
    text = path.read_text()

    groups = parse_txgs(text)

    assert text.count("\n") - 1 == len(groups)
    assert [group.number for group in groups] == sorted(group.number for group in groups)
    for group, line in zip(groups, text.split("\n")[1:], strict=False):
        assert line.split() == [
            *map(str, (group.number, group.birth_ns)), group.state,
            *map(str, (group.dirty_bytes, group.read_bytes, group.written_bytes, group.reads, group.writes)),
            *map(str, (group.open_ns, group.quiesce_ns, group.wait_ns, group.sync_ns)),
        ]  # fmt: skip


def test_a_kernel_that_keeps_none_prints_the_titles() -> None:
    titles = (MIRRORS / "kstat_tank_txgs.txt").read_text().split("\n")[0]

    assert () == parse_txgs(titles + "\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5 1 C 0 0 0\n", "not a transaction group"),
        ("5 1 committed 0 0 0 0 0 0 0 0 0\n", "not a transaction group"),
        ("5 1 C 0 0 0 0 0 0 0 0 x\n", "not a number"),
        ("5 1 C 0 0 0 0 0 0 0 0 0", "truncated"),
    ],
)
def test_what_is_no_history_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_txgs(text)


def test_what_the_kernel_has_let_go_stays_known_and_the_newest_word_counts() -> None:
    known = together((), [txg(1), txg(2, "S"), txg(3, "O")], 10)

    known = together(known, [txg(2), txg(3, "S"), txg(4, "O")], 10)

    assert [(1, "C"), (2, "C"), (3, "S"), (4, "O")] == [(each.number, each.state) for each in known]
    assert [3, 4] == [each.number for each in together(known, [txg(3), txg(4)], 2)]


def test_another_pool_of_the_same_name_begins_anew() -> None:
    known = together([txg(900), txg(901)], [txg(4), txg(5)], 10)

    assert [4, 5] == [each.number for each in known]


def test_nothing_new_is_nothing_lost_but_what_is_empty_is_empty() -> None:
    assert () == together([txg(1)], [], 10)


@pytest.mark.parametrize("path", WAITS, ids=lambda path: "-".join(path.parts[-3:-1]))
def test_waits_are_counted_between_two_readings(path: Path) -> None:
    before = parse_assign_waits(path.read_text())
    assert (before is None) == (not path.stat().st_size)
    if before is None:
        return
    doubled = {name: 2 * value for name, value in before.values.items() if isinstance(value, int)}

    found = assign_waits(Kstat(before.created_ns, before.at_ns + 1, doubled), before)

    assert found is not None
    assert list(found.counts) == list(before.values.values())
    assert list(found.upper_bounds) == [2**power for power in range(len(found.counts))]
    assert assign_waits(before, None) is None
    assert assign_waits(before, Kstat(0, 0, {})) is None


@given(st.text(st.sampled_from("0123456789 C\ntxgbirthstate٣\u2028")))
def test_noise_is_refused_or_read_and_nothing_else(noise: str) -> None:
    with suppress(ParseError):
        parse_txgs(noise)
