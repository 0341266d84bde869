"""asyncssh is loaded on a machine where nothing can be written."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

PROGRAM = """
import os
from zconsole.hosts.import_asyncssh_with_empty_path import load_asyncssh
load_asyncssh()
load_asyncssh()
print("asyncssh" in __import__("sys").modules, os.environ["PATH"])
"""


def no_file_can_grow() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_no_temporary_file_is_needed_and_the_path_is_as_it_was() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True, text=True, check=False, preexec_fn=no_file_can_grow,
    )  # fmt: skip

    assert ("", f"True {os.environ['PATH']}\n") == (done.stderr, done.stdout)
