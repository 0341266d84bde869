"""`zconsole watch` sends to real sinks on loopback: what it should, damped, after restarts, and not twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.fakes import Screen, nas, reach
from tests.doubles.message_sinks import HttpSink, MailSink, http_sink, mail_sink
from zconsole.base.errors import HostUnreachable
from zconsole.cli import run
from zconsole.storage.alerts.alert_store import AlertStore

FOLDER = "XDG_CONFIG_HOME"


@pytest.fixture
def mails() -> Iterator[MailSink]:
    with mail_sink() as sink:
        yield sink


@pytest.fixture
def posts() -> Iterator[HttpSink]:
    with http_sink() as sink:
        yield sink


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mails: MailSink, posts: HttpSink) -> Path:
    """A configuration with a channel of each kind; what the command gets is in `runs`."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "config/zconsole").mkdir(parents=True)
    (tmp_path / "token").write_text("t0ken\n")
    write_config(tmp_path, mails, posts)
    return tmp_path


def write_config(folder: Path, mails: MailSink, posts: HttpSink, hold: str = "1s") -> None:
    (folder / "config/zconsole/config.toml").write_text(
        f"""
[watch]
hold = "{hold}"
clear = "1s"
[watch.mail.admins]
to = ["root@example.org"]
from = "zconsole@nas1.example.org"
smtp = "127.0.0.1:{mails.port}"
[watch.webhook.push]
format = "ntfy"
url = "{posts.url}/zfs"
token_file = "{folder}/token"
[watch.webhook.chat]
format = "slack"
url = "{posts.url}/services/T"
least = "critical"
[watch.webhook.manager]
format = "alertmanager"
url = "{posts.url}/am"
[watch.command.log]
argv = ["/bin/sh", "-c", 'printf "%s %s\\n" "$ZCONSOLE_PHASE" "$ZCONSOLE_ID" >>"{folder}/runs"']
"""
    )


