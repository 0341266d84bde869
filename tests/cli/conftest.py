"""Fixtures of the command line: on a practice host, and on hosts that are scripted."""

from __future__ import annotations

from tests.cli.acting import clock, disk, nas, zconsole
from tests.cli.fakes import mp

__all__ = ["clock", "disk", "mp", "nas", "zconsole"]
