"""The state of one practice host: its drives, its pools, and what happened to them."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.containers.practice_container import PracticeContainer
from zconsole.practice.world.drives import BY_ID, Ageing, PracticeDisk
from zconsole.practice.world.pools_and_vdevs import STATE_NUMBERS, History, PracticePool, PracticeVdev

if TYPE_CHECKING:
    from zconsole.practice.libvirt.guests import PracticeGuest, PracticeImage

ZFS_VERSION: Final = "2.4.4-1~bpo13+1"
SOFTWARE: Final = "zfs-2.4.4-0-g71a9f95-dist"
KERNEL: Final = "6.12.107+deb13-amd64"
KERNEL_BUILD: Final = "#1 SMP PREEMPT_DYNAMIC Debian 6.12.107-1 (2026-08-29)"
ZED: Final = ("zed runs", "zedrc", "set ZED_EMAIL_ADDR", "mailer yes")
CREATING: Final = 6  # the context in which a new pool reports
KERNEL_LINES: Final = 4000  # that the kernel's buffer holds
KERNEL_EVENTS: Final = 512  # the same, as `zfs_zevent_len_max` says
TXG_S: Final = 5.0  # seconds between two transaction groups


@dataclass(frozen=True, slots=True)
class Named:
    """A number with its name, as events print states."""

    name: str
    number: int


EventValue = int | str | Named


def named_state(state: str) -> Named:
    """A vdev state with the kernel's number."""
    return Named(state, STATE_NUMBERS[state])


@dataclass(frozen=True, slots=True)
class PracticeEvent:
    """An event of `zpool events`."""

    at: float
    event_class: str
    pool: str
    pool_guid: int
    eid: int
    fields: tuple[tuple[str, EventValue], ...] = ()
    context: int = 0

    def numbered(self, eid: int) -> PracticeEvent:
        """The same with another number."""
        return replace(self, eid=eid)


