"""`zconsole slow`: of a recording and of a host, with the documented exit codes."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from tests.cli.fakes import nas, reach
from tests.conftest import CAPTURES
from tests.doubles.scripted_host import ScriptedStream
from tests.reports.captured import captured
from tests.reports.schema import SLOW, mismatch
from zconsole.base.clock import ManualClock
from zconsole.base.errors import LinkLost
from zconsole.cli import run
from zconsole.cli.commands.state.slow import SlowRequest, Watching, exit_code, watch
from zconsole.cli.open_and_ask_named_hosts import NamedHost
from zconsole.collect.io_samples_for_command_line import latencies_of
from zconsole.model.pools.slow_disk import READ, Judgement, LatencyBound
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.world.pools_and_vdevs import Load
from zconsole.reports.json.slow_disks import slow_document
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.findings.slow_disk_document import judgement_lines
from zconsole.zfs.iostat.iostat_stream import row_names

Screen = pytest.CaptureFixture[str]
RECORDINGS = CAPTURES / "slow"
CODES = {"a01": 1, "a03": 0, "a10": 3}


@pytest.mark.parametrize(("name", "code"), CODES.items())
def test_the_exit_code_says_what_was_found(name: str, code: int, capsys: Screen) -> None:
    file = str(RECORDINGS / name / "iostat.tsv")

    assert code == run(["slow", "--input", file, "--json"])
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert "" == mismatch(document, SLOW)
    assert ("", 60) == (err, document["samples"])
    assert (code == 1) == bool(document["verdicts"])

    assert code == run(["slow", "--input", file])
    assert capsys.readouterr().out.startswith("p: ")


def test_a_recording_without_a_slow_disk_says_how_slow_one_may_be(capsys: Screen) -> None:
    file = str(RECORDINGS / "a06" / "iostat.tsv")

    assert 0 == run(["slow", "--input", file])
    said = capsys.readouterr().out
    assert "no disk is slower" not in said
    assert (
        "in reads (10 ms in the mean) none of 6 disks has more than 2.1x the mean latency of its peers, "
        "from 2.7k reads each" in said
    )
    assert "where they may lie in one or two, which hide up to 2.0x, it is so much wider" in said
    assert "95% confidence" in said

    assert 0 == run(["slow", "--input", file, "--json"])
    (bound,) = json.loads(capsys.readouterr().out)["bounds"]
    assert ("read", 0.95, 6) == (bound["operation"], bound["confidence"], bound["disks"])
    assert 2.0 <= bound["ratio"] <= 2.1
    assert 2.0 == bound["widened"]


def test_where_whole_vdevs_differ_the_bound_says_so(capsys: Screen) -> None:
    """A hybrid pool: its first mirror is slower as a whole."""
    assert 1 == run(["slow", "--input", str(RECORDINGS / "a08" / "iostat.tsv")])
    said = capsys.readouterr().out

    assert "Whole vdevs differ: see the note." in said
    assert "Note: more than half of the disks of mirror-0 are slow" in said


def test_half_of_the_disks_ten_times_slower_from_the_start_are_not_denied(
    tmp_path: Path, capsys: Screen
) -> None:
    """A real recording, in which one disk of each mirror takes ten times as long."""
    lines = []
    for line in (RECORDINGS / "a03" / "iostat.tsv").read_text().splitlines():
        words = line.split("\t")
        if words[1] in {"disk0", "disk2", "disk4"}:
            words[8:19] = [word if word == "-" else f"{word}0" for word in words[8:19]]
        lines.append("\t".join(words))
    file = tmp_path / "recording"
    file.write_text("\n".join(lines) + "\n")

    assert 1 == run(["slow", "--input", str(file)])
    said = capsys.readouterr().out
    assert said.startswith("p: 3 disks are slower than the others, and none of them is named")
    assert "3 of 6 disks are slower than the others at once, up to " in said
    assert "as well as 3 slow disks do" in said
    assert "no disk" not in said
    assert "Bound: " not in said


def test_a_whole_mirror_ten_times_slower_from_the_start_is_not_denied(tmp_path: Path, capsys: Screen) -> None:
    """Two of four disks: those of one of two mirrors, in a real recording."""
    lines = []
    for line in (RECORDINGS / "a03" / "iostat.tsv").read_text().splitlines():
        words = line.split("\t")
        if words[1] in {"mirror-2", "disk4", "disk5"}:
            continue
        if words[1] in {"disk0", "disk1"}:
            words[8:19] = [word if word == "-" else f"{word}0" for word in words[8:19]]
        lines.append("\t".join(words))
    file = tmp_path / "recording"
    file.write_text("\n".join(lines) + "\n")

    assert 1 == run(["slow", "--input", str(file)])
    said = capsys.readouterr().out
    assert said.startswith("p: more than half of the disks of mirror-0 are slower than those of other vdevs")
    assert "no disk was found" not in said
    assert "its peers are the other disks of its vdev or those of its kind, whichever are slower" in said


@pytest.mark.parametrize(
    ("disks", "said"),
    [
        ({f"disk{at}" for at in range(6)}, "all 6 disks left I/O unanswered at the same time"),
        ({"disk0", "disk2", "disk4"}, "one disk of each of mirror-0, mirror-1 and mirror-2 left I/O"),
    ],
    ids=["all", "a half of each mirror"],
)
def test_disks_that_hang_together_in_a_real_recording_are_not_denied(
    disks: set[str], said: str, tmp_path: Path, capsys: Screen
) -> None:
    """From its second half on these disks hold five reads each, and complete none."""
    file = tmp_path / "recording"
    file.write_text("\n".join(_without_answers((RECORDINGS / "a03" / "iostat.tsv").read_text(), disks, 31)))

    assert 1 == run(["slow", "--input", str(file)])
    out = capsys.readouterr().out
    assert said in out
    assert "no disk was found" not in out
    assert "for 28 s or more, with " in out
    assert "Only with the pool exported or the host shut down" in out
    assert "Bound: of the I/O that was completed, in " in out

    assert 1 == run(["slow", "--input", str(file), "--json"])
    (pause,) = json.loads(capsys.readouterr().out)["pauses"]
    assert (disks, True, True) == ({*pause["disks"]}, pause["sure"], pause["ongoing"])


def test_one_pause_in_a_real_recording_is_told_and_nobody_is_named(tmp_path: Path, capsys: Screen) -> None:
    file = tmp_path / "recording"
    lines = _without_answers((RECORDINGS / "a03" / "iostat.tsv").read_text(), {"disk3"}, 31, 38)
    file.write_text("\n".join(lines))

    assert 0 == run(["slow", "--input", str(file)])
    out = capsys.readouterr().out
    assert "no disk was found" not in out
    assert "Paused: disk3 left I/O waiting once, for 6 s or more, with 5 I/Os outstanding" in out


def _without_answers(recording: str, disks: set[str], first: int, until: int = 1000) -> Iterator[str]:
    """A recording in which these disks hold five reads and complete nothing from a sample to another."""
    number = -1
    for text in recording.splitlines():
        words = text.split("\t")
        number += words[1] == "p"
        if words[1] in disks and first <= number < until:
            words[4:8] = ["0"] * 4
            words[8:19] = ["-"] * 11
            words[19:] = ["0", "5", *["0"] * (len(words) - 21)]
        yield "\t".join(words)
    yield ""


def test_a_recording_may_come_from_stdin(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    data = (RECORDINGS / "a01" / "iostat.tsv").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    assert 1 == run(["slow", "--input", "-"])
    assert "disk3 has " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("says", "data"),
    [
        ("line 0: the output ends without a sample", b""),
        ("line 1: not a line of a recording", b"once upon a time\n"),
        ("line 3: not a line of a recording", None),
        ("line 1: not a line of a recording", b"\xff\xfe\0\t" * 99),
        ("line 1: not a line of a recording", b"x" * 1_000_000),
    ],
)
def test_what_is_no_recording_is_wrong_words(
    says: str, data: bytes | None, tmp_path: Path, capsys: Screen
) -> None:
    file = tmp_path / "recording"
    file.write_bytes((RECORDINGS / "a01" / "iostat.tsv").read_bytes()[:400] if data is None else data)

    assert 2 == run(["slow", "--input", str(file)])
    out, err = capsys.readouterr()
    assert "" == out
    assert says in err
    assert "zpool iostat -T u -Hpvlqy POOL 1" in err


def test_a_file_that_is_not_there_is_wrong_words(tmp_path: Path, capsys: Screen) -> None:
    assert 2 == run(["slow", "--input", str(tmp_path / "none")])
    assert 2 == run(["slow", "--input", str(tmp_path)])
    assert "cannot be read: No such file or directory" in capsys.readouterr().err


def lines(at: int, names: list[str], slow: str) -> bytes:
    """One sample of busy disks, as `zpool iostat -T u -Hpvlqy` prints it."""
    text = f"{at}\n"
    for name in names:
        took = "90000000" if name == slow else "9000000"
        text += "\t".join(
            [name, "0", "0", "40", "0", "655360", "0", took, "-", took, *["-"] * 8, *["0"] * 14]
        )
        text += "\n"
    return text.encode()


def watched(samples: int, slow: str = "") -> object:
    host = nas("healthy-mirrors", "local")
    host.answers["cat /proc/diskstats"] = b""
    host.streams["zpool iostat -T u -w"] = ScriptedStream()
    host.answers["zpool events -v"] = b""
    pool = captured("2.4", "healthy-mirrors").pools[0].pool.value
    assert pool is not None
    for number in range(samples):
        host.streams["zpool iostat"].feed(lines(1_795_220_000 + number, list(row_names(pool)), slow))
    return host


def test_a_host_is_watched_for_as_long_as_was_said(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = watched(30, slow="wwn-0x5000c500a0000002")
    reach(monkeypatch, local=host)  # type: ignore[arg-type]

    assert 1 == run(["slow", "tank", "--for", "20s", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, SLOW)
    assert ("local", "tank", 20) == (document["host"], document["pool"], document["samples"])
    (verdict,) = document["verdicts"]
    assert "wwn-0x5000c500a0000002" == verdict["disk"]
    assert 1_795_220_000.0 == verdict["evidence"]["first_at"]


def test_a_healthy_host_is_said_to_be(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(monkeypatch, local=watched(60))  # type: ignore[arg-type]

    assert 0 == run(["slow", "--for", "60"])
    said = capsys.readouterr().out
    assert "no disk was found to be slow in the mean; 6 disks judged in 60 samples" in said
    assert "in reads none of" in said


def test_too_short_a_watch_is_no_proof_that_none_is_slow(
    monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(monkeypatch, local=watched(10))  # type: ignore[arg-type]

    assert 3 == run(["slow", "--for", "10"])
    said = capsys.readouterr().out
    assert "too little I/O to tell; 0 disks judged in 10 samples" in said
    assert "too little I/O in 10 samples to tell how much slower than its peers a disk may be" in said


LOST = "zconsole: the link to local was lost\n"


def test_a_lost_link_costs_what_would_have_come(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    """What was seen before is judged all the same."""
    host = watched(12, slow="wwn-0x5000c500a0000002")
    host.streams["zpool iostat"].feed(LinkLost("the link to local was lost"))  # type: ignore[attr-defined]
    reach(monkeypatch, local=host)  # type: ignore[arg-type]

    assert 1 == run(["slow"])
    out, err = capsys.readouterr()
    assert "wwn-0x5000c500a0000002 has " in out
    assert "watching all pools of local for 1m; the verdicts come then\n" + LOST == err


def test_without_a_sample_the_reason_is_the_answer(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = watched(0)
    host.streams["zpool iostat"].feed(LinkLost("the link to local was lost"))  # type: ignore[attr-defined]
    reach(monkeypatch, local=host)  # type: ignore[arg-type]

    assert 3 == run(["slow", "tank", "--for", "5s"])
    assert ("", "watching pool tank of local for 5s; the verdicts come then\n" + LOST) == capsys.readouterr()


def test_the_line_that_tells_of_the_watch_is_not_among_the_output_of_a_script(
    monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    host = watched(0)
    host.streams["zpool iostat"].feed(LinkLost("the link to local was lost"))  # type: ignore[attr-defined]
    reach(monkeypatch, local=host)  # type: ignore[arg-type]

    assert 3 == run(["slow", "--json"])
    assert LOST == capsys.readouterr().err


async def test_a_long_tail_is_found_in_the_histograms_of_a_host_that_is_watched() -> None:
    """One stream of histograms runs beside that of the samples, and both end with the watch."""
    clock = ManualClock(1_800_000_000)
    host = PracticeHost(clock=clock, world=create_world("raidz2 0 1 2 3 4 5"))
    (pool,) = host.world.pools.values()
    pool.load = Load(300, 16384, 120, 65536)
    victim = next(pool.leaves()).disk
    assert victim is not None
    host.set_tail(victim.link, 0.03, 16.0)
    seen = Watching(host.label)

    task = asyncio.create_task(watch(NamedHost(host, clock), seen, SlowRequest(for_s=45.0)))
    while not task.done():
        clock.advance(0.5)
        for _ in range(50):
            await asyncio.sleep(0)
    await task

    judgement = seen.detectors["tank"].judgement()
    (verdict,) = judgement.verdicts
    assert (victim.link.rpartition("/")[2], "long tail") == (verdict.disk, verdict.kind)
    text = "\n".join(printed(judgement_lines(judgement, host="nas1", pool=seen.pools["tank"])))
    assert f"{verdict.disk} has a long tail: 1 in " in text
    assert "it is as fast as its peers in the mean" in text
    assert "reads     within 50% " in text
    assert "or more waits so long for this disk" in text
    document = slow_document(judgement, host="nas1", pool=seen.pools["tank"])
    assert "" == mismatch(document, SLOW)


async def test_of_several_pools_histograms_are_read_in_turn() -> None:
    """One stream at a time: the next begins when the one before has ended."""
    host = nas("healthy-mirrors", "local")
    streams = {pool: ScriptedStream() for pool in ("tank", "bulk")}
    host.streams |= {f"zpool iostat -T u -wHpvy {pool}": stream for pool, stream in streams.items()}
    for at in range(1, 9):
        for pool, stream in streams.items():
            zeros = "\t".join("0" * 11)
            stream.feed(f"{at}\n\n{pool}\n1023\t{zeros}\n".encode())

    turns = []
    async with aclosing(latencies_of(host, ["tank", "bulk"], turn_s=1.0)) as latencies:
        async for pool, _ in latencies:
            turns.append((pool, [name for name, stream in streams.items() if stream.is_open]))
            if len(turns) == 5:
                break

    assert [(pool, [pool]) for pool in ("tank", "tank", "bulk", "bulk", "tank")] == turns
    assert not any(stream.is_open for stream in streams.values())


BOUND = LatencyBound(READ, 1.3, 0.95, 6, 2400)


def judged(disks: int, *bounds: LatencyBound) -> Judgement:
    return Judgement("tank", 60, disks, bounds=bounds)


@pytest.mark.parametrize(
    ("code", "judgements"),
    [
        (0, [judged(6, BOUND)]),
        (3, [judged(6)]),
        (3, [judged(2, BOUND), judged(6)]),
        (0, [judged(6, BOUND), judged(2)]),
        (3, []),
    ],
)
def test_a_no_is_of_most_disks_of_all_pools(code: int, judgements: list[Judgement]) -> None:
    """A small pool that could be judged proves nothing of a large one that could not."""
    assert code == exit_code(judgements, ())


def test_seconds_of_a_recording_are_those_of_its_epochs(tmp_path: Path, capsys: Screen) -> None:
    """The same samples, a second and ten seconds apart: a disk of a pair that answers none of 22 for five."""
    file = tmp_path / "recording"
    busy = ["40", "30", "655360", "491520", *["9000000"] * 4, *["-"] * 7, *["0"] * 14]
    held = ["0", "0", "0", "0", *["-"] * 11, "2", "10", "0", "10", *["0"] * 10]

    def recorded(interval_s: int) -> str:
        lines = []
        for number in range(30):
            lines.append(str(1_800_000_000 + number * interval_s))
            lines += ["\t".join(["tank", "1", "9", *busy]), "\t".join(["mirror-0", "1", "9", *busy])]
            lines += [
                "\t".join([disk, "0", "0", *(held if disk == "d1" and 10 <= number < 15 else busy)])
                for disk in ("d0", "d1")
            ]
        return "\n".join([*lines, ""])

    file.write_text(recorded(1))
    assert 1 != run(["slow", "--input", str(file)])
    assert "for 4 s or more" in capsys.readouterr().out
    file.write_text(recorded(10))
    assert 1 == run(["slow", "--input", str(file)])
    assert "for 40 s or more" in capsys.readouterr().out


def test_a_recording_of_several_pools_is_refused(tmp_path: Path, capsys: Screen) -> None:
    both = CAPTURES / "2.4" / "several-pools" / "zpool_iostat_Hpvlq_since_boot.tsv"

    assert 2 == run(["slow", "--input", str(both)])
    assert "the recording is of several pools (alpha, beta)" in capsys.readouterr().err
