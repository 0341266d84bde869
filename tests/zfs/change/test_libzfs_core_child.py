"""libzfs_core in its child: what each verb does, what it refuses, and how it ends."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zconsole.practice import create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.zfs.change import libzfs_core_child

FAKES = Path(__file__).parent / "fakes"
OLDEST_PYTHON = (3, 7)  # that runs the child: of distributions that OpenZFS still supports
POOL: dict[str, Any] = {
    "datasets": ["tank", "tank/a", "tank/a/b", "tank/in", "tank/in/x"],
    "receiving": [],
    "snapshots": {
        "tank/a@1": {"holds": {"keep": 1}, "bytes": 100},
        "tank/a@2": {"holds": {}, "bytes": 20},
        "tank/a@3": {"holds": {}, "bytes": 3},
        "tank/a/b@1": {"holds": {"keep": 1}, "bytes": 4000},
        "tank/c@1": {"holds": {}, "is_cloned": True, "bytes": 0},
    },
    "broken": {},
}
Words = dict[str, Any]


@dataclass
class Ended:
    """What a child left behind."""

    status: int
    answer: Words
    said: list[str]


@dataclass
class Child:
    """The program, with a fake library whose pools are in a file."""

    state: Path
    capture: pytest.CaptureFixture[str]
    patch: pytest.MonkeyPatch

    def set(self, **values: Any) -> None:
        self.state.write_text(json.dumps({**self.pools, **values}))

    @property
    def pools(self) -> Words:
        return json.loads(self.state.read_text())

    @property
    def snapshots(self) -> set[str]:
        return set(self.pools["snapshots"])

    def run(self, verb: str, request: object) -> Ended:
        """In this process."""
        return self.run_bytes(json.dumps(request).encode(), verb)

    def run_bytes(self, stdin: bytes, *words: str) -> Ended:
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self.capture.readouterr()
        status = libzfs_core_child.main(words)
        out, err = self.capture.readouterr()
        return Ended(status, json.loads(out), err.splitlines())


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages with the fake library and its pools."""
    folder = tmp_path / "site"
    shutil.copytree(FAKES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "libzfs_core" / "state.json").write_text(json.dumps(POOL))
    return folder


