"""Properties of a pool: what may be set, to what, and what that affects."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.pool.shelf import tank
from tests.doubles.plan_worlds import HOST, host
from zconsole.actions.action_spec import Draft
from zconsole.actions.intent import intent
from zconsole.actions.plan import Risk
from zconsole.actions.pool.set_property import POOL_PROPERTIES, is_pool_property, plan_set_pool_property
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts

NOW = {
    "ashift": "12", "autotrim": "off", "comment": "-", "failmode": "wait", "multihost": "off",
    "feature@longname": "disabled", "feature@lz4_compress": "active", "bootfs": "-", "compatibility": "off",
}  # fmt: skip


def known(**facts: object) -> PlanFacts:
    """A host whose pool has these properties."""
    properties = tuple(("tank", key, value, "local") for key, value in NOW.items())
    given = {"kernel_pools": frozenset[str](), **facts}
    return host(pools=(tank(),), properties=properties, **given)


def drafted(words: str, facts: PlanFacts | None = None) -> Draft:
    """The draft of `set tank WORDS`."""
    return plan_set_pool_property(intent("set", "tank", words), facts or known())


def rules(draft: Draft) -> set[str]:
    """What refuses it."""
    return {refusal.rule for refusal in draft.refusals}


def test_it_is_caution_and_can_be_set_back() -> None:
    draft = drafted("autotrim=on")

    assert Risk.CAUTION is draft.risk
    assert ("zpool", "set", "autotrim=on", "tank") == draft.steps[0].argv
    assert "zpool set autotrim=off tank" == draft.undo
    assert "autotrim of tank" in draft.basis
    assert any("what is freed from now on is trimmed" in note for note in draft.notes)


def test_what_was_empty_is_emptied_again() -> None:
    assert "zpool set comment= tank" == drafted("comment=bay 3").undo


@pytest.mark.parametrize(
    "words",
    [
        "ashift=13", "autoexpand=on", "autoreplace=on", "bootfs=tank/ROOT", "cachefile=none",
        "cachefile=/etc/zfs/other.cache", "cachefile=", "comment=bay 3, top", "compatibility=grub2",
        "compatibility=openzfs-2.1-linux,mine", "compatibility=legacy", "dedup_table_quota=10G",
        "delegation=off", "failmode=continue", "listsnapshots=on", "multihost=on", "org.example:note=x=y",
    ],
)  # fmt: skip
def test_what_zfs_takes_is_not_refused(words: str) -> None:
    assert set() == rules(drafted(words))


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("ashift=8", "bad-value"),
        ("ashift=17", "bad-value"),
        ("autotrim=yes", "bad-value"),
        ("autotrim=off", "unchanged"),
        ("bootfs=bulk/ROOT", "bad-value"),
        ("cachefile=zpool.cache", "bad-value"),
        ("comment=" + "x" * 33, "bad-value"),
        ("comment=\x1b[2J", "bad-value"),
        ("compatibility=../x", "bad-value"),
        ("failmode=reboot", "bad-value"),
        ("size=1T", "read-only-property"),
        ("guid=1", "read-only-property"),
        ("readonly=on", "read-only-property"),
        ("altroot=/mnt", "read-only-property"),
        ("version=28", "read-only-property"),
        ("autotrin=on", "read-only-property"),
        ("feature@longname=disabled", "one-way"),
        ("feature@lz4_compress=enabled", "unchanged"),
        ("feature@nosuch=enabled", "bad-value"),
    ],
)
def test_what_zfs_would_refuse_is_refused(words: str, rule: str) -> None:
    assert {rule} == rules(drafted(words))


def test_what_is_emptied_is_settled_by_what_zfs_prints_for_nothing() -> None:
    (settled,) = drafted("cachefile=").steps[0].settled_by

    assert ("cachefile", "-") == (settled.key, settled.value)


def test_a_feature_is_for_good() -> None:
    draft = drafted("feature@longname=enabled")

    assert Risk.DESTRUCTIVE is draft.risk
    assert not draft.is_reversible
    assert set() == rules(draft)


def test_no_feature_for_what_a_boot_loader_reads() -> None:
    assert {"boot-pool"} == rules(
        drafted("feature@longname=enabled", known(kernel_pools=frozenset({"tank"})))
    )


@pytest.mark.parametrize("hostid", [None, "", "00000000"])
def test_multihost_needs_a_hostid(hostid: str | None) -> None:
    facts = known(identity=replace(HOST, hostid=hostid))

    assert {"no-hostid"} == rules(drafted("multihost=on", facts))


@pytest.mark.parametrize(("words", "said"), [("failmode=panic", "takes down"), ("cachefile=none", "by hand")])
def test_what_bites_later_is_warned_of(words: str, said: str) -> None:
    assert any(said in each for each in drafted(words).warnings)


@pytest.mark.parametrize("words", ["", "autotrim", "=on"])
def test_other_forms_are_wrong_words(words: str) -> None:
    with pytest.raises(UsageError, match="PROPERTY=VALUE"):
        drafted(words)


@pytest.mark.parametrize(
    ("name", "is_of_pool"),
    [
        ("autotrim", True), ("size", True), ("altroot", True), ("feature@longname", True),
        ("compression", False), ("readonly", False), ("org.example:note", False), ("quota", False),
    ],
)  # fmt: skip
def test_a_name_tells_whether_the_pool_is_meant_or_its_root_file_system(
    name: str, *, is_of_pool: bool
) -> None:
    assert is_of_pool == is_pool_property(name)


@given(words=st.text(min_size=1))
def test_any_words_are_planned_refused_or_wrong(words: str) -> None:
    try:
        draft = drafted(words)
    except UsageError:
        return

    (step,) = draft.steps
    assert ("zpool", "set", words, "tank") == step.argv
    name = words.partition("=")[0]
    assert draft.refusals or name in POOL_PROPERTIES or ":" in name or name.startswith("feature@")
