"""What a user without root needs of `zfs allow`: exactly what ZFS wants, on what it wants it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import planned, rules
from tests.doubles.plan_worlds import host, images, linked, snapshot, volume
from zconsole.actions.intent import OptionValue
from zconsole.model.host.plan_facts import Delegation, PrivilegeMode, Privileges

FACTS = host(
    linked((
        *images(),
        volume("tank/v", refreservation_bytes=1 << 30),
        snapshot("tank/v@1", 21),
        snapshot("tank/v@2", 22),
    )),
    properties=(("tank/v", "volsize", str(1 << 30), "local"), ("tank/v", "compression", "lz4", "local")),
)  # fmt: skip
NEEDED: dict[str, tuple[list[str], dict[str, OptionValue], str]] = {
    "snapshot": (["tank/v@3"], {}, "here snapshot tank/v"),
    "hold": (["tank/v@1", "x"], {}, "here hold tank/v"),
    "bookmark": (["tank/v@1"], {}, "here bookmark tank/v"),
    "set volsize": (["tank/v", "volsize=2G"], {}, "here volsize tank/v; here refreservation tank/v"),
    "set user": (["tank/v@1", "a:b=c"], {}, "below userprop tank/v"),
    "inherit": (["tank/v", "compression"], {}, "here compression tank/v"),
    "destroy snapshot": (["tank/v@1"], {}, "below destroy tank/v; below mount tank/v"),
    "destroy bookmark": (["tank/home#daily-1"], {}, "here destroy tank/home"),
    "destroy": (["tank/vm2"], {}, "here destroy tank/vm2; here mount tank/vm2"),
    "rollback": (["tank/v@2"], {}, "here rollback tank/v"),
    "rollback further": (["tank/v@1"], {"recursive": True},
                         "here rollback tank/v; below destroy tank/v; below mount tank/v"),
    "clone": (["tank/v@1", "tank/home/w"], {},
              "below clone tank/v; here create tank/home; here mount tank/home"),
    "clone with": (["tank/v@1", "tank/home/w", "compression=on"], {},
                   ("below clone tank/v; here create tank/home; here mount tank/home; "
                    "below compression tank/home")),
    "create": (["tank/home/w"], {"volume": "1G"},
               "here create tank/home; here mount tank/home; below refreservation tank/home"),
    "create with": (["tank/home/w", "volblocksize=64K", "a:b=c"], {"volume": "1G", "sparse": True},
                    "here create tank/home; here mount tank/home; below userprop tank/home"),
    "create below": (["tank/home/x/w"], {"parents": True},
                     ("here create tank/home; here mount tank/home; "
                      "below create tank/home; below mount tank/home")),
    "promote": (["tank/vm1"], {},
                "here promote tank/vm1; here mount tank/vm1; below promote tank/images"),
    "rename": (["tank/v", "tank/home/v"], {},
               "here rename tank/v; here mount tank/v; here create tank/home; here mount tank/home"),
    "rename snapshot": (["tank/v@1", "x"], {},
                        "below rename tank/v; below mount tank/v; here create tank/v; here mount tank/v"),
}  # fmt: skip


@pytest.mark.parametrize("name", NEEDED)
def test_what_zfs_wants_is_wanted_and_nothing_else(name: str) -> None:
    """Tried on OpenZFS 2.4: see `test_to_zfs_a_snapshot_and_what_is_created_are_below`."""
    words, options, text = NEEDED[name]
    given = [_delegation(each) for each in text.split("; ")]

    def refused(delegations: list[Delegation]) -> list[str]:
        ann = Privileges("ann", 1000, PrivilegeMode.PLAIN, tuple(delegations))
        return rules(planned(replace(FACTS, privileges=ann), name.partition(" ")[0], *words, **options))

    assert [] == refused(given)
    for lacking in given:
        assert ["permission"] == refused([each for each in given if each is not lacking])


@pytest.mark.parametrize("action", ["share", "unshare"])
def test_sharing_takes_root_whatever_is_allowed(action: str) -> None:
    """ZFS has a permission for it; the files of the NFS server belong to root."""
    ann = Privileges("ann", 1000, PrivilegeMode.PLAIN, (Delegation("tank", frozenset({"share"})),))
    shared = (("tank/home", "sharenfs", "on", "local"), ("tank/home", "sharesmb", "off", "default"))

    made = planned(replace(FACTS, privileges=ann, properties=shared), action, "tank/home")

    assert ["permission"] == rules(made)
    assert "cannot be delegated" in made.refusals[0].reason


def _delegation(text: str) -> Delegation:
    where, permission, dataset = text.split(" ")
    return Delegation(dataset, frozenset({permission}), where == "here", where == "below")
