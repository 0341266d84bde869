"""A short walk over the keys of the real program; `python -m tests.scenarios.walks.walk` walks 20,000."""

from __future__ import annotations

import shlex
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scenarios.moving_world.notes import Noted, unconfirmed
from tests.scenarios.walks.walk import KINDS, Walk, sessions, walk
from tests.scenarios.walks.walked_keys import key_pool
from tests.ui.states import entries

KEYS = 120


@pytest.mark.slow
def test_a_walk_ends_no_console_and_changes_nothing_that_was_not_confirmed() -> None:
    """On hosts of each kind at once: most of a walk is waiting."""
    with ThreadPoolExecutor(len(KINDS)) as pool:
        walks = [pool.submit(walk, kind, seed, KEYS) for seed, kind in enumerate(KINDS, start=7)]
        walked = [each.result() for each in walks]

    assert [] == [str(failure) for each in walked for failure in each.failures]
    assert [KEYS] * len(KINDS) == [each.keys for each in walked]


def test_a_change_that_no_run_has_is_found() -> None:
    entry = entries()[0]
    argv = entry.steps[0].argv
    known = shlex.join(argv)
    journal = (replace(entry, steps=(replace(entry.steps[0], sent_argv=("sudo", *argv)),)),)

    assert [] == unconfirmed(Noted(changes=[known, f"sudo {known}"], journal=journal))
    assert ["zfs destroy tank"] == unconfirmed(Noted(changes=[known, "zfs destroy tank"], journal=journal))


def test_the_same_seed_makes_the_same_moves(tmp_path: Path) -> None:
    first, again = (Walk("demo", 3, 1, tmp_path)._random.choices(key_pool(), k=50) for _ in range(2))

    assert first == again


def test_all_keys_are_walked_in_sessions_with_seeds_of_their_own() -> None:
    found = list(sessions(20_000, KINDS, 5))

    assert 20_000 == sum(keys for _, _, keys in found)
    assert len(found) == len({seed for _, seed, _ in found})
    assert set(KINDS) == {kind for kind, _, _ in found}
