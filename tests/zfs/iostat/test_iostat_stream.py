"""Live samples: every recorded output, cut anywhere, of pools that change while they are watched."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from tests.doubles.iostat_outputs import parse_samples, since_boot
from tests.doubles.vdev_trees import pools_of
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Effect
from zconsole.model.pools.iostat import IoRow, IoSample, Latency, LazyRows, Queues
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.iostat.iostat_stream import (
    MAX_LINE_BYTES,
    IostatReader,
    expected_rows,
    match_rows,
    row_names,
    stream,
)
from zconsole.zfs.iostat.row_parser import LATENCY_COLUMNS, LAYOUTS, QUEUE_COLUMNS, RowParser

SINCE_BOOT = sorted(CAPTURES.glob("*/*/zpool_iostat_Hpvlq_since_boot.tsv"))
SAMPLES = [
    path
    for name in ("zpool_iostat_Hpvl_y.tsv", "zpool_iostat_TuHpvlqy.tsv")
    for path in sorted(CAPTURES.glob(f"*/*/{name}"))
    if path.stat().st_size
]
MIRRORS = CAPTURES / "2.4" / "healthy-mirrors"
CHANGES = sorted(CAPTURES.glob("live/*/iostat_changes.txt"))
ODD_TREES = {
    "2.1-removing",  # the disk left between the two commands
    "2.4-same-names",  # two partitions of one disk: status in JSON knows only one of the two
}


def state(path: Path) -> str:
    return f"{path.parts[-3]}-{path.parts[-2]}"


def recorded(path: Path) -> bytes:
    return b"" if path.with_name(path.name + ".rc").exists() else path.read_bytes()


def row(name: str, *numbers: object) -> bytes:
    """A line of `zpool iostat -Hp` without latencies: alloc, free, operations, bytes."""
    return b"\t".join([name.encode(), *(str(number).encode() for number in numbers)]) + b"\n"


def sample_of(stamp: int, *names: str, ops: int = 1) -> bytes:
    return b"%d\n" % stamp + b"".join(row(name, 10, 20, ops, ops, 4096, 4096) for name in names)


def brief(samples: list[IoSample]) -> list[tuple[str, float, list[str]]]:
    return [(sample.pool, sample.at, [row.name for row in sample.rows]) for sample in samples]


def test_a_stream_is_asked_for_exact_numbers_with_times_latencies_and_queues() -> None:
    assert ("zpool", "iostat", "-T", "u", "-Hpvlqy", "tank", "bulk", "1") == stream(["tank", "bulk"], 1).argv
    assert "0.25" == stream(["tank"], 0.25).argv[-1]
    assert {Effect.READ} == {stream(["tank"], 1).effect, since_boot().effect}


def test_columns_are_those_of_the_values_they_fill() -> None:
    assert LATENCY_COLUMNS == Latency.__match_args__
    assert QUEUE_COLUMNS == Queues.__match_args__


@pytest.mark.parametrize("path", SINCE_BOOT, ids=state)
def test_every_recorded_output_is_read_whole(path: Path) -> None:
    output = recorded(path)

    samples = parse_samples(output, [pool.name for pool in pools_of(path.parent)] if output else (), now=7.0)

    lines = [line.split(b"\t") for line in output.split(b"\n") if line]
    rows = [row for sample in samples for row in sample.rows]
    assert [fields[0].decode() for fields in lines] == [row.name for row in rows]
    for fields, printed in zip(lines, rows, strict=True):
        numbers = [None if text == b"-" else int(text) for text in fields[1:]]
        latencies = 10 if path.parts[-3] == "2.1" else 11
        assert numbers[0] == (printed.allocated_bytes or 0)
        assert numbers[1] == (printed.free_bytes or 0)
        assert numbers[2:6] == [printed.read_ops, printed.write_ops, printed.read_bytes, printed.write_bytes]
        assert numbers[6 : 6 + latencies] == [
            getattr(printed.latency, name) for name in LATENCY_COLUMNS[:latencies]
        ]
        queues = numbers[6 + latencies :]
        assert queues == [getattr(printed.queues, name) for name in QUEUE_COLUMNS[: len(queues)]]
        assert (12 if path.parts[-3] == "2.1" else 14) == len(queues)


@pytest.mark.parametrize("path", [path for path in SINCE_BOOT if recorded(path)], ids=state)
def test_rows_come_in_the_order_that_the_tree_of_status_promises(path: Path) -> None:
    pools = {pool.name: pool for pool in pools_of(path.parent)}

    samples = parse_samples(recorded(path), tuple(pools), now=0.0)

    assert sorted(pools) == sorted(sample.pool for sample in samples)
    for sample in samples:
        matched = match_rows(pools[sample.pool], sample.rows)
        names = [row.name for row in sample.rows]
        assert len(names) == len(matched)
        assert matched[0] is None
        assert all(vdev is None or vdev.name == name for name, vdev in zip(names, matched, strict=True))
        if state(path) not in ODD_TREES:
            missing = {name for name, vdev in zip(names[1:], matched[1:], strict=True) if vdev is None}
            assert {name.partition("-")[0] for name in missing} <= {"indirect"}
            assert list(row_names(pools[sample.pool])) == [name for name in names if name not in missing]


def test_classes_stand_in_the_order_of_printing_and_spares_not_at_all() -> None:
    def top(name: str, vdev_class: str, vdev_type: str = "disk") -> Vdev:
        return Vdev(name, type=vdev_type, vdev_class=vdev_class, state="ONLINE")

    pool = Pool(
        "tank",
        "ONLINE",
        vdevs=(
            top("l2", "cache"),
            top("hot", "spare"),
            top("zil", "log"),
            top("fast", "special"),
            top("ddt", "dedup"),
            top("d0", "data"),
            top("future", "tier9"),
            top("hole-1", "data", "hole"),
            top("indirect-2", "data", "indirect"),
            top("indirect-3", "special", "indirect"),
        ),
    )

    assert ("tank", "d0", "indirect-2", "ddt", "fast", "zil", "future", "l2") == row_names(pool)
    assert expected_rows(pool)[0] is None


def test_space_is_unknown_where_zfs_prints_two_noughts() -> None:
    (sample,) = parse_samples((MIRRORS / "zpool_iostat_Hpvlq_since_boot.tsv").read_bytes(), now=0.0)

    leaf = next(row for row in sample.rows if row.name == "wwn-0x5000c500a0000000")
    assert (None, None) == (leaf.allocated_bytes, leaf.free_bytes)
    assert (381276160, 23777914880) == (sample.rows[0].allocated_bytes, sample.rows[0].free_bytes)


@pytest.mark.parametrize("path", SAMPLES, ids=state)
def test_samples_are_told_apart_with_and_without_times(path: Path) -> None:
    output = recorded(path)
    (pool,) = pools_of(path.parent)

    samples = parse_samples(output, [pool.name], now=3.0)

    printed = (b"\n" + output).count(f"\n{pool.name}\t".encode())
    assert {pool.name} == {sample.rows[0].name for sample in samples}
    assert {3.0} == {sample.at for sample in samples} or all(sample.at > 1e9 for sample in samples)
    names = {tuple(row.name for row in sample.rows) for sample in samples}
    if len(samples) == printed:
        assert 1 == len(names)
    else:  # the pool changed between the two: the second compares one disk with another
        assert state(path).partition("-")[2] in {"removing", "spare-returned", "replaced", "replacing"}


@pytest.mark.parametrize("path", CHANGES, ids=lambda path: path.parent.name)
def test_no_number_of_a_pool_that_changes_is_wrong(path: Path) -> None:
    """In these streams ZFS prints 10^19 operations a second after a replace, a detach, a removal."""
    output = path.read_bytes()
    reader = IostatReader({"tank": (), "bulk": ()})

    samples = reader.feed(output)

    printed = [int(text) for line in output.split(b"\n") for text in line.split(b"\t")[3:7]]
    assert max(printed) > 8 * 10**18
    assert 5 <= reader.left_out <= 10
    assert output.count(b"tank\t") + output.count(b"bulk\t") == len(samples) + reader.left_out
    for row in (row for sample in samples for row in sample.rows):
        assert max(row.read_ops, row.write_ops) < 10_000
        assert max(row.read_bytes, row.write_bytes) < 10**8
        assert all(
            getattr(row.latency, name) is None or getattr(row.latency, name) < 10**11
            for name in LATENCY_COLUMNS
        )


@pytest.mark.parametrize("version", ["2.1", "2.4"])
def test_fractions_of_a_second_are_as_good(version: str) -> None:
    samples = parse_samples((CAPTURES / "live" / version / "iostat_fifths.txt").read_bytes(), ["tank"])

    assert [7, 7, 7] == [len(sample.rows) for sample in samples]
    assert samples[-1].at - samples[0].at <= 1


def test_a_sample_comes_with_its_last_row_where_the_rows_are_known() -> None:
    reader = IostatReader({"tank": ("tank", "d0", "d1")})

    assert [] == reader.feed(b"100\n101\n" + row("tank", 1, 2, 3, 4, 5, 6) + row("d0", 0, 0, 1, 2, 3, 4))
    (sample,) = reader.feed(row("d1", 0, 0, 1, 2, 3, 4))

    assert ("tank", 101.0) == (sample.pool, sample.at)
    assert IoRow("tank", 1, 2, 3.0, 4.0, 5.0, 6.0) == sample.rows[0]


def test_a_first_sample_of_unknown_rows_comes_with_the_next_time_and_later_ones_at_once() -> None:
    reader = IostatReader({"tank": ()})

    assert [] == reader.feed(sample_of(1, "tank", "d0"))
    assert [("tank", 1.0, ["tank", "d0"])] == brief(reader.feed(b"2\n"))
    assert [("tank", 2.0, ["tank", "d0"])] == brief(reader.feed(sample_of(2, "tank", "d0")[2:]))


def test_rows_that_status_hides_are_awaited_from_the_second_sample_on() -> None:
    reader = IostatReader({"scratch": ("scratch", "d0")})
    printed = ("scratch", "d0", "indirect-2")

    first = reader.feed(sample_of(1, *printed))
    second = reader.feed(sample_of(2, *printed))

    assert [("scratch", 1.0, ["scratch", "d0"])] == brief(first)
    assert [("scratch", 2.0, list(printed))] == brief(second)
    assert 0 == reader.left_out


def test_pools_of_one_stream_are_told_apart_also_where_one_is_not_described() -> None:
    reader = IostatReader({"tank": ("tank", "d0"), "bulk": ()})

    samples = reader.feed(
        sample_of(1, "tank", "d0") + sample_of(1, "bulk", "d1")[2:] + sample_of(2, "tank", "d0")
    )

    assert [
        ("tank", 1.0, ["tank", "d0"]),
        ("bulk", 1.0, ["bulk", "d1"]),
        ("tank", 2.0, ["tank", "d0"]),
    ] == brief(samples)


def test_a_disk_that_is_named_like_a_pool_does_not_start_one() -> None:
    reader = IostatReader({"tank": ("tank", "bulk"), "bulk": ("bulk", "d0")})

    samples = reader.feed(sample_of(1, "tank", "bulk", "bulk", "d0"))

    assert [("tank", 1.0, ["tank", "bulk"]), ("bulk", 1.0, ["bulk", "d0"])] == brief(samples)


def test_rows_may_be_told_later() -> None:
    reader = IostatReader({})
    reader.expect({"tank": ("tank", "d0"), "bulk": ("bulk",)})

    samples = reader.feed(sample_of(1, "tank", "d0", "bulk"))

    assert ["tank", "bulk"] == [sample.pool for sample in samples]


def test_a_sample_across_a_change_of_topology_is_left_out() -> None:
    """ZFS subtracts by position: the first difference compares a disk with another one's counters."""
    reader = IostatReader({"tank": ("tank", "d0", "d1")})
    before, after = ("tank", "d0", "d1"), ("tank", "d0", "replacing-1", "d1", "d2")

    samples = reader.feed(
        sample_of(1, *before) + sample_of(2, *after) + sample_of(3, *after) + sample_of(4, *before) + b"5\n"
    )

    assert [("tank", 1.0, list(before)), ("tank", 3.0, list(after))] == brief(samples)
    assert 2 == reader.left_out


