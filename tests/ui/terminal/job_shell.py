"""A shell with job control on the terminal, in which the console is a job."""

from __future__ import annotations

import os

if __name__ == "__main__":
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])  # noqa: S606  # it is the shell
