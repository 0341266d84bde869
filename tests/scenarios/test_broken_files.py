"""Whatever a file has become, it is read as what it is, or refused in a sentence, and in time."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Final

import pytest

from tests.analysis.listings import listing_of
from tests.conftest import CAPTURES
from tests.reports.test_plan import made, written
from tests.scenarios.broken_files import broken
from tests.zfs.test_send_stream import FULL
from zconsole.analysis.planner.scenario import Scenario
from zconsole.analysis.replicas import Base
from zconsole.base.clock import ManualClock
from zconsole.base.config import load_config
from zconsole.base.errors import ZConsoleError
from zconsole.cli.invocation import Stream
from zconsole.cli.slow import judge_recording
from zconsole.cli.stream import _read
from zconsole.hosts.answers import ended
from zconsole.hosts.host import Command
from zconsole.hosts.recorded import RecordedHost
from zconsole.hosts.recording import INDEX_FILE, Recorder
from zconsole.live.known_copies import known_bases, remember_bases
from zconsole.live.scenarios import ScenarioStore
from zconsole.live.snapshot_index import SnapshotIndex
from zconsole.live.space_store import SpaceStore
from zconsole.model.dataset import Dataset
from zconsole.model.space import SpaceSample
from zconsole.reports.plan_file import read_plan
from zconsole.ui.theming import Themes, packaged_folder

SLOWEST_S: Final = 2.0  # of the processor, for one file; most take a thousandth
FILES: Final = 5000  # of each kind
FEW: Final = 120


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: one that is sound, where it lies, and what reads it."""

    name: str
    make: Callable[[Path], Path]  # in a folder; the file in it that is broken
    read: Callable[[Path], object]


def plan(folder: Path) -> Path:
    path = folder / "plan.json"
    path.write_text(written(made()["caution"]))
    return path


def recording(folder: Path) -> Path:
    recorder = Recorder(folder / "kept", "nas1", ManualClock())
    answer = ended(Command(("zpool", "list")), 0, b"tank", b"")
    blob = recorder.blob(answer.stdout)
    recorder.event("connect", error=None)
    recorder.event("run", argv=["zpool", "list"], outcome="done", status=0, reason="", duration=0.1,
                   stdout=blob, stderr="", error=None)  # fmt: skip
    recorder.event("read", path="/proc/x", data=blob, error=None)
    recorder.event("run", argv=["zfs"], error={"type": "LinkLost", "message": "m", "hint": "h", "said": ""})
    recorder.event("open", stream=1, argv=["zpool", "iostat"])
    recorder.event("chunk", stream=1, data=blob)
    recorder.event("end", stream=1, error={"type": "LinkLost", "message": "m", "hint": "", "said": ""})
    recorder.event("mark", words="here")
    recorder.close()
    return folder / "kept" / INDEX_FILE


def replay(index: Path) -> None:
    host = RecordedHost(index.parent, ManualClock())

    async def ask() -> None:
        for question in (
            *(host.run(Command(argv)) for argv in host._index.runs),
            *(host.read(path) for path in host._index.reads),
            host.connect(),
        ):
            try:
                await question
            except (ZConsoleError, OSError):
                continue

    asyncio.run(ask())
    assert all(isinstance(words, str) for _, words in host.marks)


def about(folder: Path) -> Path:
    recording(folder)
    return folder / "kept" / "recording.json"


def config(folder: Path) -> Path:
    path = folder / "config.toml"
    path.write_text(
        'theme = "dark"\ninterval_s = 1.5\nprotected = ["tank/*"]\nprometheus_url = "http://nas1:9090"\n'
        '[hosts.nas1]\naddress = "root@nas1:22"\nproduction = true\ncolour = "red"\n'
        "[thresholds]\n"
    )
    return path


def theme(folder: Path) -> Path:
    path = folder / "mine.toml"
    path.write_bytes((packaged_folder() / "dark.toml").read_bytes())
    return path


def scenarios(folder: Path) -> Path:
    store = ScenarioStore(folder / "scenarios.json")
    store.keep(Scenario("one", "nas1", "tank", 5.0, {"layout": "raidz2:8 x2", "disk": "12TB"}))
    return store.path


def copies(folder: Path) -> Path:
    path = folder / "copies.json"
    base = Base("nas1", "tank/a@1", 7, "nas2:tank/a", "why", is_at_source=True)
    remember_bases([base], ["nas1"], 5.0, path)
    return path


def listing_index(folder: Path) -> Path:
    snapshots = (Dataset(f"tank@{at}", "snapshot", guid=at + 2, createtxg=at + 1) for at in range(50))
    table = listing_of((Dataset("tank", "filesystem", guid=1), *snapshots)).table
    index = SnapshotIndex(folder)
    index.save("nas1", table)
    return index.path("nas1", table.guid)


def samples(folder: Path) -> Path:
    store = SpaceStore(folder / "samples.sqlite")
    for at in range(20):
        store.add(SpaceSample(at * 4000.0, "nas1", "tank", 7, at, 100 - at))
    return store.path


def read_samples(path: Path) -> None:
    store = SpaceStore(path)
    assert all(isinstance(each.used_bytes, int) for each in store.samples("nas1", 7))
    store.uses("nas1", 7)


def iostat(folder: Path) -> Path:
    path = folder / "iostat"
    recorded = (CAPTURES / "slow" / "a01" / "iostat.tsv").read_bytes()
    path.write_bytes(b"".join(recorded.splitlines(keepends=True)[:60]))
    return path


def judge(path: Path) -> None:
    with path.open("rb") as file:
        judge_recording(file)


def stream(folder: Path) -> Path:
    path = folder / "stream"
    path.write_bytes(FULL)
    return path


def packed(folder: Path) -> Path:
    path = folder / "stream.gz"
    path.write_bytes(gzip.compress(FULL, mtime=0))
    return path


KINDS: Final = (
    Kind("plan", plan, lambda path: read_plan(path.read_text("utf-8", "replace"))),
    Kind("recording", recording, replay),
    Kind("recording-about", about, lambda path: RecordedHost(path.parent, ManualClock()).marks),
    Kind("config", config, load_config),
    Kind("theme", theme, lambda path: Themes(path.parent).usable),
    Kind("scenarios", scenarios, lambda path: ScenarioStore(path).all()),
    Kind("copies", copies, known_bases),
    Kind(
        "snapshot-index",
        listing_index,
        lambda path: SnapshotIndex(path.parent).load("nas1", int(path.name.split("-")[1])),
    ),
    Kind("samples", samples, read_samples),
    Kind("iostat", iostat, judge),
    Kind("stream", stream, lambda path: _read(path, Stream(path.parent, verifies=True))),
    Kind("stream.gz", packed, lambda path: _read(path, Stream(path.parent, verifies=True))),
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_any_file_is_read_or_refused_in_a_sentence_and_in_time(
    kind: Kind, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """5,000 of each kind with --long; a failure names its seed."""
    path = kind.make(tmp_path)
    sound = path.read_bytes()
    kind.read(path)

    for seed in range(FILES if request.config.getoption("--long") else FEW):
        path.write_bytes(broken(sound, seed))
        began = thread_time()
        try:
            kind.read(path)
        except ZConsoleError:
            pass
        except Exception as error:
            raise AssertionError(f"{kind.name} broken by seed {seed}: {error!r}") from error
        assert SLOWEST_S > thread_time() - began, seed
