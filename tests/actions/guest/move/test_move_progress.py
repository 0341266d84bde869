"""Settings that a copy is to have, and the snapshot that an interrupted receive was to bring."""

from __future__ import annotations

import pytest

from tests.doubles.plan_worlds import filesystem, host, volume
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.move_progress import settings_of, snapshot_of_token
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
