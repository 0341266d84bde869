"""What datasets take, and took: as `zfs list` prints it, and answers cut short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.clock import ManualClock
from zconsole.base.errors import ParseError
from zconsole.practice import PracticeHost
from zconsole.zfs.listing.space_now_and_at_snapshots import (
    TRACE_COLUMNS,
    DatasetSizeRecord,
    DatasetUsage,
    dataset_traces,
    dataset_uses,
    parse_dataset_block_sizes,
    parse_dataset_traces,
    parse_dataset_uses,
)

NAME = st.text("abcXYZ019_.:- /", min_size=1, max_size=20).filter(str.strip)
SIZE = st.integers(0, 2**63)


@given(st.lists(st.builds(DatasetUsage, NAME, SIZE, SIZE)))
def test_uses_are_read_back(uses: list[DatasetUsage]) -> None:
    text = "".join(f"{use.name}\t{use.live_bytes}\t{use.snapshots_bytes}\n" for use in uses)

    assert uses == list(parse_dataset_uses(text))


@given(
    st.lists(
        st.builds(
            DatasetSizeRecord, NAME, st.just(False), SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, st.none() | NAME
        )
    )
)
def test_datasets_are_read_back(traces: list[DatasetSizeRecord]) -> None:
    text = "".join(
        f"{each.name}\tfilesystem\t{each.creation}\t{each.referenced_bytes}\t{each.written_bytes}\t"
        f"{each.live_bytes}\t{each.snapshots_bytes}\t{each.refreservation_bytes}\t{each.origin or '-'}\n"
        for each in traces
        if each.origin != "-"
    )

    assert [each for each in traces if each.origin != "-"] == list(parse_dataset_traces(text))


def test_a_snapshot_has_only_what_snapshots_have() -> None:
    (found,) = parse_dataset_traces("tank/a@b\tsnapshot\t1700000000\t100\t40\t-\t-\t-\t-\n")

    assert DatasetSizeRecord("tank/a@b", True, 1_700_000_000, 100, 40) == found
    assert "tank/a" == found.dataset


async def test_the_practice_host_tells_both() -> None:
    host = PracticeHost(clock=ManualClock(1_795_000_000.0))
    await host.connect()

    uses = list(parse_dataset_uses((await host.run(dataset_uses("bulk"))).stdout.decode()))
    traces = list(parse_dataset_traces((await host.run(dataset_traces("bulk"))).stdout.decode()))

    assert {use.name for use in uses} == {each.name for each in traces if not each.is_snapshot}
    assert "bulk/projects@audit-2025" in {each.name for each in traces if each.is_snapshot}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tank\t1", "expected 3 fields"),
        ("tank\t1\tx", "not a count"),
        ("tank\t-1\t2", "not a count"),
        ("\t1\t2", "without a name"),
    ],
)
def test_what_is_no_use_is_an_error(line: str, says: str) -> None:
    with pytest.raises(ParseError, match=says):
        list(parse_dataset_uses(f"{line}\n"))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        (("tank@a", "filesystem", "1", "2", "3", "4", "5", "6", "-"), "not the name of a filesystem"),
        (("tank", "snapshot", "1", "2", "3", "4", "5", "6", "-"), "not the name of a snapshot"),
        (("tank", "filesystem", "-", "2", "3", "4", "5", "6", "-"), "not a count"),
        (("tank",), f"expected {len(TRACE_COLUMNS)} fields"),
    ],
)
def test_what_is_no_trace_is_an_error(fields: tuple[str, ...], says: str) -> None:
    with pytest.raises(ParseError, match=says):
        list(parse_dataset_traces("\t".join(fields) + "\n"))


def test_an_answer_cut_short_is_an_error_or_the_first_lines() -> None:
    whole = "tank\t100\t200\ntank/a b\t300\t400\n"

    for at in range(len(whole)):
        try:
            part = list(parse_dataset_uses(whole[:at]))
        except ParseError:
            continue
        assert part == list(parse_dataset_uses(whole))[: len(part)]


def test_a_volume_has_the_size_of_its_blocks_and_a_file_system_that_of_its_records() -> None:
    text = "tank\t131072\t-\ntank/vm\t-\t16384\n"

    assert [("tank", 131072), ("tank/vm", 16384)] == list(parse_dataset_block_sizes(text))


def test_a_dataset_with_no_block_size_is_not_guessed_at() -> None:
    with pytest.raises(ParseError):
        list(parse_dataset_block_sizes("tank\t-\t-\n"))
