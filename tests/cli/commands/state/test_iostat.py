"""Samples of I/O, line by line."""

from __future__ import annotations

import json

import pytest

from tests.cli.fakes import Screen, names_of, nas, reach
from tests.doubles.machines import iostat
from tests.reports.schema import SAMPLE, mismatch
from zconsole.base.errors import LinkLost
from zconsole.cli import run


def test_iostat_prints_samples_until_the_count_is_reached(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers["cat /proc/diskstats"] = b""
    for at in (1, 2, 3):
        host.streams["zpool iostat"].feed(iostat(1_795_220_000 + at, names_of("healthy-mirrors"), ops=at))
    reach(mp, local=host)

    assert 0 == run(["iostat", "tank", "--jsonl", "--count", "2"])
    samples = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["", ""] == [mismatch(sample, SAMPLE) for sample in samples]
    assert [1.0, 2.0] == [sample["vdevs"][0]["read_ops"] for sample in samples]
    assert not host.streams["zpool iostat"].is_open


def test_iostat_ends_with_the_reason_when_the_stream_does(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.streams["zpool iostat"].feed(iostat(1_795_220_001, names_of("healthy-mirrors")))
    host.streams["zpool iostat"].feed(LinkLost("the link to local was lost"))
    reach(mp, local=host)

    assert 3 == run(["iostat"])
    out, err = capsys.readouterr()
    assert "mirror-0" in out
    assert "zconsole: the link to local was lost\n" == err


def test_one_document_of_samples_needs_an_end_and_has_one(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers["cat /proc/diskstats"] = b""
    for at in (1, 2, 3):
        host.streams["zpool iostat"].feed(iostat(1_795_220_000 + at, names_of("healthy-mirrors"), ops=at))
    reach(mp, local=host)

    assert 2 == run(["iostat", "tank", "--json"])
    assert "--jsonl prints one object a line" in capsys.readouterr().err

    assert 0 == run(["iostat", "tank", "--json", "--count", "2"])
    assert [1.0, 2.0] == [
        each["vdevs"][0]["read_ops"] for each in json.loads(capsys.readouterr().out)["samples"]
    ]
