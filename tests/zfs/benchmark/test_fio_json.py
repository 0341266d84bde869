"""What fio says, of two releases, and what is no answer of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zconsole.base.errors import ParseError
from zconsole.zfs.benchmark.fio_json import parse_fio

REAL = (Path(__file__).parent / "fio_3_33.json").read_text()


def test_the_numbers_of_a_real_run_are_its_own() -> None:
    read, written = parse_fio(REAL)
    told = json.loads(REAL)["jobs"][0]["read"]

    assert written is None
    assert read is not None
    assert told["bw_bytes"] == read.bytes_per_s
    assert told["iops"] == read.ios_per_s
    assert told["clat_ns"]["mean"] == read.mean_ns
    assert told["clat_ns"]["percentile"]["99.000000"] == read.p99_ns


def test_a_warning_before_the_document_is_skipped() -> None:
    assert parse_fio(REAL) == parse_fio("fio: this platform does not support a thing\n" + REAL)


def test_an_old_release_says_kibibytes() -> None:
    old = {"jobs": [{"error": 0, "read": {"total_ios": 9, "bw": 100, "iops": 25.5}}]}

    read, _ = parse_fio(json.dumps(old))

    assert read is not None
    assert 102400 == read.bytes_per_s
    assert None is read.mean_ns


@pytest.mark.parametrize(
    "text",
    [
        "", "fio: out of memory", "[]", '{"jobs": []}', '{"jobs": [3]}', REAL[: len(REAL) // 2],
        '{"jobs": [{"error": 28}]}', '{"jobs": [{"read": {"total_ios": 1, "iops": 1}}]}',
        '{"jobs": [{"read": {"total_ios": ' + "9" * 5000 + "}}]}", "[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_answer_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_fio(text)
