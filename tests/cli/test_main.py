"""What holds for every subcommand: exit codes, lost hosts, a broken configuration."""

from __future__ import annotations

import pytest

from tests.cli.fakes import Screen, nas, reach
from tests.doubles.scripted_host import failed
from zconsole.base.errors import HostUnreachable
from zconsole.base.user_config_file import config_folder
from zconsole.cli import run


def test_wrong_words_are_code_2_but_unknown_to_monitoring(capsys: Screen) -> None:
    assert 2 == run(["status", "--jason"])
    assert 3 == run(["check", "--jason"])
    assert "zconsole: unrecognized arguments: --jason" in capsys.readouterr().err


def test_no_zfs_is_a_sentence_with_the_ways_on(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers = {
        "zfs version": failed("zfs version", 127, b""),
        "ls": failed("ls", 2, b""),
        "uname": b"x\n",
    }
    reach(mp, local=host)

    assert 3 == run(["status"])
    out, err = capsys.readouterr()
    assert "" == out
    assert "no ZFS on local" in err
    assert "--demo" in err
    assert "HOST" in err


def test_one_lost_host_does_not_silence_the_others(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    lost = nas("healthy-mirrors", "b")
    lost.connect_errors = [HostUnreachable("b refuses the connection", hint="Is sshd running?")]
    reach(mp, a=nas("healthy-mirrors", "a"), b=lost)

    assert 3 == run(["status", "--host", "a", "--host", "b"])
    out, err = capsys.readouterr()
    assert out.startswith("a: ")
    assert "zconsole: b refuses the connection\n  Is sshd running?\n" == err


def test_every_host_is_closed_again(mp: pytest.MonkeyPatch) -> None:
    good, bad = nas("healthy-mirrors", "a"), nas("healthy-mirrors", "b")
    bad.connect_errors = [HostUnreachable("gone")]
    reach(mp, a=good, b=bad)

    run(["status", "--host", "a", "--host", "b"])

    assert (1, 1) == (good.closes, bad.closes)


def test_a_broken_config_is_named_before_anything_is_asked(capsys: Screen) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "config.toml").write_text("thme = 'x'\n")

    assert 3 == run(["status"])
    assert "thme is not known" in capsys.readouterr().err


def test_check_has_a_line_on_stdout_whatever_is_wrong(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    config_folder().mkdir(parents=True, exist_ok=True)
    (config_folder() / "config.toml").write_text("hosts = 3")
    reach(mp, local=nas("healthy-mirrors", "local"))

    assert 3 == run(["check"])
    assert capsys.readouterr().out.startswith("ZFS UNKNOWN - ")
    assert 3 == run(["check", "--wrong"])
    assert capsys.readouterr().out.startswith("ZFS UNKNOWN - ")
