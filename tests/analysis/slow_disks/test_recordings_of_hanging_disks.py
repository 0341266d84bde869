"""Recordings of a real pool whose disks held their I/O: who is named, what is told, and for how long."""

from __future__ import annotations

import gzip
import json
from typing import Final

import pytest

from tests.conftest import CAPTURES
from zconsole.cli.commands.state.slow import exit_code, judge_recording
from zconsole.model.pools.slow_disk import STALLING, Judgement

FOLDER: Final = CAPTURES / "hanging"
STREAMS: Final = json.loads((FOLDER / "labels.json").read_text())["streams"]
LATE_S: Final = 4  # the samples on both sides of it are not whole, and some I/O ended in the first


def judged(name: str) -> Judgement:
    with gzip.open(FOLDER / f"{name}.tsv.gz", "rb") as stream:
        return judge_recording(stream)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["all", "half"])
def test_disks_that_hang_together_are_told_together_and_none_is_named(name: str) -> None:
    label, judgement = STREAMS[name], judged(name)

    (pause,) = judgement.not_answering
    assert label["disks"] == list(pause.disks)
    assert label["seconds"] - LATE_S <= pause.longest_ns / 1e9 <= label["seconds"]
    assert abs(label["from_sample"] - pause.first_sample) <= 1
    assert 6 - len(label["disks"]) == len(pause.answered)
    assert pause.outstanding > 100
    assert () == judgement.verdicts
    assert 1 == exit_code([judgement], [])


def test_a_disk_that_hangs_alone_is_named_with_the_time_and_no_mean_of_it() -> None:
    label, judgement = STREAMS["one"], judged("one")

    (verdict,) = judgement.verdicts
    assert (label["disks"][0], STALLING) == (verdict.disk, verdict.kind)
    assert verdict.stalls is not None
    assert not verdict.stalls.is_now
    assert label["seconds"] - LATE_S <= verdict.stalls.longest_ns / 1e9 <= label["seconds"]
    assert verdict.stalls.outstanding > 100
    assert all(each.samples <= LATE_S for each in verdict.compared)  # those that were completed afterwards
    assert () == judgement.pauses


def test_a_short_pause_is_told_and_nobody_is_named() -> None:
    label, judgement = STREAMS["short"], judged("short")

    (pause,) = judgement.pauses
    assert (label["disks"], 1, False) == (list(pause.disks), pause.times, pause.is_sure)
    assert label["seconds"] - LATE_S <= pause.longest_ns / 1e9 <= label["seconds"]
    assert () == judgement.verdicts
    assert 0 == exit_code([judgement], [])
