"""A configuration is read whole or refused with the file, the key and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.base.errors import ConfigError
from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.user_config_file import Config, HostConfig, config_folder, load_config, parse_config

FULL = """
theme = "light"
interval_s = 2
history_minutes = 5
read_only = true
protected = ["tank/vm/*"]

[thresholds]
used_warning_percent = 75
used_critical_percent = 85.5
scrub_overdue_days = 10
scan_stalled_minutes = 5

[hosts.nas1]
address = "root@10.0.0.4"
label = "the big one"
colour = "red"
group = "rack 3"
production = true

[hosts.nas2]
read_only = true
protected = ["backup", "*@keep-*"]
"""


def test_every_key_of_the_manual_is_read() -> None:
    config = parse_config(FULL, "config.toml")

    assert (
        Config(
            hosts=(
                HostConfig("nas1", "root@10.0.0.4", "the big one", "red", is_production=True, group="rack 3"),
                HostConfig("nas2", "nas2", is_read_only=True, protected=("backup", "*@keep-*")),
            ),
            thresholds=Thresholds(75, 85.5, 10, 5),
            theme="light",
            interval_s=2.0,
            history_minutes=5.0,
            is_read_only=True,
            protected=("tank/vm/*",),
        )
        == config
    )
    assert config.hosts[0] == config.host("nas1")
    assert config.host("nas3") is None


def test_an_absent_file_means_the_defaults() -> None:
    assert Config() == load_config()


def test_the_users_file_is_found(tmp_path: Path) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "config.toml").write_text('theme = "dark"\n')

    assert "dark" == load_config().theme


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nosuch\.toml does not exist"):
        load_config(tmp_path / "nosuch.toml")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"theme = '\xff'")

    with pytest.raises(ConfigError, match=r"config\.toml cannot be read") as raised:
        load_config(path)
    assert "It must be UTF-8 text." == raised.value.hint


def test_a_file_that_cannot_be_opened_has_another_way_out_than_one_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    for path, why in ((tmp_path / "file" / "config.toml", "Not a directory"), (tmp_path, "a folder")):
        with pytest.raises(ConfigError, match=why) as raised:
            load_config(path)
        assert "Check its path and permissions." == raised.value.hint


@pytest.mark.parametrize(
    ("message", "hint", "text"),
    [
        ("c.toml is not valid TOML", "line", "theme = "),
        ("c.toml: thme is not known", "Did you mean theme?", 'thme = "x"'),
        ("c.toml: zzz is not known", "Known here: hosts, thresholds, theme", "zzz = 1"),
        ("c.toml: theme must be text", "quotes", "theme = 3"),
        ("c.toml: interval_s is out of range", "from 0.1 to 3600", "interval_s = 0"),
        ("c.toml: interval_s is out of range", "A number", "interval_s = true"),
        ("c.toml: interval_s is out of range", "A number", "interval_s = nan"),
        ("c.toml: history_minutes is out of range", "from 0 to 1440", "history_minutes = 1441"),
        ("c.toml: link is not known", "Known here", 'link = "slow"'),
        ("c.toml: interval_s is out of range", "from 0.1 to 3600", 'interval_s = "2h"'),
        ("c.toml: interval_s cannot be understood: '5M' is ambiguous", "5m", 'interval_s = "5M"'),
        ("'0.8' is ambiguous", "80%", '[thresholds]\nused_warning_percent = "0.8"'),
        ("c.toml: read_only must be true or false", "without quotes", 'read_only = "yes"'),
        ("c.toml: hosts must be a table", "[hosts]", "hosts = 1"),
        ("c.toml: hosts.nas must be a table", "[hosts.nas]", '[hosts]\nnas = "x"'),
        ("c.toml: hosts.nas.adress is not known", "address", '[hosts.nas]\nadress = "x"'),
        ("c.toml: hosts.nas.colour cannot be 'pink'", "red", '[hosts.nas]\ncolour = "pink"'),
        (
            "c.toml: thresholds.scrub_overdue is not known",
            "scrub_overdue_days",
            "[thresholds]\nscrub_overdue = 1",
        ),
        (
            "c.toml: thresholds.used_warning_percent is above used_critical_percent",
            "Lower",
            "[thresholds]\nused_warning_percent = 95",
        ),
    ],
)
def test_a_mistake_is_refused_with_the_key_and_the_way_out(message: str, hint: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(text, "c.toml")

    assert message in str(caught.value)
    assert hint in str(caught.value)


def test_where_metrics_are_and_which_are_of_a_host() -> None:
    text = """
        prometheus_url = "https://ann:secret@mon1:9090/prometheus"
        [hosts.nas1]
        prometheus_selector = 'instance=~"nas1:.*", job!="a\\"b"'
    """
    config = parse_config(text, "config.toml")

    assert "https://ann:secret@mon1:9090/prometheus" == config.prometheus_url
    assert 'instance=~"nas1:.*", job!="a\\"b"' == config.hosts[0].prometheus_selector


@pytest.mark.parametrize(
    "text",
    [
        'prometheus_url = "mon1:9090"',
        'prometheus_url = "ftp://mon1"',
        'prometheus_url = "http://mon1/?query=x"',
        "[hosts.a]\nprometheus_selector = 'nas1'",
        "[hosts.a]\nprometheus_selector = '{instance=\"nas1\"}'",
        '[hosts.a]\nprometheus_selector = \'a="b"} or up{c="d"\'',
    ],
)
def test_what_is_no_address_or_selector_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="cannot be understood"):
        parse_config(text, "config.toml")
