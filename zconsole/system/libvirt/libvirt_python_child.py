"""libvirt-python in a child: `python3 -I libvirt_python_child.py URI`, by lines of JSON.

libvirt's calls block, and a libvirtd that hangs blocks them for ever: here, where a kill ends them.
The program is this one file and imports nothing of zconsole, because it runs in whichever Python has libvirt,
often the system's (Debian: python3-libvirt). It reads only: the connection is a read-only one wherever the
socket does not decide that already.

    {"ready": {"events": ["lifecycle", ...]}}                              printed first
    {"id": 1, "verb": "statuses"}                   {"id": 1, "answer": [["web01", {"state.state": 1, ...}]]}
    {"id": 2, "verb": "uuids"}                      {"id": 2, "answer": ["e0f2...", ...]}
    {"id": 3, "verb": "definition", "uuid": UUID}   {"id": 3, "answer": "<domain ...>"}
    {"id": 4, "verb": "disk-errors", "uuid": UUID}  {"id": 4, "answer": {"vda": "no space"}}
                                                    {"id": 4, "error": "Domain not found"}
    {"id": 5, "verb": "volume-path", "volume": "POOL/VOLUME"}   {"id": 5, "answer": "/srv/images/a.qcow2"}
    {"event": "lifecycle", "guest": "web01", "words": "Suspended 2"}       at any time

Each request has a thread, so that a guest whose QEMU hangs delays only what is asked of it. Exit status:
0 stdin was closed; 1 no connection, or it was lost (stderr tells); 2 not called in this way; 3 there is no
libvirt for this Python.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

ENDED, LOST, MALFORMED, UNAVAILABLE = range(4)  # exit status
MOST_CALLS = 16  # at once; libvirtd itself works on five of a client
LONGEST_REQUEST = 16384  # bytes: of a volume whose names have 255 characters, each escaped
LONGEST_SAID = 500  # characters of a foreign message
ALIVE_EVERY_S, ALIVE_COUNT = 5, 3  # after which a libvirtd that does not answer counts as lost
URI = re.compile(r"qemu\+unix:///(?:system|session)\?socket=/[^?#&\n]+|test://(?:/[^?#\n]*)")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
LIFECYCLE = (
    "Defined", "Undefined", "Started", "Suspended", "Resumed", "Stopped", "Shutdown", "PMSuspended",
    "Crashed",
)  # fmt: skip
EVENTS = {  # by virsh's names
    "lifecycle": "LIFECYCLE",
    "reboot": "REBOOT",
    "io-error-reason": "IO_ERROR_REASON",
    "control-error": "CONTROL_ERROR",
    "block-job-2": "BLOCK_JOB_2",
    "block-threshold": "BLOCK_THRESHOLD",
    "disk-change": "DISK_CHANGE",
    "tray-change": "TRAY_CHANGE",
    "device-added": "DEVICE_ADDED",
    "device-removed": "DEVICE_REMOVED",
    "device-removal-failed": "DEVICE_REMOVAL_FAILED",
    "agent-lifecycle": "AGENT_LIFECYCLE",
}
DISK_ERRORS = {1: "unspecified error", 2: "no space"}  # virDomainDiskErrorCode, in virsh's words
_printing = threading.Lock()


def main(words: Sequence[str]) -> int:
    """Serve one connection until it or stdin ends; returns the exit status."""
    if len(words) != 1 or not URI.fullmatch(words[0]):
        return _fail(MALFORMED, "expected the URI of a socket")
    os.environ["LIBVIRT_AUTOSTART"] = "0"  # looking on must start no daemon
    try:
        import libvirt  # noqa: PLC0415 - in the child only
    except Exception as error:  # noqa: BLE001 - a foreign module, and a library behind it, raise anything
        return _fail(UNAVAILABLE, f"libvirt-python does not work here: {_short(error)}")
    libvirt.registerErrorHandler(lambda _context, _error: None, None)  # it would print them
    calls = _Calls(libvirt)
    threading.Thread(target=calls.read, daemon=True).start()
    try:
        libvirt.virEventRegisterDefaultImpl()
        connection = libvirt.openReadOnly(words[0])
        lost = threading.Event()
        _watch(connection, lost)
        events = list(_subscribe(libvirt, connection))
    except libvirt.libvirtError as error:
        return _fail(LOST, _short(error))
    _print({"ready": {"events": events}})
    calls.begin(connection)
    while not lost.is_set():
        libvirt.virEventRunDefaultImpl()
    return _fail(LOST, "libvirt has closed the connection")


def _watch(connection: Any, lost: threading.Event) -> None:
    """Have the end of the connection told; libvirt's test driver has none."""
    with suppress(Exception):  # then only an answer tells that it has ended
        connection.setKeepAlive(ALIVE_EVERY_S, ALIVE_COUNT)
    with suppress(Exception):
        connection.registerCloseCallback(lambda *_: lost.set(), None)


