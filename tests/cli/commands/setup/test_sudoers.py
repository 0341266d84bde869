"""Rules for sudo are printed."""

from __future__ import annotations

import json

from tests.cli.acting import Zconsole
from tests.reports.schema import SUDOERS, mismatch


def test_sudoers_prints_the_file(zconsole: Zconsole) -> None:
    code, out, err = zconsole("sudoers", "--user", "anna", "--bin", "/usr/local/sbin")

    assert (0, "") == (code, err)
    assert "/usr/local/sbin/zpool ^scrub " in out
    assert out.endswith("anna ALL = (root) NOSETENV: PASSWD: ZCONSOLE_CHANGE_ANNA\n")


def test_the_rules_are_one_document(zconsole: Zconsole) -> None:
    code, out, err = zconsole("sudoers", "--user", "anna", "--json")
    _, file, _ = zconsole("sudoers", "--user", "anna")

    document = json.loads(out)
    assert (0, "") == (code, err)
    assert "" == mismatch(document, SUDOERS)
    assert file == document["file"]
    assert ("anna", True, False) == (document["user"], document["asks_password"], document["equals_root"])
    assert all(f"    {each}" in file for each in (*document["reads"], *document["changes"]))
    assert any(each.startswith("/usr/sbin/zpool ^scrub ") for each in document["changes"])
    assert not any(each.startswith("/usr/sbin/zpool ^scrub ") for each in document["reads"])


def test_a_user_that_is_sudoers_syntax_has_no_document(zconsole: Zconsole) -> None:
    code, out, err = zconsole("sudoers", "--user", "anna ALL", "--json")

    assert code > 0
    assert "'anna ALL' is not a user or %group" in err
    assert "file" not in json.loads(out)
