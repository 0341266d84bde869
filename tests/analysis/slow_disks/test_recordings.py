"""Real streams with a label: the slow disk is found where it began, and nobody else is named."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from zconsole.cli.commands.state.slow import judge_recording
from zconsole.model.pools.slow_disk import READ, SYNC, WRITE, Judgement

RECORDINGS = sorted((CAPTURES / "slow").glob("*/label.json"))
ONSET = 3  # samples by which the label, told by another clock, may differ
LATEST = 15  # samples from the beginning to the verdict: 12 s for a disk that is 2.5 times slower
LATEST_STALLS = 30  # three of 4 s, 13 s apart
TWO_STALLS = "b10"  # nothing was written to the disk during the third: nobody can see that one


@dataclass(frozen=True)
class Label:
    """What was done to the pool; `disks` are those that were slowed."""

    workload: str
    fault: str
    disks: frozenset[str]
    from_sample: int

    @classmethod
    def of(cls, path: Path) -> Label:
        label = json.loads(path.read_text())
        disks = frozenset(label["disk"].split("+")) if label["disk"] else frozenset()
        return cls(label["workload"], label["fault"], disks, label["from_sample"])


def judged(path: Path) -> Judgement:
    with path.with_name("iostat.tsv").open("rb") as stream:
        return judge_recording(stream)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.parent.name)
def test_a_recording(path: Path) -> None:
    label, judgement = Label.of(path), judged(path)

    seen = frozenset() if path.parent.name == TWO_STALLS else label.disks
    latest = LATEST_STALLS if label.fault == "stall" else LATEST
    assert seen == {verdict.disk for verdict in judgement.verdicts}
    assert 60 == judgement.samples
    assert [] == [one for one in judgement.pauses if one.is_of_several]
    for verdict in judgement.verdicts:
        assert abs(verdict.first_sample - label.from_sample) <= ONSET
        assert 0 < verdict.decided_sample - verdict.first_sample <= latest
        assert verdict.is_ongoing
        assert set(verdict.operations) <= {READ, WRITE, SYNC}
        assert verdict.disk not in verdict.peers


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.parent.name)
def test_only_an_idle_pool_cannot_be_judged(path: Path) -> None:
    label, judgement = Label.of(path), judged(path)

    assert (label.workload == "idle") == judgement.is_too_little
    assert len(judgement.undecided) == (judgement.disks if label.workload == "idle" else 0)


def test_a_disk_that_only_writes_slowly_is_said_to_write_slowly() -> None:
    (verdict,) = judged(CAPTURES / "slow" / "a04" / "label.json").verdicts

    assert (WRITE,) == verdict.operations
    assert 4 < verdict.ratio < 15  # 86 ms where the others take 6 to 20


def test_a_mirror_of_slower_disks_is_a_finding_and_nobody_s_fault() -> None:
    (finding,) = judged(CAPTURES / "slow" / "a08" / "label.json").findings

    assert ("vdev-slow", "p mirror-0") == (finding.id, finding.subject)
