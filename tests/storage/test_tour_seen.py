"""The tour is offered once."""

from __future__ import annotations

from pathlib import Path

from zconsole.storage.tour_seen import is_first_start, seen_path


def test_only_the_first_start_is_the_first(tmp_path: Path) -> None:
    path = tmp_path / "state" / "tour-seen"

    assert is_first_start(path)
    assert not is_first_start(path)


def test_where_it_cannot_be_kept_it_is_not_offered_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file in the way")

    assert not is_first_start(tmp_path / "state" / "tour-seen")


def test_the_file_is_in_the_state_folder_of_the_user(tmp_path: Path) -> None:
    assert tmp_path / "xdg_state_home/zconsole/tour-seen" == seen_path()