@contextmanager
def watching(*words: str) -> Iterator[subprocess.Popen[str]]:
    running = subprocess.Popen(
        [sys.executable, "-m", "zconsole", "watch", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    try:
        yield running
    finally:
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=30)
    assert 0 == running.returncode


def of(posts: HttpSink, path: str) -> list[Any]:
    return [each.document for each in list(posts.posts) if each.path == path]


def test_a_failed_disk_is_told_to_all_once_and_a_restart_tells_nothing(
    configured: Path, mails: MailSink, posts: HttpSink
) -> None:
    with watching("--demo=failed-disk") as running:
        assert running.stdout is not None
        printed = running.stdout.readline()
        mails.wait_for(1)
        posts.wait_for(1 + 1 + 1)
    before = len(of(posts, "/am/api/v2/alerts"))
    with watching("--demo=failed-disk") as running:
        assert running.stderr is not None
        assert "watching; messages go to" in running.stderr.readline()
        with posts.changed:  # what holds is sent to Alertmanager again, and to nobody else
            assert posts.changed.wait_for(lambda: len(of(posts, "/am/api/v2/alerts")) > before, 60)

    assert "CRITICAL practice: tank: no redundancy left in mirror-0; DEGRADED" in printed
    (subject,) = (str(each["Subject"]) for each in mails.mails)
    assert "[zconsole] CRITICAL practice: tank: no redundancy left in mirror-0" == subject
    assert "ZC13A0R7 is FAULTED" in mails.mails[0].get_content()
    assert ["rotating_light"] == [each["tags"][0] for each in of(posts, "/")]
    assert {"Bearer t0ken"} == {each.headers["Authorization"] for each in posts.posts if each.path == "/"}
    assert 1 == len(of(posts, "/services/T"))
    names = {alert["labels"]["alertname"] for sent in of(posts, "/am/api/v2/alerts") for alert in sent}
    assert {"vdev-no-redundancy"} == names
    assert ["raised vdev-no-redundancy"] == (configured / "runs").read_text().splitlines()


def test_what_could_not_be_sent_is_sent_after_a_restart_and_once(
    configured: Path, mails: MailSink, posts: HttpSink, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(monkeypatch, local=nas("disk-faulted", "local"))
    write_config(configured, mails, posts, hold="0s")
    mails.refusals.append("451 try again later")
    posts.answers += [503] * 9

    assert 3 == run(["watch", "--once"])
    assert "mail.admins: the mail server 127.0.0.1 port" in capsys.readouterr().err
    assert [] == mails.mails
    posts.answers.clear()
    store = AlertStore()
    waiting = store.waiting(["mail.admins", "webhook.push"])
    assert 2 == waiting
    for channel in ("mail.admins", "webhook.push", "webhook.chat"):
        for_later = store.due(channel, 4e9)
        if for_later is not None:
            store.put_off(for_later.number, 0.0)  # its time has come

    assert 0 == run(["watch", "--once"])
    assert "" == capsys.readouterr().out, "it is told once"
    assert waiting == len(mails.mails) + len(of(posts, "/"))
    assert 0 == run(["watch", "--once"])
    assert waiting == len(mails.mails) + len(of(posts, "/"))


def test_the_end_is_told_once(
    configured: Path, mails: MailSink, posts: HttpSink, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    write_config(configured, mails, posts, hold="0s")
    reach(monkeypatch, local=nas("disk-faulted", "local"))
    assert 0 == run(["watch", "--once"])
    told = len(mails.mails)
    moved = [each for each in AlertStore().states("watch").values() if each.told is not None]
    assert told == len(moved)

    reach(monkeypatch, local=nas("healthy-mirrors", "local"))
    text = (configured / "config/zconsole/config.toml").read_text()
    (configured / "config/zconsole/config.toml").write_text(text.replace('clear = "1s"', "clear = 0"))
    capsys.readouterr()
    assert 0 == run(["watch", "--once"])
    assert told == capsys.readouterr().out.count("OVER local: tank: ")
    assert 2 * told == len(mails.mails)
    assert 0 == run(["watch", "--once"])
    assert 2 * told == len(mails.mails)


def test_a_host_that_cannot_be_read_ends_nothing_and_is_told_when_it_stays_so(
    configured: Path, mails: MailSink, posts: HttpSink, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    write_config(configured, mails, posts, hold="0s")
    text = (configured / "config/zconsole/config.toml").read_text()
    (configured / "config/zconsole/config.toml").write_text(text.replace("[watch]", "[watch]\nhold_link = 0"))
    reach(monkeypatch, local=nas("disk-faulted", "local"))
    run(["watch", "--once"])
    told = len(mails.mails)
    lost = nas("disk-faulted", "local")
    lost.answers["zfs version"] = HostUnreachable("nobody there")
    reach(monkeypatch, local=lost)

    assert 3 == run(["watch", "--once"])
    assert "local: nobody there" in capsys.readouterr().err
    assert told + 1 == len(mails.mails)
    assert "CRITICAL local: the link is lost: nobody there" in str(mails.mails[-1]["Subject"])


def test_what_was_told_is_listed_and_acknowledged(
    configured: Path, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(monkeypatch, local=nas("disk-faulted", "local"))
    assert 0 == run(["watch", "--list"])
    assert capsys.readouterr().out.startswith("Nothing that was told is going on")
    assert 0 == run(["watch", "--list", "--json"])
    assert {"schema": 1, "alerts": []} == json.loads(capsys.readouterr().out)
    run(["watch", "--once"])
    capsys.readouterr()

    assert 0 == run(["watch", "--list"])
    (line, *_) = capsys.readouterr().out.splitlines()
    assert "UTC CRITICAL local: tank: " in line
    name = line.rpartition("[")[2].rstrip("]")
    assert 0 == run(["watch", "--list", "--jsonl"])
    told = json.loads(capsys.readouterr().out.splitlines()[0])
    assert [name, "local", "critical", True, None] == [
        told[key] for key in ("id", "host", "severity", "holds", "acknowledged_at")
    ]
    assert 0 == run(["watch", "--list", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert (1, told) == (document["schema"], document["alerts"][0])
    assert 0 == run(["watch", "--ack", name])
    assert f"acknowledged: {name} of tank" in capsys.readouterr().out
    run(["watch", "--list"])
    assert "(acknowledged " in capsys.readouterr().out.splitlines()[0]
    assert 2 == run(["watch", "--ack", "no-such"])


def test_messages_are_objects_a_line(
    configured: Path, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    del configured
    reach(monkeypatch, local=nas("disk-faulted", "local"))

    run(["watch", "--once", "--jsonl"])

    told = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert {"raised"} == {each["phase"] for each in told}
    assert {"local"} == {each["host"] for each in told}
    assert 2 == run(["watch", "--test", "--jsonl"])
    assert 2 == run(["watch", "--once", "--json"])
    assert "messages have no end" in capsys.readouterr().err


def test_a_test_message_goes_to_each_channel_and_a_failure_is_told(
    configured: Path, mails: MailSink, posts: HttpSink, capsys: Screen
) -> None:
    assert 0 == run(["watch", "--test"])
    out = capsys.readouterr().out
    assert 5 == out.count(": sent\n")
    assert 1 == len(mails.mails)

    mails.refusals.append("550 no such user")
    (configured / "token").unlink()
    assert 3 == run(["watch", "--test"])
    out, err = capsys.readouterr()
    assert 3 == out.count(": sent\n")
    assert "mail.admins: the mail server 127.0.0.1" in err
    assert "webhook.push: " in err
    assert "token cannot be read" in err


def test_two_watches_would_send_everything_twice(configured: Path, capsys: Screen) -> None:
    with watching("--demo") as running:
        assert running.stderr is not None
        running.stderr.readline()
        assert 3 == run(["watch", "--demo", "--once"])
    assert "runs already" in capsys.readouterr().err


def test_the_practice_host_is_kept_apart(configured: Path) -> None:
    run(["watch", "--demo", "--once"])
    assert not AlertStore().path.exists()


def test_without_channels_there_is_nothing_to_test(capsys: Screen) -> None:
    assert 2 == run(["watch", "--test"])
    assert "no channel" in capsys.readouterr().err


def test_the_unit_watches_the_hosts_that_were_named(capsys: Screen) -> None:
    assert 0 == run(["watch", "--print-unit", "--host", "nas1"])
    out = capsys.readouterr().out
    assert " watch --host nas1\n" in out
    assert "Restart=always" in out
    assert 2 == run(["watch", "--print-unit", "--demo"])
    assert 2 == run(["watch", "--once", "--list"])


@pytest.mark.parametrize(
    ("is_limited", "hosts"),
    [
        (False, ""),
        (False, "--host local"),
        (False, "--host nas1 --host local"),
        (False, "--host here"),
        (True, "--host nas1"),
    ],
)
def test_the_unit_of_a_user_lets_sudo_be_used_where_commands_run_here(
    is_limited: bool, hosts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    (tmp_path / "zconsole").mkdir()
    (tmp_path / "zconsole/config.toml").write_text('[hosts.here]\naddress = "local"\n')

    assert 0 == run(["watch", "--print-unit", *hosts.split()])

    assert is_limited == ("NoNewPrivileges=yes" in capsys.readouterr().out)
