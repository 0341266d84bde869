"""The journal: whole after any end of its writer, readable by all, and without a secret."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.scenarios.fuzz.damaged_rows import HUGE, VALUES, set_value
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.run import RunState
from zconsole.storage.journal import Journal, JournalError, journal_path
from zconsole.storage.journal_rows import SAID_CHARACTERS

ENTRY = Entry(
    id="a1",
    started=1000.0,
    console="boot:1:2",
    who="root",
    origin="ann@desk from 10.0.0.9",
    host="nas1",
    action="destroy",
    intent="{}",
    title="destroy snapshot tank/home@a",
    target="tank/home@a",
    risk="destructive",
    fingerprint="f" * 64,
    hostname="storage1",
    machine_id="m1",
    host_key="SHA256:x",
    destroys=("tank/home@a",),
    undo="it cannot be undone",
    steps=(StepEntry(("zfs", "destroy", "tank/home@a"), "destroy it"), StepEntry(("zfs", "list"), "look")),
)
KILLED_WRITER = """
import os, signal, sys
from pathlib import Path
from tests.storage.test_journal import write_a_run
from zconsole.storage.journal import Journal

journal = Journal(Path(sys.argv[1]))
journal.entries()
left = int(sys.argv[2])

def count(statement):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

journal._open().set_trace_callback(count)
write_a_run(journal, lambda name: print(name, flush=True))
"""


def write_a_run(journal: Journal, acknowledge: Callable[[str], object] = str) -> None:
    """All writes of one run; each is acknowledged once it is on disk."""
    journal.begin(ENTRY)
    acknowledge("begun")
    for number in range(2):
        journal.sent("a1", number, ("sudo", "-n", *ENTRY.steps[number].argv), 1001.0 + number)
        acknowledge(f"sent {number}")
        step = replace(ENTRY.steps[number], state="done", ended=1001.5 + number, status=0, said="ok")
        journal.step_ended("a1", number, step)
        acknowledge(f"ended {number}")
    journal.run_ended("a1", RunState.DONE, "every step is done", 1003.0)
    acknowledge("done")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "state" / "journal.sqlite")


def test_what_is_written_is_read_back(journal: Journal) -> None:
    write_a_run(journal)

    (entry,) = Journal(journal.path).entries()

    first, second = entry.steps
    assert replace(ENTRY, state=RunState.DONE, words="every step is done", ended=1003.0) == replace(
        entry, steps=ENTRY.steps
    )
    assert ("done", 1001.0, 1001.5, 0, "ok") == (
        first.state,
        first.sent,
        first.ended,
        first.status,
        first.said,
    )
    assert ("sudo", "-n", "zfs", "destroy", "tank/home@a") == first.sent_argv
    assert ("zfs", "list") == second.argv


@pytest.mark.parametrize("statements", range(32))
def test_it_reads_whole_after_a_kill_between_any_two_writes(tmp_path: Path, statements: int) -> None:
    """What was acknowledged is there; what was not is there whole or not at all."""
    path = tmp_path / "journal.sqlite"
    write_nothing = Journal(path)
    write_nothing._open()
    write_nothing.close()

    writer = subprocess.run(
        [sys.executable, "-c", KILLED_WRITER, str(path), str(statements)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )

    acknowledged = writer.stdout.split("\n")[:-1]
    assert writer.returncode in {0, -signal.SIGKILL}, writer.stderr
    entries = Journal(path).entries()
    assert [] == acknowledged or 1 == len(entries)
    for entry in entries:
        assert ENTRY.title == entry.title
        assert 2 == len(entry.steps)
        for number, step in enumerate(entry.steps):
            assert f"sent {number}" not in acknowledged or step.state in {"sent", "done"}
            assert f"ended {number}" not in acknowledged or "done" == step.state
            assert ("done" == step.state) == (step.ended is not None)
        assert "done" not in acknowledged or RunState.DONE is entry.state


def test_the_kill_reached_every_write(tmp_path: Path) -> None:
    """The number of statements above is that of all of them."""
    counted: list[str] = []
    journal = Journal(tmp_path / "journal.sqlite")
    journal._open().set_trace_callback(counted.append)

    write_a_run(journal)

    assert 26 < len(counted) <= 32


def test_what_has_no_known_end_is_found(journal: Journal) -> None:
    journal.begin(ENTRY)
    journal.begin(replace(ENTRY, id="a2", started=1001.0))
    journal.begin(replace(ENTRY, id="a3", started=1002.0))
    journal.run_ended("a2", RunState.DONE, "done", 1002.0)
    journal.run_ended("a3", RunState.UNKNOWN, "who knows", None)

    assert ["a1", "a3"] == [entry.id for entry in journal.unsettled()]


def test_the_last_runs_of_a_host_are_read_oldest_first(journal: Journal) -> None:
    other = replace(ENTRY, host="nas2", machine_id="m2", host_key="SHA256:y")
    for number in range(5):
        entry = other if number == 2 else ENTRY
        journal.begin(replace(entry, id=str(number), started=float(number)))

    assert ["3", "4"] == [entry.id for entry in journal.entries(most=2)]
    assert ["0", "1", "3", "4"] == [entry.id for entry in journal.entries(host="nas1")]


def test_the_runs_of_a_machine_are_read_by_whichever_name_it_was_reached(journal: Journal) -> None:
    journal.begin(ENTRY)
    journal.begin(replace(ENTRY, id="a2", started=1001.0, host="ssh://root@nas1:22", host_key="SHA256:rsa"))
    journal.begin(replace(ENTRY, id="a3", started=1002.0, host="nas2", machine_id=None, host_key=None))

    assert ["a1", "a2"] == [entry.id for entry in journal.entries(host="ssh://root@nas1:22")]
    assert ["a3"] == [entry.id for entry in journal.entries(host="nas2")]


def test_a_reader_does_not_make_a_journal(journal: Journal) -> None:
    assert () == journal.entries()
    assert () == journal.unsettled()
    assert not journal.path.exists()


def test_only_its_user_may_read_it(journal: Journal) -> None:
    write_a_run(journal)

    for path in journal.path.parent.iterdir():
        assert 0o600 == stat.S_IMODE(path.stat().st_mode), path.name
    assert 0o700 == stat.S_IMODE(journal.path.parent.stat().st_mode)


def test_every_write_is_synced(journal: Journal) -> None:
    connection = journal._open()

    assert ("wal",) == connection.execute("PRAGMA journal_mode").fetchone()
    assert (2,) == connection.execute("PRAGMA synchronous").fetchone()


def test_several_consoles_write_at_once(journal: Journal) -> None:
    journals = [Journal(journal.path) for _ in range(4)]
    journal.begin(replace(ENTRY, id="first"))

    def work(number: int) -> None:
        for each in range(10):
            journals[number].begin(replace(ENTRY, id=f"{number}-{each}"))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 41 == len(journal.entries())


def test_what_a_step_says_is_bounded_and_any_text(journal: Journal) -> None:
    journal.begin(ENTRY)

    journal.step_ended("a1", 0, StepEntry((), state="failed", said="\udcff" + "x" * (2 * SAID_CHARACTERS)))

    said = journal.entries()[0].steps[0].said
    assert said.startswith("\\udcffxxx")
    assert said.endswith("\n...")
    assert len(said) < SAID_CHARACTERS + 20


def test_a_journal_that_cannot_be_written_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"this is no database" * 100)

    with pytest.raises(JournalError, match=r"journal\.sqlite cannot be written: file is not a database"):
        Journal(tmp_path / "journal.sqlite").begin(ENTRY)


def test_one_that_is_not_kept_leaves_nothing_behind() -> None:
    journal = Journal(is_kept=False)

    write_a_run(journal)

    assert ["a1"] == [entry.id for entry in journal.entries()]
    assert not journal_path().exists()


def test_it_is_in_the_users_state_folder() -> None:
    assert os.environ["XDG_STATE_HOME"] == str(journal_path().parents[1])
    assert ("zconsole", "journal.sqlite") == journal_path().parts[-2:]


def rows(path: Path, *statements: str) -> None:
    """Somebody else writes into the file."""
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def test_a_journal_of_the_first_format_is_brought_up_to_date(journal: Journal) -> None:
    write_a_run(journal)
    journal.close()
    rows(journal.path, "ALTER TABLE steps DROP COLUMN trace", "PRAGMA user_version = 0")

    (entry,) = Journal(journal.path).entries()

    assert (RunState.DONE, "{}") == (entry.state, entry.steps[0].trace)
    Journal(journal.path).begin(replace(ENTRY, id="b2"))
    assert ["a1", "b2"] == sorted(each.id for each in Journal(journal.path).entries())


def test_a_journal_of_a_newer_zconsole_is_refused_in_a_sentence(journal: Journal) -> None:
    write_a_run(journal)
    journal.close()
    rows(journal.path, "PRAGMA user_version = 3")

    for call in (journal.entries, journal.unsettled, partial(journal.begin, replace(ENTRY, id="b2"))):
        with pytest.raises(JournalError, match="written by a newer zconsole: its format is 3") as error:
            call()
        assert "Use the newer zconsole" in error.value.hint


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE runs SET state = 'wibble' WHERE id = 'bad'", "its state is 'wibble'"),
        ("UPDATE runs SET destroys = '{' WHERE id = 'bad'", "its destroys is not JSON"),
        ("UPDATE runs SET destroys = '[1]' WHERE id = 'bad'", "not a list of words"),
        ("UPDATE runs SET intent = '[[' WHERE id = 'bad'", "its intent is not JSON"),
        ("UPDATE runs SET started = 'soon' WHERE id = 'bad'", "its started is not a time"),
        ("UPDATE runs SET ended = 9e999 WHERE id = 'bad'", "its ended is not a time"),
        ("UPDATE runs SET title = x'ff00' WHERE id = 'bad'", "its title is not text"),
        ("UPDATE steps SET state = 'gone' WHERE run = 'bad'", "the state of a step is 'gone'"),
        ("UPDATE steps SET argv = '[]' WHERE run = 'bad'", "a step has no command"),
        ("UPDATE steps SET status = 9223372036854775807 WHERE run = 'bad'", "no such number"),
        ("UPDATE steps SET sent = -1 WHERE run = 'bad'", "its sent is not a time"),
        ("UPDATE runs SET words = CAST(x'fffe' AS TEXT), state = 'x' WHERE id = 'bad'", "its state is 'x'"),
    ],
)
def test_a_row_that_cannot_be_read_costs_itself_alone(journal: Journal, statement: str, problem: str) -> None:
    journal.begin(replace(ENTRY, id="bad"))
    journal.begin(ENTRY)
    journal.close()
    rows(journal.path, statement)

    entries = {each.id: each for each in journal.entries()}

    assert {"a1", "bad"} == set(entries)
    assert problem in entries["bad"].problem
    assert f"this row of the journal cannot be read: {entries['bad'].problem}" == entries["bad"].words
    assert ("", RunState.CHECKING) == (entries["a1"].problem, entries["a1"].state)
    assert "a1" in {each.id for each in journal.unsettled() if not each.problem}


def test_text_that_is_no_utf8_is_spelled_out(journal: Journal) -> None:
    journal.begin(ENTRY)
    journal.close()
    rows(journal.path, "UPDATE runs SET words = CAST(x'41ff' AS TEXT)")

    assert "A\\xff" == journal.entries()[0].words


@pytest.mark.parametrize("is_first", [True, False])
def test_a_write_that_comes_too_late_says_of_no_step_that_it_was_sent(
    journal: Journal, is_first: bool
) -> None:
    """Nobody waits for it any more: the run was refused, whichever of both writes comes first."""
    journal.begin(ENTRY)
    argv = ENTRY.steps[0].argv

    if is_first:
        journal.sent("a1", 0, argv, 1001.0)
    journal.run_ended("a1", RunState.REFUSED, "sent took more than 15 s", 1016.0, (0,))
    if not is_first:
        with pytest.raises(JournalError, match="no such run that goes on"):
            journal.sent("a1", 0, argv, 1001.0)

    (entry,) = journal.entries()
    assert (RunState.REFUSED, "not sent", None) == (entry.state, entry.steps[0].state, entry.steps[0].sent)
    assert () == journal.unsettled()


def test_an_end_that_is_known_is_not_taken_back(journal: Journal) -> None:
    """By a write of before that comes to its end after it."""
    journal.begin(ENTRY)
    journal.step_ended("a1", 0, replace(ENTRY.steps[0], state="done"))

    journal.step_ended("a1", 0, replace(ENTRY.steps[0], state="unknown"))

    assert "done" == journal.entries()[0].steps[0].state


def _remove_the_folder(journal: Journal) -> None:
    shutil.rmtree(journal.path.parent)


def _remove_the_files(journal: Journal) -> None:
    for each in journal.path.parent.iterdir():
        each.unlink()


def _remove_the_log(journal: Journal) -> None:
    for each in journal.path.parent.glob("*.sqlite-*"):
        each.unlink()


def _move_away(journal: Journal) -> None:
    """As the hint says one may, without what lies beside it."""
    journal.path.rename(journal.path.with_suffix(".away"))


def _replace(journal: Journal) -> None:
    """By that of another console, which is being written to."""
    _remove_the_files(journal)
    Journal(journal.path).begin(replace(ENTRY, id="another", started=900.0))


LOSSES = (_remove_the_folder, _remove_the_files, _remove_the_log, _move_away, _replace)


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("at", ["begun", "sent 0", "ended 0", "sent 1", "ended 1", "done"])
def test_a_journal_that_is_removed_under_a_run_has_all_of_it_in_the_end(
    lose: Callable[[Journal], None], at: str, journal: Journal
) -> None:
    journal.begin(replace(ENTRY, id="before", started=800.0, state=RunState.DONE, ended=801.0))

    write_a_run(journal, lambda now: lose(journal) if now == at else None)
    journal.begin(replace(ENTRY, id="after", started=2000.0))

    notice = journal.notice()
    journal.close()
    entries = {entry.id: entry for entry in Journal(journal.path).entries()}
    assert {"before", "a1", "after"} | ({"another"} if lose is _replace else set()) == set(entries)
    assert (RunState.DONE, ["done", "done"]) == (
        entries["a1"].state,
        [step.state for step in entries["a1"].steps],
    )
    assert f"the journal {journal.path} was removed or replaced meanwhile" in notice
    assert "" == journal.notice()


def test_consoles_that_come_and_go_are_no_reason_for_a_notice(journal: Journal) -> None:
    journal.begin(ENTRY)
    for number in range(5):
        other = Journal(journal.path)
        other.begin(replace(ENTRY, id=f"o{number}"))
        Journal(journal.path).entries()
        other.close()
        journal.begin(replace(ENTRY, id=f"n{number}"))
        assert "" == journal.notice()

    journal.close()
    journal.begin(replace(ENTRY, id="reopened"))
    assert "" == journal.notice()


def test_a_journal_that_is_removed_while_it_is_written_to_has_that_too(journal: Journal) -> None:
    journal.begin(ENTRY)

    def remove(statement: str) -> None:
        if statement.startswith("COMMIT"):
            removed.append(_remove_the_files(journal))

    removed: list[None] = []
    connection = journal._open()
    connection.set_trace_callback(remove)
    journal.sent("a1", 0, ENTRY.steps[0].argv, 1001.0)

    assert [None] == removed
    assert "sent" == Journal(journal.path).entries()[0].steps[0].state


def test_what_another_console_has_since_found_out_stays(journal: Journal) -> None:
    """The run of a third was without an end in the file that is gone."""
    other = Journal(journal.path)
    other.begin(ENTRY)
    journal.begin(replace(ENTRY, id="mine"))
    _remove_the_files(journal)
    other.run_ended("a1", RunState.DONE, "done", 1003.0)

    journal.begin(replace(ENTRY, id="later"))

    states = {entry.id: entry.state for entry in Journal(journal.path).entries()}
    assert {"a1": RunState.DONE, "mine": RunState.CHECKING, "later": RunState.CHECKING} == states


def test_a_journal_that_cannot_be_made_again_says_so_until_it_can(journal: Journal) -> None:
    journal.begin(ENTRY)
    _remove_the_folder(journal)
    journal.path.parent.write_bytes(b"something else")

    for _ in range(2):
        with pytest.raises(JournalError, match="cannot be written"):
            journal.sent("a1", 0, ENTRY.steps[0].argv, 1001.0)
    journal.path.parent.unlink()
    journal.sent("a1", 0, ENTRY.steps[0].argv, 1001.0)

    assert "sent" == Journal(journal.path).entries()[0].steps[0].state


@pytest.mark.parametrize(
    "write",
    [
        lambda journal: journal.step_ended("gone", 0, replace(ENTRY.steps[0], state="done")),
        lambda journal: journal.step_ended("a1", 7, replace(ENTRY.steps[0], state="done")),
        lambda journal: journal.step_ended("gone", 0, replace(ENTRY.steps[0], state="unknown")),
        lambda journal: journal.run_ended("gone", RunState.DONE, "done", 1003.0),
    ],
)
def test_an_end_of_what_the_journal_lacks_is_not_passed_over(
    write: Callable[[Journal], None], journal: Journal
) -> None:
    journal.begin(ENTRY)

    with pytest.raises(JournalError, match=r"has no (such run|step \d of a run)"):
        write(journal)


@pytest.fixture
def read_only(journal: Journal) -> Iterator[Journal]:
    """A journal in a folder that this user may only read."""
    write_a_run(journal)
    journal.close()
    folder = journal.path.parent
    for each in folder.parents:
        if os.getuid() == each.stat().st_uid:
            each.chmod(each.stat().st_mode | 0o011)
    journal.path.chmod(0o444)
    folder.chmod(0o555)
    is_root = os.getuid() == 0
    if is_root:
        os.seteuid(65534)
    yield Journal(journal.path)
    if is_root:
        os.seteuid(0)
    folder.chmod(0o755)


def test_a_journal_in_a_folder_that_is_read_only_is_read(read_only: Journal) -> None:
    assert ["a1"] == [entry.id for entry in read_only.entries()]
    assert () == read_only.unsettled()
    with pytest.raises(JournalError, match="cannot be written"):
        read_only.begin(replace(ENTRY, id="b2"))
    assert ["a1"] == [entry.id for entry in read_only.entries()]


def test_to_read_writes_nothing(journal: Journal) -> None:
    write_a_run(journal)
    journal.close()
    before = journal.path.read_bytes()

    Journal(journal.path).entries()

    assert before == journal.path.read_bytes()


def test_a_newer_console_that_comes_meanwhile_is_left_its_format(journal: Journal) -> None:
    write_a_run(journal)
    with closing(sqlite3.connect(journal.path)) as newer:
        newer.execute("PRAGMA user_version = 9")

    with pytest.raises(JournalError, match="was written by a newer zconsole: its format is 9"):
        journal.begin(replace(ENTRY, id="new"))
    with closing(sqlite3.connect(journal.path)) as newer:
        assert [("a1",)] == newer.execute("SELECT id FROM runs").fetchall()


def test_a_file_with_an_index_that_lost_rows_is_read_and_not_written(journal: Journal) -> None:
    """What SQLite would not tell by itself: a run that is in the table and not in the index."""
    write_a_run(journal)
    journal.begin(replace(ENTRY, id="lost", started=3000.0))
    journal.close()
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("PRAGMA writable_schema = ON")
        other.execute(
            "UPDATE sqlite_master SET sql = sql || ' WHERE started < 2000' WHERE type = 'index'"
            " AND name = 'runs_started'"
        )
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("REINDEX runs_started")
        other.execute("PRAGMA writable_schema = ON")
        other.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ' WHERE started < 2000', '')"
            " WHERE name = 'runs_started'"
        )

    assert ["lost"] == [each.id for each in Journal(journal.path).unsettled()]
    with pytest.raises(JournalError, match=r"is damaged: .* missing from index") as caught:
        Journal(journal.path).begin(replace(ENTRY, id="new"))
    assert "move it away" in caught.value.hint


@pytest.mark.parametrize("table", ["runs", "steps"])
@pytest.mark.parametrize("value", range(len(VALUES)))
def test_a_bad_row_costs_itself(journal: Journal, table: str, value: int) -> None:
    """Whatever stands in a column of one run, the others are read as they were, and new ones are written."""
    write_a_run(journal)
    others = [replace(ENTRY, id=f"b{number}", started=2000.0 + number) for number in range(3)]
    for each in others:
        journal.begin(each)
    known = [each for each in journal.entries() if each.id in {"b0", "b1", "b2"}]
    with closing(sqlite3.connect(journal.path)) as other:
        columns = [row[1] for row in other.execute(f"PRAGMA table_info({table})")]

    for column in columns:
        with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
            (before,) = other.execute(f"SELECT {column} FROM {table} WHERE rowid = 1").fetchone()  # noqa: S608
            with suppress(sqlite3.IntegrityError):
                set_value(other, table, column, 1, VALUES[value])
            found = journal.entries()
            assert known == [each for each in found if each.id in {"b0", "b1", "b2"}]
            assert 4 == len(found)
            assert {"b0", "b1", "b2"} <= {each.id for each in journal.unsettled()}
            set_value(other, table, column, 1, before)
    journal.begin(replace(ENTRY, id="new"))


@pytest.mark.parametrize(
    ("table", "column"),
    [("steps", "said"), ("runs", "host"), ("runs", "machine_id"), ("runs", "state"), ("runs", "started")],
)
def test_a_row_with_a_value_of_any_length_costs_itself(journal: Journal, table: str, column: str) -> None:
    """Also of the columns by which rows are looked for; and what is written after that is read."""
    write_a_run(journal)
    journal.begin(replace(ENTRY, id="b1", started=2000.0))
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        set_value(other, table, column, 1, "x" * HUGE)

    for each in (journal, Journal(journal.path)):
        found = {entry.id: entry.problem for entry in each.entries()}
        assert ("", 2) == (found.pop("b1"), len(found) + 1)
        assert ["b1"] == [entry.id for entry in each.entries(host=ENTRY.host) if not entry.problem]
        assert "b1" in [entry.id for entry in each.unsettled()]
    writer = Journal(journal.path)
    writer.begin(replace(ENTRY, id="b2", started=2000.0))
    assert {"b1", "b2"} <= {entry.id for entry in journal.entries()}


def test_a_row_that_cannot_be_read_is_all_that_a_removed_journal_loses(journal: Journal) -> None:
    other = Journal(journal.path)
    other.begin(replace(ENTRY, id="bad"))
    other.begin(replace(ENTRY, id="another's"))
    journal.begin(replace(ENTRY, id="own"))
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as connection:
        set_value(connection, "runs", "words", 1, "x" * HUGE)
    _remove_the_files(journal)

    journal.run_ended("own", RunState.DONE, "done", 2001.0)

    found = {entry.id: entry.state for entry in Journal(journal.path).entries()}
    assert {"another's": RunState.CHECKING, "own": RunState.DONE} == found


def test_what_is_rescued_is_not_put_where_a_newer_console_writes(journal: Journal) -> None:
    journal.begin(ENTRY)
    _replace(journal)
    with closing(sqlite3.connect(journal.path)) as newer:
        newer.execute("PRAGMA user_version = 9")

    with pytest.raises(JournalError, match="was written by a newer zconsole"):
        journal.run_ended("a1", RunState.DONE, "done", 2001.0)

    with closing(sqlite3.connect(journal.path)) as newer:
        assert [("another",)] == newer.execute("SELECT id FROM runs").fetchall()
    _remove_the_files(journal)
    journal.run_ended("a1", RunState.DONE, "done", 2001.0)
    assert RunState.DONE is Journal(journal.path).entries()[0].state


@pytest.mark.timeout(20)
def test_a_journal_that_is_a_fifo_is_not_waited_for(journal: Journal) -> None:
    journal.path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(journal.path)

    with pytest.raises(JournalError, match=r"cannot be read: .* a FIFO, not a regular file"):
        journal.entries()
    with pytest.raises(JournalError, match=r"cannot be written: .* a FIFO, not a regular file"):
        journal.begin(ENTRY)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("version", [0, 1, 2])
def test_views_that_have_the_names_of_the_tables_are_not_looked_into(journal: Journal, version: int) -> None:
    write_a_run(journal)
    journal.close()
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("ALTER TABLE runs RENAME TO kept")
        other.execute(
            "CREATE VIEW runs AS WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n)"
            " SELECT at AS rowid, kept.* FROM kept, n"
        )
        other.execute(f"PRAGMA user_version = {version}")

    for use in (Journal(journal.path).entries, lambda: Journal(journal.path).begin(replace(ENTRY, id="b"))):
        with pytest.raises(JournalError):
            use()


def test_a_damaged_journal_of_an_older_format_is_not_brought_up_to_date(journal: Journal) -> None:
    write_a_run(journal)
    journal.close()
    with closing(sqlite3.connect(journal.path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("ALTER TABLE steps DROP COLUMN trace")
        other.execute("PRAGMA user_version = 0")
        other.execute("PRAGMA writable_schema = ON")
        other.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'runs_started'")
    before = journal.path.read_bytes()

    with pytest.raises(JournalError):
        Journal(journal.path).begin(replace(ENTRY, id="b"))

    assert before == journal.path.read_bytes()
