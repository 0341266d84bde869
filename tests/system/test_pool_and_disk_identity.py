"""One command tells which pool has a name, and which disks are behind paths."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zconsole.base.errors import ParseError
from zconsole.system.pool_and_disk_identity import parse_pool_and_disks, pool_and_disks

DEVICES = '{"blockdevices": [{"name": "sda", "kname": "sda", "path": "/dev/sda", "type": "disk", "size": 5}]}'


@pytest.mark.parametrize(
    ("text", "guid", "names"),
    [
        (f"{DEVICES}\n\n17\n", 17, ["sda"]),
        (f"{DEVICES}\n\n", None, ["sda"]),
        ("\n17\n", 17, []),
        ("\n", None, []),
        ("", None, []),
        (f"{DEVICES}\n\n-\n", None, None),
        (f"{DEVICES}\n\n{'1' * 4300}\n", None, None),
    ],
)
def test_the_guid_is_the_last_line(text: str, guid: int | None, names: list[str] | None) -> None:
    if names is None:
        with pytest.raises(ParseError):
            parse_pool_and_disks(text)
        return

    found, disks = parse_pool_and_disks(text)

    assert guid == found
    assert names == [each.name for each in disks]


def test_the_script_runs_the_program_and_then_reads_the_guid(tmp_path: Path) -> None:
    """In the shell of this machine, where there is no pool; lsblk and zpool are scripts."""
    for name, script in (("lsblk", 'printf "%s|" "$@"'), ("zpool", 'printf "%s " "$@" >&2; echo 17')):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    command = pool_and_disks("no such pool", ["/dev/a b"])

    ran = subprocess.run(
        command.argv, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, text=True, check=True
    )

    assert ran.stdout.endswith("|--|/dev/a b|\n17\n")
    assert "get -Hpo value guid no such pool " == ran.stderr