def test_a_pool_that_has_grown_at_its_end_loses_no_sample() -> None:
    reader = IostatReader({"tank": ("tank", "d0")})

    samples = reader.feed(
        sample_of(1, "tank", "d0") + sample_of(2, "tank", "d0", "l2") + sample_of(3, "tank", "d0", "l2")
    )

    assert [["tank", "d0"], ["tank", "d0"], ["tank", "d0", "l2"]] == [names for _, _, names in brief(samples)]


def test_a_counter_that_went_back_is_no_sample() -> None:
    reader = IostatReader({"tank": ("tank", "d0")})

    samples = reader.feed(sample_of(1, "tank", "d0", ops=2**64 - 5) + sample_of(2, "tank", "d0"))

    assert [2.0] == [sample.at for sample in samples]
    assert 1 == reader.left_out


def test_minus_one_is_no_io_as_a_dash_is() -> None:
    waits = [b"-1", b"-", *[b"5"] * 9]
    line = b"\t".join([b"tank", *[b"1"] * 6, *waits]) + b"\n"

    (sample,) = parse_samples(line, now=0.0)

    assert Latency(None, None, *[5.0] * 9) == sample.rows[0].latency


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (b"tank\t1\t2\n", "3 columns, where zpool iostat -Hp prints"),
        (row("tank", 1, 2, 3, 4, 5, 6) + row("d0", *[1] * 16), "17 columns, and 7 in the lines before"),
        (row("tank", 1, 2, 3, 4, 5, "1.5K"), "not a number"),
        (row("tank", 1, 2, 3, 4, "", 6), "could not convert"),
        (row("tank", -1, 2, 3, 4, 5, 6), "not a count"),
        (row("tank", *[1] * 16, "-5"), "a negative wait"),
        (row("tank", *[1] * 16, "nan"), "not a number"),
        (row("", 1, 2, 3, 4, 5, 6), "a row without a name"),
        (b"cannot open 'tank': no such pool\n", "neither a row nor a time"),
        (b"9" * (MAX_LINE_BYTES + 1), "the line does not end"),
    ],
)
def test_what_is_not_a_row_is_refused_with_its_line(output: bytes, reason: str) -> None:
    with pytest.raises(ParseError, match=reason) as refused:
        parse_samples(output, ["tank"], now=0.0)

    assert "zpool iostat" == refused.value.tool


