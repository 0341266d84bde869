"""Import: by guid, after everybody was asked; by force only with the other host's name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.pool.shelf import argv, leaf, log, mirror, of, planned, rules, tank
from tests.doubles.plan_worlds import HOST, host
from tests.zfs.recorded import CAPTURES
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import intent
from zconsole.actions.plan import RedundancyChange, Risk
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import ImportablePool, Vdev
from zconsole.zfs.status.importable import parse_importable

GUID = 5147909496590540415
VAULT = ImportablePool("vault", GUID, "ONLINE", vdevs=(mirror("ONLINE", "ONLINE"),))
ARTICLE = "https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-EY"
FOREIGN = replace(VAULT, see=ARTICLE, status="The pool was last accessed by another system.")
LABEL = DiskLabel(
    "/dev/disk/by-id/mirror-0-a-part1", "vault", GUID, 1, "active", "storage2", "badcafe",
    last_txg=900, last_written=1_795_232_471,
)  # fmt: skip
EXPORTED = replace(LABEL, state="exported")


def known(*found: ImportablePool, **facts: object) -> PlanFacts:
    """A host with nothing imported and these pools on its disks."""
    given = {"labels": (EXPORTED,), **facts}
    return host(pools=(), importable=found, destroyed=(), **given)


def test_it_is_caution_and_by_guid() -> None:
    made = planned(known(VAULT), "import", "vault")

    assert Risk.CAUTION is made.risk
    assert "vault" == made.confirm
    assert f"zpool import -N {GUID}" == argv(made)
    assert "zpool export vault" == made.undo
    at_most = ("at most ", "")
    assert (RedundancyChange("mirror-0", None, 1, 1, (("", ""), at_most, at_most)),) == made.redundancy
    assert "last used by storage2, 2026-11-21 03:41:11 UTC; exported" in made.notes


@pytest.mark.parametrize(
    ("options", "typed"),
    [
        ({"name": "vault2"}, f"zpool import -N {GUID} vault2"),
        ({"read_only": True}, f"zpool import -N -o readonly=on {GUID}"),
        ({"altroot": "/mnt"}, f"zpool import -N -R /mnt {GUID}"),
        (
            {"name": "v2", "read_only": True, "altroot": "/mnt"},
            f"zpool import -N -o readonly=on -R /mnt {GUID} v2",
        ),
        ({"name": "vault"}, f"zpool import -N {GUID}"),
    ],
)
def test_its_options(options: dict[str, Any], typed: str) -> None:
    made = planned(known(VAULT), "import", str(GUID), **options)

    assert typed == argv(made)
    assert not made.is_refused
    assert f"zpool export {options.get('name', 'vault')}" == made.undo


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"name": "mirror"}, "name"),
        ({"name": "raidz2"}, "name"),
        ({"name": "9lives"}, "name"),
        ({"name": "-f"}, "name"),
        ({"name": "a b "}, "name"),
        ({"name": "tank"}, "pool-exists"),
        ({"altroot": "mnt"}, "bad-path"),
        ({"force": True}, "needless-force"),
        ({"without_log": True}, "needless-option"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], rule: str) -> None:
    facts = replace(known(VAULT), pools=(tank(),))

    assert {rule} == rules(planned(facts, "import", "vault", **options))


def test_one_of_our_other_hosts_has_it() -> None:
    made = planned(known(VAULT, elsewhere=(("storage2", GUID), ("storage3", 7))), "import", "vault")

    assert {"imported-elsewhere"} == rules(made)
    assert "vault is imported on storage2 now" == made.refusals[0].reason
    assert "storage3" not in str(made.basis)


def test_no_force_opens_what_our_other_host_has() -> None:
    facts = known(FOREIGN, elsewhere=(("storage2", GUID),), labels=(LABEL,))

    assert {"imported-elsewhere"} == rules(planned(facts, "import", "vault", force=True))


def test_of_another_host_it_needs_force() -> None:
    made = planned(known(FOREIGN, labels=(LABEL,)), "import", "vault")

    assert {"other-host"} == rules(made)
    assert "storage2, which did not export it" in made.refusals[0].reason
    assert "export it on storage2" == made.refusals[0].instead
    words, again = made.alternatives[0]
    assert words.startswith("plan again with force: if storage2 is dead")
    assert again.flag("force")


def test_by_force_only_with_that_hosts_name() -> None:
    made = planned(known(FOREIGN, labels=(LABEL,)), "import", "vault", force=True)

    assert Risk.DESTRUCTIVE is made.risk
    assert "storage2" == made.target
    assert "storage1:storage2" == made.confirm
    assert f"zpool import -N -f {GUID}" == argv(made)
    assert "the pool is lost" in made.warnings[0]
    assert not made.is_reversible


def test_a_host_that_cannot_be_named_is_not_robbed() -> None:
    made = planned(known(FOREIGN, labels=()), "import", "vault", force=True)

    assert {"unknown-host"} == rules(made)


def test_a_namesake_is_pointed_out() -> None:
    facts = known(FOREIGN, labels=(replace(LABEL, hostname="storage1"),))

    made = planned(facts, "import", "vault", force=True)

    assert "storage1 is also what this host calls itself; its hostid is another one" in made.warnings


def test_a_host_that_writes_to_it_now_cannot_be_robbed() -> None:
    active = replace(FOREIGN, is_active_elsewhere=True, last_host="storage2", state="UNAVAIL")

    assert {"active"} == rules(planned(known(active), "import", "vault", force=True))


def test_multihost_needs_a_hostid() -> None:
    wants = replace(FOREIGN, wants_hostid=True, state="UNAVAIL")

    assert {"no-hostid"} == rules(planned(known(wants), "import", "vault"))


def test_a_plan_is_stale_once_somebody_has_written_to_it() -> None:
    before, after = (
        planned(known(FOREIGN, labels=(replace(LABEL, last_txg=txg),)), "import", "vault", force=True)
        for txg in (900, 901)
    )

    assert before.fingerprint != after.fingerprint
    assert any(each.startswith("last write to") for each in before.basis.differences(after.basis))


def test_missing_devices_are_told_while_there_are_enough() -> None:
    degraded = replace(VAULT, state="DEGRADED", vdevs=(mirror("ONLINE", "UNAVAIL"),))

    made = planned(known(degraded), "import", "vault")

    assert not made.is_refused
    assert ("missing or damaged: mirror-0-b",) == made.warnings
    assert (RedundancyChange("mirror-0", None, 0, 0),) == made.redundancy


def test_with_too_many_missing_it_is_refused() -> None:
    lost = replace(VAULT, state="UNAVAIL", vdevs=(replace(mirror("UNAVAIL", "UNAVAIL"), state="UNAVAIL"),))

    made = planned(known(lost), "import", "vault")

    assert {"missing-devices"} == rules(made)
    assert "mirror-0-a, mirror-0-b" in made.refusals[0].reason


def test_damaged_data_is_refused_in_the_words_of_zfs() -> None:
    damaged = replace(VAULT, state="FAULTED", status="The pool metadata is corrupted.")

    made = planned(known(damaged), "import", "vault")

    assert "vault cannot be imported: The pool metadata is corrupted." == made.refusals[0].reason


def test_without_its_log_only_when_that_is_said() -> None:
    away = tuple(replace(each, state="UNAVAIL") for each in log("slog"))
    facts = known(replace(VAULT, state="DEGRADED", vdevs=(mirror("ONLINE", "ONLINE"), *away)))

    plain = planned(facts, "import", "vault")
    without = planned(facts, "import", "vault", without_log=True)

    assert {"missing-log"} == rules(plain)
    assert Risk.DESTRUCTIVE is without.risk
    assert f"zpool import -N -m {GUID}" == argv(without)
    assert ("synchronous writes that were only in the missing log",) == without.loses


def test_a_pool_that_an_older_zfs_calls_unavail_for_its_log_alone_can_do_without() -> None:
    (found,) = parse_importable((CAPTURES / "2.1/log-missing/zpool_import.txt").read_text())
    facts = known(found)

    assert "UNAVAIL" == found.state
    assert {"missing-log"} == rules(planned(facts, "import", "tank"))
    assert () == planned(facts, "import", "tank", without_log=True).refusals


def test_a_device_that_was_offline_is_not_missing() -> None:
    offline = replace(VAULT, state="DEGRADED", vdevs=(mirror("ONLINE", "OFFLINE"),))

    assert () == planned(known(offline), "import", "vault").warnings


def test_labels_that_were_not_read_are_said() -> None:
    made = planned(known(VAULT, labels=()), "import", "vault")

    assert "which host used it last, and when, is not known" in made.warnings[0]


def test_a_label_that_cannot_be_read_costs_only_itself() -> None:
    facts = replace(known(VAULT, labels=(EXPORTED,)), labels_unread=frozenset({"/dev/sdz1"}))

    made = planned(facts, "import", "vault")

    assert not made.is_refused
    assert "labels that could not be read: /dev/sdz1" in made.warnings[0]


class TestDestroyed:
    """`import --destroyed`."""

    GONE = replace(VAULT, state="ONLINE (DESTROYED)")

    def facts(self, hostid: str) -> PlanFacts:
        """A host that has the pool's disks; the label is of a host with this hostid."""
        label = replace(LABEL, state="destroyed", hostid=hostid)
        return replace(known(labels=(label,)), destroyed=(self.GONE,))

    def test_what_was_destroyed_here_comes_back(self) -> None:
        made = planned(self.facts(str(HOST.hostid)), "import", "vault", destroyed=True)

        assert f"zpool import -N -D {GUID}" == argv(made)
        assert not made.is_refused

    def test_what_another_host_destroyed_takes_its_name(self) -> None:
        plain = planned(self.facts("badcafe"), "import", "vault", destroyed=True)
        forced = planned(self.facts("badcafe"), "import", "vault", destroyed=True, force=True)

        assert {"other-host"} == rules(plain)
        assert f"zpool import -N -D -f {GUID}" == argv(forced)
        assert "storage1:storage2" == forced.confirm

    @pytest.mark.parametrize(("theirs", "is_foreign"), [("storage1", False), ("storage2", True)])
    def test_where_our_hostid_is_not_known_the_names_are_compared(
        self, theirs: str, *, is_foreign: bool
    ) -> None:
        facts = self.facts("badcafe")
        label = replace(LABEL, state="destroyed", hostname=theirs)
        nameless = replace(facts, identity=replace(HOST, hostid=None), labels=(label,))

        made = planned(nameless, "import", "vault", destroyed=True)

        assert ({"other-host"} if is_foreign else set()) == rules(made)

    def test_a_label_without_a_hostid_is_of_any_host(self) -> None:
        facts = replace(self.facts("badcafe"), labels=(replace(LABEL, hostid=None),))

        assert set() == rules(planned(facts, "import", "vault", destroyed=True))

    def test_it_is_no_pool_to_import_otherwise(self) -> None:
        with pytest.raises(UsageError, match="no pool to import 'vault'"):
            planned(self.facts("badcafe"), "import", "vault")


