"""What a crash leaves behind: enough to mend it, and no value of any variable."""

from __future__ import annotations

from pathlib import Path

from zconsole.base.secret import Secret
from zconsole.storage.crash_report import KEPT_REPORTS, cause, in_a_sentence, report, write_report


def failing(passphrase: str) -> None:
    raise ValueError(f"no good: \x1b[31m{Secret(passphrase)}")


def caught() -> ValueError:
    try:
        failing("hunter2")
    except ValueError as error:
        return error
    raise AssertionError


def test_a_report_names_the_lines_and_no_variable() -> None:
    text = report(caught())

    assert "in failing" in text
    assert "ValueError: no good: ^[[31mSecret(***)" in text
    assert "hunter2" not in text.replace('failing("hunter2")', "")


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    path = write_report(caught(), tmp_path / "log")

    assert path is not None
    assert 0o600 == path.stat().st_mode & 0o777
    assert str(path) in in_a_sentence(caught(), path)


def test_old_reports_go(tmp_path: Path) -> None:
    for at in range(KEPT_REPORTS + 5):
        (tmp_path / f"crash-2020010{at:02}-000000.log").write_text("old")

    write_report(caught(), tmp_path)

    assert KEPT_REPORTS == len(list(tmp_path.glob("crash-*.log")))


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    path = write_report(caught(), tmp_path / "file" / "log")

    assert path is None
    assert "could not be written" in in_a_sentence(caught(), path)


def test_of_groups_of_one_the_error_itself_is_named() -> None:
    error, other = ValueError("a"), KeyError("b")
    both = ExceptionGroup("two", [error, other])

    assert cause(ExceptionGroup("tasks", [ExceptionGroup("more tasks", [error])])) is error
    assert cause(ExceptionGroup("tasks", [both])) is both
