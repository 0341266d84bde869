"""What users reported of hosts and files that hold rubbish: only its own part is lost, no traceback."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from tests.cli.acting import Zconsole, clock, nas, zconsole
from tests.cli.fakes import nas as scripted
from tests.cli.fakes import reach
from zconsole.base.errors import ParseError
from zconsole.cli import run
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.practice import PracticeHost
from zconsole.zfs.listing.history import parse_history

__all__ = ["clock", "nas", "zconsole"]  # fixtures
GUID = "1234567890123456789"
ABOUT = '{"format": 1, "label": "x", "started": 1795232471.0}'
DEEP = '{"a":' * 100_000
AT_ONCE_S = 1.5  # of the processor, for all of `status`
Screen = pytest.CaptureFixture[str]
IMPORTABLE = """   pool: t\udcffnk
     id: 1234567890123456789
  state: ONLINE
 action: The pool can be imported using its name or numeric identifier.
 config:

\tt\udcffnk     ONLINE
\t  sdb       ONLINE
"""
STATUS = {
    "a number of 4,301 digits": b'{"pools": {"tank": {"name": "tank", "pool_guid": ' + b"9" * 4301 + b"}}}\n",
    "an infinite number": b'{"pools": {"tank": {"name": "tank", "error_count": Infinity}}}\n',
    "deep nesting": DEEP.encode(),
}


@pytest.mark.parametrize("kind", STATUS)
def test_a_status_that_is_rubbish_is_told_in_a_sentence(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    """Reported: tracebacks."""
    host = scripted("healthy-mirrors", "local")
    host.answers["zpool status"] = host.answers["zpool status -j"] = STATUS[kind]
    reach(monkeypatch, local=host, other=scripted("healthy-mirrors", "other"))

    code = run(["status", "--host", "local", "--host", "other"])

    out, err = capsys.readouterr()
    assert "Pool tank is ONLINE" in out
    assert "zpool status" in out
    assert 3 == code
    assert "the status of no pool of local could be read" in err


def test_a_removal_that_is_told_in_a_line_without_an_end_is_read_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    """Reported: 300,000 characters took minutes, in which the screen of all hosts stood still."""
    host = scripted("healthy-mirrors", "local", "2.1")
    told = host.answers["zpool status -vsitpP"]
    assert isinstance(told, bytes)
    reach(monkeypatch, local=host)
    for many in (3_000, 30_000, 300_000):
        line = b"remove: Evacuation of mirror-0 in progress since Sat Nov 21 03:41:11 2026\n\t" + b"-" * many
        host.answers["zpool status -vsitpP"] = told.replace(b"config:\n", line + b"\nconfig:\n")

        began = process_time()
        run(["status"])

        assert process_time() - began < AT_ONCE_S, many
        assert "local" in "".join(capsys.readouterr())


def test_a_version_of_too_many_digits_is_told_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    """Reported: a traceback in place of all hosts."""
    host = scripted("healthy-mirrors", "local", "2.1")
    host.answers["zfs version"] = b"zfs-2." + b"9" * 4301 + b".1-1\nzfs-kmod-2.4.1-1\n"
    reach(monkeypatch, local=host, other=scripted("healthy-mirrors", "other"))

    run(["status", "--host", "local", "--host", "other"])

    out, err = capsys.readouterr()
    assert "other: OpenZFS" in out
    assert "local" in out + err


def test_a_pool_to_import_whose_name_is_no_utf8_can_be_planned_by_its_guid(
    nas: PracticeHost, zconsole: Zconsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reported: a traceback."""
    plain = nas.run

    async def run_there(command: Command) -> Completed:
        if command.argv[:2] == ("zpool", "import"):
            return Completed(command, Outcome.DONE, 0, IMPORTABLE.encode("utf-8", "surrogateescape"), b"")
        return await plain(command)

    monkeypatch.setattr(nas, "run", run_there)

    code, out, err = zconsole("plan", "import", GUID, "--host", "nas")

    assert code in {0, 3}
    assert r"t\xffnk" in out + err


@pytest.mark.parametrize(
    ("about", "line"),
    [
        (ABOUT, "Infinity"),
        (ABOUT, '{"t": 0, "kind": "run", "argv": ["id"], "status": Infinity, "outcome": "done"}'),
        (ABOUT, DEEP),
        (DEEP, ""),
    ],
)
def test_a_recording_that_is_rubbish_is_told_in_a_sentence(
    tmp_path: Path, capsys: Screen, about: str, line: str
) -> None:
    """Reported: tracebacks from `Infinity` and from deep nesting."""
    (tmp_path / "blobs").mkdir()
    (tmp_path / "recording.json").write_text(about)
    (tmp_path / "index.jsonl").write_text(line + "\n")

    code = run(["status", "--replay", str(tmp_path)])

    assert 3 == code
    assert "The recording was damaged or changed" in capsys.readouterr().err


@pytest.mark.parametrize("moment", ["2026-13-45.03:41:11", "2026-02-30.25:61:61", "0000-00-00.00:00:00"])
def test_a_moment_that_is_none_is_a_line_that_is_not_understood(moment: str) -> None:
    """Reported: a traceback from the history of a pool."""
    with pytest.raises(ParseError):
        parse_history(f"History for 'tank':\n{moment} zpool create tank sda\n")