def test_two_of_one_name_are_told_apart_by_guid() -> None:
    other = replace(VAULT, guid=7)

    with pytest.raises(UsageError, match="2 pools are called 'vault'") as raised:
        planned(known(VAULT, other), "import", "vault")

    assert f"Give the guid: {GUID}, 7." == raised.value.hint
    assert "zpool import -N 7" == argv(planned(known(VAULT, other), "import", "7"))


def test_what_is_not_there_is_wrong_words() -> None:
    with pytest.raises(UsageError, match="no pool to import 'bulk'") as raised:
        planned(known(VAULT), "import", "bulk")

    assert f"Found: vault ({GUID})." == raised.value.hint


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (
            (("/dev/disk/by-id/wwn-1", "sda"), ("/dev/disk/by-id/wwn-1-part1", "sda1")),
            "/dev/disk/by-id/wwn-1-part1",
        ),
        ((("/dev/disk/by-id/wwn-1", "sda"),), "/dev/disk/by-id/wwn-1"),
        ((), None),
    ],
)
def test_labels_are_read_where_zfs_keeps_them(
    links: tuple[tuple[str, str], ...], expected: str | None
) -> None:
    further = spec("import").further
    assert further is not None
    named = replace(leaf("wwn-1"), path=None)
    pool = replace(VAULT, vdevs=(of("mirror-0", named, replace(named, state="UNAVAIL", name="wwn-2")),))

    needs = further(intent("import", "vault"), replace(known(pool), inventory=Inventory((), links)))

    assert (() if expected is None else (expected,)) == needs.labels


