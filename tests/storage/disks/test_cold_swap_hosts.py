"""Hosts without hot-swap: kept per user, and never in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.storage.disks.cold_swap_hosts import ColdSwapUnkept, cold_swap_hosts, keep_cold_swap


def test_what_was_said_of_a_host_is_kept_until_it_is_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "state" / "hosts.json"

    keep_cold_swap("nas1", is_cold=True, path=file)
    keep_cold_swap("nas2", is_cold=True, path=file)
    assert {"nas1", "nas2"} == cold_swap_hosts(file)

    keep_cold_swap("nas1", is_cold=False, path=file)
    assert {"nas2"} == cold_swap_hosts(file)


@pytest.mark.parametrize("text", ["", "{", '{"nas1": 1}', "[1, null]"])
def test_a_file_that_cannot_be_read_names_no_host(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hosts.json"
    file.write_text(text)

    assert frozenset() == cold_swap_hosts(file)
    assert frozenset() == cold_swap_hosts(tmp_path / "none.json")


@pytest.mark.parametrize("text", ["", "{", '{"nas1": 1}', '["nas1", null]', "[" * 500_000])
def test_a_damaged_file_is_left_unchanged_and_said(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hosts.json"
    file.write_text(text)

    with pytest.raises(ColdSwapUnkept, match="is damaged"):
        keep_cold_swap("nas2", is_cold=True, path=file)

    assert text == file.read_text()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ColdSwapUnkept, match="cannot be written"):
        keep_cold_swap("nas1", is_cold=True, path=tmp_path / "file" / "hosts.json")


def test_too_many_levels_are_no_hosts(tmp_path: Path) -> None:
    file = tmp_path / "no-hot-swap.json"
    file.write_text("[" * 500_000)

    assert frozenset() == cold_swap_hosts(file)
