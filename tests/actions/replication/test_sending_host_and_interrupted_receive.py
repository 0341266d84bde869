"""What an intent says of the sender, and what can be done with an interrupted receive."""

from __future__ import annotations

import pytest

from tests.actions.replication.ends import world
from zconsole.actions.intent import intent
from zconsole.actions.replication.sending_host_and_interrupted_receive import (
    ABORT,
    FROM,
    RESUME,
    alternatives,
    host_of,
    options_of,
    token_of,
)
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN


@pytest.mark.parametrize(("text", "token"), [("1-abc", "1-abc"), ("-", ""), ("", "")])
def test_a_dash_is_no_token(text: str, token: str) -> None:
    assert token == token_of("vault/home", world(properties=(("vault/home", TOKEN, text, "-"),)))
    assert not token_of("vault/other", world())


def test_without_a_host_the_receiver_sends_itself() -> None:
    own = intent("receive", "vault/home", "tank/home@b")

    assert ("", {}) == (host_of(own), options_of(own))


def test_to_go_on_asks_the_same_host_again() -> None:
    wanted = intent("receive", "vault/home", "tank/home@b", options={FROM: "nas1"})

    (_, resume), (_, abort) = alternatives("vault/home", wanted)

    assert (RESUME, "nas1") == (resume.action, host_of(resume))
    assert (ABORT, "") == (abort.action, host_of(abort))
