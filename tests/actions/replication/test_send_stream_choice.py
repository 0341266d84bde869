"""Which stream takes a snapshot into a dataset."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import rules
from tests.actions.replication.ends import A_THERE, COPY, SOURCE, fed, received, world


def test_of_a_dataset_the_newest_snapshot_is_sent() -> None:
    assert fed(received(world(), "tank/home")).endswith(" tank/home@c")


def test_a_bookmark_is_built_on_where_the_snapshot_is_gone() -> None:
    source = tuple(each for each in SOURCE if each.name != "tank/home@a")

    made = received(world(COPY, A_THERE, source=source), intermediates=True)

    assert "zfs send -L -e -c -i tank/home#a tank/home@b" == fed(made)
    assert any("is a bookmark" in note for note in made.notes)


def test_snapshots_between_go_along_when_that_is_asked_for() -> None:
    facts = world(COPY, A_THERE)

    assert fed(received(facts, "tank/home@c")).endswith("-i tank/home@a tank/home@c")
    assert any("--intermediates" in note for note in received(facts, "tank/home@c").notes)
    assert fed(received(facts, "tank/home@c", intermediates=True)).endswith("-I tank/home@a tank/home@c")


@pytest.mark.parametrize(
    ("source", "target", "argv", "rule"),
    [
        ({"encryption": "aes-256-gcm", "keystatus": "unavailable"}, None, "-w", ""),
        ({"encryption": "aes-256-gcm"}, {"encryption": "aes-256-gcm", "keystatus": "unavailable"}, "-w", ""),
        ({"encryption": "aes-256-gcm", "keystatus": "available"}, {}, "-L", ""),
        ({"encryption": "aes-256-gcm", "keystatus": "unavailable"}, {}, "-L", "locked"),
        ({}, {"encryption": "aes-256-gcm", "keystatus": "unavailable"}, "-L", "locked"),
    ],
)
def test_what_is_encrypted_travels_as_it_is(
    source: dict[str, str], target: dict[str, str] | None, argv: str, rule: str
) -> None:
    sent = tuple(replace(each, **source) if each.name == "tank/home" else each for each in SOURCE)
    here = () if target is None else (replace(COPY, **target), A_THERE)

    made = received(world(*here, source=sent))

    assert argv == fed(made).split()[2]
    assert ([rule] if rule else []) == rules(made)