def test_a_sample_without_any_time_and_a_row_of_no_pool_are_refused() -> None:
    with pytest.raises(ParseError, match="without a time"):
        parse_samples(row("tank", 1, 2, 3, 4, 5, 6))
    with pytest.raises(ParseError, match="a row of no pool"):
        parse_samples(b"1\n" + row("d0", 1, 2, 3, 4, 5, 6), ["tank"])


def whole_stream() -> tuple[dict[str, tuple[str, ...]], bytes]:
    """Samples of several pools, as one stream with times prints them."""
    folders = [MIRRORS, CAPTURES / "2.4" / "raidz2-replacing", CAPTURES / "2.4" / "data-errors"]
    outputs = [(folder / "zpool_iostat_Hpvlq_since_boot.tsv").read_bytes() for folder in folders]
    expected = {pool.name: row_names(pool) for folder in folders for pool in pools_of(folder)}
    return expected, b"".join(b"%d\n" % (100 + at) + b"".join(outputs) for at in range(4))


EXPECTED, STREAM = whole_stream()


@given(st.lists(st.integers(0, len(STREAM)), max_size=40))
def test_the_samples_are_the_same_wherever_the_chunks_are_cut(cuts: list[int]) -> None:
    reader = IostatReader(EXPECTED)
    edges = [0, *sorted(cuts), len(STREAM)]

    samples = [sample for start, end in pairwise(edges) for sample in reader.feed(STREAM[start:end])]

    assert IostatReader(EXPECTED).feed(STREAM) == samples
    assert 12 == len(samples)


