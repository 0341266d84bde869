"""`qemu-img info` of the practice host."""

from __future__ import annotations

import json
from collections.abc import Sequence

from zconsole.practice.libvirt.guests import PracticeImage, chain
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.host_world import World


def qemu_img(world: World, args: Sequence[str]) -> Reply:
    """Answer `qemu-img info -U --backing-chain --output=json -- PATH`."""
    if not args or args[0] != "info" or "--output=json" not in args:
        raise Refusal("qemu-img: the practice host does not do this\n")
    path = args[-1]
    images = list(chain(world.images, path))
    if not images:
        raise Refusal(f"qemu-img: Could not open '{path}': No such file or directory\n")
    shown = images if "--backing-chain" in args else images[:1]
    return Reply(json.dumps([_document(each) for each in shown], indent=4) + "\n")


def _document(image: PracticeImage) -> dict[str, object]:
    found: dict[str, object] = {
        "virtual-size": image.virtual_bytes,
        "filename": image.path,
        "format": image.format,
        "actual-size": image.allocated_bytes,
        "dirty-flag": False,
    }
    if image.cluster_bytes is not None:
        found["cluster-size"] = image.cluster_bytes
        found["format-specific"] = {
            "type": image.format,
            "data": {"compat": "1.1", "corrupt": image.is_corrupt},
        }
    if image.snapshots:
        found["snapshots"] = [
            {"id": str(number), "name": name} for number, name in enumerate(image.snapshots, start=1)
        ]
    if image.backing:
        found["full-backing-filename"] = image.backing
        found["backing-filename"] = image.written_backing or image.backing
    return found
