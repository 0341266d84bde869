"""Kernel statistics: every recorded file, whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.zfs.kstat.pool_state_and_kstat_parser import (
    POOLS_DIR,
    list_kstat_dir,
    parse_kstat,
    parse_kstat_dir,
    parse_pool_state,
    pool_state_path,
)

RAW = {"multihost", "reads", "state", "guid", "txgs"}  # tables and words, not named counters
NAMED = [
    path
    for path in (*sorted(CAPTURES.glob("*/*/kstat_*.txt")), *sorted(CAPTURES.glob("*/*/arcstats.txt")))
    if RAW.isdisjoint(path.stem.split("_")[2:]) and path.stat().st_size
]
MIRRORS = CAPTURES / "2.4" / "healthy-mirrors"
SPACED = MIRRORS / "kstat_tank_objset-0xe3.txt"


def test_where_things_are() -> None:
    assert "/proc/spl/kstat/zfs/tank/state" == pool_state_path("tank")
    assert ("ls", "-1p", POOLS_DIR) == list_kstat_dir().argv


@pytest.mark.parametrize("path", NAMED, ids=lambda path: "-".join(path.parts[-3:]))
def test_every_recorded_kstat_is_read_whole(path: Path) -> None:
    lines = path.read_text().split("\n")[2:-1]

    kstat = parse_kstat(path.read_text())

    assert len(kstat.values) == len(lines)
    assert 0 < kstat.created_ns <= kstat.at_ns
    for (name, value), line in zip(kstat.values.items(), lines, strict=True):
        assert line.startswith(name)
        assert line.endswith(f" {value}")
        assert isinstance(value, str) == (name == "dataset_name")


@pytest.mark.parametrize("path", sorted(CAPTURES.glob("*/*/kstat_*_state*.txt")), ids=str)
def test_the_state_of_every_recorded_pool_is_its_word(path: Path) -> None:
    assert parse_pool_state(path.read_text()) in {"ONLINE", "DEGRADED", "SUSPENDED"}


def test_a_state_of_a_newer_zfs_is_kept() -> None:
    assert "SUSPENDED" == parse_pool_state("SUSPENDED\n")
    assert "Half asleep" == parse_pool_state("Half asleep\n")


@pytest.mark.parametrize("text", ["", "\n", "SUSP", "ONLINE\nONLINE\n", " ONLINE\n"])
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(ParseError, match="not a state"):
        parse_pool_state(text)


def test_pools_are_the_folders() -> None:
    assert ("bulk", "tank 2") == parse_kstat_dir("abdstats\narcstats\nbulk/\ndbgmsg\ntank 2/\nzil\n")
    assert () == parse_kstat_dir("")
    with pytest.raises(ParseError, match="truncated"):
        parse_kstat_dir("arcstats\nbulk/\nta/")


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_what_real_kernels_list_is_understood(version: str) -> None:
    folder = CAPTURES / "live" / version

    assert ("tank",) == parse_kstat_dir((folder / "pools_dir.txt").read_text())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense\n", "not a kstat"),
        ("1 1 0x01 1 2 3 4\nsomething\n", "not a named kstat"),
        ("1 1 0x01 2 2 3 4\nname type data\nhits 4 5\n", "an entry is missing"),
        ("1 1 0x01 1 2 3 4\nname type data\nhits 4 5x\n", "not a count"),
        ("1 1 0x01 1 2 3 4\nname type data\nhits 4 5", "truncated"),
        ("", "expected one kstat, got 0"),
    ],
)
def test_what_is_no_kstat_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_kstat(text)


@pytest.mark.parametrize("path", [SPACED, MIRRORS / "arcstats.txt"], ids=lambda path: path.name)
def test_a_file_cut_at_any_byte_is_refused(path: Path) -> None:
    text = path.read_text()

    for end in range(len(text)):
        with pytest.raises(ParseError):
            parse_kstat(text[:end])


@given(st.text(st.sampled_from("0x1 \nabcnametypedata-٣\u2028")))
def test_noise_is_refused_or_read_and_nothing_else(noise: str) -> None:
    with suppress(ParseError):
        parse_kstat(noise)


@given(
    st.dictionaries(
        st.text(st.sampled_from("abc_ 1"), min_size=1, max_size=31).filter(
            lambda name: name == name.strip() and not any(word.isdigit() for word in name.split()[1:])
        ),
        st.integers(-(2**63), 2**64 - 1),
        max_size=20,
    )
)
def test_reading_inverts_the_kernels_printing(counters: dict[str, int]) -> None:
    lines = "".join(f"{name:<31} {4:<4} {value}\n" for name, value in counters.items())

    kstat = parse_kstat(f"12 1 0x01 {len(counters)} 33456 1 2\n{'name':<31} type data\n{lines}")

    assert counters == kstat.values
    assert (1, 2) == (kstat.created_ns, kstat.at_ns)
