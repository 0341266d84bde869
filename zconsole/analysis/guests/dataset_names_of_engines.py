"""Datasets that are named, or mounted, as engines of containers name and mount their own.

A name is no proof: anybody may name a dataset so, and a replica has the names of what it is a copy of. The
names are those of the engines' sources:

- Incus, LXD: POOL/containers/[PROJECT_]NAME, POOL/virtual-machines/NAME with NAME.block, POOL/custom,
  POOL/images, POOL/buckets, and POOL/deleted for what clones still need; all are made with the pool (incus,
  internal/server/storage/drivers/driver_zfs_utils.go, `dataset` and `initialDatasets`). Of the property
  incus:content_type, which volumes below custom alone have, nothing more is learnt (`CreateVolume`);
- Docker, Podman: layers PARENT/ID of 64 hexadecimal digits with `mountpoint=legacy` (moby,
  daemon/graphdriver/zfs/zfs.go, `zfsPath` and `create`; containers/storage, drivers/zfs/zfs.go, `zfsPath`,
  `create` and `cloneFilesystem`), of Docker also ID-init. The layer of a container has an id of its own,
  from which the container is not told;
- Proxmox VE: vm-NUMBER-NAME, base- (templates), subvol- and basevol-NUMBER-NAME (pve-storage,
  src/PVE/Storage/ZFSPoolPlugin.pm, `parse_volname` and `zfs_parse_zvol_list`: vm and base are volumes);
- LXC: ROOT/NAME, mounted at LXCPATH/NAME/rootfs with canmount=noauto (lxc, src/lxc/storage/zfs.c,
  `zfs_create`). ROOT is `lxc.bdev.zfs.root` of lxc.system.conf(5), by default the pool `lxc`
  (src/lxc/initutils.c); told by its name is one that is or ends in `lxc`, by its mount point one below the
  default /var/lib/lxc;
- systemd-nspawn: what is mounted at /var/lib/machines/NAME (systemd-nspawn(1)).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import last_part, parent_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset
from zconsole.model.guests.container import ContainerEngine, ContainerKind, Evidence

_PROXMOX: Final = re.compile(r"(vm|base|subvol|basevol)-([0-9]{1,9})-(\S+)", re.ASCII)
_LAYER: Final = re.compile(r"([0-9a-f]{64})(-init)?", re.ASCII)
_INCUS_POOL: Final = frozenset({"containers", "custom", "deleted", "images"})
_INCUS_KINDS: Final = {
    "containers": ContainerKind.CONTAINER,
    "virtual-machines": ContainerKind.VIRTUAL_MACHINE,
    "images": ContainerKind.IMAGE,
    "custom": ContainerKind.VOLUME,
    "buckets": ContainerKind.VOLUME,
}
_BLOCK: Final = ".block"
_LEGACY: Final = "legacy"
_STORES: Final = {
    "/var/lib/docker": ContainerEngine.DOCKER,
    "/var/lib/containers": ContainerEngine.PODMAN,
    "/var/lib/containers/storage": ContainerEngine.PODMAN,
    "/var/lib/incus": ContainerEngine.INCUS,
    "/var/lib/lxd": ContainerEngine.LXD,
    "/var/lib/lxc": ContainerEngine.LXC,
    "/var/lib/machines": ContainerEngine.NSPAWN,
}
_ROOTS: Final = (
    (re.compile(r"/var/lib/lxc/([^/]+)(?:/rootfs)?"), ContainerEngine.LXC),
    (re.compile(r"/var/lib/machines/([^/]+)"), ContainerEngine.NSPAWN),
)


@dataclass(frozen=True, slots=True)
class NamedFor:
    """What a dataset would be, if its engine has named or mounted it. `words` say why it is thought so."""

    engine: ContainerEngine
    kind: ContainerKind
    name: str
    evidence: Evidence
    words: str

    @property
    def is_layer(self) -> bool:
        """Whether it is one layer of the many that Docker or Podman keep below one dataset."""
        return self.kind is ContainerKind.IMAGE and self.engine in {
            ContainerEngine.DOCKER,
            ContainerEngine.DOCKER_OR_PODMAN,
        }


class DatasetNamesOfEngines:
    """Recogniser over the file systems and volumes of a host."""

    __slots__ = ("_incus", "_layers", "_with_init")

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        """The more of the datasets of a pool are given, the more is recognised: neighbours tell too."""
        below: dict[str, set[str]] = {}
        self._layers: dict[str, int] = {}
        self._with_init: set[str] = set()
        for each in datasets:
            if each.type not in FILESYSTEMS_AND_VOLUMES:
                continue
            above, last = parent_of(each.name), last_part(each.name)
            below.setdefault(above, set()).add(last)
            layer = _LAYER.fullmatch(last)
            if layer is not None and each.mountpoint == _LEGACY:
                self._layers[above] = self._layers.get(above, 0) + 1
                if layer[2]:
                    self._with_init.add(above)
        self._incus = frozenset(above for above, names in below.items() if above and names >= _INCUS_POOL)

    def of(self, dataset: Dataset) -> NamedFor | None:
        """What a dataset is named or mounted for; None for all others."""
        if dataset.type not in FILESYSTEMS_AND_VOLUMES:
            return None
        return _by_mountpoint(dataset) or self._by_name(dataset)

    def is_of_incus(self, dataset: str) -> bool:
        """Whether a dataset is within what looks like a storage pool of Incus or LXD."""
        above = parent_of(dataset)
        return bool(above) and (above in self._incus or self.is_of_incus(above))

    def _engine(self, above: str) -> ContainerEngine:
        """ContainerEngine of the layers below a dataset."""
        return ContainerEngine.DOCKER if above in self._with_init else ContainerEngine.DOCKER_OR_PODMAN

    def _by_name(self, dataset: Dataset) -> NamedFor | None:
        above, last = parent_of(dataset.name), last_part(dataset.name)
        if found := _PROXMOX.fullmatch(last):
            return _of_proxmox(dataset, found[1], found[2])
        if dataset.name in self._incus:
            return NamedFor(ContainerEngine.INCUS_OR_LXD, ContainerKind.STORE, dataset.name, Evidence.NAME,
                            "has the datasets of a storage pool of Incus or LXD")  # fmt: skip
        if parent_of(above) in self._incus or self._is_deleted(above):
            return self._in_incus(above, last)
        if dataset.name in self._layers:
            number = self._layers[dataset.name]
            return NamedFor(
                self._engine(dataset.name), ContainerKind.STORE, dataset.name, Evidence.NAME,
                f"has {number} dataset{'s' if number > 1 else ''} named as Docker and Podman name layers",
            )  # fmt: skip
        if above in self._layers and (layer := _LAYER.fullmatch(last)) and dataset.mountpoint == _LEGACY:
            words = "named as Docker and Podman name the layer of an image or container"
            engine = self._engine(above)
            return NamedFor(engine, ContainerKind.IMAGE, layer[1], Evidence.NAME, words)
        if last_part(above) == "lxc" and dataset.type == "filesystem":
            return NamedFor(ContainerEngine.LXC, ContainerKind.CONTAINER, last, Evidence.NAME,
                            f"named as LXC names the root of container {last}")  # fmt: skip
        return None

    def _is_deleted(self, above: str) -> bool:
        return any(above.startswith(f"{pool}/deleted/") for pool in self._incus)

    def _in_incus(self, above: str, last: str) -> NamedFor | None:
        if self._is_deleted(above):
            return NamedFor(ContainerEngine.INCUS_OR_LXD, ContainerKind.IMAGE, last, Evidence.NAME,
                            "named as Incus and LXD name what they keep for its clones")  # fmt: skip
        folder = last_part(above)
        kind = _INCUS_KINDS.get(folder)
        if kind is None:
            return None
        name = last.removesuffix(_BLOCK) if kind is not ContainerKind.VOLUME else last
        words = f"named as Incus and LXD name the storage of {kind.value} {name}"
        return NamedFor(ContainerEngine.INCUS_OR_LXD, kind, name, Evidence.NAME, words)


def _by_mountpoint(dataset: Dataset) -> NamedFor | None:
    place = dataset.mountpoint or ""
    if place in _STORES:
        engine = _STORES[place]
        return NamedFor(engine, ContainerKind.STORE, dataset.name, Evidence.MOUNT,
                        f"mounted at {place}, where {engine.value} keeps its data")  # fmt: skip
    for pattern, engine in _ROOTS:
        if found := pattern.fullmatch(place):
            return NamedFor(engine, ContainerKind.CONTAINER, found[1], Evidence.MOUNT,
                            f"mounted at {place}, where {engine.value} keeps its container")  # fmt: skip
    return None


def _of_proxmox(dataset: Dataset, prefix: str, number: str) -> NamedFor | None:
    is_volume = dataset.type == "volume"
    if is_volume != (prefix in {"vm", "base"}):
        return None
    if prefix in {"base", "basevol"}:
        return NamedFor(ContainerEngine.PROXMOX, ContainerKind.IMAGE, number, Evidence.NAME,
                        f"named as Proxmox names the disk of template {number}")  # fmt: skip
    kind = ContainerKind.VIRTUAL_MACHINE if is_volume else ContainerKind.CONTAINER
    return NamedFor(ContainerEngine.PROXMOX, kind, number, Evidence.NAME,
                    f"named as Proxmox names the disk of guest {number}")  # fmt: skip
