"""Every parser of the package, what it is fed with at its best, and what of its answer must be looked at.

A parser is found by its name or by what it takes; one that has no entry here fails a test.
"""

from __future__ import annotations

import importlib
import inspect
import io
import json
import pkgutil
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import ModuleType

from tests.zfs.streams import Writer, native, package, xdr
from zconsole.base.bounded_json import load_json
from zconsole.collect import privilege
from zconsole.hosts import process_list_and_command_search as processes
from zconsole.hosts import prometheus_client
from zconsole.hosts.prometheus_client import PrometheusError
from zconsole.hosts.ssh import known_hosts_file, shell_quoting_and_output_marker
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.dedup_table import DedupTable
from zconsole.system import (
    dd_disk_reads,
    disk_by_id,
    diskstats,
    enclosures_and_disk_paths,
    file_programs,
    file_sizes,
    kernel_messages,
    lsblk,
    missing_paths,
    mounts_and_boot_pools,
    open_files,
    pool_and_disk_identity,
    qemu_processes,
    smartctl,
    swaps,
    udev_monitor,
)
from zconsole.system.containers import container_processes, proxmox_config
from zconsole.system.libvirt import (
    agent_commands,
    disk_definition_text,
    disk_errors,
    domain_needs_of_its_host,
    domain_power,
    domain_stats,
    domain_xml,
    libvirt_python_lines,
    list_guests,
    qemu_img,
    sockets,
    storage_volume_path,
)
from zconsole.system.libvirt import events as libvirt_events
from zconsole.zfs import json_node, sanoid_conf
from zconsole.zfs.benchmark import fio_json, output_of_runs
from zconsole.zfs.change import libzfs_core_argv
from zconsole.zfs.iostat import (
    histogram_stream,
    iostat_stream,
    read_disk_performance_as_columns,
    saved_output,
)
from zconsole.zfs.kstat import (
    arc_throttle_and_zil,
    objsets,
    pool_state_and_kstat_parser,
    txgs_and_assign_waits,
)
from zconsole.zfs.listing import (
    allow,
    dataset_get,
    datasets,
    destroy_dry_run,
    device_label,
    diff,
    events,
    history,
    holds,
    object_identity,
    pool_get,
    pool_list,
    replication_guids,
    root_dataset_space,
    sit_out,
    snapshots_and_their_datasets,
    space_now_and_at_snapshots,
    vdev_ashift,
    version,
)
from zconsole.zfs.settings import clone_origins, dataset_settings, dedup_table, host_settings
from zconsole.zfs.status import cached_config, importable, status, status_text
from zconsole.zfs.stream import (
    nvlist,
    resume_token,
    send_dry_run,
    stream_snapshots_and_damage,
    syncoid_progress,
)

CAPTURES = Path(__file__).parents[2] / "captures"
BENCHMARK = Path(__file__).parents[2] / "zfs" / "benchmark"
LAYERS = (*("zfs", "system", "hosts", "practice", "service", "execution", "collect", "history", "storage"),)
OF_TEXT = frozenset({"text", "data", "output", "packed", "stdout", "stderr", "chunk"})
SHELF = (
    b"lrwxrwxrwx 1 root root 0 Nov 20 06:00 sda -> ../devices/pci0000:00/0000:03:00.0/ata1/host0/"
    b"target0:0:0/0:0:0:0/block/sda\n9:0:0:0/id:0x500304801e8b5abf\n9:0:0:0/device/vendor:LSI\n"
    b"9:0:0:0/Slot 01/slot:1\n9:0:0:0/Slot 01/type:array device\n"
    b"lrwxrwxrwx 1 root root 0 Nov 20 06:00 9:0:0:0/Slot 01/device -> ../../../0:0:0:0\n"
)
CGROUPS = (
    b"/proc/812/cgroup:0::/lxc.monitor.web1\n"
    b"/proc/901/cgroup:1:name=systemd:/lxc.payload.web1/system.slice/cron.service\n"
    b"/proc/950/cgroup:0::/system.slice/docker-" + b"4f" * 32 + b".scope\n"
)
CONTAINER_MOUNTS = (
    b"/proc/820/mountinfo:612 500 0:63 /rootfs / rw shared:3 - zfs tank/incus/containers/web1 rw,xattr\n"
    b"/proc/820/mountinfo:700 612 0:70 / /srv/with\\040space rw master:1 - zfs tank/media rw\n"
    b"/proc/77/mountinfo:80 70 0:80 / / rw - overlay overlay rw,lowerdir=/l,upperdir=/var/lib/docker/u\n"
)
PROXMOX = (
    b"/etc/pve/lxc/101.conf:hostname: files\n"
    b"/etc/pve/lxc/101.conf:rootfs: local-zfs:subvol-101-disk-0,size=8G\n"
    b"/etc/pve/lxc/101.conf:[before]\n/etc/pve/lxc/101.conf:rootfs: local-zfs:subvol-101-disk-9,size=8G\n"
    b"/etc/pve/storage.cfg:zfspool: local-zfs\n/etc/pve/storage.cfg:\tpool rpool/data\n"
)
NO_PARSERS = {  # what takes text and reads nothing of a host
    "zfs.change.libzfs_core_child": "the other end: a child process of ours, which checks its words",
    "zfs.vdev_arguments.parse_layout": "the words of the command line",
    "storage.write_setting_to_config_file.with_setting": "a configuration, read by base.user_config_file",
    "storage.write_setting_to_config_file.line_of_setting": "a configuration, read by base.user_config_file",
    "zfs.listing.complete_lines_of_zfs_list.whole_lines": "lines, of which base.lines makes sure",
    "zfs.zfs_numbers_and_dates.exact_number": "one number of a parser that has an entry",
    "zfs.status.text_layout.byte_length": "a length",
    "zfs.stream.record": "one record; read_streams reads them",
    "zfs.status.text_layout.pools": "the sections of a text; parse_status_text reads them",
    "zfs.prometheus_queries.quoted": "a query of ours",
    "hosts.build_command_results": "what became of a command, bytes as they are",
    "hosts.open_host_or_recording.open_host": "a recording of ours",
    "collect.slow_disk_detectors": "samples, which are no text any more",
    "hosts.host_address": "the words of the command line and of the configuration",
    "practice": "the other end",
    "hosts.recorded.recorded_host": "a recording of ours",
    "hosts.recorded.record_host_answers": "a recording of ours",
    "hosts.local.child_process.Child": "a process, to which bytes are passed on",
    "hosts.local.child_process": "a process, to which bytes are passed on",
    "execution.outcomes.step_condition_journal_form_and_needs": "the journal's own rows",
    "execution.outcomes.trace_for_finding_sent_command": "the journal's own rows",
    "storage.capacity_scenarios": "files of ours",
    "history.numeric_text_packing": "lines that we packed",
    "execution.follow_command_output.last_lines": "words to show, bounded in size where they are gathered",
}


