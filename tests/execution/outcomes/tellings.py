"""Conditions that hold, that do not, and that are not known."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import disk, group
from tests.doubles.plan_worlds import pool, snapshot
from zconsole.actions.plan import Condition, ConditionKind
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import ConditionCheck
from zconsole.model.pools.pool import PoolActivity, Scan, VdevProgress

K = ConditionKind
SNAP = snapshot("tank/home@a")
LEAF = replace(
    disk("a"), guid=55, path="/dev/disk/by-id/ata-A-part1", activities=(VdevProgress("trim", "active"),)
)
TANK = replace(
    pool("tank"),
    vdevs=(replace(group("mirror-0", LEAF, disk("b")), guid=77),),
    scan=Scan("scrub", "scanning", start=1000),
    activities=(PoolActivity("removal", None, "active"),),
    checkpoint_bytes=5,
)
GUID, TANK_GUID, LEAF_GUID = str(SNAP.guid), str(TANK.guid), str(LEAF.guid)
TRUE = (
    Condition(K.GUEST_AT_BOOT, "uuid-1", key="web01", value="off"),
    Condition(K.GUEST_AT_BOOT, "uuid-3", key="mail", value="on"),
    Condition(K.GUEST_GONE, "uuid-1", key="web01"),
    Condition(K.GUEST_STATE, "uuid-1", key="web01", value="shut off"),
    Condition(K.SAME_SNAPSHOT, "tank/home@a", "tank", value="tank/home@a"),
    Condition(K.DATASET_GONE, "12345", "tank"),
    Condition(K.DATASET_GONE, GUID, "tank", "snapshot", "999"),
    Condition(K.DATASET_GONE, GUID, "tank", "bookmark"),
    Condition(K.DATASET_THERE, "tank/home@a"),
    Condition(K.ORIGIN_IS, "tank/home", value="tank/gold@a"),
    Condition(K.NAME_IS, GUID, "tank", str(SNAP.createtxg), "tank/home@a"),
    Condition(K.PROPERTY_IS, "tank/home", "tank", "compression", "lz4"),
    Condition(K.PROPERTY_IS, "tank/home", "tank", "mounted", "yes"),
    Condition(K.PROPERTY_IS, "tank/home", "tank", "keystatus", "available"),
    Condition(K.PROPERTY_IS, "tank", "tank", "autotrim", "on"),
    Condition(K.HOLD_THERE, "tank/home@a", value="keep"),
    Condition(K.HOLD_GONE, "tank/home@a", value="other"),
    Condition(K.RECEIVED, "tank/home", "tank", "a", GUID),
    Condition(K.POOL_GONE, "4711"),
    Condition(K.POOL_THERE, TANK_GUID),
    Condition(K.POOL_THERE, "tank"),
    Condition(K.VDEV_GONE, "999", "tank"),
    Condition(K.VDEV_STATE, LEAF_GUID, "tank", value="OFFLINE|ONLINE"),
    Condition(K.LEAF_THERE, "/dev/disk/by-id/ata-A", "tank"),
    Condition(K.SCAN_IS, TANK_GUID, "tank", "scrub", "scanning|finished"),
    Condition(K.ACTIVITY_IS, LEAF_GUID, "tank", "trim", "active"),
    Condition(K.ACTIVITY_IS, "77", "tank", "removal", "active|finished"),
    Condition(K.ERRORS_ZERO, LEAF_GUID, "tank"),
    Condition(K.ERRORS_ZERO, TANK_GUID, "tank"),
    Condition(K.CHECKPOINT_THERE, TANK_GUID, "tank"),
    Condition(K.LABEL_GONE, "/dev/disk/by-id/ata-Y"),
    Condition(K.FILE_THERE, "/tank/home/x", "tank"),
    Condition(K.FILE_IS, "/tank/home/x", "tank", "file", "10 1795000000000000000"),
)
FALSE = (
    Condition(K.GUEST_AT_BOOT, "uuid-3", key="mail", value="off"),
    Condition(K.GUEST_GONE, "uuid-3", key="mail"),
    Condition(K.GUEST_DISK, "uuid-1", key="vda", value="/tank/x"),
    Condition(K.SAME_SNAPSHOT, "tank/home@b", "tank", "nas1", "far/home@b"),
    Condition(K.GUEST_STATE, "uuid-1", key="web01", value="running|blocked"),
    Condition(K.SAME_SNAPSHOT, "tank/home@b", "tank", value="tank/home@a"),
    Condition(K.SAME_SNAPSHOT, "tank/home@a", "tank", value="tank/home@gone"),
    Condition(K.DATASET_GONE, GUID, "tank", "snapshot", str(SNAP.createtxg)),
    Condition(K.DATASET_THERE, "tank/new"),
    Condition(K.ORIGIN_IS, "tank/home", value=""),
    Condition(K.NAME_IS, GUID, "tank", value="tank/home@b"),
    Condition(K.PROPERTY_IS, "tank/home", "tank", "compression", "zstd"),
    Condition(K.PROPERTY_IS, "tank/home", "tank", "mounted", "no"),
    Condition(K.HOLD_THERE, "tank/home@a", value="other"),
    Condition(K.HOLD_GONE, "tank/home@a", value="keep"),
    Condition(K.RECEIVED, "tank/home", "tank", "a", "999"),
    Condition(K.RECEIVED, "tank/ho", "tank", "a", GUID),
    Condition(K.POOL_GONE, TANK_GUID),
    Condition(K.POOL_THERE, "4711"),
    Condition(K.VDEV_GONE, LEAF_GUID, "tank"),
    Condition(K.VDEV_STATE, LEAF_GUID, "tank", value="OFFLINE"),
    Condition(K.LEAF_THERE, "/dev/disk/by-id/ata-AB", "tank"),
    Condition(K.SCAN_IS, TANK_GUID, "tank", "scrub", "paused"),
    Condition(K.ACTIVITY_IS, LEAF_GUID, "tank", "trim", "suspended"),
    Condition(K.CHECKPOINT_GONE, TANK_GUID, "tank"),
    Condition(K.LABEL_GONE, "/dev/disk/by-id/ata-X"),
    Condition(K.FILE_THERE, "/tank/home/y", "tank"),
    Condition(K.FILE_IS, "/tank/home/x", "tank", "file", "11 1795000000000000000"),
)
UNKNOWN = (
    Condition(K.GUEST_AT_BOOT, "uuid-2", key="db02", value="on"),
    Condition(K.GUEST_GONE, "uuid-2", key="db02"),
    Condition(K.SAME_SNAPSHOT, "tank/home@a", "tank", "nas1", "far/home@a"),
    Condition(K.GUEST_STATE, "uuid-2", key="db02", value="shut off"),
    Condition(K.GUEST_DISK, "53ab802c-5f75-46bd-9b53-b1f4418a81e3", key="vda", value="/tank/x"),
    Condition(K.SAME_SNAPSHOT, "tank/home@a", "tank", value="other/home@a"),
    Condition(K.DATASET_GONE, GUID, "other"),
    Condition(K.DATASET_THERE, "other/home"),
    Condition(K.RECEIVED, "other/home", "other", "a", GUID),
    Condition(K.PROPERTY_IS, "tank/home", "tank", "atime", "on"),
    Condition(K.VDEV_GONE, LEAF_GUID, "other"),
    Condition(K.LABEL_GONE, "/dev/disk/by-id/ata-U"),
    Condition(K.FILE_THERE, "/tank/home/z", "tank"),
    Condition(K.HISTORY, "tank", "tank", value="zpool clear tank"),
    Condition(K.ROLLED_BACK, "tank", "tank", value="tank/home@a"),
)
LINE = ("zfs", "hold", "new", "tank/home@a")
A, B = (ConditionCheck(Condition(K.DATASET_THERE, f"tank/{name}")) for name in "ab")