class World:
    """One storage host: its drives, its pools, its events."""

    def __init__(self, hostname: str, *, now: float, seed: int = 1) -> None:
        self.hostname = hostname
        self.random = random.Random(seed)  # noqa: S311
        self.machine_id = f"{self.random.getrandbits(128):032x}"
        self.hostid = int(self.machine_id[:8], 16) | 1
        self.boot_id = str(uuid.UUID(self.machine_id))  # each start of the host makes another
        self.connection = 2000  # the process that starts what is run here; another one for each connection
        self.now = now  # epoch seconds of the simulated moment
        self.elapsed = 0.0  # simulated seconds since the world began
        self.uptime = 0.0  # seconds that the host had been up when the world began
        self.disks: list[PracticeDisk] = []
        self.pools: dict[str, PracticePool] = {}
        self.importable: list[PracticePool] = []  # pools on the drives that are not imported here
        self.events: list[PracticeEvent] = []
        self.disk_events: list[tuple[str, str]] = []  # udev's: add or remove, and the kernel's name
        self.zfs_version = self.zfs_commands_version = ZFS_VERSION  # of the module, and of the commands
        self.zed_lines: tuple[str, ...] = ZED  # what the console's script finds of the event daemon
        self.user_id = 0
        self.groups: tuple[str, ...] = ()  # further groups of the user
        self.runs_programs = True  # whether `zfs program` works for root
        self.lit: set[str] = set()  # serials of the disks whose lamp is lit
        self.lacking = {"virsh", "qemu-img"}  # programs that are not installed
        self.guests: list[PracticeGuest] = []
        self.guest_networks = ["default"]  # active ones of libvirt
        self.images: dict[str, PracticeImage] = {}  # by path
        self.containers: list[PracticeContainer] = []
        self.proxmox_files: dict[str, str] = {}  # contents of files below /etc/pve, by path
        self.stdin = b""  # of the program that runs
        self.breaks_streams_after: int | None = None  # bytes, behind which `zfs send` reads nothing more
        self.zvol_numbers: dict[int, int] = {}  # by guid: which device a volume has as long as it lives
        self.parameters = {"zfs_txg_history": 100, "zfs_dirty_data_max": 4 << 30}  # of the module
        self.first_eid = 1  # of the events that the kernel still keeps
        self.ageing: list[Ageing] = []
        self.snapshot_hour = int(now) // 3600
        self.bays = 0  # of the enclosure; 0 is a host without one
        self.kernel_log: list[tuple[float, str]] = []  # epoch seconds and message
        self.on_step: Callable[[float], None] | None = None  # called with the seconds that have passed

    @property
    def user_name(self) -> str:
        """The user that runs the programs."""
        return "root" if self.user_id == 0 else "operator"

    def guid(self) -> int:
        """A number as ZFS draws them."""
        return self.random.getrandbits(64) | 1 << 58

    def disk(self, name: str) -> PracticeDisk:
        """A drive by its kernel name, serial, or a name or path in /dev/disk/by-id."""
        short = name.removeprefix(BY_ID).removeprefix("/dev/").removesuffix("-part1")
        for disk in self.disks:
            if short in {disk.kname, disk.serial, *disk.links}:
                return disk
        raise KeyError(name)

    def leaf_of(self, disk: PracticeDisk) -> tuple[PracticePool, PracticeVdev] | None:
        """The pool and vdev that a drive serves."""
        for pool in self.pools.values():
            for leaf in pool.leaves():
                if leaf.disk is disk:
                    return pool, leaf
        return None

    def report(
        self,
        pool: PracticePool,
        event_class: str,
        *fields: tuple[str, EventValue],
        at: float | None = None,
        context: int = 0,
    ) -> None:
        """Add an event."""
        self.events.append(
            PracticeEvent(
                at=self.now if at is None else at,
                event_class=event_class,
                pool=pool.name,
                pool_guid=pool.guid,
                eid=self.next_eid,
                fields=fields,
                context=context,
            )
        )
        if len(self.events) > KERNEL_EVENTS:
            del self.events[0]
            self.first_eid += 1

    def events_from(self, eid: int) -> tuple[PracticeEvent, ...]:
        """The events from a number on that the kernel still keeps."""
        return tuple(self.events[max(0, eid - self.first_eid) :])

    @property
    def next_eid(self) -> int:
        """The number of the next event."""
        return self.first_eid + len(self.events)

    def vdev_event(self, pool: PracticePool, name: str, vdev: PracticeVdev) -> None:
        """Add a `sysevent` about a vdev."""
        fields: list[tuple[str, EventValue]] = [
            ("vdev_guid", vdev.guid),
            ("vdev_state", named_state(vdev.state)),
        ]
        fields += [("vdev_path", vdev.path)] if vdev.is_leaf else []
        fields += [("vdev_devid", vdev.devid)] if vdev.disk is not None else []
        self.report(pool, f"sysevent.fs.zfs.{name}", *fields)

    def history_event(  # noqa: PLR0913 - a record has that many parts
        self,
        pool: PracticePool,
        name: str,
        text: str,
        *,
        txg: int | None = None,
        dataset: tuple[str, int] | None = None,
        at: float | None = None,
    ) -> None:
        """Add an internal record to a pool's history, and its event; without a txg, of the open one."""
        txg = int(pool.txg) if txg is None else txg
        moment = self.now if at is None else at
        fields: list[tuple[str, EventValue]] = [("history_hostname", self.hostname)]
        if dataset:
            fields.append(("history_dsname", dataset[0]))
        fields += [("history_internal_str", text), ("history_internal_name", name)]
        if dataset:
            fields.append(("history_dsid", dataset[1]))
        fields += [("history_txg", txg), ("history_time", int(moment))]
        context = CREATING if txg <= 4 else 0
        self.report(pool, "sysevent.fs.zfs.history_event", *fields, at=moment, context=context)
        where = f" {dataset[0]} ({dataset[1]})" if dataset else ""
        pool.remember(History(int(moment), f"{name}{where} {text}", txg))

    def note(self, pool: PracticePool, command: str, *, at: float | None = None) -> None:
        """Add a command to a pool's history."""
        moment = int(self.now if at is None else at)
        pool.remember(History(moment, command))

    def kernel(self, message: str) -> None:
        """Add a message of the kernel."""
        self.kernel_log.append((self.now, message))
        del self.kernel_log[:-KERNEL_LINES]

    def stamp(self, pattern: str, at: float | None = None) -> str:
        """A moment in UTC, as strftime writes it."""
        return time.strftime(pattern, time.gmtime(self.now if at is None else at))
