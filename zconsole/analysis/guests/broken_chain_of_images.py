"""Chains of images that QEMU cannot open: an image below is not there, or it leads back to itself."""

from __future__ import annotations

from typing import Final

from zconsole.model.guests.guest import StoredDisk

_LOOP: Final = ("infinite loop", "Too many levels of symbolic links")  # in the words of qemu-img
_GONE: Final = "No such file or directory"


def broken_chain(disk: StoredDisk) -> str:
    """Why no guest with this disk starts, by qemu-img; empty where it is not known to be so.

    What it may not read, or did not answer in time, tells nothing. That the uppermost image is not there is
    told of the image itself.
    """
    if any(words in disk.problem for words in _LOOP):
        return "its images lead back to themselves"
    is_there = not any(image.is_missing for image in disk.images)
    return "an image below it does not exist" if _GONE in disk.problem and is_there else ""