def _subscribe(libvirt: Any, connection: Any) -> Any:
    """The names of the events that this libvirt tells of."""
    for kind, name in EVENTS.items():
        number = getattr(libvirt, f"VIR_DOMAIN_EVENT_ID_{name}", None)
        if number is None:
            continue
        try:
            connection.domainEventRegisterAny(None, number, _tell, kind)
        except libvirt.libvirtError:
            continue
        yield kind


def _tell(_connection: Any, domain: Any, *words: Any) -> None:
    """Print an event; the last word is its kind."""
    *said, kind = words
    if kind == "lifecycle" and said and 0 <= said[0] < len(LIFECYCLE):
        said[0] = LIFECYCLE[said[0]]
    _print({"event": kind, "guest": domain.name(), "words": " ".join(map(str, said))[:LONGEST_SAID]})


class _Calls:
    """Requests of stdin, each in a thread."""

    def __init__(self, libvirt: Any) -> None:
        self._libvirt = libvirt
        self._connection: Any = None
        self._is_open = threading.Event()
        self._room = threading.Semaphore(MOST_CALLS)

    def begin(self, connection: Any) -> None:
        """Answer from now on."""
        self._connection = connection
        self._is_open.set()

    def read(self) -> None:
        """Read requests; the end of stdin is the end of the program, whatever else it waits for."""
        while True:
            line = sys.stdin.buffer.readline(LONGEST_REQUEST)
            if not line.endswith(b"\n"):
                os._exit(ENDED if not line else MALFORMED)
            try:
                number, perform, subject = _request(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                os._exit(MALFORMED)
            if self._room.acquire(blocking=False):
                threading.Thread(target=self._perform, args=(number, perform, subject), daemon=True).start()
            else:
                _print({"id": number, "error": f"{MOST_CALLS} calls wait for libvirt"})

    def _perform(self, number: int, perform: Callable[[Any, Any, str], Any], subject: str) -> None:
        self._is_open.wait()
        try:
            answer = {"id": number, "answer": perform(self._libvirt, self._connection, subject)}
        except Exception as error:  # noqa: BLE001 - as above
            answer = {"id": number, "error": _short(error)}
        finally:
            self._room.release()
        _print(answer)


def _request(found: Any) -> tuple[int, Callable[[Any, Any, str], Any], str]:
    """Number, verb, and uuid or volume. Raises what wrong types raise."""
    number, uuid, volume = found["id"], found.get("uuid", ""), found.get("volume", "")
    if not isinstance(number, int) or (uuid and not UUID.fullmatch(uuid)) or not isinstance(volume, str):
        raise ValueError(number)
    return number, VERBS[found["verb"]], uuid or volume


# Verbs


def _statuses(libvirt: Any, connection: Any, _uuid: str) -> Any:
    """States and block counters; of a guest with another call under way, its state alone."""
    wanted = libvirt.VIR_DOMAIN_STATS_STATE | libvirt.VIR_DOMAIN_STATS_BLOCK
    flags = libvirt.VIR_CONNECT_GET_ALL_DOMAINS_STATS_BACKING
    found = connection.getAllDomainStats(wanted, flags | libvirt.VIR_CONNECT_GET_ALL_DOMAINS_STATS_NOWAIT)
    return [[domain.name(), values] for domain, values in found]


def _uuids(_libvirt: Any, connection: Any, _uuid: str) -> Any:
    found = sorted(connection.listAllDomains(0), key=lambda domain: domain.ID() < 0)  # active ones first
    return [domain.UUIDString() for domain in found]


def _definition(_libvirt: Any, connection: Any, uuid: str) -> Any:
    return connection.lookupByUUIDString(uuid).XMLDesc(0)


def _disk_errors(_libvirt: Any, connection: Any, uuid: str) -> Any:
    errors = connection.lookupByUUIDString(uuid).diskErrors(0)
    return {disk: DISK_ERRORS.get(code, DISK_ERRORS[1]) for disk, code in errors.items() if code}


def _volume_path(_libvirt: Any, connection: Any, volume: str) -> Any:
    pool, _, name = volume.partition("/")  # names of storage pools have no slash
    return connection.storagePoolLookupByName(pool).storageVolLookupByName(name).path()


VERBS: dict[str, Callable[[Any, Any, str], Any]] = {
    "statuses": _statuses,
    "uuids": _uuids,
    "definition": _definition,
    "disk-errors": _disk_errors,
    "volume-path": _volume_path,
}


def _print(line: dict[str, Any]) -> None:
    try:
        with _printing:
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
    except OSError:
        os._exit(ENDED)  # nobody reads


def _short(error: Exception) -> str:
    return str(error)[:LONGEST_SAID] or type(error).__name__


def _fail(status: int, said: str) -> int:
    sys.stderr.write(said + "\n")
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    END = main(sys.argv[1:])
    os._exit(END)  # a thread may wait for libvirt for ever
