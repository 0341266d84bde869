"""Real streams of disks that are a little slower: nobody healthy is named.

On a busy machine a disk 10 ms slower is found within a minute where that is a fifth or more of what its peers
take; the label says what they took. On a quiet machine (`quiet_machine`), where disks of 8 ms took 8 to 14 ms
at reads, each disk with 5 ms more and with 10 ms more is.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Final

import pytest

from tests.conftest import CAPTURES
from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout
from zconsole.model.pools.slow_disk import STALLING, Judgement
from zconsole.zfs.iostat.saved_output import Recording

RECORDINGS: Final = sorted((CAPTURES / "slightly_slow").glob("*/label.json"))
TELLING_MS: Final = 60.0  # latency of reads of the peers up to which 10 ms more can be told
WITHIN_S: Final = 60
FOUND: Final = {  # of those held out; the others are missed (docs/slow-disks.md)
    *("e01", "e03", "e04", "f01", "f02", "f03", "f06", "f07", "f08", "f09", "f11", "f12", "f13", "f17"),
}


def judged(path: Path) -> Judgement:
    """The judgement of a recording, with the disks that were slightly slower at any time."""
    recording = Recording()
    detector = Detector(lambda sample: inferred_layout(sample, recording.starts(sample)))
    with gzip.open(path.with_name("iostat.tsv.gz"), "rb") as stream:
        for number, sample in recording.samples(stream):
            detector.feed(sample, number)
    return detector.judgement()


def told(judgement: Judgement) -> dict[str, int]:
    """The sample at which each disk was told first, as slow or as slightly slower."""
    slightly = {one.disk: one.decided_sample for one in (*judgement.were_slightly, *judgement.slightly)}
    return slightly | {one.disk: one.decided_sample for one in reversed(judgement.verdicts)}


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.parent.name)
def test_nobody_healthy_is_named(path: Path) -> None:
    label, judgement = json.loads(path.read_text()), judged(path)

    assert set() == set(told(judgement)) - {label["disk"]}
    assert label["samples"] == judgement.samples
    assert [] == [one for one in judgement.pauses if one.is_of_several]


def is_telling(path: Path) -> bool:
    label = json.loads(path.read_text())
    if label.get("held_out"):
        return False
    return "slow10" == label["fault"] and (label["peers_read_ms"] or TELLING_MS + 1) <= TELLING_MS


@pytest.mark.parametrize("path", [*filter(is_telling, RECORDINGS)], ids=lambda path: path.parent.name)
def test_ten_milliseconds_more_are_found_within_a_minute(path: Path) -> None:
    label, judgement = json.loads(path.read_text()), judged(path)

    (one,) = judgement.slightly
    assert label["disk"] == one.disk
    assert 1.2 <= one.ratio < 1.8
    assert one.decided_sample - label["from_sample"] <= WITHIN_S
    assert one.slower_seconds > 0.75 * one.seconds


def test_of_streams_recorded_after_the_constants_were_final_those_told_in_docs_are_found() -> None:
    labels = {path: json.loads(path.read_text()) for path in RECORDINGS}
    slow = {
        path: label
        for path, label in labels.items()
        if label.get("held_out") and label["disk"] and not label.get("quiet_machine")
    }
    found = {
        path.parent.name: at - label["from_sample"]
        for path, label in slow.items()
        for disk, at in told(judged(path)).items()
        if disk == label["disk"]
    }

    assert FOUND == set(found), found
    assert all(seconds <= WITHIN_S for seconds in found.values())
    assert len(FOUND) < len(slow)


QUIET: Final = [path for path in RECORDINGS if json.loads(path.read_text()).get("quiet_machine")]


@pytest.mark.parametrize("path", QUIET, ids=lambda path: path.parent.name)
def test_on_a_quiet_machine_five_milliseconds_more_are_found_within_a_minute(path: Path) -> None:
    label, found = json.loads(path.read_text()), told(judged(path))

    if "ms" != label["unit"] or "none" == label["fault"]:
        assert set(found) <= {label["disk"]}
        return
    assert {label["disk"]} == set(found)
    assert 0 < found[label["disk"]] - label["from_sample"] <= WITHIN_S


def test_a_quiet_machine_recorded_each_layout_with_bursts_scrubs_and_synchronous_writes() -> None:
    labels = [json.loads(path.read_text()) for path in QUIET]
    of = [label for label in labels if label["unit"] == "ms" and label["fault"] != "none"]

    assert {("slow5", 4), ("slow10", 12)} == {
        (fault, [each["fault"] for each in of].count(fault)) for fault in ("slow5", "slow10")
    }
    assert {"mirrors", "raidz2", "wide", "draid", "single", "pair"} == {each["layout"] for each in of}
    assert {"mixed", "bursty", "scrub", "sync", "randread", "randwrite"} == {each["workload"] for each in of}
    assert all(
        8 < label["peers_read_ms"] + 1 < 16
        for label in of
        if label["peers_read_ms"] and label["workload"] != "scrub"
    )


def test_there_are_mirrors_raidz_and_a_pair_among_them_and_some_that_nothing_was_tuned_on() -> None:
    labels = [json.loads(path.read_text()) for path in filter(is_telling, RECORDINGS)]

    assert 9 == len(labels)
    assert {"mirrors", "raidz2", "pair", "single", "wide"} <= {label["layout"] for label in labels}
    assert not all(label["tuned_on"] for label in labels)


def test_a_disk_that_stops_writing_in_bursts_stalls_and_may_be_an_smr_drive() -> None:
    (verdict,) = judged(CAPTURES / "slightly_slow" / "s01" / "label.json").verdicts

    assert STALLING == verdict.kind
    assert ["write"] == [one.operation for one in verdict.compared]


def test_a_hybrid_mirror_whose_flash_is_slower_than_flash_is_two_sides_and_no_disk_is_named() -> None:
    """An emulated host, where memory takes 17 ms: what else it can be than slow disks is said."""
    judgement = judged(CAPTURES / "slightly_slow" / "h01" / "label.json")

    assert {"half-slow"} == {finding.id for finding in judgement.findings}
    assert "the kind of disk) does as well" in judgement.findings[0].summary
