"""The systemd unit of the watch."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from zconsole.reports.notifications.watch_unit import WatchUnit, watch_unit
from zconsole.reports.systemd_timer import Job

ARGV = ("/bin/true", "watch", "--host", "nas 1", "--host", "100%")


def unit(*, is_root: bool, uses_sendmail: bool = False, uses_sudo: bool = False) -> str:
    folders = (Path("/var/lib/z c"), Path("/b"))
    return watch_unit(WatchUnit(Job(ARGV, is_root), folders, uses_sendmail, uses_sudo))


@pytest.mark.parametrize("is_root", [True, False])
def test_systemd_understands_it(is_root: bool, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: apt-get install systemd")
    file = tmp_path / "zconsole-watch.service"
    file.write_text(unit(is_root=is_root))
    scope = [] if is_root else ["--user"]
    found = subprocess.run(
        ["systemd-analyze", *scope, "verify", "--man=no", str(file)],
        capture_output=True,
        text=True,
        check=False,
        env={"XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert [] == [line for line in found.stderr.split("\n") if file.name in line]


def test_words_are_escaped_and_nothing_else_is_writable() -> None:
    text = unit(is_root=True)
    assert 'ExecStart=/bin/true watch --host "nas 1" --host 100%%\n' in text
    assert 'ReadWritePaths="/var/lib/z c" /b\n' in text
    assert "ProtectSystem=strict\n" in text
    assert "NoNewPrivileges=yes\n" in text


def test_a_user_has_no_limits_that_a_manager_of_a_user_cannot_set_up() -> None:
    text = unit(is_root=False)
    assert "Protect" not in text
    assert "WantedBy=default.target" in text
    assert "systemctl --user enable --now zconsole-watch.service" in text


def test_sendmail_may_change_its_group_and_write_to_its_spool() -> None:
    text = unit(is_root=True, uses_sendmail=True)
    assert "NoNewPrivileges" not in text
    assert "RestrictSUIDSGID" not in text
    assert "CAP_SETGID" in text
    assert " -/var/spool " in text
    assert "ProtectSystem=strict\n" in text
    assert "SETGID" not in unit(is_root=True)
    assert "/var/spool" not in unit(is_root=True)


@pytest.mark.parametrize("uses", [{"uses_sendmail": True}, {"uses_sudo": True}])
def test_a_unit_of_a_user_denies_sudo_and_sendmail_nothing(uses: dict[str, bool]) -> None:
    """With any filter of system calls the manager of a user sets NoNewPrivileges."""
    text = unit(is_root=False, **uses)
    assert "UMask=0077\n" in text
    denying = ("NoNewPrivileges=", "SystemCall", "RestrictSUIDSGID=", "RestrictReal", "LockPersonality=")
    assert [] == [each for each in denying if each in text]
    assert "SystemCallFilter=@system-service\n" in unit(is_root=False)
