"""A program on the terminal that this one has: `python -m tests.libvirtd.enter PROGRAM ARGUMENT...`."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606  # no shell is meant
