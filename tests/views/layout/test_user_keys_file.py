"""The user's own keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from zconsole.base.errors import ConfigError
from zconsole.views.layout.key_help import footer_line, help_lines
from zconsole.views.layout.screen_key_registry import ACTIONS, action, key_name, key_of_name, use_keys
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.user_keys_file import parse_user_keys

SOURCE = "keys.toml"


@pytest.fixture
def usual() -> Iterator[None]:
    yield
    use_keys({})


def test_keys_are_read_as_they_are_displayed() -> None:
    text = '[keys]\nthemes = "F9"\ndiff = ["Q", "Ctrl+X"]\n'

    assert {"themes": ("f9",), "diff": ("Q", "ctrl+x")} == parse_user_keys(text, SOURCE)


def test_two_actions_may_change_their_keys() -> None:
    text = '[keys]\nwhy = "W"\nwhy_slow_disk = "W"\nin_full = "W"\nreport = "w"\nexport_scenarios = "w"\n'

    assert {"W", "w"} == {keys[0] for keys in parse_user_keys(text, SOURCE).values()}


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("keys.toml, line 3: there is no action themse", '[keys]\nwhy = "Q"\nthemse = "F9"\n'),
        ("keys.toml, line 2: y of why is the key of copy", '[keys]\nwhy = "y"\n'),
        ("keys.toml, line 2: Del of why is the key of destroy_marked", '[keys]\nwhy = "Del"\n'),
        ("keys.toml, line 2: q of destroy_marked is the key of leave", '[keys]\ndestroy_marked = "q"\n'),
        ("keys.toml, line 2: why has F9 twice", '[keys]\nwhy = ["F9", "F9"]\n'),
        ("keys.toml, line 3: T of datasets is the key of themes", '[keys]\n\ndatasets = "T"\n'),
        (
            "keys.toml, line 2: D of themes is the key of datasets and guest_dataset",
            '[keys]\nthemes = "D"\n',
        ),
        ("keys.toml, line 2: Enter always means open", '[keys]\ndestroy_marked = "Enter"\n'),
        ("keys.toml, line 2: j always means down", '[keys]\nwhy = "j"\n'),
        ("keys.toml, line 2: 'Hyper' is no key", '[keys]\nwhy = "Hyper"\n'),
        ("keys.toml, line 2: why must be a key or a list of keys", "[keys]\nwhy = 3\n"),
        ("keys.toml, line 1: why is not known here", 'why = "Q"\n'),
        ("keys.toml is not valid TOML", "[keys\n"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(expected: str, text: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_user_keys(text, SOURCE)

    assert error.value.message.startswith(expected)


def problem(text: str) -> ConfigError:
    """What is said of a file."""
    with pytest.raises(ConfigError) as error:
        parse_user_keys(text, SOURCE)
    return error.value


def test_everything_that_is_wrong_is_told_at_once() -> None:
    found = problem('[keys]\ndatasets = "Del"\ndestroy_marked = "D"\nfilters = "F9"\nwhy = 3\n')

    assert (
        "keys.toml, line 2: Del of datasets is the key of drop_scenario; line 3: D of destroy_marked is the "
        "key of guest_dataset; line 4: there is no action filters; line 5: why must be a key or a list of "
        "keys"
    ) == found.message
    assert ["line 2", "line 3", "line 4", "line 5"] == re.findall(r"line \d", found.hint)
    assert "line 4: did you mean filter?" in found.hint


def test_two_actions_of_the_file_with_one_key_are_told_once() -> None:
    found = problem('[keys]\nthemes = "F9"\ndatasets = "F9"\n')

    assert "keys.toml, line 2: F9 of themes is the key of datasets" == found.message


@pytest.mark.parametrize(
    ("meant", "name"),
    [("themes", "themse"), ("filter", "filters"), ("why_slow_disk", "why-slow-disk"), ("act", "scrub")],
)
def test_an_unknown_action_leads_to_the_one_that_is_meant_and_to_all_names(meant: str, name: str) -> None:
    hint = problem(f'[keys]\n{name} = "F9"\n').hint

    assert f"Did you mean {meant}" in hint
    assert "`zconsole keys --names` prints all names." in hint


def test_no_usual_key_is_lost_by_its_name() -> None:
    keys = {key for each in ACTIONS for key in each.usual_keys}

    assert set() == {key for key in keys if key != key_of_name(key_name(key))}


def test_the_footer_and_the_page_of_keys_show_the_user_s_own(usual: None) -> None:
    use_keys({"repair": ("Q",)})

    assert " Q repair " in plain(footer_line("pools", 400))
    assert any("Q " in plain(each) and action("repair").help in plain(each) for each in help_lines("pools"))
