"""Images of a guest that is to be started."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from tests.doubles.plan_worlds import host
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.images_at_start import refuse_missing, warn_of_unread_chains
from zconsole.actions.plan import Risk
from zconsole.model.guests.guest import GuestState, Image, StoredDisk


def images(*disks: StoredDisk, chain: tuple[Image, ...] | None) -> Draft:
    """What is said of the images of a guest that is to be started."""
    guest, draft = guest_on("web01", *disks, state=GuestState.SHUT_OFF), Draft("start", "web01", Risk.ROUTINE)
    chains = tuple((each.disk.path, chain) for each in disks)
    refuse_missing(draft, guest)
    warn_of_unread_chains(draft, guest, host((), image_chains=chains))
    return draft


def test_images_that_cannot_be_opened_are_a_caution() -> None:
    sound = images(on_files("tank/vm"), chain=(Image("/tank/vm/0.qcow2"),))
    bad = images(on_files("tank/vm"), chain=None)

    assert (Risk.ROUTINE, []) == (sound.risk, sound.warnings)
    assert Risk.CAUTION is bad.risk
    assert (
        "cannot be opened by qemu-img: web01 may not start. zconsole guests web01 says why" in bad.warnings[0]
    )


@pytest.mark.parametrize(("policy", "is_refused"), [("optional", False), ("mandatory", True), ("", True)])
def test_a_medium_that_is_gone_hinders_the_start_unless_it_may_be(policy: str, *, is_refused: bool) -> None:
    disk = on_volume("tank/iso", device="cdrom", startup_policy=policy)
    gone = replace(disk, images=(replace(disk.images[0], is_missing=True),))

    made = images(gone, chain=None)

    assert is_refused is bool(made.refusals)
    assert is_refused is not any("it starts without (startupPolicy=optional)" in each for each in made.notes)
