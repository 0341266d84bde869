"""`zfs create` and `zfs clone`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import parent_of
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import (
    DEFAULT_VOLBLOCKSIZE,
    clone,
    create,
    volume_reservation,
)
from zconsole.practice.world.dataset_writes_and_snapshots import is_full
from zconsole.practice.world.datasets import Kind, PracticeDataset, Snapshot, accounts
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import (
    DATASETS,
    fault_of,
    look_up,
    missing_ancestors,
    open_snapshot,
    place_for,
    pool_of,
    properties_of,
)
from zconsole.practice.zfs.keys import passphrase, too_short
from zconsole.practice.zfs.mount_share import mount_new
from zconsole.practice.zfs.properties import SET_ONCE
from zconsole.practice.zfs.property_validation import BadValue, checked_all, number_of
from zconsole.practice.zfs.set_inherit import fit

_LONGS: Final = {"dryrun": "n", "verbose": "v", "parsable": "P"}


@dataclass(slots=True)
class _Order:
    """The dataset to create."""

    name: str
    properties: dict[str, str]
    volsize: int | None = None
    is_sparse: bool = False

    @property
    def letter(self) -> str:
        """The kind, as the table of properties knows it."""
        return "f" if self.volsize is None else "v"


def create_dataset(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs create`."""
    call = RunningSubcommand(world, "create", args, "PnpsuvV:b:o:", _LONGS)
    order = _order(call)
    words = f"cannot create '{order.name}'"
    if call.has("p") and look_up(world, order.name) is not None:
        return call.reply()
    if call.has("p"):
        create_ancestors(call, order.name)
    if call.has("n"):
        _tell(call, order)
        return call.reply()
    pool = place_for(call, order.name, words)
    if order.name in pool.datasets:
        raise call.failed(f"{words}: dataset already exists")
    try:
        values = checked_all(order.properties, order.letter, is_new=True)
        key = _key(call, pool, order.name, values)
        _room(pool, order, values)
    except BadValue as error:
        about = "" if error.words.startswith("Encryption") else f"{words}: "
        raise call.failed(about + error.words) from error
    if not _may_make(world, pool, order.name, values):
        raise call.failed(f"{words}: permission denied")
    kind: Kind = "filesystem" if order.volsize is None else "volume"
    made = create(world, pool, order.name, kind=kind, volsize=order.volsize, properties=values)
    if key is not None:
        made.key, made.key_status = key, "available"
    call.changed(pool)
    if call.has("v"):
        _tell(call, order)
    if not call.has("u"):
        mount_new(call, made)
    return call.reply()


