"""The tables [alerts] and [watch] of the configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.base.errors import ConfigError
from zconsole.base.notifications.alert_settings import (
    CallSettings,
    CommandSettings,
    MailSettings,
    WatchSettings,
    WebhookSettings,
    read_secret,
)
from zconsole.base.user_config_file import parse_config

FULL = """
[alerts]
bell = false
title = true
notification = "osc777"
tmux_passthrough = true
[watch]
hold = "5m"
hold_critical = 10
hold_link = "1h"
clear = 0
remind = "12h"
[watch.command.pager]
argv = ["/usr/local/bin/page", "--all hands"]
least = "critical"
[watch.mail.admins]
to = ["root@localhost", "ops@example.org"]
from = "zconsole@nas1"
smtp = "mail.example.org"
tls = "starttls"
user = "zc"
password_file = "/etc/zconsole/mail"
[watch.mail.here]
to = ["root"]
from = "zconsole"
sendmail = "/usr/sbin/sendmail"
[watch.webhook.chat]
format = "slack"
url_file = "/etc/zconsole/slack"
[watch.webhook.push]
format = "ntfy"
url = "https://ntfy.sh/zfs"
token_file = "/etc/zconsole/ntfy"
least = "info"
"""


def test_without_tables_there_are_defaults_and_no_channel() -> None:
    assert (CallSettings(), WatchSettings()) == (parse_config("", "x").calls, parse_config("", "x").watch)


def test_everything_is_read() -> None:
    config = parse_config(FULL, "x")
    watch = config.watch

    assert CallSettings(has_bell=False, notification="osc777", passes_through_tmux=True) == config.calls
    assert (10.0, 300.0, 3600.0) == (watch.hold_critical_s, watch.hold_warning_s, watch.hold_link_s)
    assert (0.0, 43200.0) == (watch.clear_s, watch.remind_s)
    pager, admins, here, chat, push = watch.channels
    assert ("command.pager", "critical") == (pager.name, pager.least)
    assert CommandSettings(("/usr/local/bin/page", "--all hands")) == pager.to
    assert isinstance(admins.to, MailSettings)
    assert ("mail.example.org", 587, "starttls") == (admins.to.host, admins.to.port, admins.to.security)
    assert isinstance(here.to, MailSettings)
    assert "/usr/sbin/sendmail" == here.to.sendmail
    assert isinstance(chat.to, WebhookSettings)
    assert (None, Path("/etc/zconsole/slack")) == (chat.to.url, chat.to.url_file)
    assert isinstance(push.to, WebhookSettings)
    assert push.to.url is not None
    assert "https://ntfy.sh/zfs" == push.to.url.reveal()
    assert "ntfy.sh" not in repr(config), "an address may be a secret"


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        ("alerts.notification cannot be 'loud'", '[alerts]\nnotification = "loud"'),
        ("alerts.bel is not known", "[alerts]\nbel = true"),
        ("watch.hold is out of range", "[watch]\nhold = -1"),
        ("watch.comand is not known", "[watch.comand.a]\nargv = ['x']"),
        ("watch.command.a.argv is missing", "[watch.command.a]"),
        ("watch.command.a.argv must be a list", '[watch.command.a]\nargv = "page -x"'),
        ("watch.command.a.args is not known", "[watch.command.a]\nargv = ['x']\nargs = ['y']"),
        ("watch.command.a must be a table", "[watch.command]\na = 1"),
        ("watch.mail.a.to is missing", '[watch.mail.a]\nfrom = "x"'),
        ("watch.mail.a.from is missing", '[watch.mail.a]\nto = ["x"]'),
        ("watch.mail.a.from cannot be understood", '[watch.mail.a]\nto = ["x"]\nfrom = "x\\nBcc: y"'),
        ("watch.mail.a.to has '-t'", '[watch.mail.a]\nto = ["-t"]\nfrom = "x"'),
        ("watch.mail.a.to has", '[watch.mail.a]\nto = ["a@b, c@d"]\nfrom = "x"'),
        ("watch.mail.a.smtp cannot be", '[watch.mail.a]\nto = ["x"]\nfrom = "x"\nsmtp = "a b"'),
        ("password_file needs tls", '[watch.mail.a]\nto=["x"]\nfrom="x"\nuser="u"\npassword_file="/p"'),
        ("user and password_file", '[watch.mail.a]\nto=["x"]\nfrom="x"\ntls="tls"\nuser="u"'),
        ("and smtp exclude", '[watch.mail.a]\nto=["x"]\nfrom="x"\nsmtp="a"\nsendmail="/s"'),
        ("watch.webhook.a.format cannot be 'teams'", '[watch.webhook.a]\nformat="teams"\nurl="http://a"'),
        ("watch.webhook.a.url or url_file", '[watch.webhook.a]\nformat="slack"'),
        ("watch.webhook.a.url or url_file", '[watch.webhook.a]\nurl="http://a"\nurl_file="/x"'),
        ("watch.webhook.a.url cannot be", '[watch.webhook.a]\nurl="file:///etc/passwd"'),
        ("watch.webhook.a.least cannot be", '[watch.webhook.a]\nurl="http://a"\nleast="all"'),
    ],
)
def test_what_cannot_be_meant_is_an_error_that_names_the_key(problem: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "config.toml")
    assert f"config.toml: {problem}" in caught.value.message or problem in caught.value.message
    assert caught.value.hint


def test_a_secret_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("t0ken \nsecond line\n")
    assert "t0ken" == read_secret(file).reveal()
    for content in (b"", b"\n", b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(ConfigError, match="token"):
            read_secret(file)
    with pytest.raises(ConfigError, match="cannot be read"):
        read_secret(tmp_path)
