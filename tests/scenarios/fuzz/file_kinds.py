"""Every kind of file that the program reads: one that is sound, and all that is done with it.

What is read of a host by a parser has its entry in `parsers.py`; the words that a host keeps of who holds its
lock are here, for no tool prints them.
"""

from __future__ import annotations

import asyncio
import bz2
import gzip
import lzma
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.analysis.build import disk, group, host, pool
from tests.analysis.listings import listing_of
from tests.conftest import CAPTURES
from tests.reports.json.test_plan import made, written
from tests.scenarios.fuzz.broken_files import broken
from tests.scenarios.fuzz.damaged_rows import damaged
from tests.storage.test_journal import ENTRY, write_a_run
from tests.storage.test_replication_last_compared import SEEN
from tests.zfs.stream.test_stream_snapshots_and_damage import FULL
from zconsole.analysis.alerts.damping import DampedState
from zconsole.analysis.capacity.scenario import Scenario
from zconsole.analysis.replication.replicas_and_send_bases import Base
from zconsole.base.clock import ManualClock
from zconsole.base.errors import ConfigError, ZConsoleError
from zconsole.base.notifications.alert_settings import read_secret
from zconsole.base.notifications.silences import Silence, add_silence, load_silences
from zconsole.base.user_config_file import load_config
from zconsole.cli.commands.changes.apply import _text_of
from zconsole.cli.commands.replication.stream import StreamRequest, _read
from zconsole.cli.commands.state.slow import judge_recording
from zconsole.execution.host_lock import LONGEST_WORDS, _by
from zconsole.execution.outcomes.recover_runs import pool_of_entry
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import (
    from_json as conditions_from_json,
)
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import needs_of
from zconsole.execution.outcomes.trace_for_finding_sent_command import from_json as trace_from_json
from zconsole.execution.run_context import is_alive
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command
from zconsole.hosts.host_address import Address
from zconsole.hosts.recorded.record_host_answers import BLOBS, INDEX_FILE, Recorder
from zconsole.hosts.recorded.recorded_host import RecordedHost
from zconsole.hosts.ssh.connection import read_settings
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.known_hosts_file import read_known_hosts
from zconsole.hosts.ssh.resolve_by_ssh_config import look_up
from zconsole.model.alert import Alert, AlertKey
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.finding import Severity
from zconsole.model.host.host_state import LinkState, LinkStatus
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.journal import Entry
from zconsole.model.pools.device_evidence import DeviceEvidence
from zconsole.model.pools.last_seen_disk_place import DiskPlace
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.model.run import RunState
from zconsole.reports.json.journal import entry_document
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.read_saved_plan import read_plan
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.storage.alerts.alert_store import AlertStore
from zconsole.storage.capacity_scenarios import ScenarioStore
from zconsole.storage.disks.cold_swap_hosts import cold_swap_hosts, keep_cold_swap
from zconsole.storage.disks.departed_disk_evidence import DiskEvidenceStore
from zconsole.storage.disks.disk_health_samples import DiskHealthStore
from zconsole.storage.disks.disk_places import DiskPlaceStore
from zconsole.storage.journal import Journal
from zconsole.storage.known_machines import KnownMachines
from zconsole.storage.last_host_states import LastHostStates
from zconsole.storage.replication_last_compared import known_comparisons, remember_comparison
from zconsole.storage.send_bases_of_known_replicas import known_bases, remember_bases
from zconsole.storage.snapshot_cache import SnapshotIndex
from zconsole.storage.space_samples import SpaceStore
from zconsole.storage.write_setting_to_config_file import read_settings as settings_of_file
from zconsole.storage.write_setting_to_config_file import write_setting
from zconsole.ui.theme_files import Themes, packaged_folder
from zconsole.views.changes import journal as journal_screen
from zconsole.views.layout.user_keys_file import read_user_keys


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: one that is sound, where it lies, and what reads it."""

    name: str
    make: Callable[[Path], Path]  # in a folder; the file in it that is broken
    read: Callable[[Path], object]
    damage: Callable[[bytes, int], bytes] = broken  # the content, and a seed


def plan(folder: Path) -> Path:
    path = folder / "plan.json"
    path.write_text(written(made()["caution"]))
    return path


def recording(folder: Path) -> Path:
    recorder = Recorder(folder / "kept", "nas1", ManualClock())
    answer = ended(Command(("zpool", "list")), 0, b"tank", b"")
    blob = recorder.blob(answer.stdout)
    recorder.event("connect", error=None)
    recorder.event("run", argv=["zpool", "list"], outcome="done", status=0, reason="", duration=0.1,
                   stdout=blob, stderr="", error=None)  # fmt: skip
    recorder.event("read", path="/proc/x", data=blob, error=None)
    recorder.event("run", argv=["zfs"], error={"type": "LinkLost", "message": "m", "hint": "h", "said": ""})
    recorder.event("open", stream=1, argv=["zpool", "iostat"])
    recorder.event("chunk", stream=1, data=blob)
    recorder.event("end", stream=1, error={"type": "LinkLost", "message": "m", "hint": "", "said": ""})
    recorder.event("mark", words="here")
    recorder.close()
    return folder / "kept" / INDEX_FILE


def replay(index: Path) -> None:
    host = RecordedHost(index.parent, ManualClock())

    async def ask() -> None:
        for question in (
            *(host.run(Command(argv)) for argv in host._index.runs),
            *(host.read(path) for path in host._index.reads),
            host.connect(),
        ):
            try:
                await question
            except (ZConsoleError, OSError):
                continue

    asyncio.run(ask())
    assert all(isinstance(words, str) for _, words in host.marks)


def about(folder: Path) -> Path:
    recording(folder)
    return folder / "kept" / "recording.json"


def config(folder: Path) -> Path:
    path = folder / "config.toml"
    path.write_text(
        'theme = "dark"\ninterval_s = 1.5\nprotected = ["tank/*"]\nprometheus_url = "http://nas1:9090"\n'
        '[hosts.nas1]\naddress = "root@nas1:22"\nproduction = true\ncolour = "red"\n'
        "[thresholds]\n"
    )
    return path


def change_config(path: Path) -> None:
    """Show and set as the console does: a file with errors is told, and stays as it was."""
    before = path.read_bytes()
    shown = settings_of_file(("theme", "interval_s"), path.parent)
    try:
        write_setting("theme", "light", path.parent)
    except ConfigError:
        assert before == path.read_bytes()
        raise
    assert not shown.problem
    assert "light" == load_config(path).theme


def user_keys(folder: Path) -> Path:
    path = folder / "keys.toml"
    path.write_text('[keys]\ndiff = "f4"\njournal = ["f9", "f10"]\n')
    return path


def use_user_keys(path: Path) -> None:
    found = read_user_keys(path.parent)
    assert all(isinstance(key, str) for keys in found.keys.values() for key in keys)
    if found.problem is not None:
        raise found.problem


def alert_secret(folder: Path) -> Path:
    path = folder / "token"
    path.write_text("tk_0123456789abcdef\n")
    return path


def last_pools(folder: Path) -> Path:
    store = LastHostStates(folder / "last")
    at = 1_800_000_000.0
    state = host(pool(group("mirror-0", disk("a", guid=3), disk("b", "FAULTED", guid=4))))
    assert store.keep(replace(state, link=LinkStatus(LinkState.UP), pools_at=at), at)
    return next((folder / "last").iterdir())


def read_last_pools(path: Path) -> None:
    found = LastHostStates(path.parent).of("nas1", 1_900_000_000.0)
    assert found is None or all(isinstance(each, Pool) for each in found.pools)


def alerts(folder: Path) -> Path:
    store = AlertStore(folder / "alerts.sqlite")
    key = AlertKey("nas1", "disk", "tank/7")
    told = Alert(key, Severity.CRITICAL, "sda is FAULTED", 5.0, "device-faulted", "tank sda", "tank")
    state = DampedState(told, 1.0, Severity.WARNING, 2.0, ("pending-sectors",), returns=(1.0, 2.5))
    for at in range(20):
        one = replace(told, at=float(at))
        store.keep("watch", {key: state}, [one], {"mail.a": [one]}, float(at))
    store.acknowledge([key], 30.0)
    store.look("console", 31.0)
    return store.path


def use_alerts(path: Path) -> None:
    """Read as `watch` and the console do."""
    store = AlertStore(path)
    assert all(isinstance(each, Alert) for each in store.logged("watch"))
    assert all(isinstance(each, DampedState) for each in store.states("watch").values())
    store.acknowledged()
    store.looked("console")
    store.waiting(["mail.a"])
    queued = store.due("mail.a", 40.0)
    assert queued is None or isinstance(queued.alert, Alert)


def silences(folder: Path) -> Path:
    made = Silence(
        "nas1",
        "raidz-wide",
        "tank raidz2-0",
        'bought "so"',
        datetime(2026, 1, 2, tzinfo=UTC),
        datetime(2027, 1, 2, tzinfo=UTC),
    )
    add_silence(folder, made)
    return add_silence(folder, replace(made, object="tank"))


def use_silences(path: Path) -> None:
    """Read as the configuration does, then add to the end."""
    known = load_silences(path.parent)
    add_silence(
        path.parent,
        Silence("nas1", "x", "tank", "y", datetime(2026, 1, 2, tzinfo=UTC), datetime(2027, 1, 2, tzinfo=UTC)),
    )
    assert known == load_silences(path.parent)[:-1]


def comparison(folder: Path) -> Path:
    path = folder / "replication.json"
    remember_comparison((SEEN, replace(SEEN, host="nas2")), path)
    return path


def use_comparison(path: Path) -> None:
    """Read as the findings do, then save another comparison."""
    known = known_comparisons(path)
    remember_comparison((replace(SEEN, host="nas3"),), path)
    assert known == tuple(each for each in known_comparisons(path) if each.host != "nas3")


def theme(folder: Path) -> Path:
    path = folder / "mine.toml"
    path.write_bytes((packaged_folder() / "dark.toml").read_bytes())
    return path


def scenarios(folder: Path) -> Path:
    store = ScenarioStore(folder / "scenarios.json")
    store.keep(Scenario("one", "nas1", "tank", 5.0, {"layout": "raidz2:8 x2", "disk": "12TB"}))
    return store.path


def copies(folder: Path) -> Path:
    path = folder / "copies.json"
    base = Base("nas1", "tank/a@1", 7, "nas2:tank/a", "why", is_at_source=True)
    remember_bases([base], ["nas1"], 5.0, path)
    return path


def listing_index(folder: Path) -> Path:
    snapshots = (Dataset(f"tank@{at}", "snapshot", guid=at + 2, createtxg=at + 1) for at in range(50))
    table = listing_of((Dataset("tank", "filesystem", guid=1), *snapshots)).table
    index = SnapshotIndex(folder)
    index.save("nas1", table)
    return index.path("nas1", table.guid)


def samples(folder: Path) -> Path:
    store = SpaceStore(folder / "samples.sqlite")
    for at in range(20):
        store.add(SpaceSample(at * 4000.0, "nas1", "tank", 7, at, 100 - at))
    return store.path


def read_samples(path: Path) -> None:
    store = SpaceStore(path)
    assert all(isinstance(each.used_bytes, int) for each in store.samples("nas1", 7))
    store.uses("nas1", 7)


def disk_health(folder: Path) -> Path:
    store = DiskHealthStore(folder / "disk-health.sqlite")
    for at in range(20):
        store.add([(("wwn", f"0x{disk}"), DiskHealth("ATA", pending=at)) for disk in range(3)], at * 86400.0)
    return store.path


def read_disk_health(path: Path) -> None:
    found = DiskHealthStore(path).known([("wwn", f"0x{disk}") for disk in range(3)])
    assert all(isinstance(each.health, DiskHealth) for each in found.values())


def disk_places(folder: Path) -> Path:
    store = DiskPlaceStore(folder / "disk-places.sqlite")
    store.add(
        DiskPlace(7, leaf, f"SER{leaf}", "ST4000NM", f"0:{leaf:02}", "pci-0", 86400.0) for leaf in range(20)
    )
    return store.path


def read_disk_places(path: Path) -> None:
    assert all(each.pool_guid == 7 for each in DiskPlaceStore(path).known([7]))


def disk_evidence(folder: Path) -> Path:
    store = DiskEvidenceStore(folder / "disk-evidence.sqlite")
    store.add(DeviceEvidence(7, leaf, 86400.0, words="24 pending sectors") for leaf in range(20))
    return store.path


def read_disk_evidence(path: Path) -> None:
    found = DiskEvidenceStore(path).known([(7, leaf) for leaf in range(20)])
    assert all(isinstance(each.words, str) for each in found)


def cold_swap(folder: Path) -> Path:
    path = folder / "no-hot-swap.json"
    for number in range(5):
        keep_cold_swap(f"nas{number}", is_cold=True, path=path)
    return path


def iostat(folder: Path) -> Path:
    path = folder / "iostat"
    recorded = (CAPTURES / "slow" / "a01" / "iostat.tsv").read_bytes()
    path.write_bytes(b"".join(recorded.splitlines(keepends=True)[:60]))
    return path


def judge(path: Path) -> None:
    with path.open("rb") as file:
        judge_recording(file)


def stream(folder: Path) -> Path:
    path = folder / "stream"
    path.write_bytes(FULL)
    return path


def read_stream(path: Path) -> None:
    _read(path, StreamRequest(path.parent, verifies=True))


def packed_with(suffix: str, compress: Callable[[bytes], bytes]) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / f"stream.{suffix}"
        path.write_bytes(compress(FULL))
        return path

    return make


def blob(folder: Path) -> Path:
    recording(folder)
    return next(each for each in (folder / "kept" / BLOBS).iterdir() if each.stat().st_size)


def replay_blob(path: Path) -> None:
    replay(path.parent.parent / INDEX_FILE)


def journal(folder: Path) -> Path:
    """One file, as it is when its last writer has closed it."""
    kept = Journal(folder / "journal.sqlite")
    write_a_run(kept)
    for number in range(5):
        entry = replace(ENTRY, id=f"b{number}", started=2000.0 + number, intent='{"target": "tank/home"}')
        kept.begin(entry)
        kept.sent(entry.id, 0, ("zfs", "destroy"), 2001.0, '{"boot": "x", "starter": [1, 2, "sshd"]}')
    kept.close()
    with closing(sqlite3.connect(kept.path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return kept.path


def journal_log(folder: Path) -> Path:
    """What its last writer had not yet moved into the file, as a kill leaves it."""
    kept = Journal(folder / "open" / "journal.sqlite")
    write_a_run(kept)
    for each in kept.path.parent.iterdir():
        shutil.copy(each, folder)
    kept.close()
    return folder / "journal.sqlite-wal"


def use_journal(path: Path) -> None:
    """All that is done with one. A write that returned is there for the next console."""
    with TemporaryDirectory(dir=path.parent) as folder:
        for each in path.parent.glob("journal.sqlite*"):
            if not each.name.endswith("-shm"):
                shutil.copy(each, folder)
        kept = Journal(Path(folder) / "journal.sqlite")
        try:
            _tell(kept.entries())
            _tell(kept.unsettled())
            kept.begin(replace(ENTRY, id="new", started=9000.0))
            assert ENTRY.steps == _entry_of(kept.path).steps
            step = replace(ENTRY.steps[0], state="done", said="it is done")
            kept.sent("new", 0, ("zfs", "destroy"), 9001.0)
            kept.step_ended("new", 0, step)
            kept.run_ended("new", RunState.DONE, "done", 9002.0)
            found = _entry_of(kept.path)
            assert (RunState.DONE, "it is done") == (found.state, found.steps[0].said)
        finally:
            kept.close()


def _entry_of(path: Path) -> Entry:
    """As the next console reads it; nothing may be wrong with the file that was just written to."""
    reader = Journal(path)
    try:
        (found,) = (each for each in reader.entries(most=100_000) if each.id == "new")
    except ZConsoleError as error:
        raise AssertionError(f"it was written, and cannot be read: {error}") from error
    finally:
        reader.close()
    return found


def _tell(entries: tuple[Entry, ...]) -> None:
    """By everything that looks at them."""
    journal_screen.page(entries, "")
    for each in entries:
        assert as_line(entry_document(each))
        assert all(line.isprintable() for line in printed(journal_screen.document(each, is_full=True)))
        journal_screen.notes(each)
        is_alive(each.console)
        pool_of_entry(each)
        for step in each.steps:
            trace_from_json(step.trace)
            with suppress(ValueError):  # then nothing is known of it, and it is unknown for ever
                needs_of(conditions_from_json(step.settled_by))


def machines(folder: Path) -> Path:
    path = folder / "machines.json"
    for number in range(3):
        name = f"nas{number}"
        KnownMachines(path).learn(
            name, MachineIdentity(name, name, f"id{number}", "SHA256:x", ("SHA256:x",)), 1.0
        )
    return path


def use_machines(path: Path) -> None:
    """Whatever the file was, what is learnt now is known to the next console."""
    known = KnownMachines(path)
    for address in ("nas0", "nas1", "nas2"):
        for each in known.at(address):
            assert all(
                isinstance(word, str)
                for word in (each.hostname, each.machine_id, each.host_key, *each.host_keys)
                if word is not None
            )
    new = MachineIdentity("new", "new", "id", "SHA256:y")
    before = path.read_bytes()
    known.learn("new", new, 2.0)
    assert new in known.at("new")
    assert new in KnownMachines(path).at("new") or before == path.read_bytes()


def ssh_config(folder: Path) -> Path:
    path = folder / "config"
    (folder / "more").write_text("Host nas2\n  HostName = 127.0.0.2\n")
    path.write_text(
        f"Include {folder}/more {folder}/m*\nHost nas1 !nas9\n  HostName 127.0.0.1\n  Port 2222\n"
        f"  User admin\n  ProxyJump root@nas2:22\n  IdentityFile {folder}/id\n  UserKnownHostsFile none\n"
        'Match host nas1 user "admin"\n  ConnectTimeout 5\n  Ciphers aes128-ctr\n'
        "Match final\n  HostKeyAlias storage\nHost *\n  ProxyCommand nc %h %p\n"
    )
    return path


def use_ssh_config(path: Path) -> None:
    options = SshOptions(path, None, (str(path.parent / "known"),), ())
    asyncio.run(look_up("nas1", options))
    asyncio.run(read_settings(Address("nas1"), options))


def known_hosts(folder: Path) -> Path:
    path = folder / "known_hosts"
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8Q2Yq1r9Z8y4nZ0wQ0mX3m7d0Zr0r8m7o6v1c9b4aE"
    path.write_text(f"nas1,10.0.0.1 {key}\n@revoked [nas1]:2222 {key}\n|1|AAAA=|AAAA= {key}\n# nas1\n")
    return path


def use_known_hosts(path: Path) -> None:
    known = read_known_hosts([path])
    assert all(known.trusted(name, port) for name in ("nas1", "nas2") for port in (None, 2222))


def lock_holder(folder: Path) -> Path:
    """What the host prints of who has its lock: when it was taken, and the words of who took it."""
    path = folder / "by"
    path.write_bytes(b"1795000000\nann@desk from 10.0.0.9, process 77: destroy tank/home\n")
    return path


def tell_holder(path: Path) -> None:
    words = _by(path.read_bytes())
    assert words.isprintable()
    assert len(words) < LONGEST_WORDS + 50


KINDS: Final = (
    Kind("plan", plan, lambda path: read_plan(_text_of(path))),
    Kind("recording", recording, replay),
    Kind("recording-about", about, lambda path: RecordedHost(path.parent, ManualClock()).marks),
    Kind("recording-blob", blob, replay_blob),
    Kind("config", config, load_config),
    Kind("config-changed", config, change_config),
    Kind("user-keys", user_keys, use_user_keys),
    Kind("alert-secret", alert_secret, read_secret),
    Kind("last-pools", last_pools, read_last_pools),
    Kind("alerts", alerts, use_alerts),
    Kind("alerts-rows", alerts, use_alerts, damaged),
    Kind("silences", silences, use_silences),
    Kind("theme", theme, lambda path: Themes(path.parent).usable),
    Kind("scenarios", scenarios, lambda path: ScenarioStore(path).all()),
    Kind("copies", copies, known_bases),
    Kind("comparison", comparison, use_comparison),
    Kind(
        "snapshot-index",
        listing_index,
        lambda path: SnapshotIndex(path.parent).load("nas1", int(path.name.split("-")[1])),
    ),
    Kind("samples", samples, read_samples),
    Kind("samples-rows", samples, read_samples, damaged),
    Kind("disk-health", disk_health, read_disk_health),
    Kind("disk-health-rows", disk_health, read_disk_health, damaged),
    Kind("disk-evidence", disk_evidence, read_disk_evidence),
    Kind("disk-evidence-rows", disk_evidence, read_disk_evidence, damaged),
    Kind("disk-places", disk_places, read_disk_places),
    Kind("disk-places-rows", disk_places, read_disk_places, damaged),
    Kind("no-hot-swap", cold_swap, cold_swap_hosts),
    Kind("journal", journal, use_journal),
    Kind("journal-rows", journal, use_journal, damaged),
    Kind("journal-log", journal_log, use_journal),
    Kind("machines", machines, use_machines),
    Kind("ssh-config", ssh_config, use_ssh_config),
    Kind("known-hosts", known_hosts, use_known_hosts),
    Kind("lock-holder", lock_holder, tell_holder),
    Kind("iostat", iostat, judge),
    Kind("stream", stream, read_stream),
    Kind("stream.gz", packed_with("gz", partial(gzip.compress, mtime=0)), read_stream),
    Kind("stream.xz", packed_with("xz", lzma.compress), read_stream),
    Kind("stream.bz2", packed_with("bz2", bz2.compress), read_stream),
)
