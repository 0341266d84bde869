"""Recordings of `zpool iostat`, as people make them; and files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from tests.zfs.recorded import cuts
from zconsole.base.errors import ParseError
from zconsole.model.pools.iostat import IoSample
from zconsole.zfs.iostat.saved_output import Recording

EVERY_SLOW = sorted(CAPTURES.glob("slow/*/iostat.tsv"))
SLOW = CAPTURES / "slow" / "a01" / "iostat.tsv"
CELLS = ["100", "200", "3", "4", "4096", "8192", *["1000"] * 9, "-", "-", *["0"] * 14]


def read(data: bytes) -> list[tuple[int, IoSample]]:
    return list(Recording().samples(data.splitlines(keepends=True)))


def line(name: str, *, epoch: int | None = None) -> str:
    row = "\t".join([name, *CELLS])
    return f"{row}\n" if epoch is None else f"{epoch}\t{row}\n"


def test_all_samples_are_read_and_numbered() -> None:
    found = read(SLOW.read_bytes())

    assert list(range(60)) == [number for number, _ in found]
    assert {("p", "mirror-0", "disk0", "disk1")} == {sample.names[:4] for _, sample in found}


def test_the_epoch_makes_no_difference() -> None:
    data = SLOW.read_bytes()
    without = b"".join(each.partition(b"\t")[2] for each in data.splitlines(keepends=True))

    here, there = read(data), read(without)

    assert [tuple(sample.rows) for _, sample in here] == [tuple(sample.rows) for _, sample in there]
    assert [1795222176.0] * 60 == [sample.at for _, sample in here]
    assert [float(number) for number in range(60)] == [sample.at for _, sample in there]


def test_some_lines_may_have_it_and_others_not() -> None:
    text = line("p", epoch=1_800_000_000) + line("sda") + line("p", epoch=1_800_000_001) + line("sda")

    assert [1_800_000_000.0, 1_800_000_001.0] == [sample.at for _, sample in read(text.encode())]


@pytest.mark.parametrize("blank", ["\n", "1800000000\t\n", "\r\n"])
def test_a_blank_line_begins_a_class_and_ends_no_sample(blank: str) -> None:
    text = line("p") + line("sda") + blank + line("nvme0") + blank + line("nvme1")
    recording = Recording()

    found = list(recording.samples((text * 3).encode().splitlines(keepends=True)))

    assert [0, 1, 2] == [number for number, _ in found]
    assert {("p", "sda", "nvme0", "nvme1")} == {sample.names for _, sample in found}
    assert (2, 3) == recording.starts(found[-1][1])


def test_the_times_of_dash_t_u_are_taken() -> None:
    text = "1800000000\n" + line("p") + line("sda") + "1800000001\n" + line("p") + line("sda")

    assert [1_800_000_000.0, 1_800_000_001.0] == [sample.at for _, sample in read(text.encode())]


def test_a_disk_may_be_called_like_a_time() -> None:
    text = line("p") + line("123456789")

    assert ("p", "123456789") == read((text * 2).encode())[1][1].names


def test_a_last_sample_that_lacks_rows_is_left_out() -> None:
    whole = line("p") + line("sda") + line("sdb")

    found = read((whole * 3 + line("p") + line("sda")).encode())

    assert [0, 1, 2] == [number for number, _ in found]


def test_the_sample_after_a_change_of_the_pool_is_not_sound_and_keeps_its_number() -> None:
    """ZFS has subtracted the counters of one disk from those of another."""
    before, after = line("p") + line("sda"), line("p") + line("sdb") + line("sda")

    assert [0, 1, 3, 4] == [number for number, _ in read((before * 2 + after * 3).encode())]


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("without a sample", ""),
        ("without a sample", "\n\n"),
        ("without a sample", "1800000000\n"),
        ("not a line", "a b c\n"),
        ("not a line", line("p") + "sda\t1\t2\n"),
        ("not a line", "\0" * 100),
        ("without latencies", "p\t1\t2\t3\t4\t5\t6\n"),
        ("not a number", line("p").replace("4096", "4k")),
        ("not a number", line("p").replace("1000", "1.5ms")),
    ],
)
def test_what_is_no_recording_is_refused_with_its_line(reason: str, text: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(text.encode())

    assert reason in caught.value.message
    assert f"recording, line {len(text.splitlines())}: " in caught.value.message


def test_a_recording_cut_anywhere_is_a_shorter_one_or_an_error(pytestconfig: pytest.Config) -> None:
    whole = b"".join(SLOW.read_bytes().splitlines(keepends=True)[:40])

    for at in cuts(whole, is_long=pytestconfig.getoption("--long"), samples=60):
        try:
            found = read(whole[:at])
        except ParseError:
            continue
        assert len(found) in {whole[:at].count(b"\tp\t") - 1, whole[:at].count(b"\tp\t")}


@given(st.binary(max_size=400))
def test_noise_is_an_error_or_nothing(data: bytes) -> None:
    with pytest.raises(ParseError):
        read(data)


@pytest.mark.parametrize("path", EVERY_SLOW, ids=lambda path: path.parent.name)
def test_every_recording_of_a_slow_disk_has_its_sixty_samples(path: Path) -> None:
    label = json.loads((path.parent / "label.json").read_text())

    samples = [sample for _, sample in Recording().samples(path.read_bytes().split(b"\n"))]

    assert label["samples"] == len(samples)
    assert [sample.at for sample in samples] == sorted(sample.at for sample in samples)
    assert {len(samples[0].rows)} == {len(sample.rows) for sample in samples}
    for disk in label["disk"].split("+"):
        waits = [
            row.latency.total_write for sample in samples for row in sample.rows if disk.endswith(row.name)
        ]
        assert len(waits) == (label["samples"] if disk else 0)


@pytest.mark.parametrize("epoch", [b"", b"1700000000\t"])
def test_a_column_more_than_any_known_version_prints_is_refused_in_words(epoch: bytes) -> None:
    line = SLOW.read_bytes().partition(b"\n")[0].partition(b"\t")[2]

    with pytest.raises(
        ParseError, match=r"3[34] columns, where zpool iostat -Hp prints 7, 17, 18, 29, 32 in"
    ):
        list(Recording().samples([epoch + line + b"\t0"]))