def test_a_kernel_name_leads_to_its_first_partition() -> None:
    further = spec("import").further
    assert further is not None
    disk = Disk("sda", "/dev/sda", "disk", children=(Disk("sda1", "/dev/sda1", "part"),))
    pool = replace(VAULT, vdevs=(replace(leaf("sda"), path=None),))

    needs = further(intent("import", str(GUID)), replace(known(pool), inventory=Inventory((disk,))))

    assert ("/dev/sda1",) == needs.labels


@pytest.mark.parametrize("path", sorted(CAPTURES.glob("*/foreign/zpool_import.txt")), ids=str)
def test_what_real_hosts_say_of_a_foreign_pool(path: Path) -> None:
    (found,) = parse_importable(path.read_text())
    label = replace(LABEL, pool_guid=found.guid, hostname="storage24")

    plain = planned(known(found, labels=(label,)), "import", "foreign")
    forced = planned(known(found, labels=(label,)), "import", "foreign", force=True)

    assert {"other-host"} == rules(plain)
    assert set() == rules(forced)
    assert "storage1:storage24" == forced.confirm


STATES = st.sampled_from(("ONLINE", "ONLINE", "DEGRADED", "UNAVAIL", "FAULTED", "OFFLINE", ""))
CLASSES = st.sampled_from(("data", "data", "special", "log", "cache", "spare"))


