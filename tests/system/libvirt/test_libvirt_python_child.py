"""The child of libvirt-python, with Debian's binding and libvirt's test driver."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from zconsole.system.libvirt import libvirt_python_child as child
from zconsole.system.libvirt.libvirt_python_lines import PROGRAM, request

PYTHON = "/usr/bin/python3"
OLDEST_PYTHON = (3, 7)
TEST = "6695eb01-f6a4-8304-79aa-97f2502e193f"  # the guest of test:///default
ABSENT = "e0f20368-b0cf-4f90-bc00-65f12a552c4b"


def has_binding(python: str = PYTHON) -> bool:
    """Whether a Python has libvirt-python."""
    if not Path(python).exists():
        return False
    return (
        0
        == subprocess.run([python, "-I", "-c", "import libvirt"], capture_output=True, check=False).returncode
    )


needs_binding = pytest.mark.skipif(not has_binding(), reason="no libvirt-python (Debian: python3-libvirt)")


class Running:
    """A child that answers."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def ask(self, number: int, verb: str, uuid: str = "") -> dict[str, Any]:
        self.write(request(number, verb, uuid))
        return self.line()

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()


@contextmanager
def running(uri: str = "test:///default") -> Iterator[Running]:
    with subprocess.Popen(
        [PYTHON, "-I", PROGRAM, uri], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield Running(process)
        finally:
            process.kill()


def test_it_is_one_file_for_any_python_and_knows_nothing_of_zconsole() -> None:
    tree = ast.parse(Path(PROGRAM).read_text(encoding="utf-8"), feature_version=OLDEST_PYTHON)
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
        )
    }

    assert {"libvirt"} == imported - set(sys.stdlib_module_names)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("qemu:///system",),
        ("qemu+ssh://nas2/system?socket=/x",),
        ("qemu+unix:///system?socket=/x&command=sh",),
        ("qemu+unix:///system?socket=/x", "more"),
        ("qemu+ext:///system?socket=/x",),
    ],
)
def test_it_connects_to_a_socket_of_this_machine_and_to_nothing_else(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert child.MALFORMED == child.main(words)
    assert "expected the URI of a socket\n" == capsys.readouterr().err


def test_a_python_without_libvirt_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "libvirt", None)

    assert child.UNAVAILABLE == child.main(("test:///default",))
    assert "libvirt-python does not work here" in capsys.readouterr().err


@needs_binding
def test_it_tells_of_all_guests() -> None:
    with running() as found:
        assert "lifecycle" in found.line()["ready"]["events"]
        statuses = found.ask(1, "statuses")
        assert (1, "test", 1) == (
            statuses["id"],
            statuses["answer"][0][0],
            statuses["answer"][0][1]["state.state"],
        )
        assert {"id": 2, "answer": [TEST]} == found.ask(2, "uuids")
        assert f"<uuid>{TEST}</uuid>" in found.ask(3, "definition", TEST)["answer"]


@needs_binding
def test_a_guest_that_is_not_there_is_an_error_and_others_are_answered() -> None:
    with running() as found:
        found.line()
        assert "Domain not found" in found.ask(1, "definition", ABSENT)["error"]
        assert [TEST] == found.ask(2, "uuids")["answer"]


NODE = """\
<node><domain type='test'><name>test</name><memory>8192</memory><os><type>hvm</type></os></domain>
<pool type='dir'><name>P</name><target><path>/srv/P</path></target>
<volume type='file'><name>a/b c</name><capacity>1048576</capacity>
<target><path>/srv/P/a</path></target></volume>
</pool></node>
"""


@needs_binding
def test_a_volume_of_a_storage_pool_has_a_path(tmp_path: Path) -> None:
    node = tmp_path / "node.xml"
    node.write_text(NODE)
    with running(f"test://{node}") as found:
        found.line()
        assert "/srv/P/a" == found.ask(1, "volume-path", "P/a/b c")["answer"]
        assert "no storage vol" in found.ask(2, "volume-path", "P/absent")["error"]
        assert "Storage pool not found" in found.ask(3, "volume-path", "Q/a")["error"]
        found.write(b'{"id": 4, "verb": "volume-path", "volume": 4}\n')
        assert child.MALFORMED == found.process.wait(30)


@needs_binding
def test_the_end_of_its_stdin_is_its_end() -> None:
    with running() as found:
        found.line()
        assert found.process.stdin is not None
        found.process.stdin.close()

        assert child.ENDED == found.process.wait(30)


@needs_binding
@pytest.mark.parametrize(
    "line",
    [
        b"rubbish\n",
        b"[]\n",
        b'{"id": 1, "verb": "destroy"}\n',
        b'{"id": 1, "verb": "uuids", "uuid": "--all"}\n',
        b'{"id": 1, "verb": "uuids", "uuid": 3}\n',
        b"x" * (child.LONGEST_REQUEST + 1),
    ],
)
def test_what_it_was_not_made_for_ends_it(line: bytes) -> None:
    with running() as found:
        found.line()
        found.write(line)

        assert child.MALFORMED == found.process.wait(30)


@needs_binding
def test_a_socket_where_nobody_listens_is_told(tmp_path: Path) -> None:
    with running(f"qemu+unix:///system?socket={tmp_path}/socket") as found:
        assert child.LOST == found.process.wait(30)
        assert found.process.stderr is not None
        assert b"Failed to connect socket" in found.process.stderr.read()
