"""The user's own keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from zconsole.base.errors import ConfigError
from zconsole.views.layout.key_help import footer_line, help_lines
from zconsole.views.layout.screen_key_registry import ACTIONS, action, key_name, key_of_name, use_keys
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.user_keys_file import keys_that_hold

SOURCE = "keys.toml"


def parse_user_keys(text: str, source: str) -> dict[str, tuple[str, ...]]:
    """The keys of a file of which no line is wrong."""
    found = keys_that_hold(text, source)
    if found.problem is not None:
        raise found.problem
    return dict(found.keys)


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
        ("keys.toml, line 1: this is not valid TOML", "[keys\n"),
        ("keys.toml, line 3: this is not valid TOML", '[keys]\nwhy = "Q"\nthemes = F9\n'),
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
    found = problem('[keys]\ndatasets = "Del"\ndestroy_marked = "y"\nfilters = "F9"\nwhy = 3\n')

    assert (
        "keys.toml, line 2: Del of datasets is the key of destroy_marked and drop_scenario; line 3: y of "
        "destroy_marked is the key of copy; line 4: there is no action filters; line 5: why must be a key or "
        "a list of keys"
    ) == found.message
    assert ["line 2", "line 3", "line 4", "line 5"] == re.findall(r"line \d", found.hint)
    assert "line 4: did you mean filter?" in found.hint


@pytest.mark.parametrize(
    ("held", "line", "text"),
    [
        ({"themes": "f9"}, 2, '[keys]\nwhy = "y"\nthemes = "F9"\n'),
        ({"themes": "f9"}, 2, '[keys]\nwhy = Q\nthemes = "F9"\n'),
        ({"themes": "f9"}, 3, '[keys]\nthemes = "F9"\nthemse = "F4"\n'),
        ({"themes": "f9"}, 3, '[keys]\nthemes = "F9"\nthemes = "F4"\n'),
        ({"themes": "f9"}, 1, 'why = "Q"\n[keys]\nthemes = "F9"\n'),
        ({"datasets": "f9", "guest_dataset": "f9"}, 2, '[keys]\nthemes = "F9"\ndatasets = "F9"\n'),
        ({}, 3, '[keys]\ndatasets = "T"\nthemes = "y"\n'),
        ({}, 1, "[keys\nthemes = 3\n"),
    ],
)
def test_the_other_lines_hold_where_one_is_wrong(held: dict[str, str], line: int, text: str) -> None:
    """An action whose line is wrong keeps its usual keys, also where another one was to have them."""
    found = keys_that_hold(text, SOURCE)

    assert {name: (key,) for name, key in held.items()} == found.keys
    assert found.problem is not None
    assert re.search(rf"line {line}\b", found.problem.message)
    assert found.problem.hint


@pytest.mark.parametrize(
    ("siblings", "text"),
    [
        ({"why", "why_slow_disk", "in_full"}, '[keys]\nwhy = "F9"\n'),
        ({"datasets", "guest_dataset"}, '[keys]\nguest_dataset = "F9"\n'),
        ({"why", "in_full"}, '[keys]\nwhy = "F9"\nwhy_slow_disk = "w"\n'),
    ],
)
def test_a_key_is_given_to_an_action_and_to_those_of_other_screens_that_mean_the_same(
    siblings: set[str], text: str
) -> None:
    found = parse_user_keys(text, SOURCE)

    assert siblings == {name for name, keys in found.items() if keys == ("f9",)}


def test_two_actions_change_their_keys_with_each_other_by_a_line_each() -> None:
    found = parse_user_keys('[keys]\ndatasets = "Del"\ndestroy_marked = "D"\n', SOURCE)

    assert (("delete",), ("D",)) == (found["guest_dataset"], found["drop_scenario"])


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
