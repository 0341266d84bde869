"""Which paths do not exist, by the complaints of a real `ls`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zconsole.system.missing_paths import list_existing, parse_missing


def complaints(paths: list[str]) -> str:
    done = subprocess.run(
        list_existing(paths).argv, capture_output=True, text=True, check=False, env={"LC_ALL": "C.UTF-8",
        "PATH": "/usr/bin:/bin"}, timeout=30,
    )  # fmt: skip
    return done.stderr


def test_what_does_not_exist_is_told_and_a_link_that_leads_nowhere_too(tmp_path: Path) -> None:
    there, gone, dangling = (str(tmp_path / name) for name in ("a b", "gone", "dangling"))
    Path(there).touch()
    Path(dangling).symlink_to(gone)
    paths = [there, gone, dangling, f"{there}/below a file"]

    assert {gone, dangling} == parse_missing(complaints(paths), paths)


@pytest.mark.parametrize("name", ["it's", "new\nline", "-dash", "ünï gäst 東"])
def test_a_strange_name_is_missing_or_not_known_and_never_takes_another_along(
    tmp_path: Path, name: str
) -> None:
    gone, there = str(tmp_path / name), str(tmp_path / "there")
    Path(there).touch()

    assert parse_missing(complaints([gone, there]), [gone, there]) <= {gone}


def test_what_may_not_be_looked_at_is_not_missing() -> None:
    said = "ls: cannot access '/root/a': Permission denied\n"

    assert frozenset() == parse_missing(said, ["/root/a"])
