"""A receive on the command line: from host to host, stopped and gone on with."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.doubles.replicating import MIB, Replicating
from tests.reports.schema import PLAN, RUN, mismatch
from zconsole.base.errors import UsageError
from zconsole.base.user_config_file import Config
from zconsole.cli import open_and_ask_named_hosts, run
from zconsole.cli.commands.changes import apply
from zconsole.cli.commands.changes.apply import ApplyRequest
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.model.run import Run, RunState, StepRun
from zconsole.practice import PracticeHost
from zconsole.reports.json.read_saved_plan import read_plan

Zconsole = Callable[..., tuple[int, str, str]]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Replicating:
    """Hosts by their names; time flies."""
    made = Replicating()
    hosts = {host.label: made.practice(host) for host in (made.nas, made.vault)}

    def open_host(
        text: str, *, names: Mapping[str, str] | None = None, options: SshOptions | None = None
    ) -> PracticeHost:
        if text not in hosts:
            raise UsageError(f"{text!r} is not a host of this test")
        return hosts[text]

    monkeypatch.setattr("zconsole.hosts.open_host_or_recording.open_host", open_host)
    monkeypatch.setattr(open_and_ask_named_hosts, "SystemClock", lambda: made.clock)
    return made


@pytest.fixture
def zconsole(capsys: pytest.CaptureFixture[str]) -> Zconsole:
    """Run a command line; its exit code, and what it printed."""

    def call(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


def planned(zconsole: Zconsole, file: Path, *words: str) -> str:
    code, out, err = zconsole("plan", *words, "--host", "vault1", "-o", str(file))
    assert (0, "") == (code, err)
    return out


def test_a_snapshot_goes_from_host_to_host(zconsole: Zconsole, bench: Replicating, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    out = planned(zconsole, file, "receive", "vault/home", "tank/home", "--from", "nas1")
    assert (
        "RUNS      zfs send -L -e -c tank/home@a (on nas1) | zfs receive -s -u -o readonly=on vault/home"
        in out
    )
    assert "" == mismatch(json.loads(file.read_text()), PLAN)

    code, out, _ = zconsole("apply", str(file), "--json")

    document = json.loads(out.splitlines()[-1])
    assert (0, "done", "") == (code, document["state"], mismatch(document, RUN))
    assert bench.get("tank/home@a", "guid") == bench.get("vault/home@a", "guid")


def test_the_journal_names_the_host_that_was_changed(
    zconsole: Zconsole, bench: Replicating, tmp_path: Path
) -> None:
    file = tmp_path / "plan.json"
    planned(zconsole, file, "receive", "vault/home", "tank/home@a", "--from", "nas1")
    zconsole("apply", str(file))

    code, out, _ = zconsole("journal", "--jsonl")

    entry = json.loads(out)
    assert (0, "vault1", "receive") == (code, entry["host"], entry["action"])
    assert entry["steps"][0]["why"].endswith("zfs send -L -e -c tank/home@a on nas1")


def test_ctrl_c_keeps_what_has_come_and_it_goes_on(
    zconsole: Zconsole, bench: Replicating, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "plan.json"
    planned(zconsole, file, "receive", "vault/home", "tank/home@a", "--from", "nas1")
    shown: list[int] = []

    class Interrupting(apply.ProgressLine):
        """Somebody presses Ctrl+C once some has gone by."""

        def show(self, run: Run) -> None:
            moved = run.steps[0].moved if run.steps else None
            if moved is not None and moved.bytes > 4 * MIB and not shown:
                shown.append(moved.bytes)
                os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(apply, "ProgressLine", Interrupting)
        code, out, _ = zconsole("apply", str(file))
    assert 1 == code
    assert (
        "it was stopped; what was received is kept: zconsole plan resume-receive vault/home --from nas1"
        in out
    )

    planned(zconsole, file, "resume-receive", "vault/home", "--from", "nas1")
    code, _, _ = zconsole("apply", str(file))

    assert 0 == code
    assert bench.get("tank/home@a", "guid") == bench.get("vault/home@a", "guid")


class Stops:
    """An operator that is asked to stop, or left."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.operator = self

    def stop(self, run: str) -> None:
        self.asked.append(run)

    def leave(self) -> None:
        self.asked.append("leave")


@pytest.mark.parametrize(
    ("state", "asked"), [("running stream", "run-1"), ("running", "leave"), ("waiting", "leave")]
)
def test_ctrl_c_stops_what_can_be_stopped_and_else_goes_in_order(
    state: str, asked: str, zconsole: Zconsole, bench: Replicating, tmp_path: Path
) -> None:
    file = tmp_path / "plan.json"
    planned(zconsole, file, "receive", "vault/home", "tank/home@a", "--from", "nas1")
    applying = apply._Applying(read_plan(file.read_text()), ApplyRequest(file), Config())
    acting = Stops()

    async def pressed() -> None:
        task = asyncio.current_task()
        assert task is not None
        applying._acting = acting  # type: ignore[assignment]
        applying._plan = await bench.plan()
        word, _, stream = state.partition(" ")
        step = StepRun(("syncoid", "tank/home", "vault/home"), word, can_stop=bool(stream))
        applying._now = Run("run-1", "nas1", "send", "vault/home", RunState.RUNNING, (step,))
        applying._end_in_order(task)  # type: ignore[arg-type]

    asyncio.run(pressed())

    assert [asked] == acting.asked


def test_what_is_left_is_given_up(zconsole: Zconsole, bench: Replicating, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    planned(zconsole, file, "receive", "vault/home", "tank/home@a", "--from", "nas1")
    bench.nas_world.breaks_streams_after = 6 * MIB
    assert 1 == zconsole("apply", str(file))[0]

    out = planned(zconsole, file, "abort-receive", "vault/home")
    assert "--confirm vault1:vault/home" in out
    code, _, _ = zconsole("apply", str(file), "--confirm", "vault1:vault/home")

    assert 0 == code
    assert "" == bench.get("vault/home", "name")


def test_a_sender_that_does_not_answer_refuses_the_plan(zconsole: Zconsole, bench: Replicating) -> None:
    bench.practice(bench.nas).faults.is_unreachable = True

    code, out, _ = zconsole(
        "plan", "receive", "vault/home", "tank/home@a", "--from", "nas1", "--host", "vault1"
    )

    assert 3 == code
    assert "REFUSED   what nas1 has to send could not be read: nas1 does not answer (unread)" in out


@pytest.mark.parametrize("words", [("--demo",), ("--host", "vault1")])
def test_a_sender_that_nobody_knows_is_a_sentence(
    zconsole: Zconsole, bench: Replicating, words: tuple[str, ...]
) -> None:
    code, _, err = zconsole("plan", "receive", "vault/home", "tank/home@a", "--from", "nas9", *words)

    assert 2 == code
    assert "nas9" in err
