"""A recording without queues: a disk that completes nothing beside peers that go on."""

from __future__ import annotations

import gzip
import io

import pytest

from tests.analysis.slow_disks.load.closed_loop import ClosedLoop
from tests.conftest import CAPTURES
from zconsole.analysis.slow_disks.verdict_sentence import quiet_sentence
from zconsole.cli.commands.state.slow import exit_code, judge_recording
from zconsole.model.pools.slow_disk import Judgement

QUEUES = 14  # columns


def without_queues(lines: list[str]) -> Judgement:
    cut = "".join("\t".join(line.rstrip("\n").split("\t")[:-QUEUES]) + "\n" for line in lines)
    return judge_recording(io.BytesIO(cut.encode()))


def silenced(first: int, last: int, late_ns: int | None = None) -> Judgement:
    """Disk d3 of twelve completes nothing for a while, and then late, or as ever."""
    begun, lines = 0, []
    for line in ClosedLoop(clients=6).lines():
        fields = line.split("\t")
        begun = begun or int(fields[0])
        at = int(fields[0]) - begun
        if fields[1] == "d3" and first <= at < last:
            fields[4:] = ["0"] * 4 + ["-"] * 11 + ["0"] * QUEUES
        elif fields[1] == "d3" and at == last and late_ns:
            fields[8] = fields[10] = str(late_ns)
        lines.append("\t".join(fields).rstrip("\n") + "\n")
    return without_queues(lines)


def recorded_hang() -> Judgement:
    """A real pool with a disk that did not answer, as `zpool iostat` prints it without -q."""
    with gzip.open(CAPTURES / "hanging" / "one.tsv.gz", "rt") as stream:
        lines = stream.read().splitlines(keepends=True)
    return without_queues([line for line in lines if "\t" in line])


def test_a_disk_that_completes_nothing_while_its_peers_do_is_told() -> None:
    judgement = silenced(20, 35)

    (one,) = judgement.quiet
    assert ("d3", 15, 11, 20) == (one.disk, one.seconds, one.peers, one.first_sample)
    assert quiet_sentence(one).endswith("whether it held I/O is not known without queues (-q)")
    assert 0 == exit_code([judgement], [])


def test_late_answers_show_that_it_held_io() -> None:
    judgement = silenced(20, 35, 3_000_000_000)

    (one,) = judgement.quiet
    assert one.is_sure
    assert one.late_ns == pytest.approx(2e9)  # the lower edge of the bucket
    assert 1 == exit_code([judgement], [])


def test_a_silence_of_two_seconds_is_nothing() -> None:
    assert () == silenced(20, 22).quiet


def test_a_recorded_hang_without_its_queues_is_told() -> None:
    judgement = recorded_hang()

    (one,) = judgement.quiet
    assert ("h3", 18, 0) == (one.disk, one.seconds, one.peers)
    assert ["h3"] == [pause.which for pause in judgement.pauses]


@pytest.mark.parametrize("name", ["a03", "a06", "b06", "b07"])
def test_healthy_recordings_without_queues_have_none(name: str) -> None:
    lines = (CAPTURES / "slow" / name / "iostat.tsv").read_text().splitlines(keepends=True)

    assert () == without_queues(lines).quiet