@pytest.fixture
def child(site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    monkeypatch.syspath_prepend(str(site))
    yield Child(site / "libzfs_core" / "state.json", capsys, monkeypatch)
    for name in ("libzfs_core", "libzfs_core.exceptions"):
        sys.modules.pop(name, None)


@pytest.fixture
def python(site: Path, tmp_path: Path) -> Path:
    """An interpreter that has the fake library among its packages, as the system's has the real one."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    packages = tmp_path / "env" / "lib" / version / "site-packages"
    packages.parent.mkdir(parents=True)
    packages.symlink_to(site)
    program = tmp_path / "env" / "bin" / "python3"
    program.parent.mkdir()
    program.symlink_to(sys._base_executable)  # type: ignore[attr-defined]
    home = Path(sys._base_executable).resolve().parent  # type: ignore[attr-defined]
    (tmp_path / "env" / "pyvenv.cfg").write_text(f"home = {home}\n")
    return program


def started(argv: list[str], stdin: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        argv, input=stdin, capture_output=True, text=True, check=False, cwd="/",
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **environment},
    )  # fmt: skip


# What each verb does


def test_snapshots_are_taken_across_datasets(child: Child) -> None:
    ended = child.run("snapshot", {"snapshots": ["tank@new"], "below": ["tank/a@new", "tank/a/b@new"]})

    assert (libzfs_core_child.DONE, {"done": True, "left_out": []}, []) == (
        ended.status,
        ended.answer,
        ended.said,
    )
    assert {"tank@new", "tank/a@new", "tank/a/b@new"} <= child.snapshots


def test_where_one_exists_none_is_taken(child: Child) -> None:
    ended = child.run("snapshot", {"snapshots": ["tank/a@1", "tank@1", "tank/none@1"], "below": []})

    assert libzfs_core_child.REFUSED == ended.status
    assert [
        "cannot create snapshot 'tank/a@1': dataset already exists",
        "cannot create snapshot 'tank/none@1': dataset does not exist",
    ] == ended.said
    assert {
        "done": False,
        "errors": [
            {"name": "tank/a@1", "error": "SnapshotExists", "errno": 17, "said": ended.said[0]},
            {"name": "tank/none@1", "error": "FilesystemNotFound", "errno": 2, "said": ended.said[1]},
        ],
    } == ended.answer
    assert POOL == child.pools


def test_an_error_of_all_of_them_has_no_name(child: Child) -> None:
    child.set(refuses_all=1)

    ended = child.run("snapshot", {"snapshots": ["tank@new", "tank/a@new"], "below": []})

    assert ["cannot create snapshots: permission denied"] == ended.said
    assert None is ended.answer["errors"][0]["name"]


def test_what_is_below_is_left_out_while_something_is_received_into_it(child: Child) -> None:
    """As `zfs snapshot -r` does; a snapshot of the rest is as good."""
    child.set(receiving=["tank/in"])

    ended = child.run(
        "snapshot", {"snapshots": ["tank@new"], "below": ["tank/a@new", "tank/in@new", "tank/in/x@new"]}
    )

    assert {"done": True, "left_out": ["tank/in@new", "tank/in/x@new"]} == ended.answer
    assert {"tank@new", "tank/a@new"} == child.snapshots - set(POOL["snapshots"])


@pytest.mark.parametrize(
    "request_",
    [
        {"snapshots": ["tank/in@new"], "below": ["tank/in/x@new"]},
        {"snapshots": ["tank/a@new"], "below": ["tank/in@new", "tank/none@new"]},
    ],
)
def test_what_was_asked_for_by_name_is_not_left_out_and_nothing_is_for_another_reason(
    request_: Words, child: Child
) -> None:
    child.set(receiving=["tank/in"])
    before = child.pools

    ended = child.run("snapshot", request_)

    assert libzfs_core_child.REFUSED == ended.status
    assert "cannot create snapshot 'tank/in@new': dataset is busy" in ended.said
    assert before == child.pools


def test_snapshots_are_destroyed(child: Child) -> None:
    ended = child.run("destroy-snaps", {"snapshots": ["tank/a@2", "tank/a@3"]})

    assert (libzfs_core_child.DONE, {"done": True}) == (ended.status, ended.answer)
    assert {"tank/a@1", "tank/a/b@1", "tank/c@1"} == child.snapshots


def test_where_one_is_held_or_cloned_none_is_destroyed(child: Child) -> None:
    ended = child.run("destroy-snaps", {"snapshots": ["tank/c@1", "tank/a@2", "tank/a@1"]})

    assert libzfs_core_child.REFUSED == ended.status
    assert [
        "cannot destroy snapshot tank/a@1: it's being held. Run 'zfs holds -r tank/a@1' to see holders.",
        "cannot destroy snapshot tank/c@1: snapshot is cloned",
    ] == ended.said
    assert POOL == child.pools


def test_where_one_is_gone_none_is_destroyed(child: Child) -> None:
    """The library would pass over it."""
    ended = child.run("destroy-snaps", {"snapshots": ["tank/a@2", "tank/a@9"]})

    assert (libzfs_core_child.REFUSED, ["cannot destroy snapshot tank/a@9: dataset does not exist"]) == (
        ended.status,
        ended.said,
    )
    assert POOL == child.pools


def test_the_count_of_errors_that_zfs_did_not_list_is_no_name(child: Child) -> None:
    child.set(more_errors=7)

    ended = child.run("destroy-snaps", {"snapshots": ["tank/a@1"]})

    assert ["tank/a@1"] == [each["name"] for each in ended.answer["errors"]]


def test_so_many_errors_are_told_and_the_others_counted(child: Child) -> None:
    names = [f"tank/a@{number}" for number in range(1000, 1000 + libzfs_core_child.MOST_ERRORS + 5)]

    ended = child.run("destroy-snaps", {"snapshots": names})

    assert "and 5 more" == ended.said[-1]
    assert libzfs_core_child.MOST_ERRORS + 1 == len(ended.said)


def test_the_space_of_ranges_is_added_up(child: Child) -> None:
    ranges = [["tank/a@1", "tank/a@2"], ["tank/a/b@1", "tank/a/b@1"]]

    assert {"done": True, "bytes": 4120} == child.run("snaprange-space", {"ranges": ranges}).answer


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        ("tank/a@3", "tank/a@1", "not of one dataset, or not in their order"),
        ("tank/a@1", "tank/a/b@1", "not of one dataset, or not in their order"),
        ("tank/a@1", "tank/a@9", "dataset does not exist"),
    ],
)
def test_what_is_no_range_has_no_space(first: str, last: str, reason: str, child: Child) -> None:
    ended = child.run("snaprange-space", {"ranges": [[first, last]]})

    assert (libzfs_core_child.REFUSED, [f"cannot determine the space freed up to '{last}': {reason}"]) == (
        ended.status,
        ended.said,
    )


def test_a_rollback_goes_to_the_newest_snapshot_only(child: Child) -> None:
    past = child.run("rollback-to", {"dataset": "tank/a", "snapshot": "tank/a@2"})
    gone = child.run("rollback-to", {"dataset": "tank/a", "snapshot": "tank/a@9"})
    done = child.run("rollback-to", {"dataset": "tank/a", "snapshot": "tank/a@3"})

    assert ["cannot rollback 'tank/a': there is a snapshot or bookmark more recent than 'tank/a@2'"] == (
        past.said
    )
    assert ["cannot rollback 'tank/a': 'tank/a@9' is not found among snapshots of 'tank/a'"] == gone.said
    assert (libzfs_core_child.REFUSED, libzfs_core_child.REFUSED, libzfs_core_child.DONE) == (
        past.status,
        gone.status,
        done.status,
    )
    assert "tank/a@3" == child.pools["rolled_back"]


@pytest.mark.parametrize("tag", ["new", "ä ö", "\udcff", "a#b", "x" * 255])
def test_holds_come_and_go_whatever_their_tags_are(tag: str, child: Child) -> None:
    names = ["tank/a@2", "tank/a/b@1"]

    held = child.run("hold", {"tag": tag, "snapshots": names})
    after = child.pools["snapshots"]["tank/a@2"]["holds"]
    again = child.run("hold", {"tag": tag, "snapshots": [*names, "tank/a@3"]})
    released = child.run("release", {"tag": tag, "snapshots": names})

    assert (libzfs_core_child.DONE, [tag]) == (held.status, list(after))
    assert [
        "cannot hold snapshot 'tank/a/b@1': tag already exists on this dataset",
        "cannot hold snapshot 'tank/a@2': tag already exists on this dataset",
    ] == again.said
    assert libzfs_core_child.DONE == released.status
    assert POOL == child.pools


@pytest.mark.parametrize(
    ("verb", "names", "said"),
    [
        ("hold", ["tank/a@2", "tank/a@9"], "cannot hold snapshot 'tank/a@9': dataset does not exist"),
        (
            "release",
            ["tank/a@1", "tank/a@2"],
            "cannot release hold from snapshot 'tank/a@2': no such tag on this dataset",
        ),
        (
            "release",
            ["tank/a@1", "tank/a@9"],
            "cannot release hold from snapshot 'tank/a@9': dataset does not exist",
        ),
    ],
)
def test_where_one_is_missing_no_hold_changes(verb: str, names: list[str], said: str, child: Child) -> None:
    ended = child.run(verb, {"tag": "keep" if verb == "release" else "new", "snapshots": names})

    assert (libzfs_core_child.REFUSED, [said]) == (ended.status, ended.said)
    assert POOL == child.pools


@pytest.mark.parametrize("verb", ["hold", "release"])
def test_one_that_vanished_at_the_last_moment_is_told(verb: str, child: Child) -> None:
    child.set(vanish=["tank/a@2"])

    ended = child.run(verb, {"tag": "keep" if verb == "release" else "new", "snapshots": ["tank/a@1"]})

    assert libzfs_core_child.REFUSED == ended.status
    assert "tank/a@2" == ended.answer["errors"][0]["name"]


# What it does not take


LONG = f"tank/{'x' * 250}@1"


@pytest.mark.parametrize(
    ("verb", "stdin"),
    [
        ("snapshot", b""),
        ("snapshot", b"{"),
        ("snapshot", b"\xff{}"),
        ("snapshot", b"[" * 100_000),
        ("snapshot", b"[]"),
        ("snapshot", b"null"),
        ("snapshot", b"{}"),
        ("snapshot", b'{"snapshots": ["tank@1"]}'),
        ("snapshot", b'{"snapshots": ["tank@1"], "below": [], "props": {}}'),
        ("snapshot", b'{"snapshots": ["tank@1"], "snapshots": ["tank@2"], "below": []}'),
        ("snapshot", b'{"snapshots": [], "below": ["tank@1"]}'),
        ("snapshot", b'{"snapshots": "tank@1", "below": []}'),
        ("snapshot", b'{"snapshots": ["tank@new"], "below": ["tank@new"]}'),
        ("snapshot", b'{"snapshots": ["tank@new"], "below": ["other/a@new"]}'),
        ("snapshot", b'{"snapshots": [1], "below": []}'),
        ("destroy-snaps", b'{"snapshots": []}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a@"]}'),
        ("destroy-snaps", b'{"snapshots": ["@1"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a@1,2"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a@1%2"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a@1@2"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a#1"]}'),
        ("destroy-snaps", b'{"snapshots": ["/tank@1"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank//a@1"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a@1\\n"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a@1\\u0000"]}'),
        ("destroy-snaps", '{"snapshots": ["tank/ä@1"]}'.encode()),
        ("destroy-snaps", '{"snapshots": ["tank/\u0661@1"]}'.encode()),
        ("destroy-snaps", b'{"snapshots": ["tank/a@2", "tank/a@2"]}'),
        ("destroy-snaps", b'{"snapshots": ["tank/a@2", "other/a@2"]}'),
        ("destroy-snaps", f'{{"snapshots": ["{LONG}"]}}'.encode()),
        ("destroy-snaps", b'{"snapshots": ["tank/a@2"], "defer": true}'),
        ("snaprange-space", b'{"ranges": []}'),
        ("snaprange-space", b'{"ranges": [["tank/a@1"]]}'),
        ("snaprange-space", b'{"ranges": ["tank/a@1"]}'),
        ("snaprange-space", b'{"ranges": [["tank/a@1", "tank/a@2", "tank/a@3"]]}'),
        ("snaprange-space", b'{"ranges": [["tank/a@1", null]]}'),
        ("rollback-to", b'{"dataset": "tank/a", "snapshot": "tank/b@1"}'),
        ("rollback-to", b'{"dataset": "tank", "snapshot": "tank/a@3"}'),
        ("rollback-to", b'{"dataset": "tank/a@3", "snapshot": "tank/a@3"}'),
        ("rollback-to", b'{"dataset": "tank/a", "snapshot": "tank/a"}'),
        ("rollback-to", b'{"dataset": null, "snapshot": "tank/a@3"}'),
        ("hold", b'{"tag": "", "snapshots": ["tank/a@2"]}'),
        ("hold", b'{"tag": 1, "snapshots": ["tank/a@2"]}'),
        ("hold", b'{"tag": ".send-1", "snapshots": ["tank/a@2"]}'),
        ("hold", b'{"tag": "a\\u0000b", "snapshots": ["tank/a@2"]}'),
        ("hold", b'{"tag": "\\ud800", "snapshots": ["tank/a@2"]}'),
        ("hold", f'{{"tag": "{"x" * 256}", "snapshots": ["tank/a@2"]}}'.encode()),
        ("hold", f'{{"tag": "{"ä" * 128}", "snapshots": ["tank/a@2"]}}'.encode()),
        ("hold", b'{"tag": "a", "snapshots": ["tank/a"]}'),
        ("release", b'{"snapshots": ["tank/a@1"]}'),
    ],
)
def test_a_request_that_is_not_understood_changes_nothing(verb: str, stdin: bytes, child: Child) -> None:
    ended = child.run_bytes(stdin, verb)

    assert libzfs_core_child.MALFORMED == ended.status
    assert ended.said == [each["said"] for each in ended.answer["errors"]]
    assert len(ended.said[0]) < 400
    assert POOL == child.pools


@pytest.mark.parametrize("words", [(), ("destroy",), ("--help",), ("hold", "release"), ("",), ("ä\udcff",)])
def test_an_unknown_verb_is_told_with_those_that_are_known(words: tuple[str, ...], child: Child) -> None:
    ended = child.run_bytes(b"{}", *words)

    assert libzfs_core_child.MALFORMED == ended.status
    assert "destroy-snaps" in ended.said[0]


def test_a_request_larger_than_any_is_not_read_to_its_end(
    child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libzfs_core_child, "MOST_BYTES", 100)

    ended = child.run("destroy-snaps", {"snapshots": ["tank/a@2", f"tank/{'a' * 100}@1"]})

    assert (libzfs_core_child.MALFORMED, ["the request has more than 100 bytes"]) == (
        ended.status,
        ended.said,
    )


def test_more_names_than_one_txg_should_have_are_refused(
    child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libzfs_core_child, "MOST_NAMES", 2)

    ended = child.run("destroy-snaps", {"snapshots": ["tank/a@1", "tank/a@2", "tank/a@3"]})

    assert libzfs_core_child.MALFORMED == ended.status


NAMES = st.sampled_from([*POOL["snapshots"], "tank", "tank/a", "tank@new", "tank/a@9", "other@1", "x" * 300])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.lists(NAMES, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["snapshots", "below", "ranges", "dataset", "snapshot", "tag", "x"])


@given(
    verb=st.sampled_from(sorted(libzfs_core_child.VERBS)),
    request_=st.dictionaries(KEYS, VALUES, max_size=3) | VALUES,
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
def test_whatever_is_asked_is_answered_and_no_dataset_is_ever_lost(
    verb: str, request_: object, child: Child
) -> None:
    child.set(**POOL)

    ended = child.run(verb, request_)

    assert ended.status in {libzfs_core_child.DONE, libzfs_core_child.REFUSED, libzfs_core_child.MALFORMED}
    assert (ended.status == libzfs_core_child.DONE) is ended.answer["done"]
    assert POOL["datasets"] == child.pools["datasets"]
    if ended.status != libzfs_core_child.DONE:
        assert POOL == child.pools


# Where the library does not work


def test_without_the_library_it_says_so_as_the_practice_host_does(python: Path) -> None:
    ended = started([sys.executable, "-I", "-S", libzfs_core_child.__file__, "probe"], "")
    practised = answer(
        create_world("mirror 0 1"), ("/usr/bin/python3", "-I", libzfs_core_child.__file__, "probe")
    )

    assert libzfs_core_child.UNAVAILABLE == ended.returncode
    assert Reply(ended.stdout, ended.stderr, ended.returncode) == practised
    assert "libzfs_core does not work here: No module named 'libzfs_core'\n" == ended.stderr


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("raise SystemError('built for another Python')", "does not work here: built for another Python"),
        ("print 'Python 2'", "does not work here: Missing parentheses"),
        ("lzc_snapshot = lzc_exists = print", "it is too old: it lacks exceptions"),
        (
            "from fake import *\nimport fake\nexceptions = fake.exceptions\ndel lzc_rollback_to",
            "it is too old: it lacks lzc_rollback_to",
        ),
    ],
)
def test_a_library_that_does_not_work_is_no_library(module: str, said: str, site: Path, python: Path) -> None:
    (site / "libzfs_core").rename(site / "fake")
    (site / "libzfs_core.py").write_text(module)

    for verb, stdin in (("probe", ""), ("destroy-snaps", '{"snapshots": ["tank/a@2"]}')):
        ended = started([str(python), "-I", libzfs_core_child.__file__, verb], stdin)

        assert libzfs_core_child.UNAVAILABLE == ended.returncode
        assert said in ended.stderr
        assert "Traceback" not in ended.stderr
    assert POOL == json.loads((site / "fake" / "state.json").read_text())


def test_a_library_that_finds_no_zfs_is_no_library(child: Child) -> None:
    child.set(broken={"lzc_exists": "cannot open /dev/zfs"})

    ended = child.run("destroy-snaps", {"snapshots": ["tank/a@2"]})

    assert (libzfs_core_child.UNAVAILABLE, ["libzfs_core does not work here: cannot open /dev/zfs"]) == (
        ended.status,
        ended.said,
    )


def test_where_it_is_not_known_whether_zfs_did_it_the_child_has_no_exit_status(
    site: Path, python: Path
) -> None:
    """PyPI's pyzfs 0.2.3 under Python 3 holds a snapshot, and then fails."""
    state = site / "libzfs_core" / "state.json"
    state.write_text(json.dumps({**POOL, "broken": {"lzc_hold": "AttributeError"}}))

    ended = started(
        [str(python), "-I", libzfs_core_child.__file__, "hold"], '{"tag": "new", "snapshots": ["tank/a@2"]}'
    )

    assert -signal.SIGKILL == ended.returncode
    assert ("", {"new": 1}) == (
        ended.stdout,
        json.loads(state.read_text())["snapshots"]["tank/a@2"]["holds"],
    )
    assert ended.stderr.startswith("lzc_hold failed unexpectedly, and ZFS may have done it")


# As a program


def test_as_a_module_it_is_the_same_program(site: Path) -> None:
    root = str(Path(libzfs_core_child.__file__).parents[3])
    argv = [sys.executable, "-m", "zconsole.zfs.change.libzfs_core_child", "hold"]

    ended = started(argv, '{"tag": "ä", "snapshots": ["tank/a@2"]}', PYTHONPATH=f"{site}:{root}")

    assert (0, '{"done": true}\n', "") == (ended.returncode, ended.stdout, ended.stderr)
    state = json.loads((site / "libzfs_core" / "state.json").read_text())
    assert {"ä": 1} == state["snapshots"]["tank/a@2"]["holds"]


def test_by_its_path_it_needs_nothing_of_zconsoles_and_heeds_no_environment(
    python: Path, tmp_path: Path
) -> None:
    """Another Python than zconsole's own runs it, under sudo and as root."""
    (tmp_path / "json.py").write_text("raise SystemExit('not of this folder')")

    ended = started(
        [str(python), "-I", libzfs_core_child.__file__, "probe"],
        "",
        PYTHONPATH=str(tmp_path),
        PYTHONSTARTUP="x",
    )
    names = started(
        [str(python), "-I", libzfs_core_child.__file__, "snapshot"],
        '{"snapshots": ["tank/a@1"], "below": []}',
    )

    assert (0, True) == (ended.returncode, json.loads(ended.stdout)["done"])
    assert (1, "cannot create snapshot 'tank/a@1': dataset already exists\n") == (
        names.returncode,
        names.stderr,
    )


def test_it_is_written_for_older_pythons_too() -> None:
    source = Path(libzfs_core_child.__file__).read_text()

    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source, feature_version=OLDEST_PYTHON))
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported - {"libzfs_core"} <= sys.stdlib_module_names