def _order(call: RunningSubcommand) -> _Order:
    """Read the command line."""
    options = call.options
    properties = properties_of(call)
    size, block = options.last("V"), options.last("b")
    if call.has("s", "b") and size is None:
        raise call.misused("'-s' and '-b' can only be used when creating a volume")
    if call.has("u") and size is not None:
        raise call.misused("'-u' can only be used when creating a filesystem")
    if block is not None:
        properties["volblocksize"] = block
    (name,) = call.exactly(f"missing {'volume' if size else 'filesystem'} argument")
    order = _Order(name, properties, is_sparse=call.has("s"))
    if size is None:
        return order
    try:
        volsize = number_of(size)
        unit = number_of(properties.get("volblocksize", str(DEFAULT_VOLBLOCKSIZE)))
    except BadValue as error:
        raise call.failed(f"bad volume size '{size}': {error.words}") from error
    if not volsize:
        raise call.failed(f"cannot create '{name}': volume size cannot be zero")
    order.volsize = -(-volsize // unit) * unit
    if not order.is_sparse:
        properties.setdefault("refreservation", str(volume_reservation(order.volsize, unit)))
    return order


def _tell(call: RunningSubcommand, order: _Order) -> None:
    """Print what is created, or would be."""
    if not call.has("v", "P"):
        return
    exact = call.has("P")
    listed = dict(order.properties)
    if order.volsize is not None:
        listed["volsize"] = str(order.volsize)
    call.say(f"create\t{order.name}" if exact else f"{'would ' if call.has('n') else ''}create {order.name}")
    for name, value in listed.items():
        call.say(f"property\t{name}\t{value}" if exact else f"\t{name}={value}")


def _key(call: RunningSubcommand, pool: PracticePool, name: str, values: dict[str, str]) -> str | None:
    """The key of a new encryption root, from standard input; None for another dataset."""
    encrypted = values.get("encryption", "off") != "off"
    parent = pool.datasets[parent_of(name)]
    if "keyformat" not in values:
        if encrypted and parent.encryption_root is None:
            raise BadValue("Keyformat required for new encryption root.")
        return None
    if not encrypted and parent.encryption_root is None:
        raise BadValue("Encryption must be turned on to set encryption properties.")
    values.setdefault("encryption", "aes-256-gcm")
    values.setdefault("keylocation", "prompt")
    key = passphrase(call.world)
    wrong = too_short(key)
    if wrong is not None:
        raise BadValue(f"Encryption create error: {wrong}")
    return key


def _room(pool: PracticePool, order: _Order, values: dict[str, str]) -> None:
    """Check the reservations and quotas of a dataset that is still empty."""
    parent = pool.datasets[parent_of(order.name)]
    above = accounts(pool.datasets, pool.usable)[parent.name].available - parent.used_by_refreservation
    empty = PracticeDataset(order.name, "filesystem", 0, createtxg=0, creation=0, volsize=order.volsize)
    needed = max(empty.own, int(values.get("refreservation", "0") or 0), int(values.get("reservation", "0")))
    if needed > above or is_full(pool):
        raise BadValue("out of space")
    if 0 < int(values.get("quota", "0")) < empty.own:
        fit(pool, parent, {"quota": "1"})


def create_ancestors(call: RunningSubcommand, name: str) -> None:
    """Create the datasets that are missing above a name."""
    fault = fault_of(name, DATASETS, is_new=True)
    pool = pool_of(call.world, name)
    if fault is not None or pool is None:
        return
    missing = missing_ancestors(call.world, name)
    if call.has("n"):
        if missing and call.has("v", "P"):
            call.say(f"create_ancestors\t{name}" if call.has("P") else f"would create ancestors of {name}")
        return
    for place in missing:
        if not may(call.world, pool, place, "create", "mount"):
            raise call.failed(f"cannot create '{place}': permission denied")
        above = pool.datasets.get(parent_of(place))
        if above is None or above.kind != "filesystem":
            raise call.failed(f"cannot create '{place}': parent is not a filesystem")
        mount_new(call, create(call.world, pool, place))


def clone_snapshot(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs clone`."""
    call = RunningSubcommand(world, "clone", args, "o:pu")
    given = properties_of(call)
    source, name = call.exactly("missing source dataset argument", "missing target dataset argument")
    pool, snapshot = open_snapshot(call, source)
    words = f"cannot create '{name}'"
    if call.has("p"):
        if look_up(world, name) is not None:
            return call.reply()
        create_ancestors(call, name)
    target = place_for(call, name, words)
    letter = "f" if snapshot.dataset.kind == "filesystem" else "v"
    try:
        values = checked_all(given, letter)
    except BadValue as error:
        raise call.failed(f"{words}: {error.words}") from error
    reason = _why_not_cloned(world, (pool, target), name, snapshot, values)
    if reason is not None:
        raise call.failed(f"{words}: {reason}")
    made = clone(world, pool, snapshot, name, values)
    call.changed(pool)
    if not call.has("u"):
        mount_new(call, made)
    return call.reply()


def _why_not_cloned(
    world: World,
    pools: tuple[PracticePool, PracticePool],
    name: str,
    source: Snapshot,
    values: Collection[str],
) -> str | None:
    pool, target = pools
    if target is not pool:
        return "source and target pools differ"
    if name in pool.datasets:
        return "dataset already exists"
    if not _may_make(world, pool, name, values) or not may(world, pool, source.full_name, "clone"):
        return "permission denied"
    return "out of space" if is_full(pool) else None


def _may_make(world: World, pool: PracticePool, name: str, values: Collection[str]) -> bool:
    """Whether the user may create the dataset there with these properties."""
    own = {"userprop" if ":" in value else value for value in values if value not in SET_ONCE}
    return may(world, pool, parent_of(name), "create", "mount") and may(world, pool, name, *own)
