"""What rests on a definition that libvirt does not print is refused with libvirt's own words."""

from __future__ import annotations

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from zconsole.practice.libvirt.guests import SHUT_OFF
from zconsole.practice.program_and_subcommand_table import answer

WORDS = "internal error: cannot parse the \x1b[31mdomain"


@pytest.fixture
def unread(nas: Acting) -> Acting:  # noqa: F811
    nas.host.world.lacking -= {"qemu-img"}
    assert 0 == answer(nas.host.world, ("zfs", "create", "tank/new")).status
    web01(nas).definition_error = WORDS
    return nas


@pytest.mark.parametrize(
    "words", [("rename", "tank/web01", "tank/web02"), ("guest-move", "web01", "tank/new/web01")], ids=" ".join
)
async def test_a_plan_that_changes_it_is_refused_with_what_libvirt_says(
    unread: Acting, words: tuple[str, ...]
) -> None:
    web01(unread).state = SHUT_OFF

    (refusal,) = [each for each in (await unread.plan(*words)).refusals if each.rule == "unread"]

    assert f"the stored definition of web01 could not be read: error: {WORDS}" == refusal.reason


@pytest.mark.parametrize(
    ("words", "options"),
    [(("guest-shutdown", "web01"), {}), (("export", "tank"), {"shut_down_guests": True})],
)
async def test_before_a_shutdown_it_is_told_that_the_guest_may_be_gone_after_it(
    unread: Acting, words: tuple[str, ...], options: dict[str, bool]
) -> None:
    made = await unread.plan(*words, **options)

    (told,) = [each for each in made.warnings if WORDS in each]
    assert "Without one it is gone once it is off" in told
    web01(unread).definition_error = ""
    again = await unread.plan(*words, **options)
    assert not any("stores a definition" in each for each in again.warnings)
