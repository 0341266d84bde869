"""What a recorder writes: for its owner only, once, never through a link."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.hosts.recorded.takes import LIST, Scripted, Take
from zconsole.base.clock import ManualClock
from zconsole.base.errors import HostError, UsageError
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command, Host, forwards_sockets
from zconsole.hosts.host_wrapper import HostWrapper
from zconsole.hosts.local.local_host import LocalHost
from zconsole.hosts.recorded.record_host_answers import Recorder, RecordingHost
from zconsole.hosts.recorded.recorded_host import RecordedHost


@pytest.fixture
def take(tmp_path: Path) -> Take:
    return Take(tmp_path / "recording")


async def test_what_a_command_was_given_is_never_written(take: Take) -> None:
    load_key = Command(("zfs", "load-key", "tank/home"), stdin=b"correct horse battery staple")
    take.host.answers.append(ended(load_key, 0, b"", b""))

    await take.recording.run(load_key)

    written = b"".join(path.read_bytes() for path in take.folder.rglob("*") if path.is_file())
    assert b"load-key" in written
    assert b"horse" not in written


async def test_a_recording_is_for_its_owner_only(take: Take) -> None:
    await take.run(ended(LIST, 0, b"secret names", b""))

    assert 0o700 == take.folder.stat().st_mode & 0o777
    assert {0o600} == {path.stat().st_mode & 0o777 for path in take.folder.rglob("*") if path.is_file()}


async def test_equal_answers_are_kept_once(take: Take) -> None:
    for _ in range(5):
        await take.run(ended(LIST, 0, b"the same", b""), after_s=1.0)

    assert 2 == len(list((take.folder / "blobs").iterdir()))  # and the empty stderr


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")

    with pytest.raises(UsageError, match="is not empty"):
        RecordingHost(Scripted(), tmp_path)

    assert ["thesis.txt"] == [path.name for path in tmp_path.iterdir()]


async def test_a_recorder_that_cannot_write_says_so(take: Take) -> None:
    take.recording.finish()

    with pytest.raises(HostError, match="cannot be written"):
        await take.recording.connect()


async def test_a_recording_host_passes_on_what_it_does_not_keep(take: Take) -> None:
    host: Host = take.recording

    assert host.is_lingering(LIST)
    assert "nas1" == host.label
    with pytest.raises(HostError, match="has no key"):
        await take.recording.accept_key("SHA256:x")


def test_the_index_is_plain_json_lines(take: Take) -> None:
    take.recording._recorder.event("connect", error=None)

    assert [{"t": 0.0, "kind": "connect", "error": None}] == [
        json.loads(line) for line in (take.folder / "index.jsonl").read_text().splitlines()
    ]


def test_a_recording_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to("elsewhere")

    with pytest.raises(UsageError, match="is a symbolic link"):
        Recorder(tmp_path / "link", "nas1", ManualClock())

    assert [] == list((tmp_path / "elsewhere").iterdir())


def test_a_disk_that_fills_leaves_whole_lines_and_whole_blobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what comes once there is room again is read again."""
    recorder = Recorder(tmp_path / "kept", "nas1", ManualClock())
    write = os.write

    def short(descriptor: int, data: bytes) -> int:
        return write(descriptor, data[: len(data) // 2])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", short)
        with pytest.raises(HostError, match="No space left"):
            recorder.event("mark", words="lost")
    recorder.event("mark", words="kept")
    recorder.close()

    assert ["kept"] == [words for _, words in RecordedHost(tmp_path / "kept").marks]


def test_a_recorded_host_forwards_no_sockets_because_that_could_not_be_played(tmp_path: Path) -> None:
    assert forwards_sockets(HostWrapper(LocalHost()))
    assert not forwards_sockets(RecordingHost(LocalHost(), tmp_path / "kept"))
