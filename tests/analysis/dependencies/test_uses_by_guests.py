"""Uses by guests: one that is off is named with its definition, and blocks nothing by itself."""

from __future__ import annotations

import pytest

from zconsole.analysis.dependencies.uses_by_guests import named_below, use_by_guest
from zconsole.model.guests.image_in_definition import DefinedImage, GuestActivity
from zconsole.model.host.plan_facts import OutsideUse

PATH = "/tank/vm/web01.qcow2"


@pytest.mark.parametrize(
    ("kind", "detail", "is_running", "activity"),
    [
        ("guest", PATH, True, GuestActivity.RUNNING),
        ("guest", f"{PATH}, paused", True, GuestActivity.PAUSED),
        ("stopped guest", f"shut off; its definition names {PATH}", False, GuestActivity.OFF),
        (
            "saved guest",
            f"shut off, its memory saved; its definition names {PATH}",
            False,
            GuestActivity.SAVED,
        ),
    ],
)
def test_the_state_decides_what_a_guest_is_to_a_plan(
    kind: str, detail: str, is_running: bool, activity: GuestActivity
) -> None:
    use = use_by_guest(DefinedImage("web01", PATH, PATH, activity), "tank/vm")

    assert OutsideUse("tank/vm", kind, "web01", detail, path=PATH) == use
    assert is_running == use.is_running


def test_paths_below_a_mount_point_are_found_whatever_holds_them_at_present() -> None:
    uses = [OutsideUse("", "stopped guest", name, path=path) for name, path in (
        ("in", "/tank/vm/a"), ("beside", "/tank/vmx/a"), ("none", ""),
    )]  # fmt: skip

    assert ["in"] == [use.name for use in named_below("/tank/vm/", uses)]
