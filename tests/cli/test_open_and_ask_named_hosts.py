"""Where the facts come from, and the time there."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.cli.fakes import nas
from zconsole.base.clock import SystemClock
from zconsole.base.user_config_file import Config
from zconsole.cli import open_and_ask_named_hosts
from zconsole.cli.open_and_ask_named_hosts import NamedHost, ScaledClock, ask_each, open_hosts
from zconsole.cli.selected_hosts import HostSelection
from zconsole.hosts.recorded.recorded_host import RecordedHost

STARTED = 1_700_000_000.0


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The machine's own monotonic time, in the hands of a test."""
    now = [50.0]
    monkeypatch.setattr(SystemClock, "monotonic", lambda _: now[0])
    return now


@pytest.mark.parametrize(("speed", "passed"), [(1.0, 8.0), (10.0, 80.0), (0.25, 2.0)])
def test_time_in_a_recording_goes_as_fast_as_it_is_played(
    real: list[float], speed: float, passed: float
) -> None:
    clock = ScaledClock(STARTED, speed)
    before = (clock.now(), clock.monotonic())

    real[0] += 8.0

    assert STARTED == before[0]
    assert (passed, passed) == (clock.now() - before[0], clock.monotonic() - before[1])


async def test_who_sleeps_in_a_recording_sleeps_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)

    await ScaledClock(STARTED, 10.0).sleep(5.0)

    assert [0.5] == slept


@pytest.mark.parametrize(
    ("timeout_s", "said"),
    [(600.0, "Waiting for nas1, at most 10m (--timeout).\n"), (30.0, ""), (None, "")],
)
async def test_a_host_that_has_long_to_answer_is_named_when_it_is_late(
    timeout_s: float | None, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(open_and_ask_named_hosts, "SAID_AFTER_S", 0.0)

    async def ask(_: NamedHost) -> str:
        for _turn in range(3):
            await asyncio.sleep(0)
        return "answer"

    assert ("answer",) == await ask_each([NamedHost(nas("healthy-mirrors"), SystemClock())], ask, timeout_s)
    assert said == capsys.readouterr().err


async def test_a_recording_is_played_at_the_speed_that_was_asked_for(
    real: list[float], tmp_path: Path
) -> None:
    (tmp_path / "recording.json").write_text('{"format": 1, "label": "nas1", "started": 1700000000.0}')
    events = [
        {"t": t, "kind": "run", "argv": ["date"], "outcome": "done", "status": 0, "reason": str(t)}
        for t in (0.0, 30.0)
    ]
    (tmp_path / "index.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))

    (place,) = open_hosts(HostSelection(replay=tmp_path, speed=10.0), Config())
    await place.host.connect()
    real[0] += 3.5

    assert isinstance(place.host, RecordedHost)
    assert STARTED + 35.0 == pytest.approx(place.clock.now())
    newest = place.host._newest(place.host._index.runs["date",])
    assert newest is not None
    assert "30.0" == newest.reason
