"""Settings that a copy is to have, and the snapshot that an interrupted receive was to bring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.plan_worlds import GIB, filesystem, host, snapshot, volume
from tests.zfs.stream.test_resume_token import token as packed_token
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.move_progress import (
    MoveProgress,
    remaining_bytes,
    settings_of,
    snapshot_of_token,
)
from zconsole.actions.plan import Risk

FILES, VOLUME = filesystem("tank/web01"), volume("tank/web01")


def test_only_what_was_set_at_the_source_itself_is_taken_along() -> None:
    facts = host(
        [FILES],
        properties=(
            ("tank/web01", "compression", "zstd", "local"),
            ("tank/web01", "atime", "off", "inherited from tank"),
            ("tank/web01", "recordsize", "64K", "received"),
            ("tank/web01", "mountpoint", "/srv", "local"),
            ("tank/other", "sync", "always", "local"),
        ),
    )

    assert ("compression=zstd", "recordsize=64K") == settings_of(FILES, facts)


def test_a_volume_keeps_its_reservation_and_has_no_settings_of_file_systems() -> None:
    facts = host(
        [VOLUME],
        properties=(
            ("tank/web01", "refreservation", "1G", "local"),
            ("tank/web01", "atime", "off", "local"),
        ),
    )

    assert ("refreservation=1G",) == settings_of(VOLUME, facts)


@pytest.mark.parametrize("token", ["nonsense", "1-2-3-4"])
def test_a_token_that_cannot_be_read_refuses_the_move(token: str) -> None:
    draft = Draft("move", "web01", Risk.CAUTION)

    assert "" == snapshot_of_token(draft, token, FILES, FILES, host([FILES]))
    assert ["token"] == [each.rule for each in draft.refusals]


def token(guid: int, base: int | None, received: int | None) -> str:
    """The token of a receive that was to bring the snapshot with this guid."""
    values = {"toname": "tank/web01@x", "toguid": guid, "fromguid": base, "bytes": received}
    return packed_token(**{key: value for key, value in values.items() if value is not None})  # type: ignore[arg-type]


TAKEN = [
    snapshot("tank/web01@a", 1, guid=1, referenced_bytes=8 * GIB, written_bytes=8 * GIB),
    snapshot("tank/web01@b", 2, guid=2, referenced_bytes=9 * GIB, written_bytes=2 * GIB),
    snapshot("tank/web01@c", 3, guid=3, referenced_bytes=9 * GIB, written_bytes=3 * GIB),
]
SOURCE = volume("tank/web01", referenced_bytes=10 * GIB, written_bytes=GIB)


@pytest.mark.parametrize(
    ("rest", "progress"),
    [
        (10 * GIB, MoveProgress()),
        (GIB, MoveProgress("c")),
        (4 * GIB, MoveProgress("b")),
        (6 * GIB, MoveProgress("a")),
        (None, MoveProgress("gone")),
        (5 * GIB + 2 * GIB + 3 * GIB + GIB, MoveProgress("", token(1, None, 3 * GIB), "a")),
        (2 * GIB + 3 * GIB + GIB - GIB, MoveProgress("a", token(2, 1, GIB), "b")),
        (5 * GIB + GIB - GIB, MoveProgress("a", token(3, 1, GIB), "c")),
        (GIB, MoveProgress("b", token(3, 2, 9 * GIB), "c")),  # more than was expected
        (None, MoveProgress("a", token(2, 1, None), "b")),
        (None, MoveProgress("", "nonsense", "")),
    ],
)
def test_what_remains_is_what_the_target_has_not(rest: int | None, progress: MoveProgress) -> None:
    assert rest == remaining_bytes(SOURCE, progress, host([SOURCE, *TAKEN]))


def test_what_was_written_since_is_not_known_without_the_sizes() -> None:
    bare = [replace(each, written_bytes=None) for each in TAKEN]

    assert remaining_bytes(SOURCE, MoveProgress("a"), host([SOURCE, *bare])) is None
