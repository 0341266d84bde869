"""The bell and the title of a terminal: known sequences, and the title from before comes back."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui import states
from tests.ui.frames import make_app
from tests.ui.terminal.console import CONSOLE
from tests.ui.terminal.tty import Tty
from zconsole.base.notifications.alert_settings import CallSettings
from zconsole.ui.terminal.bell_and_title import (
    BELL,
    BRING_BACK_TITLE,
    KEEP_TITLE,
    Attention,
    attention_of,
    notification_of,
    notification_text,
    title_text,
)
from zconsole.ui.terminal.driver import ConsoleDriver


def test_a_call_rings_and_titles_and_the_title_from_before_comes_back() -> None:
    sent: list[str] = []
    attention = Attention(sent.append, "xterm-256color")

    attention.call("vault: the resilver ended")
    attention.call("vault: a second disk failed")
    attention.settle()
    attention.settle()

    assert [
        BELL,
        KEEP_TITLE,
        "\x1b]2;vault: the resilver ended\x07",
        BELL,
        "\x1b]2;vault: a second disk failed\x07",
        BRING_BACK_TITLE,
    ] == sent


@pytest.mark.parametrize("term", ["linux", "dumb", "vt220", ""])
def test_a_terminal_without_a_title_only_rings(term: str) -> None:
    sent: list[str] = []
    attention = Attention(sent.append, term)

    attention.call("the resilver ended")
    attention.settle()

    assert [BELL] == sent


def test_a_long_title_is_cut_behind_a_word_and_keeps_its_count() -> None:
    words = "CRITICAL zconsole practice tank: guest shop01 is paused by an I/O error: no space left (+2)"

    assert "CRITICAL zconsole practice tank: guest shop01 is paused by an I/O ... (+2)" == title_text(words)
    assert 80 == len(title_text("x" * 300))


def test_the_same_title_is_sent_once() -> None:
    """It is looked at each second."""
    sent: list[str] = []
    attention = Attention(sent.append, "xterm-256color")

    attention.title("vault: no redundancy left")
    attention.title("vault: no redundancy left")
    attention.settle()
    attention.title("vault: no redundancy left")

    assert 2 == sent.count("\x1b]2;vault: no redundancy left\x07")


@given(st.text(max_size=300))
def test_no_name_from_a_host_ends_the_sequence_early(words: str) -> None:
    assert re.fullmatch(r"[ -~]{0,80}", title_text(words))


@given(st.text(max_size=300))
def test_no_name_from_a_host_ends_a_notification_early_or_is_a_progress_bar(words: str) -> None:
    text = notification_text(words)
    assert re.fullmatch(r"[ -:<-~]{1,211}", text)
    assert text[0].isalpha()


@pytest.mark.parametrize(
    ("expected", "environment"),
    [
        ("osc9", {"TERM": "xterm-kitty"}),
        ("osc9", {"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}),
        ("osc9", {"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}),
        ("osc9", {"TERM": "xterm-256color", "WT_SESSION": "a"}),
        ("osc777", {"TERM": "foot-extra"}),
        ("osc777", {"TERM": "rxvt-unicode-256color"}),
        ("off", {"TERM": "xterm-256color"}),
        ("off", {"TERM": "linux"}),
        ("off", {}),
    ],
)
def test_notifications_go_to_terminals_that_are_known_to_take_them(
    expected: str, environment: dict[str, str]
) -> None:
    assert expected == notification_of(environment)


@pytest.mark.parametrize(
    ("expected", "settings", "environment"),
    [
        ("\x1b]9;disk failed\x07", CallSettings(), {"TERM": "xterm-kitty"}),
        ("\x1b]777;notify;zconsole;disk failed\x07", CallSettings(notification="osc777"), {"TERM": "vt100"}),
        ("", CallSettings(notification="off"), {"TERM": "xterm-kitty"}),
        ("", CallSettings(notification="osc9"), {"TERM": "tmux-256color"}),
        ("", CallSettings(), {"TERM": "xterm-kitty", "TMUX": "/run/tmux,1,0"}),
        (
            "\x1bPtmux;\x1b\x1b]9;disk failed\x07\x1b\\",
            CallSettings(notification="osc9", passes_through_tmux=True),
            {"TERM": "tmux-256color", "TMUX": "/run/tmux,1,0"},
        ),
    ],
)
def test_what_is_sent_is_as_the_user_has_set_it(
    expected: str, settings: CallSettings, environment: dict[str, str]
) -> None:
    sent: list[str] = []
    attention_of(sent.append, environment, replace(settings, has_title=False)).call("disk failed")
    assert [BELL, *([expected] if expected else [])] == sent


def test_without_bell_and_title_nothing_is_sent_and_nothing_to_a_terminal_in_front() -> None:
    sent: list[str] = []
    quiet = CallSettings(has_bell=False, has_title=False, notification="osc9")
    attention = attention_of(sent.append, {"TERM": "xterm"}, quiet)
    attention.has_focus = True
    attention.call("disk failed")
    attention.settle()
    assert [] == sent


@pytest.mark.slow
def test_a_failed_disk_rings_titles_and_notifies_a_real_terminal_unless_it_is_in_front() -> None:
    with Tty(CONSOLE, "alert", TERM="xterm-kitty", TMUX="") as tty:
        tty.until_shown("! ")
        sent = tty.sent.decode()
        assert f"{BELL}\x1b]9;CRITICAL zconsole storage1 " in sent
        assert f"{KEEP_TITLE}\x1b]2;CRITICAL zconsole storage1 " in sent
        assert 1 == sent.count(BELL + "\x1b]9;")
        tty.type("!")
        tty.until_shown("WHEN")
        tty.type("Z")
        tty.until_shown("acknowledged")
        assert BRING_BACK_TITLE not in tty.sent.decode(), "the pool is as it was"
    with Tty(CONSOLE, "alert", TERM="xterm-kitty", TMUX="") as tty:
        tty.until_shown(" storage1")
        tty.type("\x1b[I")  # the terminal says that it is in front
        tty.until_shown("! ")
        assert "\x1b]9;" not in tty.sent.decode()
        assert BELL in tty.sent.decode()


@pytest.mark.slow
def test_the_end_of_a_resilver_rings_and_titles_a_real_terminal_and_the_title_is_given_back() -> None:
    with Tty(CONSOLE, "repair") as tty:
        tty.until_shown("R bulk: the resilver ended")
        assert f"{BELL}\x1b]2;zconsole storage1 bulk: the resilver ended" in tty.sent.decode()
        assert 1 == tty.sent.decode().count(KEEP_TITLE)
        tty.process.terminate()
        tty.wait(5)

        assert tty.sent.decode().rindex(BRING_BACK_TITLE) > tty.sent.decode().rindex(KEEP_TITLE)


@pytest.mark.slow
def test_a_console_of_sound_pools_leaves_the_title_alone() -> None:
    with Tty(CONSOLE, "healthy") as tty:
        tty.until_shown("nothing to report")
        tty.process.terminate()
        tty.wait(5)

        assert KEEP_TITLE not in tty.sent.decode()
        assert BRING_BACK_TITLE not in tty.sent.decode()


async def test_changed_settings_of_calls_hold_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    app = make_app(states.healthy())
    driver = ConsoleDriver(app)
    monkeypatch.setattr(driver, "write", sent.append)
    monkeypatch.setattr(app, "_driver", driver)
    attention = app.attention()
    assert attention is not None
    attention.has_focus = True
    attention.call("tank: DEGRADED")
    assert BELL in sent
    sent.clear()

    app.use_setting("alerts.bell", replace(app.config, calls=CallSettings(has_bell=False)))
    renewed = app.attention()
    assert renewed is not None
    renewed.call("tank: DEGRADED")

    assert [BRING_BACK_TITLE, KEEP_TITLE] == sent[:2]
    assert BELL not in sent
    assert renewed.has_focus
