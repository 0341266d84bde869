"""As a process: light to start, quiet when its reader leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.fakes import nas, reach
from zconsole import __version__
from zconsole.base.user_config_file import Config
from zconsole.cli import PIPE_CLOSED
from zconsole.cli.commands.state.record import RecordRequest, run_record
from zconsole.cli.selected_hosts import HostSelection

LISTING = """
import sys
from zconsole.__main__ import main
sys.argv = ["zconsole", *sys.argv[1:]]
main()
print("\\n".join(sys.modules), file=sys.stderr)
"""


def modules_of(*words: str) -> tuple[str, set[str]]:
    """What a command line printed, and all modules that it had loaded at its end."""
    done = subprocess.run(
        [sys.executable, "-c", LISTING, *words], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout, set(done.stderr.split())


def test_version_pays_for_nothing_it_does_not_use() -> None:
    out, loaded = modules_of("--version")

    assert out == f"zconsole {__version__}\n"
    heavy = {
        "textual",
        "rich",
        "asyncssh",
        "asyncio",
        "argparse",
        "tomllib",
        "platformdirs",
        "json",
        "socket",
    }
    assert set() == heavy & loaded


def test_the_first_frame_pays_for_nothing_that_comes_later() -> None:
    """What reads samples, changes hosts, or fills another screen is loaded when it is wanted."""
    modules = "zconsole.cli.console, zconsole.hosts.open_host_or_recording, zconsole.ui.app"
    start = f"import {modules}, sys; print(*sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", start], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()

    later = {
        *("asyncssh", "zconsole.hosts.recorded.recorded_host", "zconsole.zfs.status.status_text"),
        *(
            "zconsole.actions.plan",
            "zconsole.model.host.plan_facts",
            "zconsole.model.pools.kernel_counters",
            "zconsole.model.datasets.dataset",
        ),
        *(
            "zconsole.collect.readings_while_displayed",
            "zconsole.service.prepare_execute_and_recover_plans",
            "zconsole.history.host_timeline",
            "zconsole.collect.readings.facts_for_plans",
        ),
        *(
            "zconsole.history.save_for_replay",
            "zconsole.collect.slow_disk_detectors",
            "zconsole.ui.flows.plan_and_run",
            "zconsole.ui.screens.pool",
            "zconsole.analysis.findings.all_findings",
            "zconsole.analysis.repair.device_facts_of_pool",
        ),
    }
    assert set() == later & set(loaded)


@pytest.fixture
def recording(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    reach(monkeypatch, local=nas("healthy-mirrors", "local"))
    run_record(RecordRequest(tmp_path / "recording", HostSelection(), for_s=0.0), Config())
    return tmp_path / "recording"


def test_status_needs_neither_a_screen_nor_ssh(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, loaded = modules_of("status", "--replay", str(recording))

    assert out.startswith("local: OpenZFS 2.4.4-1")
    assert set() == {"textual", "rich", "asyncssh", "cryptography"} & loaded


def test_a_layout_needs_no_host_and_no_loop() -> None:
    out, loaded = modules_of("capacity", "layout", "raidz2:8", "--disk", "12TB")

    assert out.startswith("raidz2:8: 8 drives")
    assert set() == {"textual", "rich", "asyncssh", "asyncio", "zconsole.hosts.host"} & loaded


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["status", "--replay"]])
def test_a_reader_that_leaves_ends_it_quietly(words: list[str], recording: Path) -> None:
    words = [*words, str(recording)] if words[-1] == "--replay" else words
    read_end, write_end = os.pipe()
    os.close(read_end)

    done = subprocess.run(
        [sys.executable, "-m", "zconsole", *words],
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(write_end)

    assert b"" == done.stderr
    assert done.returncode == (0 if words == ["--help"] else PIPE_CLOSED)  # argparse swallows it


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("is_stdout", [True, False])
def test_only_a_closed_stdout_ends_it_without_a_word(unbuffered: str, *, is_stdout: bool) -> None:
    """Another pipe that was closed is told: nobody sees otherwise that what was asked for was not done."""
    read_end, write_end = os.pipe()
    if is_stdout:
        os.close(read_end)
    write = "print('x', flush=True)" if is_stdout else "raise BrokenPipeError('its stdin is closed')"
    program = (
        "import sys, zconsole.cli.main as d\n"
        f"def run_words(argv):\n    print('begun') if {not is_stdout} else None\n    {write}\n"
        "d.run_words = run_words\nfrom zconsole.cli import run\nsys.exit(run(['status']))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(write_end)

    if is_stdout:
        assert (PIPE_CLOSED, b"") == (done.returncode, done.stderr)
    else:
        assert 3 == done.returncode
        assert done.stderr.startswith(b"zconsole: what zconsole was writing to was closed")
        assert b"its stdin is closed" in done.stderr
        assert b"begun\n" == os.read(read_end, 100)
        os.close(read_end)


def test_names_of_any_script_are_printed_in_any_locale(recording: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zconsole", "iostat", "--replay", str(recording), "--host-ü"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert 2 == done.returncode
    assert b"unrecognized arguments: --host-\\xfc" in done.stderr
