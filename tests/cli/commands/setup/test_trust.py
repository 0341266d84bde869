"""Keys of hosts that were compared are remembered."""

from __future__ import annotations

import pytest

from tests.cli.fakes import Screen, nas, reach
from zconsole.base.errors import HostKeyChanged, HostKeyUnknown
from zconsole.cli import run

FINGERPRINT = "SHA256:abcdefgh"


@pytest.mark.parametrize("words", [["status"], ["check"], ["iostat"]])
def test_an_unknown_host_key_is_told_with_the_command_that_accepts_it(
    words: list[str], mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    host = nas("healthy-mirrors", "nas1")
    host.connect_errors = [HostKeyUnknown("nas1", FINGERPRINT, hint="asked on the screen")]
    reach(mp, nas1=host)

    assert 3 == run([*words, "--host", "nas1"])
    out, err = capsys.readouterr()
    assert f"zconsole trust nas1 {FINGERPRINT}" in out + err
    assert [] == host.commands


def test_trust_remembers_the_key_that_was_compared(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "nas1")
    accepted: list[str] = []

    async def accept_key(fingerprint: str) -> None:
        accepted.append(fingerprint)
        if fingerprint != FINGERPRINT:
            raise HostKeyChanged("nas1 shows another key now")

    host.accept_key = accept_key  # type: ignore[attr-defined]
    reach(mp, nas1=host, local=nas("healthy-mirrors", "local"))

    assert 0 == run(["trust", "nas1", FINGERPRINT])
    assert 3 == run(["trust", "nas1", "SHA256:other"])
    assert [FINGERPRINT, "SHA256:other"] == accepted
    out, err = capsys.readouterr()
    assert out == f"nas1 is known now by {FINGERPRINT}\n"
    assert "another key" in err
    assert 2 == run(["trust", "local", FINGERPRINT])
