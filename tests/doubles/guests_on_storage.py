"""Guests made by hand, with their disks on datasets and volumes."""

from __future__ import annotations

from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)

KIB, MIB = 1 << 10, 1 << 20


def on_volume(volume: str, target: str = "vda", **more: object) -> StoredDisk:
    """A raw disk on a volume."""
    path = f"/dev/zvol/{volume}"
    disk = GuestDisk(target, path, SourceKind.BLOCK, format="raw", **more)  # type: ignore[arg-type]
    return StoredDisk(disk, (StoredImage(Image(path, "raw"), volume, is_volume=True),))


def on_files(*places: str, target: str = "vda", cluster: int | None = 64 * KIB, **more: object) -> StoredDisk:
    """A disk of a chain of qcow2 images, the uppermost first, each in its place."""
    images = tuple(
        StoredImage(Image(f"/{place or 'srv'}/{at}.qcow2", "qcow2", 8 * MIB, MIB, cluster), place)
        for at, place in enumerate(places)
    )
    disk = GuestDisk(target, images[0].image.path, SourceKind.FILE, format="qcow2", **more)  # type: ignore[arg-type]
    return StoredDisk(disk, images)


def guest_on(name: str, *disks: StoredDisk, state: GuestState = GuestState.RUNNING, reason: int = 1) -> Guest:
    """A guest with these disks."""
    return Guest(GuestDefinition(f"uuid of {name}", name), GuestStatus(name, state, reason), disks)
