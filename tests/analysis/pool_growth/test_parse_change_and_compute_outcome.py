"""Changes and numbers as people write them: each is understood, or refused in a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.states import tank
from zconsole.analysis.pool_growth.live_pool import today
from zconsole.analysis.pool_growth.parse_change_and_compute_outcome import (
    CHANGES,
    Drives,
    outcome,
    parse_change,
)
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.base.errors import UsageError
from zconsole.model.pools.space_samples import DatasetUse

DRIVES = Drives(parse_drive("12TB"))


@pytest.mark.parametrize(
    ("kind", "words", "text"),
    [
        ("add", ("raidz2:8 x2",), "add raidz2:8 x2"),
        ("move", ("mirror:2 x4 spare:1",), "  move  mirror:2 x4   spare:1 "),
        ("replace", ("mirror-0",), "replace mirror-0"),
        ("attach", ("raidz2-0", "16TB"), "attach raidz2-0 16TB"),
        ("recordsize", ("128K", "16K"), "recordsize 128K 16K"),
        ("snapshots", (), "snapshots"),
        ("snapshots", ("tank/home",), "snapshots tank/home"),
    ],
)
def test_a_line_is_a_change(kind: str, words: tuple[str, ...], text: str) -> None:
    found = parse_change(text, DRIVES)

    assert (kind, words) == (found.kind, found.words)


def test_a_size_behind_a_vdev_is_that_of_its_new_drives() -> None:
    assert parse_drive("16TB") == parse_change("replace mirror-0 16TB", DRIVES).drive
    assert parse_drive("12TB") == parse_change("replace mirror-0", DRIVES).drive


@pytest.mark.parametrize(
    ("says", "text"),
    [
        ("'shrink' is not a change", "shrink"),
        ("'' is not a change", " "),
        ("add takes LAYOUT", "add"),
        ("'mirror:x' is not a vdev", "add mirror:x"),
        ("replace takes VDEV", "replace a b c"),
        ("'x' is not a unit", "replace a 2x"),
        ("'two' is not a whole number", "copies 1 two"),
        ("not a block size", "recordsize 128K 100K"),
    ],
)
def test_what_is_no_change_is_refused(says: str, text: str) -> None:
    with pytest.raises(UsageError, match=says):
        parse_change(text, DRIVES)


@given(kind=st.sampled_from(sorted(CHANGES)), rest=st.text("mir:20az sxTB@1.5/-K", max_size=24))
def test_any_line_is_understood_or_refused(kind: str, rest: str) -> None:
    """Nothing but a UsageError comes of it, and an outcome has no less than nothing."""
    now = today(tank())
    uses = [DatasetUse("tank", 1, 1)]
    try:
        found = outcome(parse_change(f"{kind} {rest}", DRIVES), now, Assumptions(), uses)
    except UsageError:
        return
    assert found.usable_after >= 0
    assert found.used_after >= 0