@dataclass(frozen=True)
class Parser:
    """`read` takes bytes as a host sent them. `captures` are patterns below tests/captures."""

    name: str
    read: Callable[[bytes], object]
    captures: tuple[str, ...] = ()
    samples: tuple[bytes, ...] = ()
    errors: tuple[type[Exception], ...] = ()

    def seeds(self) -> list[bytes]:
        """What it reads at its best: recorded answers, and what was written by hand."""
        found = [path.read_bytes() for each in self.captures for path in sorted(CAPTURES.glob(each))]
        assert not self.captures or found, f"no capture for {self.name}"
        return [*self.samples, *found]


def looked_at(value: object) -> None:
    """Go through all of an answer, so that what is made late is made."""
    if isinstance(value, ZfsVersion):
        looked_at((value.numbers, value.has_json, value.has_autosit, value.differs))
    elif isinstance(value, history.HistoryRecord):
        looked_at((value.is_command, value.rolled_back_to))
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            looked_at(getattr(value, each.name))
    elif isinstance(value, dict):
        for each in value.items():
            looked_at(each)
    elif not isinstance(value, (str, bytes, int, float)) and hasattr(value, "__iter__"):
        for each in value:
            looked_at(each)


def _text(parse: Callable[[str], object]) -> Callable[[bytes], object]:
    """As the collectors decode: bytes that are no UTF-8 are kept, or written out."""

    def read(data: bytes) -> object:
        if data.isascii():
            return parse(data.decode("ascii"))
        return [parse(data.decode("utf-8", how)) for how in ("backslashreplace", "surrogateescape")]

    return read


def _chunks(make: Callable[[], object], *, ends: str = "") -> Callable[[bytes], object]:
    """Cut in three, as a stream comes."""

    def read(data: bytes) -> object:
        reader = make()
        found: list[object] = []
        third = len(data) // 3 + 1
        for at in range(0, len(data), third):
            answer = reader.feed(data[at : at + third])  # type: ignore[attr-defined]
            found.extend(answer or ())
        if ends:
            found.extend(getattr(reader, ends)() or ())
        return found

    return read


def _iostat(data: bytes) -> object:
    reader = iostat_stream.IostatReader()
    samples = reader.feed(data, now=1.0) + reader.finish()
    return [
        (read_disk_performance_as_columns.work(each.rows, range(len(each.rows))), list(each.rows))
        for each in samples
    ]


def _recording(data: bytes) -> object:
    reader = saved_output.Recording()
    return [list(sample.rows) for _, sample in reader.samples(data.split(b"\n"))]


def _kstat(text: str) -> object:
    found = pool_state_and_kstat_parser.parse_kstat(text)
    return (
        arc_throttle_and_zil.arc_sample(found, None, 1.0),
        arc_throttle_and_zil.throttle_sample(found, found, 1.0, None),
        arc_throttle_and_zil.zil_sample(found, None, 1.0),
        txgs_and_assign_waits.assign_waits(found, found),
    )


