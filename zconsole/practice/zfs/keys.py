"""`zfs load-key`, `unload-key` and `change-key`; keys are passphrases on standard input."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.model.dataset_names import parent_of
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import subtree
from zconsole.practice.world.dataset_writes_and_snapshots import sync
from zconsole.practice.world.datasets import PracticeDataset
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import open_dataset, pool_of, properties_of

SHORTEST: Final = 8  # characters of a passphrase
_KEY_PROPERTIES: Final = frozenset({"keyformat", "keylocation", "pbkdf2iters"})
_MANY_FAILED: Final = 255


def passphrase(world: World) -> str:
    """The next line of standard input."""
    line, _, world.stdin = world.stdin.partition(b"\n")
    return line.decode("utf-8", "replace")


def too_short(key: str) -> str | None:
    """The error about a passphrase that is too short."""
    return f"Passphrase too short (min {SHORTEST})." if len(key) < SHORTEST else None


def holders(pool: PracticePool, root: PracticeDataset | None) -> Iterator[PracticeDataset]:
    """The datasets that are encrypted with the key of a root."""
    return (kept for kept in pool.datasets.values() if root is not None and kept.encryption_root is root)


def load_from_stdin(call: RunningSubcommand, dataset: PracticeDataset) -> bool:
    """Load the key of an encryption root, or say why not."""
    pool = pool_of(call.world, dataset.name)
    reason = _why_not_loaded(call, pool, dataset) if pool else None
    if reason is not None or pool is None:
        call.complain(f"Key load error: {reason}")
        return False
    if not call.has("n"):
        for kept in holders(pool, dataset):
            kept.key_status = "available"
        sync(pool)
        call.changed(pool)
    return True


def _why_not_loaded(call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset) -> str | None:
    name = dataset.name
    reason = _why_not_touched(call, pool, dataset, "loaded")
    if reason is not None:
        return reason
    if dataset.key_status == "available" and not call.has("n"):
        return f"Key already loaded for '{name}'."
    key = passphrase(call.world)
    if len(key) < SHORTEST:
        return too_short(key)
    return None if dataset.key is None or key == dataset.key else f"Incorrect key provided for '{name}'."


def _why_not_unloaded(call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset) -> str | None:
    name = dataset.name
    reason = _why_not_touched(call, pool, dataset, "unloaded")
    if reason is None and dataset.key_status == "unavailable":
        return f"Key already unloaded for '{name}'."
    if reason is None and any(kept.is_mounted or kept.is_busy for kept in holders(pool, dataset)):
        return f"'{name}' is busy."
    return reason


def _why_not_touched(
    call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset, done: str
) -> str | None:
    """Why a key can be neither loaded nor unloaded."""
    name, root = dataset.name, dataset.encryption_root
    if root is None:
        return f"'{name}' is not encrypted."
    if root is not dataset:
        return f"Keys must be {done} for encryption root of '{name}' ({root.name})."
    return None if may(call.world, pool, name, "load-key") else "Permission denied."


def _unload(call: RunningSubcommand, dataset: PracticeDataset) -> bool:
    pool = pool_of(call.world, dataset.name)
    reason = _why_not_unloaded(call, pool, dataset) if pool else None
    if reason is not None or pool is None:
        call.complain(f"Key unload error: {reason}")
        return False
    for kept in holders(pool, dataset):
        kept.key_status = "unavailable"
    sync(pool)
    call.changed(pool)
    return True


def load_key(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs load-key`."""
    return _on_many(
        RunningSubcommand(world, "load-key", args, "anrL:"), "verified" if "-n" in args else "loaded"
    )


def unload_key(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs unload-key`."""
    return _on_many(RunningSubcommand(world, "unload-key", args, "ar"), "unloaded")


def _on_many(call: RunningSubcommand, done: str) -> Reply:
    is_recursive = call.has("a", "r")
    roots = list(_chosen(call))
    work = _unload if done == "unloaded" else load_from_stdin
    succeeded = sum([work(call, root) for root in roots])
    if call.has("n") or (is_recursive and roots):
        call.say(f"{succeeded} / {len(roots)} key(s) successfully {done}")
    if succeeded < len(roots):
        call.status = _MANY_FAILED
    return call.reply()


def _chosen(call: RunningSubcommand) -> Iterator[PracticeDataset]:
    """The dataset that is named, or with -r and -a the encryption roots that are not yet as wanted."""
    if not call.operands and not call.has("a"):
        raise call.misused("Missing dataset argument or -a option")
    if call.operands and call.has("a"):
        raise call.misused("Cannot specify dataset with -a option")
    if call.has("a", "r") and call.options.last("L") not in {None, "prompt"}:
        raise call.misused("alternate keylocation may only be 'prompt' with -r or -a")
    if call.has("a"):
        pools = call.world.pools.values()
        found = [kept for pool in pools for kept in subtree(pool, pool.name)]
    else:
        pool, top = open_dataset(call, call.exactly("Missing dataset argument or -a option")[0])
        if not call.has("r"):
            yield top
            return
        found = subtree(pool, top.name)
    unwanted = "unavailable" if call.command == "unload-key" else "available"
    yield from (kept for kept in found if kept.encryption_root is kept and kept.key_status != unwanted)


def change_key(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs change-key`."""
    call = RunningSubcommand(world, "change-key", args, "ilo:")
    (name,) = call.exactly("Missing dataset argument")
    pool, dataset = open_dataset(call, name)
    given = properties_of(call)
    reason = _why_not_changed(call, pool, dataset, given)
    if reason is not None:
        raise call.failed(f"Key change error: {reason}")
    if call.has("i"):
        parent = pool.datasets[parent_of(name)]
        _move_key(pool, dataset, parent.encryption_root or parent)
    else:
        dataset.properties.update({"keyformat": "passphrase", "keylocation": "prompt"} | given)
        if dataset.encryption_root is not dataset:
            _move_key(pool, dataset, dataset)
    sync(pool)
    call.changed(pool)
    return call.reply()


def _move_key(pool: PracticePool, dataset: PracticeDataset, root: PracticeDataset) -> None:
    """Move a dataset, and those below with the same key, to another encryption root."""
    former = dataset.encryption_root
    for kept in subtree(pool, dataset.name):
        if kept.encryption_root is former:
            kept.encryption_root, kept.key_status = root, root.key_status
    if root is not dataset:
        dataset.key = None
        for name in _KEY_PROPERTIES:
            dataset.properties.pop(name, None)


def _why_not_changed(
    call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset, given: dict[str, str]
) -> str | None:
    parent = pool.datasets.get(parent_of(dataset.name))
    if not set(given) <= _KEY_PROPERTIES:
        return "Only keyformat, keylocation and pbkdf2iters may be set with this command."
    if dataset.encryption_root is None:
        return "Dataset not encrypted."
    if not may(call.world, pool, dataset.name, "change-key"):
        return "Permission denied."
    if dataset.key_status != "available":
        return "Key must be loaded."
    if not call.has("i"):
        key = passphrase(call.world)
        if too_short(key) is None:
            dataset.key = key
        return too_short(key)
    if dataset.encryption_root is not dataset:
        return "Key inheritting can only be performed on encryption roots."
    if parent is None or parent.encryption_root is None:
        return "Parent must be encrypted."
    return None if parent.key_status == "available" else "Parent key must be loaded."
