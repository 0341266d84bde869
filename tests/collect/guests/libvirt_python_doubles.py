"""Children of libvirt-python for tests: of a script, or the real one with libvirt's test driver."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.doubles.scripted_host import ScriptedHost
from zconsole.base.errors import HostError
from zconsole.hosts.host import Command, SocketRefused
from zconsole.system.libvirt import libvirt_python_lines as lines
from zconsole.system.libvirt.libvirt_python_child import UNAVAILABLE

DRIVER = "test:///default"
GUEST = "6695eb01-f6a4-8304-79aa-97f2502e193f"  # its one guest
SOCKET = "/run/libvirt/libvirt-sock-ro"
SESSION_SOCKET = "/run/user/0/libvirt/libvirt-sock"
READY = 'say({"ready": {"events": ["lifecycle"]}})'
BEGIN = """\
import json, sys
def say(line): print(line if isinstance(line, str) else json.dumps(line), flush=True)
"""
NO_BINDING = f"sys.exit({UNAVAILABLE})"
REFUSES = "sys.exit('Failed to connect socket: Connection refused')"
HANGS = "sys.stdin.read()"


def answering(answers: str) -> str:
    """A script that answers each request by an expression of `verb`; None: never."""
    return f"""\
{READY}
for line in sys.stdin:
    request = json.loads(line)
    verb = request["verb"]
    answer = {answers}
    if answer is not None:
        say({{"id": request["id"], **answer}})
"""


STATUSES = '{"answer": [["web01", {"state.state": 1}]]}'
ANSWERS = answering(f'{STATUSES} if verb == "statuses" else {{"answer": ["{GUEST}"]}}')


class Children:
    """What each child that is started does, by a word of its URI; and how often one was."""

    def __init__(self) -> None:
        self.scripts: dict[str, str] = {}
        self.starts: list[str] = []

    def serve(self, way: lines.Way, connection: str, socket: str) -> Command:
        self.starts.append(connection)
        script = self.scripts.get(connection)
        if script is None:
            return Command((*way, DRIVER))
        return Command((sys.executable, "-I", "-c", BEGIN + script))


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> Children:
    """In the place of the child."""
    made = Children()
    monkeypatch.setattr(lines, "serve", made.serve)
    return made


class SocketHost(ScriptedHost):
    """A host with sockets of libvirt."""

    forwards_sockets = True

    def __init__(self, *sockets: str) -> None:
        super().__init__()
        self.sockets = list(sockets)
        self.refusal: HostError | None = None
        self.forwarded = 0
        self.answers["id"] = b"uid=0(root) gid=0(root) groups=0(root)\n"

    def has(self, *sockets: str) -> None:
        """Print the sockets when they are asked for."""
        self.answers["ls -1d"] = "".join(f"{each}\n" for each in sockets).encode()

    @asynccontextmanager
    async def forward_socket(self, path: str) -> AsyncIterator[str]:
        if self.refusal is not None:
            raise self.refusal
        self.forwarded += 1
        try:
            yield str(Path(path))
        finally:
            self.forwarded -= 1


def refused() -> SocketRefused:
    """A host whose sshd forwards no sockets."""
    return SocketRefused(f"{SOCKET} of nas1 cannot be connected to: open failed")