def _objsets(text: str) -> object:
    found = objsets.parse_objsets(text)
    return [objsets.rates({one.dataset: one for one in found}, each) for each in found]


def _diskstats(text: str) -> object:
    found = diskstats.parse_diskstats(text)
    return diskstats.busy({}, found, 1.0), diskstats.busy(found, found, 1e-9), found


def _inventory(text: str) -> object:
    return disk_by_id.inventory((), disk_by_id.parse_links(text))


def _grants(text: str) -> object:
    return allow.delegations(allow.parse_allow(text), "operator", 1000, ("wheel",))


def _history(text: str) -> object:
    return [(each, history.settings_in(each.text.split())) for each in history.parse_history(text)]


def _prometheus(data: bytes) -> object:
    """What the library has decoded; it raises these for what is not JSON, and all of them are answered."""
    try:
        return prometheus_client.series_of(json.loads(data)["data"]["result"])
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise PrometheusError(type(error).__name__) from error


def _mark(data: bytes) -> object:
    mark = shell_quoting_and_output_marker.OutputMarker()
    half = len(data) // 2
    return mark.strip(data[:half]), mark.strip(data[half:]), mark.noise, mark.session


def _known_hosts(text: str) -> object:
    known = known_hosts_file.KnownHosts((text,))
    return known.trusted("nas1", None).keys, known.trusted("nas1", 2222).revoked


def _streams(data: bytes) -> object:
    return (
        stream_snapshots_and_damage.read_streams(io.BytesIO(data), verify=True),
        stream_snapshots_and_damage.read_streams(io.BytesIO(data), size_bytes=len(data)),
    )


NESTED = {"tosnap": "c", "fss": {"0x1": {"name": "tank/home", "snaps": {"a": 11, "b": 12}}}, "big": 2**63}
TOKEN_LIST = xdr({"toname": "tank/home@a", "toguid": 11, "bytes": 4096, "object": 2, "offset": 0})
TOKEN = b"1-12ab-%x-%s" % (len(TOKEN_LIST), zlib.compress(TOKEN_LIST).hex().encode())
KEY = b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8Q2Yq1r9Z8y4nZ0wQ0mX3m7d0Zr0r8m7o6v1c9b4aE"
STAT = b"123 (cat) R 100 100 100 0 -1 4194304 1 2 3\n"
SNAPSHOTS = b"".join(b"tank/data@auto-%d\t%d\t%d\n" % (each, 7_000_000 + each, each) for each in range(40))
DIFF = (
    b"1795000000.123456789\tM\t/\t/tank/\n1795000001.000000000\t+\tF\t/tank/a\\0040b\n"
    b"1795000002.000000000\tR\tF\t/tank/a\t/tank/c\n1795000003.000000000\tM\tF\t/tank/d\t(+2)\n"
)
FOLDER = b"".join(
    b"f\x00%d\x00%d\x001024\x001795000000.1234567890\x00file%d\x00\x00" % (40, each, each)
    for each in range(5)
)
UDEV = b"UDEV  [1374.120518] add      /devices/pci0000:00/virtio9/block/vdg (block)\n"
DD = b"64+0 records in\n64+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 0.352184 s, 191 MB/s\n"
LOOK = b"81a4\x0040\x007\x0012\x001795000000.123456789\x00/tank/a\x00" * 2

