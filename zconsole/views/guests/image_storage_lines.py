"""How the images of a guest lie on ZFS: block sizes, its own snapshots and those of ZFS."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.analysis.guests.cluster_against_block_size import block_size_in_words
from zconsole.base.fixed_width_formatting import size
from zconsole.model.guests.guest import Guest, StoredDisk
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.state_age_and_link_phrases import counted
from zconsole.views.layout.styled_text import Line, line


def image_storage_lines(guest: Guest, label_cells: int) -> Iterator[Line]:
    """For each disk: what its writes cost by block size, then who keeps old states of it. Not wrapped yet."""
    for disk in guest.disks:
        words = [each for each in (_blocks(disk), _snapshots(disk)) if each]
        for at, each in enumerate(words):
            label = "" if at else disk.disk.target
            yield (ParagraphLabel(f"{label:<{label_cells}}", "dim"), *line(each))


def _blocks(disk: StoredDisk) -> str:
    """Of the uppermost image: those below it are not written."""
    if not disk.images or disk.disk.is_read_only:
        return ""
    return block_size_in_words(disk.images[0])


def _snapshots(disk: StoredDisk) -> str:
    """The guest's own snapshots, inside the image and as overlays, and the space of ZFS's snapshots."""
    if not disk.images:
        return ""
    top = disk.images[0]
    own = []
    if top.image.internal_snapshots:
        own.append(f"{counted(len(top.image.internal_snapshots), 'snapshot')} inside the image")
    if len(disk.images) > 1:
        own.append(f"an overlay on {counted(len(disk.images) - 1, 'image')}")
    kept = top.dataset.used_by_snapshots_bytes if top.dataset is not None else None
    if kept:
        own.append(f"ZFS's snapshots of {top.place} hold {size(kept)}, of everything on it")
    return "; ".join(own)
