"""`zfs receive`, with resume tokens of interrupted streams."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.model.dataset_names import parent_of, short_of
from zconsole.practice.libvirt.storage_of_images import images_received
from zconsole.practice.nicenum_and_times import nicebytes
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.send_receive.nvlist import NvValue
from zconsole.practice.send_receive.streams import BadStream, Blocks, Sent, Unpacker, Whole, token
from zconsole.practice.world.dataset_tree_changes import create, destroy_dataset
from zconsole.practice.world.dataset_writes_and_snapshots import (
    OutOfSpace,
    available,
    become,
    sync,
    take_snapshot,
    tell,
    write,
)
from zconsole.practice.world.datasets import Partial, PracticeDataset, Snapshot
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import written_since
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import DATASETS, fault_of, look_up, pool_of, properties_of
from zconsole.practice.zfs.mount_share import mount_new
from zconsole.practice.zfs.property_validation import BadValue, checked


def receive(world: World, args: Sequence[str]) -> Reply | Receiver:
    """Answer `zfs receive`, which reads its stdin, and `zfs receive -A`."""
    call = RunningSubcommand(world, "receive", args, "Aceduno:x:vsFhM")
    if call.has("F", "d", "e", "x", "c", "h", "M"):
        raise call.failed("zfs receive: the practice host does not do this")
    (name,) = call.exactly("missing snapshot argument")
    if call.has("A"):
        return _abort(call, name)
    return Receiver(call, name)


def _abort(call: RunningSubcommand, name: str) -> Reply:
    dataset, pool = look_up(call.world, name), pool_of(call.world, name)
    if not isinstance(dataset, PracticeDataset) or pool is None:
        raise call.failed(f"cannot open '{name}': dataset does not exist")
    partial = dataset.partial
    if partial is None:
        raise call.failed(f"'{name}' does not have any resumable receive state to abort")
    if dataset.is_receiving:
        raise call.failed(f"cannot destroy '{name}/%recv': dataset is busy")
    if not may(call.world, pool, name, "destroy", "mount"):
        raise call.failed(f"cannot destroy '{name}/%recv': permission denied")
    sync(pool)
    dataset.partial = None
    if partial.is_all:
        destroy_dataset(call.world, pool, dataset)
    call.changed(pool)
    return call.reply()


class Receiver:
    """A running receive."""

    def __init__(self, call: RunningSubcommand, name: str) -> None:
        self._call = call
        self._base, _, self._as = name.partition("@")
        self._unpacker = Unpacker()
        self._sent: Sent | None = None
        self._pool: PracticePool
        self._dataset: PracticeDataset | None = None  # None while a stream is passed over, and with -n
        self._is_new = False
        self._received = 0
        self._passed = 0
        self._ended: Reply | None = None

    def feed(self, data: bytes) -> Reply | None:
        """Take some bytes; returns the reply where they end the program."""
        if self._ended is not None:
            return self._ended
        self._passed += len(data)
        try:
            for part in self._unpacker.feed(data):
                self._take(part)
        except BadStream:
            self._ended = self._cut("cannot receive: invalid stream (bad magic number)")
        except OutOfSpace:
            self._ended = self._cut(f"cannot receive {self._what()}: out of space")
        except Refusal as refusal:
            self._ended = refusal.reply
        return self._ended

    def end(self) -> Reply:
        """End of input."""
        if self._ended is not None:
            return self._ended
        if self._sent is not None or not self._passed:
            words = f"cannot receive {self._what()}: checksum mismatch or incomplete stream."
            self._ended = self._cut(words if self._passed else "cannot receive: failed to read from stream")
        else:
            self._ended = self._call.reply()
        return self._ended

    def _take(self, part: Sent | Blocks | Whole) -> None:
        match part:
            case Sent():
                self._sent = part
                self._begin(part)
            case Blocks(size):
                if self._dataset is not None:
                    self._blocks(self._dataset, size)
            case Whole():
                if self._dataset is not None and self._sent is not None:
                    self._finish(self._dataset, self._sent)
                self._sent = None

    def _what(self) -> str:
        sent = self._sent
        if sent is None:
            return "stream"
        if sent.skips:
            return "resume stream"
        kind = "filesystem" if sent.kind == "filesystem" else "volume"
        return "incremental stream" if sent.from_guid else f"new {kind} stream"

    def _begin(self, sent: Sent) -> None:
        call, name = self._call, self._base
        pool, found = pool_of(call.world, name), look_up(call.world, name)
        short = self._as or short_of(sent.to_name)
        fault = fault_of(name, DATASETS)
        if pool is None or fault is not None:
            raise call.failed(f"cannot receive: {fault or 'no such pool'}")
        dataset = found if isinstance(found, PracticeDataset) else None
        self._pool = pool
        mood = "would receive" if call.has("n") else "receiving"
        kind = "incremental" if sent.from_guid else "full"
        if call.has("v"):
            call.say(f"{mood} {kind} stream of {sent.to_name} into {name}@{short}")
        self._dataset, self._received, self._is_new = None, sent.skips, False
        if dataset is not None and any(each.guid == sent.to_guid for each in dataset.snapshots):
            if call.has("v"):
                call.say(f"snap {name}@{short} already exists; ignoring")
            return
        if not may(call.world, pool, name, "receive"):
            raise call.failed(f"cannot receive {self._what()}: permission denied")
        if dataset is not None and dataset.is_receiving:
            raise call.failed(f"cannot receive {self._what()}: dataset is busy")
        if sent.skips:
            self._resume(dataset, sent)
        elif sent.from_guid:
            self._check_increment(dataset, sent, short)
        elif dataset is not None:
            words = f"cannot receive {self._what()}: destination '{name}' exists"
            raise call.failed(f"{words}\nmust specify -F to overwrite it")
        elif pool.datasets.get(parent_of(name)) is None:
            words = f"cannot open '{parent_of(name)}': dataset does not exist"
            raise call.failed(f"{words}\ncannot receive {self._what()}: unable to restore to destination")
        if call.has("n"):
            return
        self._dataset = dataset or self._made(sent)
        self._is_new = dataset is None or bool(dataset.partial and dataset.partial.is_all)
        self._dataset.is_receiving = True
        self._dataset.partial = self._partial(sent)
        tell(call.world, pool, "receive", self._dataset)

    def _resume(self, dataset: PracticeDataset | None, sent: Sent) -> None:
        partial = dataset.partial if dataset is not None else None
        if partial is None or (partial.to_guid, partial.received) != (sent.to_guid, sent.skips):
            raise self._call.failed(
                f"cannot receive resume stream: kernel modules must be upgraded to receive this stream.\n"
                f"'{self._base}' has no receive to be resumed by it"
            )

    def _check_increment(self, dataset: PracticeDataset | None, sent: Sent, short: str) -> None:
        call, name, what = self._call, self._base, self._what()
        if dataset is None:
            raise call.failed(f"cannot receive {what}: destination '{name}' does not exist")
        if dataset.partial is not None:
            words = f"cannot receive {what}: destination {name} contains"
            raise call.failed(f'{words}\npartially-complete state from "zfs receive -s".')
        base = next((each for each in dataset.snapshots if each.guid == sent.from_guid), None)
        if base is None:
            raise call.failed(
                f"cannot receive {what}: most recent snapshot of {name} does not\nmatch incremental source"
            )
        if dataset.snapshot(short) is not None:
            raise call.failed(f"cannot restore to {name}@{short}: destination already exists")
        if written_since(dataset, None, base):
            words = f"cannot receive {what}: destination {name} has been modified"
            raise call.failed(f"{words}\nsince most recent snapshot")

    def _made(self, sent: Sent) -> PracticeDataset:
        call = self._call
        given = properties_of(call)
        letter = "f" if sent.kind == "filesystem" else "v"
        try:
            values = {key: checked(key, text, letter) for key, text in given.items()}
        except BadValue as error:
            raise call.failed(f"cannot receive: {error.words}") from error
        volsize = sent.content.get("volsize")
        made = create(
            call.world, self._pool, self._base,
            kind="volume" if sent.kind == "volume" else "filesystem",
            volsize=volsize if isinstance(volsize, int) else None,
            properties=values,
        )  # fmt: skip
        made.is_mounted = False
        made.seed = _number(sent.content.get("seed"))
        if isinstance(block := sent.content.get("volblocksize"), str):
            made.properties["volblocksize"] = block
        if sent.is_raw:
            made.encryption_root, made.key_status = made, "unavailable"
            made.key = str(sent.content.get("key", "")) or None
            for key in ("encryption", "keyformat"):
                made.properties[key] = str(sent.content.get(key, ""))
        return made

    def _blocks(self, dataset: PracticeDataset, size: int) -> None:
        self._received += size
        if self._is_new:
            more = self._received - dataset.referenced
            if more > 0:
                write(self._pool, dataset, more)
        elif self._received > available(self._pool, dataset):
            raise OutOfSpace(dataset.name)

    def _finish(self, dataset: PracticeDataset, sent: Sent) -> None:
        call, world, pool = self._call, self._call.world, self._pool
        referenced = _number(sent.content.get("referenced"))
        become(pool, dataset, referenced, 0 if self._is_new else sent.size)
        dataset.logical = _number(sent.content.get("logical"))
        dataset.files_at = float(_number(sent.content.get("files_at")))
        dataset.partial, dataset.is_receiving = None, False
        images = sent.content.get("images")
        images_received(world, dataset, images if isinstance(images, dict) else {})
        sync(pool)
        made: Snapshot = take_snapshot(world, pool, dataset, self._as or short_of(sent.to_name))
        made.guid, made.creation = sent.to_guid, sent.created
        call.changed(pool)
        if call.has("v"):
            call.say(
                f"received {nicebytes(self._passed)} stream in 1.00 seconds ({nicebytes(self._passed)}/sec)"
            )
        if self._is_new and not call.has("u"):
            mount_new(call, dataset)
        self._dataset, self._is_new = None, False

    def _cut(self, words: str) -> Reply:
        """End before the end of the stream: with -s the received part is kept."""
        call, dataset, sent = self._call, self._dataset, self._sent
        if dataset is not None and sent is not None:
            dataset.is_receiving = False
            if call.has("s"):
                dataset.partial = self._partial(sent)
                words += "\nPartially received snapshot is saved.\nA resuming stream can be generated on the"
                words += f" sending system by running:\n    zfs send -t {dataset.partial.token}"
            else:
                dataset.partial = None
                if self._is_new:
                    destroy_dataset(call.world, self._pool, dataset)
        return call.failed(words).reply

    def _partial(self, sent: Sent) -> Partial:
        return Partial(sent.to_guid, self._received, token(sent, self._received), is_all=self._is_new)


def _number(value: NvValue | None) -> int:
    return value if isinstance(value, int) else 0
