"""Set and inherit: what it affects now and later, who inherits, and what ZFS would refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import GIB, ROOT, filesystem, host, images, snapshot, volume
from tests.practice.zfs.stage import Stage
from zconsole.actions.action_catalogue import spec
from zconsole.actions.checks.dataset_property_table import PROPERTIES
from zconsole.actions.intent import Intent, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import ConditionKind, Risk
from zconsole.base.errors import UsageError
from zconsole.model.guests.guest import Guest, GuestDefinition, GuestState, GuestStatus
from zconsole.model.host.plan_facts import Delegation, OutsideUse, PlanFacts, PrivilegeMode, Privileges
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.practice.zfs.properties import SETTABLE

FACTS = host(images())


def known(*rows: tuple[str, str, str, str], facts: PlanFacts = FACTS) -> PlanFacts:
    """The host with these properties read: object, property, value, source."""
    return replace(facts, properties=rows)


COMPRESSION = known(
    ("tank", "compression", "lz4", "local"),
    ("tank/home", "compression", "lz4", "inherited from tank"),
    ("tank/home/ann", "compression", "lz4", "inherited from tank"),
    ("tank/images", "compression", "off", "local"),
    ("tank/vm1", "compression", "lz4", "inherited from tank"),
)


def test_it_tells_that_only_new_blocks_change_and_who_inherits() -> None:
    made = planned(COMPRESSION, "set", "tank/home", "compression=zstd")

    assert ["zfs set compression=zstd tank/home"] == commands(made)
    assert "tank/home" == made.confirm
    assert "zfs inherit compression tank/home" == made.undo
    assert any("only blocks written from now on" in each for each in made.notes)
    assert any("zfs rewrite" in each for each in made.notes)
    assert ["tank/home/ann"] == [each.name for each in made.dependents]


def test_those_with_a_value_of_their_own_keep_it() -> None:
    made = planned(COMPRESSION, "set", "tank", "compression=off")

    assert ["tank/home", "tank/home/ann", "tank/vm1"] == [each.name for each in made.dependents]
    assert "zfs set compression=lz4 tank" == made.undo


@pytest.mark.parametrize(
    ("setting", "now", "undo"),
    [
        ("quota=1T", "0", "zfs set quota=none tank/home"),
        ("refreservation=1G", "0", "zfs set refreservation=none tank/home"),
        ("snapshot_limit=9", "none", "zfs set snapshot_limit=none tank/home"),
        ("canmount=noauto", "on", "zfs set canmount=on tank/home"),
    ],
)
def test_what_zfs_does_not_inherit_is_set_back_to_its_default(setting: str, now: str, undo: str) -> None:
    facts = known(("tank/home", setting.partition("=")[0], now, "default"))

    assert undo == planned(facts, "set", "tank/home", setting).undo


def test_zfs_inherit_takes_what_the_table_says_is_inherited_and_nothing_else() -> None:
    stage = Stage("zfs create tank/a", "zfs create -V 1G tank/v")
    takes = {
        name: 0 == stage.run(f"zfs inherit {name} tank/{'a' if 'f' in each.kinds else 'v'}").status
        for name, each in PROPERTIES.items()
        if name in SETTABLE
    }

    assert 30 < len(takes)
    assert takes == {name: PROPERTIES[name].is_inherited for name in takes}


def test_a_dataset_without_encryption_has_no_place_of_its_key() -> None:
    plain, secret = (replace(filesystem("tank/x"), encryption=each) for each in ("off", "aes-256-gcm"))

    assert ["not-encrypted"] == rules(planned(host((plain,)), "set", "tank/x", "keylocation=prompt"))
    assert [] == rules(planned(host((secret,)), "set", "tank/x", "keylocation=prompt"))


def test_a_received_value_is_set_back_as_received() -> None:
    facts = known(("tank/home", "atime", "off", "received"))

    assert "zfs inherit -S atime tank/home" == planned(facts, "set", "tank/home", "atime=on").undo


def test_those_with_the_default_inherit_from_then_on() -> None:
    facts = known(("tank/home", "atime", "on", "default"), ("tank/home/ann", "atime", "on", "default"))

    assert ["tank/home/ann"] == [
        each.name for each in planned(facts, "set", "tank/home", "atime=off").dependents
    ]


def test_nothing_below_has_a_part_in_what_is_not_inherited() -> None:
    facts = known(("tank/home", "quota", "0", "default"), ("tank/home/ann", "quota", "0", "default"))

    made = planned(facts, "set", "tank/home", "quota=10G")

    assert () == made.dependents
    assert any("at once" in each for each in made.notes)


def test_an_older_zfs_has_no_rewrite() -> None:
    facts = replace(COMPRESSION, version=ZfsVersion("zfs-2.1.11-1"))

    assert not any(
        "zfs rewrite" in each for each in planned(facts, "set", "tank/home", "compression=zstd").notes
    )


@pytest.mark.parametrize(
    ("rule", "target", "word"),
    [
        ("creation-only", "tank/home", "casesensitivity=mixed"),
        ("creation-only", "tank/vm1", "volblocksize=64K"),
        ("creation-only", "tank/home", "encryption=on"),
        ("read-only-property", "tank/home", "used=0"),
        ("kind", "tank/vm1", "recordsize=1M"),
        ("kind", "tank/home", "volsize=1G"),
        ("kind", "tank/home@daily-1", "compression=off"),
        ("below-used", "tank/home", "quota=2G"),
        ("below-used", "tank/home", "refquota=1.5G"),
        ("full", "tank/home", "reservation=104G"),
        ("full", "tank/vm1", "refreservation=103G"),
    ],
)
def test_what_zfs_would_refuse_is_refused_before(rule: str, target: str, word: str) -> None:
    assert [rule] == rules(planned(FACTS, "set", target, word))


@pytest.mark.parametrize(
    "word", ["quota=3G", "quota=none", "refquota=2G", "reservation=103G", "reservation=none"]
)
def test_limits_that_fit_are_taken(word: str) -> None:
    assert [] == rules(planned(FACTS, "set", "tank/home", word))


@pytest.mark.parametrize(
    ("target", "word"),
    [
        ("tank/home", "compression=best"), ("tank/home", "compression"), ("tank/home", "=on"),
        ("tank/home", "recordsize=100K"), ("tank/home", "nosuch=1"), ("tank/home", "mountpoint=srv"),
        ("tank/home", "userquota@ann=much"), ("tank/home", "a:b=c\nd"), ("tank/home#daily-1", "a:b=c"),
        ("tank/none", "atime=off"), ("tank/home", ""),
    ],
)  # fmt: skip
def test_words_that_make_no_sense(target: str, word: str) -> None:
    with pytest.raises(UsageError):
        planned(FACTS, "set", target, word)


def test_own_properties_may_be_set_on_snapshots_too() -> None:
    made = planned(FACTS, "set", "tank/home@daily-1", "org.example:keep=yes, please")

    assert ["zfs set org.example:keep=yes, please tank/home@daily-1"] == commands(made)


def test_a_quota_of_a_user() -> None:
    assert ["zfs set userquota@ann=10G tank/home"] == commands(
        planned(FACTS, "set", "tank/home", "userquota@ann=10G")
    )


def test_a_property_of_a_newer_zfs_is_set_with_a_warning_when_the_host_has_it() -> None:
    facts = known(("tank/home", "brandnew", "off", "default"))

    made = planned(facts, "set", "tank/home", "brandnew=on")

    assert ["zfs set brandnew=on tank/home"] == commands(made)
    assert any("newer than this console" in each for each in made.warnings)


def test_setting_what_is_set_is_refused_and_what_is_inherited_is_not() -> None:
    facts = known(
        ("tank/home", "recordsize", "1048576", "local"),
        ("tank/home", "reservation", "0", "default"),
        ("tank/home/ann", "recordsize", "1048576", "inherited from tank/home"),
    )

    assert ["unchanged"] == rules(planned(facts, "set", "tank/home", "recsize=1M"))
    assert ["unchanged"] == rules(planned(facts, "set", "tank/home", "reservation=none"))
    assert [] == rules(planned(facts, "set", "tank/home/ann", "recordsize=1M"))


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("sync=disabled", "crash"),
        ("checksum=off", "damage"),
        ("dedup=on", "memory"),
        ("zoned=on", "mount"),
        ("copies=2", "no redundancy of the pool"),
        ("compression=gzip-9", "clearly longer than with gzip-6"),
        ("compression=zstd-19", "ten times as long as with zstd"),
    ],
)
def test_what_is_rarely_wise_says_why(word: str, said: str) -> None:
    assert any(said in each for each in planned(FACTS, "set", "tank/home", word).warnings)


@pytest.mark.parametrize("word", ["compression=zstd-9", "compression=gzip-6", "compression=zstd-fast-10"])
def test_compression_of_a_usual_level_is_not_warned_of(word: str) -> None:
    assert () == planned(FACTS, "set", "tank/home", word).warnings


def test_small_blocks_as_large_as_records_send_all_data_to_the_special_vdevs() -> None:
    facts = host((filesystem("tank"), filesystem("tank/a", recordsize_bytes=131072)))

    assert any(
        "all data" in each for each in planned(facts, "set", "tank/a", "special_small_blocks=128K").warnings
    )
    assert () == planned(facts, "set", "tank/a", "special_small_blocks=64K").warnings


def test_a_mountpoint_is_not_changed_under_what_runs() -> None:
    facts = replace(
        known(
            ("tank/home", "mountpoint", "/tank/home", "default"),
            ("tank/home/ann", "mountpoint", "/tank/home/ann", "default"),
        ),
        uses=(OutsideUse("tank/home/ann", "process", "1234 bash"),),
    )

    assert ["in-use"] == rules(planned(facts, "set", "tank/home", "mountpoint=/srv/home"))
    assert ["in-use"] == rules(planned(facts, "set", "tank/home/ann", "canmount=off"))
    assert [] == rules(planned(facts, "set", "tank/home", "atime=off"))


@pytest.mark.parametrize("value", ["on", "noauto"])
def test_zfs_unmounts_nothing_for_a_canmount_that_counts_at_the_next_mount(value: str) -> None:
    facts = host(
        (filesystem("tank"), filesystem("tank/vm", canmount="off" if value == "on" else "on")),
        uses=(OutsideUse("tank/vm", "guest", "web01", "/tank/vm/web01.qcow2", path="/tank/vm/web01.qcow2"),),
    )

    made = planned(facts, "set", "tank/vm", f"canmount={value}")

    assert (Risk.CAUTION, [], ()) == (made.risk, rules(made), made.dependents)
    assert "canmount: takes effect at the next mount" in made.notes


def test_the_mode_of_volumes_may_be_set_above_them_and_is_refused_for_those_in_use() -> None:
    guest = OutsideUse("/dev/zvol/tank/vm/db01", "guest", "db01", "/dev/zvol/tank/vm/db01")
    tree = (filesystem("tank"), filesystem("tank/vm"), volume("tank/vm/db01"), volume("tank/vm/own"))
    facts = known(
        ("tank/vm", "volmode", "default", "default"),
        ("tank/vm/db01", "volmode", "default", "default"),
        ("tank/vm/own", "volmode", "dev", "local"),
        facts=host(tree, uses=(OutsideUse("tank/vm", "process", "bash[7]"), guest)),
    )

    refused = planned(facts, "set", "tank/vm", "volmode=none")
    free = planned(replace(facts, uses=facts.uses and facts.uses[:1]), "set", "tank/vm", "volmode=none")

    assert ["guest db01 is on tank/vm/db01: a change of volmode removes the device that is in use"] == [
        each.reason for each in refused.refusals
    ]
    assert [] == rules(free)
    assert ["tank/vm/db01"] == [each.name for each in free.dependents if each.kind == "child"]


VOLUME = known(
    ("tank/v", "volsize", str(10 * GIB), "local"), facts=host((filesystem("tank"), volume("tank/v")))
)


def test_a_volume_that_grows_is_a_matter_of_caution_and_one_that_shrinks_of_destruction() -> None:
    grown = planned(VOLUME, "set", "tank/v", "volsize=20G")
    shrunk = planned(VOLUME, "set", "tank/v", "volsize=5G")

    assert (Risk.CAUTION, Risk.DESTRUCTIVE) == (grown.risk, shrunk.risk)
    assert any("between 5.00 GiB and 10.0 GiB" in each for each in shrunk.loses)
    assert not shrunk.is_reversible


def test_a_volume_does_not_shrink_under_what_runs() -> None:
    facts = replace(VOLUME, uses=(OutsideUse("tank/v", "guest", "web1"),))

    assert ["in-use"] == rules(planned(facts, "set", "tank/v", "volsize=5G"))


def test_a_snapshot_is_offered_before_a_volume_shrinks_and_not_before_it_grows() -> None:
    shrunk = planned(VOLUME, "set", "tank/v", "volsize=5G")
    again = planned(
        replace(VOLUME, datasets=(*VOLUME.datasets, snapshot("tank/v@before-volsize-5G"))),
        "set", "tank/v", "volsize=5G",
    )  # fmt: skip

    assert [intent("snapshot", "tank/v@before-volsize-5G")] == [each for _, each in shrunk.alternatives]
    assert () == again.alternatives
    assert () == planned(VOLUME, "set", "tank/v", "volsize=20G").alternatives


def test_guests_to_be_shut_down_do_not_make_a_volume_smaller_than_its_data() -> None:
    web = Guest(GuestDefinition("8f14e45f-ceea-467f-a0e0-000000000001", "web1"),
                GuestStatus("web1", GuestState.RUNNING))  # fmt: skip
    facts = replace(VOLUME, uses=(OutsideUse("tank/v", "guest", "web1"),), guests=(web,))

    refused = planned(facts, "set", "tank/v", "volsize=1G")
    possible = plan(intent("set", "tank/v", "volsize=5G", options={"shut-down-guests": True}), facts)

    assert ["data-beyond-end", "in-use"] == rules(refused)
    assert () == possible.refusals
    assert "storage1:tank/v 1" == possible.confirm


def test_a_volume_is_whole_blocks() -> None:
    assert ["block-size"] == rules(planned(VOLUME, "set", "tank/v", "volsize=21474836481"))


def test_a_pool_has_its_own_properties_and_its_root_file_system_has_the_rest() -> None:
    assert ["zpool set autotrim=on tank"] == commands(planned(FACTS, "set", "tank", "autotrim=on"))
    assert ["zfs set atime=off tank"] == commands(planned(FACTS, "set", "tank", "atime=off"))
    assert ["zfs set readonly=on tank"] == commands(planned(FACTS, "set", "tank", "readonly=on"))
    assert (("tank", "all"),) == spec("set").needs(Intent("set", "tank", ("comment=x",))).properties
    assert (("tank", "atime"),) == spec("set").needs(Intent("set", "tank", ("atime=off",))).properties_below


@pytest.mark.parametrize(
    ("permission", "word"),
    [("compression", "compression=zstd"), ("userprop", "a:b=c"), ("userquota", "userquota@ann=1G")],
)
def test_a_delegated_property_may_be_set_and_another_not(permission: str, word: str) -> None:
    ann = Privileges("ann", 1000, PrivilegeMode.PLAIN, (Delegation("tank", frozenset({permission})),))

    assert [] == rules(planned(replace(FACTS, privileges=ann), "set", "tank/images", word))
    assert ["permission"] == rules(planned(replace(FACTS, privileges=ann), "set", "tank/images", "atime=off"))
    assert ROOT.is_root


def test_the_new_value_is_what_settles_it_or_the_history_where_zfs_renames_values() -> None:
    (quota,) = planned(FACTS, "set", "tank/home", "quota=10G").steps[0].settled_by
    (compression,) = planned(FACTS, "set", "tank/home", "compression=gzip-6").steps[0].settled_by

    assert (ConditionKind.PROPERTY_IS, str(10 * GIB)) == (quota.kind, quota.value)
    assert (ConditionKind.HISTORY, "zfs set compression=gzip-6 tank/home") == (
        compression.kind,
        compression.value,
    )