PARSERS = (
    Parser("zfs.listing.allow.parse_allow", _text(_grants), ("*/*/zfs_allow*.txt",)),
    Parser(
        "zfs.change.libzfs_core_argv.parse_space",
        _text(libzfs_core_argv.parse_space),
        samples=(b'{"done": true, "bytes": 12}\n',),
    ),
    Parser(
        "zfs.listing.dataset_get.parse_properties",
        _text(lambda text: dataset_get.parse_properties(text, ("used", "com.sun:auto", "mountpoint"))),
        samples=(
            b"tank\tused\t-\t12\ntank\tcom.sun:auto\tlocal\tone\ntwo\ntank\tmountpoint\tlocal\t/a\tb\n",
        ),
    ),
    Parser(
        "zfs.listing.space_now_and_at_snapshots.parse_dataset_traces",
        _text(space_now_and_at_snapshots.parse_dataset_traces),
        samples=(b"tank\tfilesystem\t1\t2\t3\t4\t5\t6\t-\ntank@a\tsnapshot\t1\t2\t3\t-\t-\t-\t-\n",),
    ),
    Parser(
        "zfs.listing.space_now_and_at_snapshots.parse_dataset_uses",
        _text(space_now_and_at_snapshots.parse_dataset_uses),
        samples=(b"tank\t1\t2\ntank/home\t4096\t0\n",),
    ),
    Parser(
        "zfs.listing.space_now_and_at_snapshots.parse_dataset_block_sizes",
        _text(space_now_and_at_snapshots.parse_dataset_block_sizes),
        samples=(b"tank\t131072\t-\ntank/vm\t-\t16384\n",),
    ),
    Parser("zfs.listing.datasets.parse_datasets", _text(datasets.parse_datasets), ("*/*/zfs_list_all.tsv",)),
    Parser("zfs.listing.diff.DiffReader", _chunks(diff.DiffReader, ends="end"), samples=(DIFF,)),
    Parser(
        "zfs.listing.destroy_dry_run.parse_destroy_dry_run",
        _text(destroy_dry_run.parse_destroy_dry_run),
        samples=(b"destroy\ttank@a\ndestroy\ttank@b\nreclaim\t1024\n",),
    ),
    Parser(
        "zfs.listing.events.EventReader",
        _chunks(events.EventReader),
        ("*/*/zpool_events_v.txt", "live/*/events*"),
    ),
    Parser(
        "zfs.listing.events.parse_events",
        _text(events.parse_events),
        ("*/*/zpool_events_v.txt", "live/*/events*"),
    ),
    Parser(
        "zfs.iostat.histogram_stream.HistogramReader",
        _chunks(lambda: histogram_stream.HistogramReader(histogram_stream.LATENCIES, "tank")),
        samples=tuple(
            b"179500000%d\n\ntank\n" % each
            + b"".join(b"%d" % ((1 << power) - 1) + b"\t3" * 11 + b"\n" for power in range(1, 38))
            + b"\n"
            for each in range(2)
        ),
    ),
    Parser("zfs.listing.history.parse_history", _text(_history), ("*/*/zpool_history_il.txt",)),
    Parser(
        "zfs.listing.holds.parse_holds",
        _text(holds.parse_holds),
        samples=(b"tank@a\tkeep\tFri Nov 20 23:52 2026\ntank@b\ta\tb\t1795000000\ntank@c\tkeep\t-\n",),
    ),
    Parser(
        "zfs.status.cached_config.parse_cached_config",
        _text(cached_config.parse_cached_config),
        ("live/*/cached_config.txt",),
    ),
    Parser(
        "zfs.status.importable.parse_importable",
        _text(importable.parse_importable),
        ("*/*/zpool_import.txt", "*/*/zpool_import_*.txt"),
    ),
    Parser(
        "zfs.iostat.iostat_stream.IostatReader",
        _iostat,
        ("*/*/zpool_iostat_Hpvl*.tsv", "*/*/zpool_iostat_T*.tsv"),
    ),
    Parser("zfs.iostat.saved_output.Recording", _recording, ("slow/a01/iostat.tsv",)),
    Parser(
        "zfs.json_node.read_json",
        lambda data: json_node.read_json("zpool", data).names(),
        ("*/*/zpool_list.json",),
    ),
    Parser(
        "zfs.kstat.pool_state_and_kstat_parser.parse_kstat",
        _text(_kstat),
        ("*/*/arcstats.txt", "*/*/kstat_*_dmu_tx_assign.txt"),
    ),
    Parser(
        "zfs.kstat.pool_state_and_kstat_parser.parse_kstat_dir",
        _text(pool_state_and_kstat_parser.parse_kstat_dir),
        ("live/*/pools_dir.txt",),
    ),
    Parser(
        "zfs.kstat.pool_state_and_kstat_parser.parse_pool_state",
        _text(pool_state_and_kstat_parser.parse_pool_state),
        samples=(b"ONLINE\n",),
    ),
    Parser(
        "zfs.listing.device_label.parse_label",
        _text(lambda text: device_label.parse_label("/dev/sda1", text)),
        samples=(
            (
                b"------------------------------------\nLABEL 0 \n------------------------------------\n"
                b"    version: 5000\n    name: 'tank'\n    state: 0\n    txg: 4\n    pool_guid: 17\n"
                b"    hostid: 9\n"
                b"    hostname: 'nas1'\n    top_guid: 5\n    guid: 6\n    vdev_tree:\n        type: 'disk'\n"
                b"        ashift: 12\n    labels = 0 1 2 3 \n    Uberblock[0]\n\tmagic = 0000000000bab10c\n"
                b"\ttxg = 4\n\ttimestamp = 1795000000 UTC = Fri Nov 20\n"
            ),
        ),
    ),
    Parser(
        "zfs.listing.replication_guids.parse_lineages",
        _text(replication_guids.parse_lineages),
        samples=(
            b"tank\tfilesystem\t1\t2\t3\t4\t-\ntank@a\tsnapshot\t1\t2\t3\t4\t-\ntank#b\tbookmark\t1\t2\t3\t-\t-\n",
        ),
    ),
    Parser(
        "zfs.stream.nvlist.parse_nvlist",
        nvlist.parse_nvlist,
        samples=(xdr(NESTED), native(NESTED), native(NESTED, ">")),
    ),
    Parser(
        "zfs.kstat.objsets.parse_objsets",
        _text(_objsets),
        ("live/*/objset_io.txt", "*/*/kstat_*_objset*.txt"),
    ),
    Parser(
        "zfs.listing.pool_get.parse_properties",
        _text(lambda text: pool_get.parse_properties(text, "tank")),
        ("*/*/zpool_get_all.tsv",),
    ),
    Parser(
        "zfs.settings.dataset_settings.parse_dataset_settings",
        _text(
            lambda text: tuple(
                dataset_settings.parse_dataset_settings(text, ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1"))
            )
        ),
        ("live/2.4/dataset_settings.tsv",),
    ),
    Parser(
        "zfs.settings.dedup_table.parse_dedup_table",
        _text(
            lambda text: dedup_table.parse_dedup_table(text, ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1"))
        ),
        ("*/*/zpool_status_D.txt",),
    ),
    Parser(
        "zfs.settings.dedup_table.with_quota",
        _text(lambda text: dedup_table.with_quota(DedupTable(1, 2, 3), text, "tank")),
        ("2.4/settings-odd/dedup_quota.tsv",),
    ),
    Parser(
        "zfs.settings.clone_origins.parse_origins",
        _text(lambda text: tuple(clone_origins.parse_origins(text))),
        ("2.4/settings-odd/origins.tsv",),
    ),
    Parser(
        "system.file_sizes.parse_file_sample",
        _text(lambda text: file_sizes.parse_file_sample(text, 1)),
        ("2.4/settings-odd/file_sizes.nul",),
    ),
    Parser(
        "zfs.settings.host_settings.parse_host_settings",
        _text(host_settings.parse_host_settings),
        ("live/2.4/host_settings.txt",),
    ),
    Parser(
        "zfs.listing.pool_list.parse_pool_columns",
        _text(pool_list.parse_pool_columns),
        ("*/*/zpool_list_Hp_cols.tsv",),
    ),
    Parser(
        "zfs.listing.pool_list.parse_pool_list", _text(pool_list.parse_pool_list), ("*/*/zpool_list_Hpv.tsv",)
    ),
    Parser(
        "zfs.status.status.parse_status",
        lambda data: status.parse_status(data, ZfsVersion("zfs-2.1.11-1")),
        ("*/*/zpool_status_v*.txt", "*/*/zpool_status_gP.txt"),
    ),
    Parser("zfs.status.status.parse_status_json", status.parse_status_json, ("*/*/zpool_status.json",)),
    Parser(
        "zfs.status.status_text.parse_status_text",
        _text(status_text.parse_status_text),
        ("*/*/zpool_status_v*.txt", "*/*/zpool_status_sitpP.txt"),
    ),
    Parser(
        "zfs.stream.resume_token.parse_resume_token", _text(resume_token.parse_resume_token), samples=(TOKEN,)
    ),
    Parser(
        "zfs.listing.root_dataset_space.parse_root_datasets",
        _text(root_dataset_space.parse_root_datasets),
        samples=(b"tank\t1\t2\t3\n",),
    ),
    Parser(
        "zfs.sanoid_conf.parse_sections",
        _text(sanoid_conf.parse_sections),
        samples=(b"[tank/home]\n\tuse_template = production\n[template_production]\n\thourly = 36\n",),
    ),
    Parser(
        "zfs.sanoid_conf.parse_sanoid",
        _text(lambda text: sanoid_conf.parse_sanoid(text, ("tank", "tank/home"), defaults_text=text)),
        samples=(
            (
                b"[tank]\n\trecursive = yes\n\tuse_template = a , b\n[template_a]\n\thourly = 36\n"
                b"[template_b]\n\tautosnap = no\n\tfrequent_period = 15\n"
            ),
        ),
    ),
    Parser(
        "zfs.stream.send_dry_run.parse_send_size",
        _text(send_dry_run.parse_send_size),
        samples=(b"incremental\ttank@a\ttank@b\t123\nsize\t123\n",),
    ),
    Parser(
        "zfs.stream.stream_snapshots_and_damage.read_streams",
        _streams,
        samples=(
            bytes(Writer().snapshot("tank/home@a", 11).data),
            bytes(Writer(">").snapshot("tank/home@a", 11).data),
            package("tank/home@c", [("tank/home@a", 11, 0), ("tank/home@b", 12, 11)], listed=NESTED),
        ),
    ),
    Parser(
        "zfs.listing.sit_out.parse_sit_outs",
        _text(lambda text: sit_out.parse_sit_outs(text, {17, 18})),
        samples=(b"17\tautosit\ton\n18\tsit_out\toff\n",),
    ),
    Parser(
        "zfs.listing.vdev_ashift.parse_ashifts",
        _text(vdev_ashift.parse_ashifts),
        samples=(b"17\t12\n18\t0\n",),
    ),
    Parser(
        "zfs.listing.snapshots_and_their_datasets.SnapshotReader",
        _chunks(snapshots_and_their_datasets.SnapshotReader, ends="close"),
        samples=(SNAPSHOTS,),
    ),
    Parser(
        "zfs.listing.snapshots_and_their_datasets.parse_systems",
        _text(snapshots_and_their_datasets.parse_systems),
        samples=(b"tank\tfilesystem\t1\t2\t-\t1795000000\ntank/vol\tvolume\t3\t4\ttank@a\t-\n",),
    ),
    Parser(
        "zfs.benchmark.fio_json.parse_fio",
        _text(fio_json.parse_fio),
        samples=((BENCHMARK / "fio_3_33.json").read_bytes(),),
    ),
    Parser(
        "zfs.benchmark.output_of_runs.parse_runs",
        _text(output_of_runs.parse_runs),
        samples=((BENCHMARK / "run_2_4.txt").read_bytes(),),
    ),
    Parser(
        "zfs.stream.syncoid_progress.last_stream",
        _text(syncoid_progress.last_stream),
        samples=(b"INFO: Sending oldest full snapshot tank@a (~ 12.4 GB) to new target filesystem:\n",),
    ),
    Parser(
        "zfs.stream.syncoid_progress.counted", syncoid_progress.counted, samples=(b"12\n1234\nnoise\n5\n",)
    ),
    Parser(
        "zfs.stream.syncoid_progress.without_counts",
        syncoid_progress.without_counts,
        samples=(b"12\nnoise\n5\n",),
    ),
    Parser(
        "zfs.kstat.txgs_and_assign_waits.parse_assign_waits",
        _text(txgs_and_assign_waits.parse_assign_waits),
        ("*/*/kstat_*_dmu_tx_assign.txt",),
    ),
    Parser(
        "zfs.kstat.txgs_and_assign_waits.parse_txgs",
        _text(txgs_and_assign_waits.parse_txgs),
        ("*/*/kstat_*_txgs.txt",),
    ),
    Parser(
        "zfs.listing.object_identity.parse_which",
        _text(object_identity.parse_which),
        samples=(b"tank\t1\t1\t1\t1\tyes\n",),
    ),
    Parser("zfs.listing.version.parse_version", _text(version.parse_version), ("*/*/zfs_version.txt",)),
    Parser(
        "system.containers.container_processes.parse_cgroups",
        _text(container_processes.parse_cgroups),
        samples=(CGROUPS,),
    ),
    Parser(
        "system.containers.container_processes.parse_container_mounts",
        _text(container_processes.parse_container_mounts),
        samples=(CONTAINER_MOUNTS,),
    ),
    Parser(
        "system.containers.proxmox_config.parse_proxmox",
        _text(proxmox_config.parse_proxmox),
        samples=(PROXMOX,),
    ),
    Parser("system.dd_disk_reads.parse_piece", _text(dd_disk_reads.parse_piece), samples=(DD,)),
    Parser("system.disk_by_id.parse_links", _text(_inventory), ("*/*/by_id.txt", "live/*/links.txt")),
    Parser("system.diskstats.parse_diskstats", _text(_diskstats), ("*/*/diskstats.txt",)),
    Parser(
        "system.file_programs.FolderReader",
        _chunks(lambda: file_programs.FolderReader("/tank"), ends="end"),
        samples=(FOLDER,),
    ),
    Parser(
        "system.file_programs.parse_all_resolved",
        file_programs.parse_all_resolved,
        samples=(b"/tank/a\x00/tank/b\x00",),
    ),
    Parser("system.file_programs.parse_stat_files", file_programs.parse_stat_files, samples=(LOOK,)),
    Parser(
        "system.file_programs.parse_measured", file_programs.parse_measured, samples=(b"4096\t/tank/a\x00",)
    ),
    Parser(
        "system.missing_paths.parse_missing",
        _text(lambda text: missing_paths.parse_missing(text, ("/tank/a",))),
        samples=(b"ls: cannot access '/tank/a': No such file or directory\n",),
    ),
    Parser("system.file_programs.parse_resolved", file_programs.parse_resolved, samples=(b"/tank/a\x00",)),
    Parser(
        "system.pool_and_disk_identity.parse_pool_and_disks",
        _text(pool_and_disk_identity.parse_pool_and_disks),
        samples=(b'{"blockdevices": []}\n\n1234567890123456789\n', b'{"blockdevices": []}\n', b"42\n"),
    ),
    Parser(
        "system.kernel_messages.parse_dmesg",
        _text(kernel_messages.parse_dmesg),
        ("live/*/dmesg_*.txt",),
        samples=(
            b"kern  :err   : 2026-11-23T02:13:20,250000+00:00 sd 6:0:3:0: [sdd] Sense Key : Medium Error\n",
        ),
    ),
    Parser(
        "system.kernel_messages.parse_journal",
        _text(kernel_messages.parse_journal),
        samples=(
            b'{"__REALTIME_TIMESTAMP":"1795400000250000","MESSAGE":"nvme nvme0: I/O 2 QID 4 timeout"}\n',
        ),
    ),
    Parser(
        "system.lsblk.parse_lsblk", _text(lsblk.parse_lsblk), ("*/*/lsblk.json", "live/*/lsblk_columns.json")
    ),
    Parser(
        "system.mounts_and_boot_pools.parse_mounts",
        _text(lambda text: mounts_and_boot_pools.mounted_datasets(mounts_and_boot_pools.parse_mounts(text))),
        samples=(b"/dev/sda1 / ext4 rw,noatime 0 0\ntank/a\\040b /tank/a\\040b zfs rw,xattr 0 0\n",),
    ),
    Parser(
        "system.enclosures_and_disk_paths.parse_shelves",
        _text(enclosures_and_disk_paths.parse_shelves),
        samples=(SHELF,),
    ),
    Parser(
        "system.enclosures_and_disk_paths.parse_lights",
        _text(enclosures_and_disk_paths.parse_lights),
        samples=(b"9:0:0:0/Slot 01/locate:1\n9:0:0:0/Slot 01/fault:0\n9:0:0:0/Slot 01/status:OK\n",),
    ),
    Parser(
        "system.open_files.parse_open_files",
        _text(open_files.parse_open_files),
        samples=(b"/proc/1/cwd\x00/\x00/proc/42/fd/7\x00/tank/a\x00",),
    ),
    Parser(
        "system.swaps.parse_swaps",
        _text(swaps.parse_swaps),
        samples=(b"Filename\t\t\tType\t\tSize\tUsed\tPriority\n/dev/zd0  partition\t1048572\t0\t-2\n",),
    ),
    Parser("system.smartctl.parse_health", _text(smartctl.parse_health), captures=("smart/*.json",)),
    Parser("system.udev_monitor.DiskEventReader", _chunks(udev_monitor.DiskEventReader), samples=(UDEV,)),
    Parser(
        "system.qemu_processes.parse_command_line",
        _text(qemu_processes.parse_command_line),
        samples=(
            b"/usr/bin/qemu-system-x86_64\0-name\0guest=web01,debug-threads=on\0-uuid\0AB-1\0",
            b"kvm\0--name\0a,,b\0",
        ),
    ),
    Parser(
        "system.libvirt.domain_xml.parse_domain",
        _text(domain_xml.parse_domain),
        captures=("libvirt/*/dumpxml_*.xml",),
    ),
    Parser(
        "system.libvirt.disk_definition_text.parse_disk_texts",
        _text(disk_definition_text.parse_disk_texts),
        captures=("libvirt/*/dumpxml_*.xml",),
    ),
    Parser(
        "system.libvirt.domain_stats.parse_domain_stats",
        _text(domain_stats.parse_domain_stats),
        captures=("libvirt/*/domstats_*.txt",),
    ),
    Parser(
        "system.libvirt.qemu_img.parse_image_chain",
        _text(qemu_img.parse_image_chain),
        captures=("libvirt/*/qemu-img_*.json",),
    ),
    Parser(
        "system.libvirt.storage_volume_path.parse_volume_path",
        _text(storage_volume_path.parse_volume_path),
        samples=(b"/srv/images/web01.qcow2\n\n", b"rbd/web01\n\n"),
    ),
    Parser(
        "system.libvirt.disk_errors.parse_disk_errors",
        _text(disk_errors.parse_disk_errors),
        samples=(b"vda: no space\nvdb: unspecified error\n", b"No errors found\n"),
    ),
    Parser(
        "system.libvirt.events.GuestEventReader",
        _chunks(libvirt_events.GuestEventReader),
        samples=(
            (
                b"2026-11-23 17:00:00.000+0000: event 'lifecycle' for domain 'web01': Started Booted\n"
                b"event 'io-error' for domain 'db02': /dev/zd0 (virtio-disk0) pause\n"
            ),
        ),
    ),
    Parser(
        "system.libvirt.libvirt_python_lines.LibvirtLineReader",
        _chunks(libvirt_python_lines.LibvirtLineReader),
        samples=(
            (
                b'{"ready": {"events": ["lifecycle"]}}\n{"id": 1, "error": "Domain not found"}\n'
                b'{"event": "lifecycle", "guest": "web01", "words": "Suspended 2"}\n{"id": 2, "answer": []}\n'
            ),
        ),
    ),
    *(
        Parser(
            f"system.libvirt.libvirt_python_lines.{parse.__name__}",
            _text(lambda text, parse=parse: parse(load_json("libvirt-python", text))),
            samples=(sample,),
        )
        for parse, sample in (
            (
                libvirt_python_lines.parse_statuses,
                b'[["web01", {"state.state": 1, "block.count": 1, "block.0.name": "vda"}]]',
            ),
            (libvirt_python_lines.parse_uuids, b'["0b0d9a0e-6f3b-4f4a-9a0b-0c0d0e0f1011"]'),
            (libvirt_python_lines.parse_errors_of_disks, b'{"vda": "no space"}'),
            (libvirt_python_lines.parse_definition, b'"<domain/>"'),
            (libvirt_python_lines.parse_volume_path, b'"/srv/images/web01.qcow2"'),
        )
    ),
    Parser(
        "system.libvirt.agent_commands.parse_freeze_status",
        _text(agent_commands.parse_freeze_status),
        samples=(b'{"return":"thawed"}\n\n',),
    ),
    Parser(
        "system.libvirt.domain_power.parse_state",
        _text(domain_power.parse_state),
        samples=(b"Domain: 'web01'\n  state.state=1\n",),
    ),
    Parser(
        "system.libvirt.sockets.parse_sockets",
        _text(lambda text: sockets.parse_sockets(text, sockets.sockets_of("qemu:///system", 0))),
        samples=(b"/run/libvirt/libvirt-sock-ro\n",),
    ),
    Parser(
        "system.libvirt.domain_needs_of_its_host.parse_networks",
        _text(domain_needs_of_its_host.parse_networks),
        samples=(b"default\nlan\n\n",),
    ),
    Parser(
        "system.libvirt.domain_needs_of_its_host.parse_domain_needs",
        _text(domain_needs_of_its_host.parse_domain_needs),
        samples=(
            (
                b"<domain type='kvm'><os><type arch='x86_64' machine='q35'>hvm</type></os>"
                b"<cpu mode='custom'><model>Haswell</model></cpu><devices><interface type='network'>"
                b"<source network='lan'/></interface><tpm/></devices></domain>\n"
            ),
        ),
    ),
    Parser(
        "system.libvirt.list_guests.parse_uuids",
        _text(list_guests.parse_uuids),
        samples=(b"0b0d9a0e-6f3b-4f4a-9a0b-0c0d0e0f1011\n\n",),
    ),
    Parser(
        "hosts.prometheus_client.series_of",
        _prometheus,
        samples=(
            (
                b'{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"name":"tank"},'
                b'"values":[[1795000000,"12"],[1795000060.5,"1e3"],[1795000120,"NaN"]]}]}}'
            ),
        ),
        errors=(PrometheusError,),
    ),
    Parser(
        "hosts.process_list_and_command_search.parse_processes",
        processes.parse_processes,
        samples=(b"/proc/100/stat:" + STAT + b"\0/proc/100/cmdline:zfs\0/proc/100/cmdline:destroy\0",),
    ),
    Parser(
        "hosts.process_list_and_command_search.parse_stat",
        _text(processes.parse_stat),
        samples=(STAT + b" 4" * 40 + b"\n",),
    ),
    Parser(
        "hosts.ssh.shell_quoting_and_output_marker.OutputMarker",
        _mark,
        samples=(b"motd\n" + STAT + shell_quoting_and_output_marker.MARK + b"\nanswer\n",),
    ),
    Parser(
        "hosts.ssh.known_hosts_file.KnownHosts",
        _text(_known_hosts),
        samples=(
            (
                b"nas1,10.0.0.1 " + KEY + b"\n"
                b"@revoked [nas1]:2222 " + KEY + b"\n"
                b"@cert-authority *.example ecdsa-sha2-nistp256 AAAA\n|1|AAAA=|AAAA= ssh-rsa AAAA\n"
            ),
        ),
    ),
    Parser(
        "collect.privilege.parse_user",
        _text(privilege.parse_user),
        samples=(
            b"uid=1000(operator) gid=1000(operator) groups=1000(operator),27(sudo)\n",
            b"uid=0(root) gid=0\n",
        ),
    ),
    Parser(
        "collect.privilege.rule_options",
        _text(privilege.rule_options),
        samples=(
            b"Sudoers entry:\n    RunAsUsers: root\n    Options: !authenticate, log\n    Commands:\n\tALL\n",
        ),
    ),
)


def found() -> Iterator[str]:
    """The name of every parser there is, without those of NO_PARSERS."""
    for module in _modules():
        short = module.__name__.removeprefix("zconsole.")
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", "") != module.__name__:
                continue
            full = f"{short}.{name}"
            if _is_parser(name, value) and not any(
                full == other or full.startswith(f"{other}.") for other in NO_PARSERS
            ):
                yield full


def named(name: str) -> object:
    """What a name of an entry stands for."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(f"zconsole.{module}"), attribute, None)


def _modules() -> Iterator[ModuleType]:
    for layer in LAYERS:
        package_of = importlib.import_module(f"zconsole.{layer}")
        for each in pkgutil.walk_packages(package_of.__path__, f"zconsole.{layer}."):
            yield importlib.import_module(each.name)


def _is_parser(name: str, value: object) -> bool:
    if inspect.isclass(value):
        return bool({"feed", "strip"} & vars(value).keys())
    if not inspect.isfunction(value) or inspect.iscoroutinefunction(value):
        return False
    takes = [
        each for each in inspect.signature(value).parameters.values() if each.annotation in {"str", "bytes"}
    ]
    return name.startswith("parse_") or any(each.name in OF_TEXT for each in takes)
