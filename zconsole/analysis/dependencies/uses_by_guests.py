"""Uses of datasets by guests of libvirt, by the images that their definitions name."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.image_in_definition import DefinedImage, GuestActivity
from zconsole.model.host.plan_facts import OutsideUse

GUEST: Final = "guest"  # that has a process
STOPPED_GUEST: Final = "stopped guest"  # its next start boots from what is there then
SAVED_GUEST: Final = "saved guest"  # its next start goes on with what is there, as it was at the saving
OFF_GUESTS: Final = frozenset({STOPPED_GUEST, SAVED_GUEST})
NOT_BY_ITSELF: Final = frozenset({"noauto", "off"})  # values of canmount


def use_by_guest(image: DefinedImage, place: str) -> OutsideUse:
    """The use of the dataset or device that an image is on."""
    off = f"{image.activity.value}; its definition names {image.path}"
    kind, detail = {
        GuestActivity.RUNNING: (GUEST, image.path),
        GuestActivity.PAUSED: (GUEST, f"{image.path}, {image.activity.value}"),
        GuestActivity.OFF: (STOPPED_GUEST, off),
        GuestActivity.SAVED: (SAVED_GUEST, off),
    }[image.activity]
    real = "" if image.real == posixpath.normpath(image.path) else image.real
    return OutsideUse(
        place,
        kind,
        image.guest,
        detail,
        path=image.path,
        real=real,
        is_written=image.is_written,
        uuid=image.uuid,
    )


def named_in_unmounted(dataset: Dataset, uses: Iterable[OutsideUse]) -> Iterator[OutsideUse]:
    """Uses by guests of paths where a file system is mounted by itself, and is not at present.

    One with canmount=noauto or off is mounted by nobody at that place: boot environments have all the same
    mountpoint, and what guests name there is on the one that is mounted.
    """
    mountpoint = dataset.mountpoint or ""
    if dataset.is_mounted is not False or dataset.canmount in NOT_BY_ITSELF or not mountpoint.startswith("/"):
        return
    below = f"{mountpoint.rstrip('/')}/"
    yield from (use for use in uses if use.path.startswith(below))
