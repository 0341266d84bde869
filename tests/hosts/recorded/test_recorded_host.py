"""What a host answered once, it answers again, at the same pace."""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hosts.helpers import drained, until
from tests.hosts.recorded.takes import LIST, Scripted, Take, words
from zconsole.base.errors import (
    CommandFailed,
    ConfigError,
    HostError,
    HostKeyUnknown,
    HostUnreachable,
    LinkLost,
    UsageError,
)
from zconsole.collect.read_command_runner import failure
from zconsole.hosts.build_command_results import ended, unknown
from zconsole.hosts.host import Command, Outcome
from zconsole.hosts.open_host_or_recording import open_replay
from zconsole.hosts.recorded.record_host_answers import RecordingHost
from zconsole.hosts.recorded.recorded_host import RecordedHost

IOSTAT = Command(("zpool", "iostat", "1"))
GUID_STATE = "/proc/spl/kstat/zfs/tank/state"


@pytest.fixture
def take(tmp_path: Path) -> Take:
    return Take(tmp_path / "recording")


async def test_a_recording_from_before_a_column_was_added_still_answers(take: Take) -> None:
    old = Command(("zfs", "list", "-o", "name,used", "tank"))
    await take.run(ended(old, 0, b"tank\t1\n", b""), after_s=1.0)
    replayed, _ = take.replay()
    await replayed.connect()

    grown = await replayed.run(Command(("zfs", "list", "-o", "name,used,sync", "tank")))
    assert b"tank\t1\n" == grown.stdout
    for other in (
        ("-o", "name,sync", "tank"),
        ("-o", "name,used,sync", "bulk"),
        ("-o", "name,usedds", "tank"),
    ):
        assert 127 == (await replayed.run(Command(("zfs", "list", *other)))).status


async def test_a_question_that_a_recording_lacks_does_not_say_that_zfs_is_missing(take: Take) -> None:
    await take.run(ended(LIST, 0, b"one", b""), after_s=1.0)
    replayed, _ = take.replay()
    await replayed.connect()

    asked = await replayed.run(Command(("zpool", "other")))

    assert "the recording of practice has no answer to zpool other" == str(failure(asked, "practice"))


async def test_a_command_gets_the_newest_answer_of_its_time(take: Take) -> None:
    await take.run(ended(LIST, 0, b"one", b""), after_s=1.0)
    await take.run(ended(LIST, 1, b"", b"two"), after_s=1.0)
    await take.run(unknown(LIST, "no answer within 10 s", b"th"), after_s=1.0)
    replayed, clock = take.replay()
    await replayed.connect()

    heard = []
    for _ in range(6):
        completed = await replayed.run(LIST)
        heard.append((completed.outcome, completed.status, completed.said, completed.reason))
        clock.advance(0.9)

    assert [
        (Outcome.DONE, 0, "one", ""),  # asked before the first answer came
        (Outcome.DONE, 0, "one", ""),
        (Outcome.DONE, 0, "one", ""),
        (Outcome.FAILED, 1, "two", ""),
        (Outcome.UNKNOWN, None, "th", "no answer within 10 s"),
        (Outcome.UNKNOWN, None, "th", "no answer within 10 s"),  # the last one stays
    ] == heard
    assert ("nas1", 1000.0, 3.0) == (replayed.label, replayed.started, replayed.length_s)


async def test_speed_makes_time_pass_faster(take: Take) -> None:
    await take.run(ended(LIST, 0, b"one", b""))
    await take.run(ended(LIST, 0, b"two", b""), after_s=10.0)
    replayed, clock = take.replay(speed=5.0)
    await replayed.connect()

    clock.advance(2.0)

    assert b"two" == (await replayed.run(LIST)).stdout


async def test_what_was_not_recorded_is_said_to_be_so(take: Take) -> None:
    replayed, _ = take.replay()

    completed = await replayed.run(LIST)

    assert (Outcome.FAILED, 127, "it is not in the recording") == (
        completed.outcome,
        completed.status,
        completed.reason,
    )
    with pytest.raises(FileNotFoundError, match="not in the recording"):
        await replayed.read(GUID_STATE)
    with pytest.raises(CommandFailed, match="not in the recording"):
        async with replayed.stream(IOSTAT):
            pass


async def test_errors_come_again_as_what_they_were(take: Take) -> None:
    take.host.connects = [HostKeyUnknown("nas1", "SHA256:x", hint="compare"), None]
    with pytest.raises(HostKeyUnknown):
        await take.recording.connect()
    await take.run(LinkLost("the connection was lost", hint="wait"))
    replayed, _ = take.replay()

    with pytest.raises(HostUnreachable, match="not known: SHA256:x") as caught:
        await replayed.connect()
    with pytest.raises(LinkLost, match="the connection was lost"):
        await replayed.run(LIST)

    assert "compare" == caught.value.hint


