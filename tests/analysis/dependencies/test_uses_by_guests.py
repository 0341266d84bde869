"""Uses by guests: one that is off is named with its definition, and blocks nothing by itself."""

from __future__ import annotations

import pytest

from tests.doubles.plan_worlds import filesystem
from zconsole.analysis.dependencies.uses_by_guests import named_in_unmounted, use_by_guest
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


NAMES = [
    OutsideUse("", "stopped guest", name, path=path)
    for name, path in (("in", "/tank/vm/a"), ("beside", "/tank/vmx/a"), ("none", ""))
]


@pytest.mark.parametrize(
    ("found", "values"),
    [
        (["in"], {}),
        (["in"], {"mountpoint": "/tank/vm/"}),
        (["in"], {"canmount": None}),
        ([], {"is_mounted": True}),  # by what holds the path
        ([], {"is_mounted": None}),
        ([], {"canmount": "noauto"}),
        ([], {"canmount": "off"}),
        ([], {"mountpoint": "legacy"}),
        ([], {"mountpoint": "/", "canmount": "noauto"}),  # another boot environment
    ],
)
def test_paths_below_a_mount_point_are_of_what_would_be_mounted_there_by_itself(
    found: list[str], values: dict[str, object]
) -> None:
    dataset = filesystem("tank/vm", **{"is_mounted": False, "mountpoint": "/tank/vm", **values})

    assert found == [use.name for use in named_in_unmounted(dataset, NAMES)]
