"""The paragraphs of status and action beside real ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured
from zconsole.practice.world import status_messages

STATES = sorted(
    path.parent
    for path in (CAPTURES / "2.4").glob("*/zpool_status.json")
    if path.stat().st_size and (path.parent / "zpool_status_v.txt").exists()
)


@pytest.mark.parametrize("folder", STATES, ids=lambda folder: folder.name)
def test_every_paragraph_that_zfs_writes_of_these_conditions_is_known(folder: Path) -> None:
    """The words of the captures are the words of the practice host, to the byte."""
    known = {
        (words.status, words.action, words.message)
        for words in vars(status_messages).values()
        if isinstance(words, status_messages.StatusAdvice)
    }
    known_states = {words[0] for words in known}

    for pool in json.loads(captured("zpool_status.json", folder))["pools"].values():
        if pool.get("status") in known_states:
            assert (pool["status"], pool["action"], pool.get("msgid")) in known
