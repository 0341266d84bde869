"""What a real OpenZFS 2.4 said to commands that it refused, word for word."""

from __future__ import annotations

import re

import pytest

from tests.practice.laboratory import captured
from tests.practice.zfs.stage import golden_image

ANSWER = re.compile(r"^\$ (zfs .*)\n((?:(?!\$ ).*\n)*?rc=\d+)$", re.MULTILINE)
ANSWERS = dict(ANSWER.findall(captured("refusals.txt")))


def test_there_are_captured_answers() -> None:
    assert 8 < len(ANSWERS)


@pytest.mark.parametrize("command", sorted(set(ANSWERS) - {"zfs list nosuch/x"}))
def test_the_words_and_the_status_are_those_of_the_real_one(command: str) -> None:
    """Both outputs went into one file there; the bytes that a file took differ a little."""
    reply = golden_image().run(command)

    said = f"{reply.stderr}{reply.stdout}rc={reply.status}"
    assert re.sub(r"reclaim\t[1-9]\d+", "reclaim\tsome", ANSWERS[command]) == re.sub(
        r"reclaim\t[1-9]\d+", "reclaim\tsome", said
    )


def test_the_dry_run_of_a_destroy_with_clones_leaves_the_clones_out() -> None:
    """As in real ZFS; the destroy itself takes them all."""
    stage = golden_image()

    told = stage.does("zfs destroy -nvR tank/images@gold")
    stage.does("zfs destroy -R tank/images@gold")

    assert "would destroy tank/images@gold\nwould reclaim 0B\n" == told
    assert not {name for name in stage.names() if name.startswith("tank/vm") and "disk" not in name}