async def test_files_come_again_with_their_errors(take: Take) -> None:
    take.host.files = [b"ONLINE\n", FileNotFoundError(errno.ENOENT, "gone", GUID_STATE), b"SUSPENDED\n"]
    for _ in range(3):
        with suppress(FileNotFoundError):
            await take.recording.read(GUID_STATE)
        take.clock.advance(1.0)
    replayed, clock = take.replay()
    await replayed.connect()

    assert b"ONLINE\n" == await replayed.read(GUID_STATE)
    clock.advance(1.0)
    with pytest.raises(FileNotFoundError):
        await replayed.read(GUID_STATE)
    clock.advance(1.0)
    assert b"SUSPENDED\n" == await replayed.read(GUID_STATE)
    with pytest.raises(CommandFailed, match="larger than 3 bytes"):
        await replayed.read(GUID_STATE, max_bytes=3)


async def record_stream(take: Take, *pieces: bytes | HostError) -> HostError | None:
    """One stream, a piece each second; without an error at its end it is left."""
    try:
        async with take.recording.stream(IOSTAT) as chunks:
            for piece in pieces:
                take.clock.advance(1.0)
                take.host.chunks.put_nowait(piece)
                await anext(chunks)
    except HostError as error:
        return error
    return None


async def test_a_stream_comes_again_at_its_pace_and_ends_as_it_did(take: Take) -> None:
    gone = CommandFailed("zpool on nas1: ended with 1", said="pool I/O is currently suspended")
    assert gone is await record_stream(take, b"a", b"b", gone)
    replayed, clock = take.replay()
    await replayed.connect()
    heard: list[bytes] = []

    async def listen() -> HostError:
        try:
            async with replayed.stream(IOSTAT) as chunks:
                async for chunk in chunks:
                    heard.append(chunk)  # noqa: PERF401 - each in its time
        except HostError as error:
            return error
        raise AssertionError

    listening = asyncio.create_task(listen())
    for expected in ([], [b"a"], [b"a", b"b"]):
        await until(lambda: clock._sleepers)
        assert expected == heard
        clock.advance(1.0)
    error = await listening

    assert isinstance(error, CommandFailed)
    assert "pool I/O is currently suspended" == error.said


async def test_a_stream_that_outlived_the_recording_falls_silent(take: Take) -> None:
    assert None is await record_stream(take, b"a")
    replayed, clock = take.replay()
    await replayed.connect()
    clock.advance(100.0)

    async with replayed.stream(IOSTAT) as chunks:
        assert b"a" == await anext(chunks)
        waiting = asyncio.ensure_future(anext(chunks))
        clock.advance(1e6)
        done, _ = await asyncio.wait({waiting}, timeout=0.01)
        waiting.cancel()

    assert not done


async def test_a_stream_that_was_restarted_is_the_newest_of_its_time(take: Take) -> None:
    await record_stream(take, b"a", LinkLost("lost"))
    take.clock.advance(10.0)
    await record_stream(take, b"c", LinkLost("lost again"))
    replayed, clock = take.replay()
    await replayed.connect()
    clock.advance(5.0)

    first = await drained(replayed, IOSTAT)
    clock.advance(20.0)
    second = await drained(replayed, IOSTAT)

    assert (b"a", "lost") == (first[0], str(first[1]))
    assert (b"c", "lost again") == (second[0], str(second[1]))


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("recording.json", b"{", "cannot be read"),
        ("recording.json", b'{"format": 2, "label": "x", "started": 0}', "format 2"),
        ("index.jsonl", b"{\n", "line 1"),
        ("index.jsonl", b'{"t": 0, "kind": "dance"}\n', "no event 'dance'"),
        ("index.jsonl", b'{"t": 0, "kind": "run", "argv": ["x"], "outcome": "perhaps"}\n', "perhaps"),
        (
            "index.jsonl",
            b'{"t": 0, "kind": "read", "path": "x", "data": "../../../etc/shadow"}\n',
            "no name of a blob",
        ),
        ("index.jsonl", b'{"t": 0, "kind": "chunk", "stream": 7, "data": ""}\n', "KeyError"),
    ],
)
def test_a_folder_that_is_no_recording_is_named(take: Take, file: str, content: bytes, words: str) -> None:
    (take.folder / file).write_bytes(content)

    with pytest.raises(ConfigError, match=words):
        take.replay()


async def test_a_recording_cut_anywhere_is_its_own_beginning(take: Take) -> None:
    """The power went: the last line may be cut, nothing else is lost and nothing is made up."""
    for number in range(3):
        await take.run(ended(LIST, 0, str(number).encode(), b""), after_s=1.0)
    index = take.folder / "index.jsonl"
    whole = index.read_bytes()

    for length in range(len(whole)):
        index.write_bytes(whole[:length])
        replayed, clock = take.replay()
        await replayed.connect()
        clock.advance(100.0)

        complete = whole[:length].count(b"\n")
        expected = str(complete - 1).encode() if complete else b""
        assert expected == (await replayed.run(LIST)).stdout


