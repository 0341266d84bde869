"""Values of dataset properties that are worked out."""

from __future__ import annotations

from tests.practice.zfs.stage import MIB, Stage, golden_image

MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


def test_written_since_a_snapshot_is_a_property() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1")
    stage.write("tank/a", 8)
    stage.does("zfs snapshot tank/a@s2")
    stage.write("tank/a", 4)
    stage.does("zfs clone tank/a@s2 tank/c")
    stage.write("tank/c", 2)

    assert 12 * MIB == stage.size("tank/a", "written@s1")
    assert 4 * MIB == stage.size("tank/a", "written@s2")
    assert 2 * MIB == stage.size("tank/c", "written@tank/a@s2")
    assert "-" == stage.get("tank/a", "written@nosuch")
    stage.does("zfs snapshot tank/a@at_12:00")
    stage.write("tank/a", 1)
    assert MIB == stage.size("tank/a", "written@tank/a@at_12:00")  # which is no user property


def test_columns_that_are_not_in_get_all_come_on_request() -> None:
    stage = golden_image()
    columns = "numclones,redact_snaps,receive_resume_token,snapshots_changed,keystatus,defer_destroy"

    assert "3\t-\t-\t-\t-\toff" == stage.does(f"zfs list -Hp -o {columns} tank/images@gold").strip()
    assert "numclones" not in stage.does("zfs get -H -o property all tank/images@gold")
