"""Answers of a real agent through libvirt 9.0, and what is none."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.system.libvirt.agent_commands import freeze_status, parse_freeze_status

UUID = "8f14e45f-ceea-467f-a0e0-000000000001"


@pytest.mark.parametrize("status", ["thawed", "frozen"])
def test_the_status_is_read(status: str) -> None:
    assert status == parse_freeze_status(f'{{"return":"{status}"}}\n\n')


@pytest.mark.parametrize(
    "text", ["", "\n", "{}", '{"return":{}}', '{"return":"melted"}', '{"return":"froz', "[" * 5000]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_freeze_status(text)


def test_it_is_asked_with_a_deadline_and_by_uuid() -> None:
    argv = freeze_status(UUID).argv

    assert "--timeout" in argv
    assert UUID in argv
    assert "-r" not in argv, "libvirt forbids it to readers"
