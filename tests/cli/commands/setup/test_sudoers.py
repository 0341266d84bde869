"""Rules for sudo are printed."""

from __future__ import annotations

from tests.cli.acting import Zconsole


def test_sudoers_prints_the_file(zconsole: Zconsole) -> None:
    code, out, err = zconsole("sudoers", "--user", "anna", "--bin", "/usr/local/sbin")

    assert (0, "") == (code, err)
    assert "/usr/local/sbin/zpool ^scrub " in out
    assert out.endswith("anna ALL = (root) NOSETENV: PASSWD: ZCONSOLE_CHANGE_ANNA\n")
