"""Images that do not exist; what cannot be told is not called missing."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.errors import LinkLost
from zconsole.collect.guests.read_missing_images import read_missing_images
from zconsole.collect.privilege import Privilege, User
from zconsole.collect.read_command_runner import Asker

PATHS = ("/tank/a", "/dev/zvol/tank/b")
GONE = failed("ls", 2, b"ls: cannot access '/dev/zvol/tank/b': No such file or directory")


async def missing(answer: object) -> frozenset[str]:
    made = ScriptedHost()
    made.answers = {"ls -1dL": answer}  # type: ignore[dict-item]
    await made.connect()
    asker = Asker(made)
    return await read_missing_images(asker, Privilege(asker, User("root", 0)), PATHS)


async def test_what_ls_does_not_find_is_missing() -> None:
    assert {"/dev/zvol/tank/b"} == await missing(GONE)


@pytest.mark.parametrize("answer", [failed("ls", 127, b"ls: not found"), b"/tank/a\n"])
async def test_without_a_complaint_nothing_is_missing(answer: object) -> None:
    assert frozenset() == await missing(answer)


async def test_a_lost_link_is_told() -> None:
    with pytest.raises(LinkLost):
        await missing(LinkLost("cut"))
