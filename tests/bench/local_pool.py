"""Stands in for the ZFS of this machine: `zpool`, `zfs`, `lsblk` and `ls` that print what a host once said.

The console runs them as it runs the real ones, a process each; `zconsole record` wrote down what they print.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

PLACE: Final = "/usr/local/sbin"  # first in the PATH that the console gives its commands
BEGIN: Final = "begin"  # written when the console starts, so that the namespace is not counted
PROGRAMS: Final = ("zpool", "zfs", "lsblk", "ls", "uname")
SILENT: Final = "exec sleep 1000"  # a stream that has said what it had to say


def install(folder: Path, root: Path) -> None:
    """Record the practice host, and write programs into `folder` that repeat its first answers."""
    recording = folder / "recording"
    subprocess.run(
        [sys.executable, "-m", "zconsole", "record", str(recording), "--demo"],
        check=True, capture_output=True, cwd=root,
    )  # fmt: skip
    answers: dict[tuple[str, ...], str] = {}
    for line in (recording / "index.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["kind"] == "run" and event["outcome"] == "done":
            answers.setdefault(tuple(event["argv"]), _printed(recording, event["stdout"]))
        elif event["kind"] == "open":
            answers.setdefault(tuple(event["argv"]), SILENT)
    for program in PROGRAMS:
        cases = [
            f"{shlex.quote(' '.join(argv[1:]))}) {answer} ;;"
            for argv, answer in answers.items()
            if argv[0] == program
        ]
        script = folder / program
        script.write_text("\n".join(["#!/bin/sh", 'case "$*" in', *cases, "esac", "exit 2", ""]))
        script.chmod(0o755)


def argv(folder: Path) -> list[str]:
    """The console, in a mount namespace in which those programs are the ones that it finds."""
    console = f"{shlex.quote(sys.executable)} -m zconsole"
    script = f"mount --bind {shlex.quote(str(folder))} {PLACE} && printf {BEGIN} && exec {console}"
    return ["unshare", "--map-root-user", "--mount", "/bin/sh", "-c", script]


def _printed(recording: Path, blob: str | None) -> str:
    return f"exec /bin/cat {shlex.quote(str(recording / 'blobs' / blob))}" if blob else "exit 0"
