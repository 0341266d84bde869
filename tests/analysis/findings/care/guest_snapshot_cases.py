"""Guests on datasets with and without snapshots."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW
from tests.analysis.findings.guest_disk_cases import GIB, of_guests
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Severity
from zconsole.model.guests.guest import SESSION, Guest, GuestState
from zconsole.model.host.host_state import HostState

DAY, MIB = 86400, 1 << 20
LEFT_OUT = "guest-without-snapshots"
UNFROZEN = "guest-without-agent-channel"
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


def silent(guest: Guest, *, is_with_channel: bool = False) -> Guest:
    """A guest with or without a channel for its agent."""
    return replace(guest, definition=replace(guest.definition, has_agent_channel=is_with_channel))


def unfrozen(
    *guests: Guest,
    volume: DatasetSettings = taken(1),  # noqa: B008 - a value that never changes
    others: tuple[DatasetSettings, ...] = (),
) -> HostState:
    """Guests without a channel, on a volume with snapshots unless told otherwise."""
    made = guests or (silent(guest_on("web01", on_volume(volume.name, cache="none"))),)
    return of_guests(*made, settings=(volume, *others))


def mail_and_web(
    images: DatasetSettings = IMAGES,
    volume: DatasetSettings = taken(1),  # noqa: B008 - a value that never changes
    *others: DatasetSettings,
    state: GuestState = GuestState.RUNNING,
) -> HostState:
    """Guest mail01 on an image in a file, and web01 on a volume."""
    return of_guests(
        silent(guest_on("mail01", on_files(images.name), state=state), is_with_channel=True),
        silent(guest_on("web01", on_volume(volume.name, cache="none")), is_with_channel=True),
        settings=(images, volume, *others),
    )


def _of_session() -> Guest:
    guest = silent(guest_on("web", on_volume(VOLUME.name, cache="none")))
    return replace(guest, definition=replace(guest.definition, connection=SESSION))


SPEAKING: list[tuple[str, Severity, str, HostState]] = [
    (
        LEFT_OUT,
        Severity.INFO,
        (
            "no snapshot of tank/vm/images is known, now or before (13.0 GiB), which guest mail01 writes to; "
            "tank/vm/web01, of other guests, has recent ones"
        ),
        mail_and_web(),
    ),
    (
        UNFROZEN,
        Severity.INFO,
        (
            "guest web01 has no channel for a guest agent: snapshots of its storage are crash-consistent, as "
            "after a power failure"
        ),
        unfrozen(),
    ),
    (
        UNFROZEN,
        Severity.INFO,
        "guests db, web01 have no channel for a guest agent: snapshots of their storage are crash-consistent",
        unfrozen(
            silent(guest_on("web01", on_volume(VOLUME.name, cache="none"))),
            silent(guest_on("db", on_files(IMAGES.name))),
            others=(taken(2, IMAGES),),
        ),
    ),
]
SILENT: list[tuple[str, HostState]] = [
    ("guests of which all have snapshots", mail_and_web(taken(0.1, IMAGES))),
    (
        "a guest without a channel of whose two disks one is not snapshotted",
        unfrozen(
            silent(
                guest_on("web", on_volume(VOLUME.name, cache="none"), on_files(IMAGES.name, target="vdb"))
            ),
            others=(replace(IMAGES, own_bytes=0),),
        ),
    ),
    ("a guest without a channel in another libvirt than the system's", unfrozen(_of_session())),
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
UNFROZEN_EDGES: list[tuple[HostState, HostState]] = [
    (unfrozen(volume=taken(35)), unfrozen(volume=taken(35.1))),
    (
        unfrozen(silent(guest_on("web01", on_volume(VOLUME.name, cache="none")))),
        unfrozen(silent(guest_on("web01", on_volume(VOLUME.name, cache="none")), is_with_channel=True)),
    ),
    (
        unfrozen(silent(guest_on("web01", on_volume(VOLUME.name, cache="none")))),
        unfrozen(silent(guest_on("web01", on_volume(VOLUME.name, cache="none"), state=GuestState.SHUT_OFF))),
    ),
]
