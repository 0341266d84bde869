"""Layouts of one drive, written as they are typed."""

from __future__ import annotations

from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout import Layout
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions

DRIVE = parse_drive("12TB")
USUAL = Assumptions()


def made(text: str) -> Layout:
    return parse_layout(text, DRIVE)