@st.composite
def listings(draw: st.DrawFn) -> ImportablePool:
    """A pool as a listing may have it."""

    def vdev(name: str) -> Vdev:
        return leaf(name, draw(STATES), vdev_class=draw(CLASSES))

    return ImportablePool(
        "vault", GUID, draw(STATES) or "ONLINE",
        vdevs=tuple(vdev(f"d{at}") for at in range(draw(st.integers(1, 4)))),
        see=draw(st.sampled_from(("", ARTICLE))),
        is_active_elsewhere=draw(st.booleans()),
        wants_hostid=draw(st.booleans()),
        last_host=draw(st.sampled_from((None, "storage2"))),
    )  # fmt: skip


@given(
    found=listings(),
    elsewhere=st.booleans(),
    options=st.fixed_dictionaries({
        name: st.booleans() for name in ("force", "read_only", "without_log")
    }),
    labels=st.sampled_from(((), (LABEL,), (EXPORTED,))),
)  # fmt: skip
def test_force_is_used_only_on_a_named_host_that_is_not_there(
    found: ImportablePool, options: dict[str, Any], labels: tuple[DiskLabel, ...], *, elsewhere: bool
) -> None:
    facts = known(found, labels=labels, elsewhere=(("storage2", GUID),) if elsewhere else ())

    made = planned(facts, "import", "vault", **options)

    if made.is_refused:
        return
    assert not elsewhere
    assert not found.is_active_elsewhere
    assert options["force"] == ("-f" in made.steps[0].argv) == (found.is_of_another_host)
    if options["force"]:
        assert "storage1:storage2" == made.confirm
        assert Risk.DESTRUCTIVE is made.risk
