"""The commands of docs/exact-capacities.md make the pools of their rows."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.analysis.pool_layouts.exact_capacities import PROOF, REAL, layout_of, page, proof_of
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout_parser import parse_layout

DISK = Drive(2**40, 2**40)
ASKED = """#!/bin/sh
echo "$(basename "$0") $*" >> "$ASKED"
ls -l "$FOLDER"/*/f* | awk '{ print $5 }' >> "$SIZES"
echo 109564414394368 1
"""


def asked(tmp_path: Path, command: str) -> tuple[list[str], set[str], str]:
    """What the shell asks of zpool and zfs, the sizes of the files that are there then, and its output."""
    for name in ("zpool", "zfs"):
        (tmp_path / name).write_text(ASKED)
        (tmp_path / name).chmod(stat.S_IRWXU)
    files = tmp_path / "files"
    files.mkdir()
    log, sizes = tmp_path / "asked", tmp_path / "sizes"
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(files), "FOLDER": str(files)}
    ended = subprocess.run(
        ["sh", "-eu", "-c", f"{PROOF}\n{command}"],
        env=env | {"ASKED": str(log), "SIZES": str(sizes)}, timeout=60, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    assert [] == list(files.iterdir())
    found = set(sizes.read_text().split()) if sizes.exists() else set()
    return log.read_text().split("\n")[:-1], found, ended.stdout


@pytest.mark.parametrize("row", REAL[::9], ids=proof_of)
def test_a_command_makes_the_pool_of_its_row_and_leaves_nothing(row: dict[str, str], tmp_path: Path) -> None:
    create, size, usable, destroy = (line.split(" ") for line in asked(tmp_path, proof_of(row))[0])

    assert ["zpool", "create", "-o", f"ashift={row['ashift']}", "zconsole-proof"] == create[:5]
    groups = [word for word in create[5:] if not word.startswith("/")]
    assert [row["type"]] * (0 if row["type"] == "stripe" else int(row["vdevs"])) == groups
    assert int(row["vdevs"]) * int(row["width"]) == len({word for word in create[5:] if word.startswith("/")})
    assert ["size", "used,available", "destroy"] == [size[3], usable[3], destroy[1]]


def test_the_files_have_the_size_of_the_row(tmp_path: Path) -> None:
    assert {REAL[0]["disk_bytes"]} == asked(tmp_path, proof_of(REAL[0]))[1]


def test_used_and_available_are_added_without_rounding(tmp_path: Path) -> None:
    assert "109564414394369" in asked(tmp_path, proof_of(REAL[0]))[2].split("\n")


def test_a_pool_of_that_name_that_is_there_already_is_not_destroyed(tmp_path: Path) -> None:
    refused = 'zpool() { echo "zpool $*" >> "$ASKED"; return 1; }\n'

    said = asked(tmp_path, f"{refused}{proof_of(REAL[0])}")[0]

    assert ["create"] == [each.split(" ")[1] for each in said]


def test_the_page_has_each_recorded_pool_and_its_layout_is_one_of_the_planner() -> None:
    text = page()

    assert [] == [each for each in REAL if f"| {layout_of(each)} | {each['pool_size']} | " not in text]
    assert [] == [each for each in REAL if not parse_layout(layout_of(each), DISK).vdevs]
    assert 9 == text.count("| `zpool create -o ashift=12 tank ")