class OneByOne(IostatReader):
    """Takes each row by itself, whether it is awaited or not."""

    def _take_as_before(self, *_: object) -> int:
        return 0


def outcome(reader: IostatReader, output: bytes) -> tuple[list[IoSample], int, str]:
    """The samples of an output, how many were left out, and why the rest was refused."""
    samples: list[IoSample] = []
    try:
        for line in output.splitlines(keepends=True)[:2]:  # a chunk that ends within a sample
            samples += reader.feed(line)
        samples += reader.feed(output.split(b"\n", 2)[2])
    except ParseError as error:
        return samples, reader.left_out, str(error)
    return samples, reader.left_out, ""


@given(
    edits=st.lists(
        st.tuples(
            st.integers(0, 60),
            st.sampled_from(["drop", "twice", "swap", "blank", "stamp", "rename", "cell", "pool"]),
            st.sampled_from([b"-5", b"", b"9" * 16, b"9" * 21, b"x", b"7"]),
        ),
        max_size=3,
    )
)
def test_rows_taken_together_are_those_that_are_taken_one_by_one(
    edits: list[tuple[int, str, bytes]],
) -> None:
    """Whatever happens to a stream: rows that go, come, change places, and cells that are none."""
    lines = STREAM.split(b"\n")[:60]
    for at, edit, cell in edits:
        place = min(at, len(lines) - 2)
        cells = lines[place].split(b"\t")
        match edit:
            case "drop":
                del lines[place]
            case "twice":
                lines.insert(place, lines[place])
            case "swap":
                lines[place], lines[place + 1] = lines[place + 1], lines[place]
            case "blank" | "stamp" | "pool":
                lines.insert(place, {"blank": b"", "stamp": b"777", "pool": lines[1]}[edit])
            case "rename":
                lines[place] = b"\t".join([b"renamed", *cells[1:]])
            case _:
                lines[place] = b"\t".join([*cells[: at % 30 + 1], cell, *cells[at % 30 + 2 :]])
    output = b"\n".join(lines) + b"\n"

    assert outcome(OneByOne(EXPECTED), output) == outcome(IostatReader(EXPECTED), output)


