"""The script in a real shell, with a zfs and a fio of the test's: the scratch dataset never stays."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from zconsole.zfs.benchmark.output_of_runs import parse_runs
from zconsole.zfs.benchmark.scratch_dataset_script import (
    FOLDER,
    PATTERNS,
    SCRIPT,
    Scratch,
    benchmark_argv,
    commands_as_root,
    destroyed_by,
)

pytestmark = pytest.mark.skipif(shutil.which("setsid") is None, reason="no setsid here")
SCRATCH = Scratch("tank", "tank/data/zconsole-benchmark", 16384, "metadata", 1 << 20, 5)
FIO_JSON = '{"jobs": [{"error": 0, "write": {"total_ios": 5, "bw_bytes": 1000, "iops": 5.0}}]}'
ROW = "tank\\t1\\t2\\t0\\t5\\t0\\t900"
PROGRAMS = {
    "mktemp": 'mkdir -p "$STATE/run"; echo "$STATE/run"',
    "zfs": """
echo "zfs $*" >> "$STATE/log"
case "$1 $4" in
"create "*) cat "$STATE/guid.new" > "$STATE/guid" ;;
"get guid") cat "$STATE/guid" ;;
"get mountpoint") echo "$STATE" ;;
"get mounted") echo yes ;;
"destroy "*) [ ! -e "$STATE/busy" ] || { rm "$STATE/busy"; echo busy >&2; exit 1; }; rm "$STATE/guid" ;;
esac
""",
    "zpool": f"printf '{ROW}\\n'",
    "sleep": "exit 0",
    "fio": """
echo "fio $*" >> "$STATE/log"
for word in "$@"; do
    case $word in --output=*) out=${word#--output=} ;; --name=*) name=${word#--name=} ;; esac
done
if [ "$name" = "$(cat "$STATE/stops-at" 2>/dev/null)" ]; then
    touch "$STATE/came"; read go < "$STATE/gate"; [ "$go" != fail ] || exit 1
fi
cat "$STATE/fio.json" > "$out"
""",
}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A folder with the programs, and what they keep; `gate` holds fio at the pattern in `stops-at`."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}")
        (programs / name).chmod(0o755)
    (tmp_path / "fio.json").write_text(FIO_JSON)
    (tmp_path / "guid.new").write_text("4711\n")
    os.mkfifo(tmp_path / "gate")
    return tmp_path


def begin(state: Path) -> subprocess.Popen[str]:
    environment = {"PATH": f"{state}/bin:{os.environ['PATH']}", "STATE": str(state)}
    running = subprocess.Popen(
        benchmark_argv(SCRATCH), env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert running.stdin is not None
    running.stdin.write(SCRIPT)
    running.stdin.close()
    running.stdin = None
    return running


def logged(state: Path) -> list[str]:
    return (state / "log").read_text().splitlines()


def until(condition: Callable[[], object]) -> None:
    while not condition():
        pass


def let_on(state: Path, word: str = "on") -> None:
    (state / "gate").write_text(f"{word}\n")


def test_all_patterns_run_and_the_scratch_dataset_is_destroyed(state: Path) -> None:
    said, errors = begin(state).communicate()

    assert [name for name, *_ in PATTERNS] == [run.name for run in parse_runs(said)]
    assert {"tank"} == {vdev.name for run in parse_runs(said) for vdev in run.vdevs}
    assert destroyed_by(SCRATCH.name) == logged(state)[-1]
    assert "" == errors
    assert not (state / "run").exists()


def test_the_data_cannot_be_compressed_but_for_the_twin(state: Path) -> None:
    begin(state).communicate()

    jobs = {name: each for each in logged(state) for name, *_ in PATTERNS if f"--name={name} " in each}
    plain = {
        name for name, each in jobs.items() if "--refill_buffers=1 --buffer_compress_percentage=0" in each
    }
    assert {name for name in jobs if not name.endswith("zeros")} == plain
    assert "--zero_buffers=1" in jobs["stream-write-1m-zeros"]
    assert {True} == {"--randrepeat=0" in each and "--time_based" in each for each in jobs.values()}
    assert "--sync=1" in jobs["sync-write-4k"]


def test_a_fio_that_fails_leaves_nothing(state: Path) -> None:
    (state / "stops-at").write_text("random-read-8k")
    running = begin(state)
    until((state / "came").exists)
    let_on(state, "fail")

    said, _ = running.communicate()

    assert 1 == running.returncode
    assert ["sync-write-4k"] == [run.name for run in parse_runs(said)]
    assert destroyed_by(SCRATCH.name) == logged(state)[-1]


def test_a_busy_dataset_is_tried_again(state: Path) -> None:
    (state / "busy").touch()

    begin(state).communicate()

    assert 2 == logged(state).count(destroyed_by(SCRATCH.name))
    assert not (state / "guid").exists()


def test_a_lost_link_ends_it_after_the_pattern_under_way(state: Path) -> None:
    (state / "stops-at").write_text("random-read-8k")
    running = begin(state)
    until((state / "came").exists)
    assert running.stdout is not None
    assert running.stderr is not None

    running.stdout.close()  # as sshd does when the client is gone
    running.stderr.close()
    let_on(state)
    running.wait()

    assert destroyed_by(SCRATCH.name) == logged(state)[-1]
    assert not [each for each in logged(state) if "--name=random-write-8k" in each]


def test_a_killed_parent_leaves_no_dataset_either(state: Path) -> None:
    """The console stops a command by SIGKILL, which no trap can catch."""
    (state / "stops-at").write_text("random-read-8k")
    running = begin(state)
    until((state / "came").exists)

    running.send_signal(signal.SIGKILL)
    running.wait()
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    running.stderr.close()
    let_on(state)

    until(lambda: destroyed_by(SCRATCH.name) == logged(state)[-1])


def test_another_dataset_of_that_name_is_not_destroyed(state: Path) -> None:
    (state / "stops-at").write_text("random-read-8k")
    running = begin(state)
    until((state / "came").exists)
    (state / "guid").write_text("815\n")
    let_on(state, "fail")

    running.communicate()

    assert not [each for each in logged(state) if each.startswith("zfs destroy")]


def test_no_name_is_in_the_text_of_the_script() -> None:
    hostile = Scratch("tank", "tank/$(id)'\"/zconsole-benchmark", 512, "all", 1, 5)

    assert ("sh", "-s", "--", "tank", hostile.name, "512", "all", "1", "5") == benchmark_argv(hostile)
    assert "tank" not in SCRIPT


USER = "anna"
OF_A_USER = {
    "id": f'case "$1" in -un) echo {USER} ;; *) echo 1000 ;; esac',
    "chown": "exit 0",
    "sudo": 'shift; echo "sudo $*" >> "$STATE/log"; exec "$@"',
}


def test_another_user_than_root_runs_fio_and_gives_the_rest_to_sudo_word_by_word(state: Path) -> None:
    for name, text in OF_A_USER.items():
        (state / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (state / "bin" / name).chmod(0o755)

    said, errors = begin(state).communicate()

    assert len(PATTERNS) == len(parse_runs(said)), errors
    given = [line.removeprefix("sudo ") for line in logged(state) if line.startswith("sudo ")]
    folders = [each.replace(f"{state}/run", FOLDER).replace(str(state), FOLDER) for each in given]
    assert [" ".join(argv) for argv in commands_as_root(SCRATCH, USER)] == folders
    assert not any("fio" in each for each in given)