@given(
    argv=st.lists(words, min_size=1, max_size=4),
    stdout=st.binary(),
    stderr=st.binary(),
    status=st.integers(0, 255),
)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
async def test_any_answer_comes_again_unchanged(
    tmp_path_factory: pytest.TempPathFactory, argv: list[str], stdout: bytes, stderr: bytes, status: int
) -> None:
    take = Take(tmp_path_factory.mktemp("take") / "recording")
    answer = ended(Command(tuple(argv)), status, stdout, stderr, duration_s=0.25)
    await take.run(answer)
    replayed, _ = take.replay()

    assert answer == await replayed.run(answer.command)


def test_a_folder_of_recordings_opens_as_several_hosts(tmp_path: Path) -> None:
    for name in ("b", "a"):
        RecordingHost(Scripted(), tmp_path / name).finish()

    assert ["nas1", "nas1"] == [host.label for host in open_replay(tmp_path)]
    assert 1 == len(open_replay(tmp_path / "a"))
    with pytest.raises(UsageError, match="holds no recording"):
        open_replay(tmp_path / "none")
    with pytest.raises(UsageError, match="holds no recording"):
        RecordedHost(tmp_path / "none")


async def test_a_blob_that_leads_elsewhere_is_not_read(take: Take, tmp_path: Path) -> None:
    """Neither by a link, nor by a folder that is one; and a FIFO is not waited for."""
    (tmp_path / "secret").write_bytes(b"secret")
    await take.run(ended(LIST, 0, b"one", b""), after_s=1.0)
    replayed, _ = take.replay()
    await replayed.connect()
    (blob,) = (each for each in (take.folder / "blobs").iterdir() if each.read_bytes() == b"one")

    blob.unlink()
    blob.symlink_to(tmp_path / "secret")
    with pytest.raises(HostError, match="a symbolic link, not a regular file"):
        await replayed.run(LIST)
    blob.unlink()
    os.mkfifo(blob)
    with pytest.raises(HostError, match="a FIFO"):
        await replayed.run(LIST)
    blobs = (take.folder / "blobs").rename(tmp_path / "elsewhere")
    (blobs / blob.name).unlink()
    (blobs / blob.name).write_bytes(b"secret")
    (take.folder / "blobs").symlink_to(blobs)
    with pytest.raises(HostError, match=r"Not a directory|symbolic link"):
        await replayed.run(LIST)


@pytest.mark.parametrize("name", ["index.jsonl", "recording.json"])
async def test_no_file_of_a_recording_is_followed_elsewhere(take: Take, tmp_path: Path, name: str) -> None:
    await take.run(ended(LIST, 0, b"one", b""), after_s=1.0)
    (take.folder / name).rename(tmp_path / "elsewhere")
    (take.folder / name).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(ConfigError, match="a symbolic link"):
        RecordedHost(take.folder)


@pytest.mark.parametrize(
    "line",
    [
        '{"t": 1e400, "kind": "connect", "error": null}',
        '{"t": NaN, "kind": "connect", "error": null}',
        '{"t": -1, "kind": "connect", "error": null}',
        '{"t": 1, "kind": "run", "argv": ["a"], "outcome": "done", "status": 1' + "0" * 5000 + "}",
        '{"t": 1, "kind": "run", "argv": ["a"], "outcome": "done", "status": 1e999}',
        '{"t": 1, "kind": "run", "argv": {"a": 1}, "outcome": "done"}',
        '{"t": 1, "kind": "run", "argv": ["a"], "outcome": "perhaps"}',
        '{"t": 1, "kind": "run", "argv": ["a"], "error": {"type": [], "message": {}}}',
        '{"t": 1, "kind": "run", "argv": ["a"], "stdout": "../../../../etc/passwd", "outcome": "done"}',
        '{"t": 1, "kind": "chunk", "stream": 7}',
        '{"t": 1, "kind": "nothing"}',
        "[" * 100_000,
        '"text"',
        "\x00\x1b[2J",
    ],
)  # fmt: skip
async def test_a_line_that_no_recorder_wrote_is_named_with_what_to_do(take: Take, line: str) -> None:
    await take.run(ended(LIST, 0, b"one", b""), after_s=1.0)
    with (take.folder / "index.jsonl").open("a") as index:
        index.write(f"{line}\n")

    with pytest.raises(ConfigError, match=r"index\.jsonl, line 2: ") as caught:
        RecordedHost(take.folder)

    assert "record again" in caught.value.hint
    assert caught.value.message.isprintable()
