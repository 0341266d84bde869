"""Whatever is typed, a command answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.practice.zfs.stage import Stage, golden_image
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply, Sending, Taking
from zconsole.practice.zfs_change_commands import CHANGES

WORDS = st.sampled_from(
    [
        *(
            "-r",
            "-R",
            "-n",
            "-v",
            "-p",
            "-f",
            "-d",
            "-a",
            "-u",
            "-l",
            "-i",
            "-o",
            "-V",
            "-s",
            "-e",
            "-nvP",
            "-S",
        ),
        *(
            "tank",
            "tank/home",
            "tank/home/ann",
            "tank/images",
            "tank/vm1",
            "tank/vm-disk0",
            "tank/new",
            "other/x",
        ),
        *("tank/images@gold", "tank/home/ann@daily-1", "tank/home@%", "tank/vm1@patched", "tank/new@x", "@x"),
        *(
            "tank/home#b",
            "#b",
            "quota=1G",
            "mountpoint=none",
            "volsize=1G",
            "com.example:x=y",
            "atime",
            "quota",
        ),
        *(
            "keep",
            "operator",
            "snapshot,destroy",
            "1G",
            "tank/",
            "/tank/home",
            "",
            "--",
            "tank//x",
            "tank/a b",
        ),
        *("refreservation=auto", "encryption=on", "keyformat=passphrase", "-", "\x1b[31m", "100%", "-x"),
    ]
)


@settings(max_examples=200, deadline=None)
@given(
    lines=st.lists(
        st.tuples(st.sampled_from(sorted(CHANGES)), st.lists(WORDS, max_size=4)), min_size=1, max_size=6
    ),
    user=st.sampled_from((0, 1000)),
    stdin=st.sampled_from((b"", b"correct horse battery\n", b"\xff\n")),
)
def test_each_line_ends_with_a_status_and_a_reason(
    lines: list[tuple[str, list[str]]], user: int, stdin: bytes
) -> None:
    stage = golden_image()
    stage.world.user_id = user

    for command, words in lines:
        reply = answer(stage.world, ["zfs", command, *words], stdin)
        if isinstance(reply, Taking):
            reply = reply.feed(stdin) or reply.end()
        if isinstance(reply, Sending):
            assert b"".join(reply.chunks)
            reply = reply.reply

        assert isinstance(reply, Reply)
        assert reply.status in {0, 1, 2, 255}
        assert reply.stderr or reply.status == 0, (command, words)
    assert stage.names()


@pytest.mark.parametrize("command", sorted(set(CHANGES) - {"mount"}))
def test_a_bare_command_says_how_it_is_used(command: str) -> None:
    status, words = Stage().refuses(f"zfs {command}")

    assert 2 == status
    assert "usage:\n\t" in words
