"""Guests on datasets with and without snapshots."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW
from tests.analysis.findings.guest_disk_cases import GIB, of_guests
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Severity
from zconsole.model.guests.guest import GuestState
from zconsole.model.host.host_state import HostState

DAY, MIB = 86400, 1 << 20
LEFT_OUT = "guest-without-snapshots"
IMAGES = DatasetSettings(
    "tank/vm/images",
    "filesystem",
    creation=int(NOW) - 400 * DAY,
    tells_snapshots_changed=True,
    own_bytes=13 * GIB,
    by_snapshots_bytes=0,
)
VOLUME = replace(IMAGES, name="tank/vm/web01", type="volume")


def taken(days_ago: float, of: DatasetSettings = VOLUME) -> DatasetSettings:
    """A dataset with its newest snapshot so old."""
    return replace(of, snapshots_changed=round(NOW - days_ago * DAY))


def mail_and_web(
    images: DatasetSettings = IMAGES,
    volume: DatasetSettings = taken(1),  # noqa: B008 - a value that never changes
    *others: DatasetSettings,
    state: GuestState = GuestState.RUNNING,
) -> HostState:
    """Guest mail01 on an image in a file, and web01 on a volume."""
    return of_guests(
        guest_on("mail01", on_files(images.name), state=state),
        guest_on("web01", on_volume(volume.name)),
        settings=(images, volume, *others),
    )


SPEAKING: list[tuple[str, Severity, str, HostState]] = [
    (
        LEFT_OUT,
        Severity.INFO,
        (
            "no snapshot was ever taken of tank/vm/images (13.0 GiB), which guest mail01 writes to; "
            "tank/vm/web01, of other guests, has recent ones"
        ),
        mail_and_web(),
    ),
]
SILENT: list[tuple[str, HostState]] = [
    ("guests of which all have snapshots", mail_and_web(taken(0.1, IMAGES))),
    ("a guest in a folder of scratch data", mail_and_web(replace(IMAGES, name="tank/scratch/images"))),
]
EDGES: list[tuple[HostState, HostState]] = [
    (mail_and_web(), mail_and_web(state=GuestState.SHUT_OFF)),
    (mail_and_web(IMAGES, taken(35)), mail_and_web(IMAGES, taken(35.1))),
    (
        mail_and_web(replace(IMAGES, own_bytes=64 * MIB)),
        mail_and_web(replace(IMAGES, own_bytes=64 * MIB - 1)),
    ),
]
