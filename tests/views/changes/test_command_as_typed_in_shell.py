"""Commands as they are typed."""

from __future__ import annotations

from zconsole.views.changes.command_as_typed_in_shell import piped, typed
from zconsole.views.layout.styled_text import Line


def text(line: Line) -> str:
    return "".join(span.text for span in line)


def test_a_command_can_be_pasted_into_a_shell() -> None:
    assert "zfs destroy 'tank/a b'" == text(typed(("zfs", "destroy", "tank/a b")))


def test_what_feeds_a_command_stands_before_it_with_its_host() -> None:
    send, receive = typed(("zfs", "send", "x")), typed(("zfs", "receive", "y"))

    assert "zfs send x | zfs receive y" == text(piped(send, "", receive))
    assert "zfs send x (on nas1) | zfs receive y" == text(piped(send, "nas1", receive))


def test_a_name_that_would_steer_the_terminal_does_not() -> None:
    assert "\x1b" not in text(typed(("zfs", "destroy", "tank/\x1b[2J")))