def test_an_output_cut_at_any_byte_gives_the_samples_before_the_cut() -> None:
    stop = len(STREAM) // 2
    whole = IostatReader(EXPECTED).feed(STREAM)
    reader, got = IostatReader(EXPECTED), 0

    for at in range(stop):
        for sample in reader.feed(STREAM[at : at + 1]):
            assert whole[got] == sample
            got += 1

    assert 6 == got


def test_one_output_cut_at_any_byte_lacks_rows_and_invents_none() -> None:
    output = (MIRRORS / "zpool_iostat_Hpvlq_since_boot.tsv").read_bytes()
    (whole,) = parse_samples(output, now=0.0)

    for end in range(len(output)):
        for sample in parse_samples(output[:end], now=0.0):
            assert whole.rows[: len(sample.rows)] == sample.rows


ODD = [
    *(b"9" * digits for digits in (1, 15, 16, 20, 21)),
    *(b"-", b"-1", b"-5", b"-12", b"", b"1.5K", b"nan", b"1 ", b"+1", b"1e3", b"1_0", b"\xd9\xa1", b"tank"),
]


@pytest.mark.parametrize("width", sorted(LAYOUTS))
def test_what_is_taken_for_sound_when_it_comes_can_be_read_when_it_is_looked_at(width: int) -> None:
    parser = RowParser()
    parser.row(b"\t".join([b"1", *[b"0"] * (width - 1)]))
    taken = 0

    for place, odd in product(range(1, width), ODD):
        line = b"\t".join([b"d0", *(odd if at == place else b"7" for at in range(1, width))])
        name = parser.name_of_sound(line)
        if name is not None:
            taken += 1
            read = parser.row(line)
            assert "d0" == name == read.name
            assert max(read.read_ops, read.write_ops, read.read_bytes, read.write_bytes) < 1e15

    assert taken


@pytest.mark.parametrize("path", SINCE_BOOT[:40:5], ids=state)
def test_rows_that_are_looked_at_later_are_those_that_were_printed(path: Path) -> None:
    parser = RowParser()
    lines = [line for line in recorded(path).split(b"\n") if line]
    rows = tuple(parser.row(line) for line in lines)

    lazy = LazyRows(tuple(read.name for read in rows), [*lines], parser.row)

    assert all(parser.name_of_sound(line) is not None for line in lines)
    assert (rows[1:], rows[-1:], len(rows)) == (lazy[1:], lazy[-1:], len(lazy))
    assert lazy == rows
    assert rows == lazy
    assert list(rows) == list(lazy)
    assert hash(rows) == hash(lazy)
    assert repr(rows) == repr(lazy)
    assert lazy != rows[:-1]


@given(st.lists(st.sampled_from([b"\t", b"\n", b"-", b"1", b"17", b"tank", b"\xff", b"\x00"]), max_size=200))
def test_noise_is_refused_or_ignored_and_nothing_else(words: list[bytes]) -> None:
    with suppress(ParseError):
        parse_samples(b"".join(words), ["tank"], now=0.0)


@given(st.binary(max_size=400))
def test_random_bytes_are_refused_or_ignored_and_nothing_else(noise: bytes) -> None:
    with suppress(ParseError):
        parse_samples(noise, ["tank"], now=0.0)


def test_names_that_nobody_should_choose_stay_what_they_are() -> None:
    names = ("tank", "\u2028[@click=app.pwn]x[/]", "\x1b]0;title\x07", "d 0")

    (sample,) = parse_samples(sample_of(1, *names), ["tank"])

    assert list(names) == [row.name for row in sample.rows]
