"""Devices of a pool to import: what is missing, what ZFS cannot open otherwise, what they survive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.pool.shelf import leaf, log, mirror, of, planned, rules
from tests.analysis.build import in_class
from tests.doubles.plan_worlds import host
from zconsole.actions.plan import Plan, Risk
from zconsole.model.host.plan_facts import DiskLabel, PlanFacts
from zconsole.model.pools.pool import ImportablePool, Vdev

GUID = 777
WRITABLE_ELSEWHERE = (
    "The pool can only be accessed in read-only mode on this system. It cannot be accessed in "
    "read-write mode because it uses the following feature(s) not supported on this system: org.example:later"
)
UNREADABLE = "The pool uses the following feature(s) not supported on this system: com.delphix:later"
OLDER = "The pool is formatted using an incompatible version."
DAMAGED = "The pool metadata is corrupted."
RESILVERED = "One or more devices were being resilvered."


def vault(*tops: Vdev, state: str = "ONLINE", status: str = "") -> ImportablePool:
    """A pool to import; of one healthy mirror unless told."""
    return ImportablePool("vault", GUID, state, status, vdevs=tops or (mirror("ONLINE", "ONLINE"),))


def label(name: str, txg: int, state: str = "exported") -> DiskLabel:
    """The label of a device."""
    path = f"/dev/disk/by-id/{name}-part1"
    return DiskLabel(path, "vault", GUID, 1, state, "storage1", "7f0101", last_txg=txg)


def facts(found: ImportablePool, *labels: DiskLabel) -> PlanFacts:
    """A host with this pool on its disks."""
    return host(pools=(), importable=(found,), destroyed=(), labels=labels)


def survived(made: Plan) -> list[tuple[int | None, int | None, str]]:
    """What each vdev survives while it runs and after, and what stands before the latter."""
    return [(each.during, each.after, each.told[2][1][0]) for each in made.redundancy]


class TestLogs:
    """A log is missing where its top-level vdev does not open (`spa_check_for_missing_logs`)."""

    HALF = in_class(replace(mirror("ONLINE", "UNAVAIL", name="mirror-1"), state="DEGRADED"), "log")
    GONE = in_class(replace(mirror("UNAVAIL", "UNAVAIL", name="mirror-1"), state="UNAVAIL"), "log")

    def test_half_of_a_mirrored_log_is_enough(self) -> None:
        made = planned(
            facts(vault(mirror("ONLINE", "ONLINE"), self.HALF, state="DEGRADED")), "import", "vault"
        )

        assert (set(), (), Risk.CAUTION) == (rules(made), made.loses, made.risk)
        said = "of the log mirror-1, mirror-1-b is missing or damaged: the rest of it has every record"
        assert said in made.warnings

    def test_nothing_of_it_is_given_up_then(self) -> None:
        found = vault(mirror("ONLINE", "ONLINE"), self.HALF, state="DEGRADED")

        made = planned(facts(found), "import", "vault", without_log=True)

        assert ({"needless-option"}, ()) == (rules(made), made.loses)

    @pytest.mark.parametrize("state", ["DEGRADED", "UNAVAIL"])
    def test_a_mirrored_log_without_any_device_is_missing(self, state: str) -> None:
        made = planned(facts(vault(mirror("ONLINE", "ONLINE"), self.GONE, state=state)), "import", "vault")

        assert {"missing-log"} == rules(made)
        assert "mirror-1-a, mirror-1-b" in made.refusals[0].reason

    @pytest.mark.parametrize(
        ("state", "note", "is_missing"),
        [
            ("UNAVAIL", "", True),
            ("FAULTED", "corrupted data", True),
            ("FAULTED", "too many errors", False),
            ("OFFLINE", "", False),
        ],
    )
    def test_one_that_was_out_of_use_before_is_not_missing(
        self, state: str, note: str, *, is_missing: bool
    ) -> None:
        slog = replace(log("slog")[0], state=state, note=note)

        made = planned(facts(vault(mirror("ONLINE", "ONLINE"), slog, state="DEGRADED")), "import", "vault")

        assert ({"missing-log"} if is_missing else set()) == rules(made)


class TestStatus:
    """What ZFS says of a pool that it cannot open, where no device is missing."""

    def test_features_that_it_can_read_want_read_only(self) -> None:
        found = facts(vault(state="UNAVAIL", status=WRITABLE_ELSEWHERE))

        plain = planned(found, "import", "vault")
        read_only = planned(found, "import", "vault", read_only=True)

        assert ({"unsupported-feature"}, ()) == (rules(plain), plain.redundancy)
        assert plain.alternatives[0][1].flag("read-only")
        assert set() == rules(read_only)
        assert f"zpool import -N -o readonly=on {GUID}" == " ".join(read_only.steps[0].argv)
        assert f"{WRITABLE_ELSEWHERE}: only a newer OpenZFS can write to it" in read_only.warnings

    @pytest.mark.parametrize("status", [UNREADABLE, OLDER])
    @pytest.mark.parametrize("read_only", [False, True])
    def test_others_want_a_newer_openzfs(self, status: str, *, read_only: bool) -> None:
        made = planned(facts(vault(state="UNAVAIL", status=status)), "import", "vault", read_only=read_only)

        assert ({"unsupported-feature"}, ()) == (rules(made), made.redundancy)
        assert f"vault cannot be imported: {status}" == made.refusals[0].reason
        assert "import it on a host with a newer OpenZFS" == made.refusals[0].instead

    def test_damage_with_all_its_devices_is_a_matter_of_going_back(self) -> None:
        made = planned(facts(vault(state="FAULTED", status=DAMAGED)), "import", "vault")

        assert ({"damaged-pool"}, ()) == (rules(made), made.redundancy)
        assert made.refusals[0].instead.startswith("its devices are there: zpool import -F -n 777 tells")

    def test_where_one_is_missing_that_comes_back_first(self) -> None:
        found = vault(mirror("ONLINE", "UNAVAIL"), state="FAULTED", status=DAMAGED)

        made = planned(facts(found), "import", "vault")

        assert [("missing-devices", "bring the devices back")] == [
            (each.rule, each.instead) for each in made.refusals
        ]

    def test_damage_of_a_pool_that_opens_is_told(self) -> None:
        made = planned(facts(vault(status="The pool data is corrupted.")), "import", "vault")

        assert set() == rules(made)
        assert "ZFS says of it: The pool data is corrupted." in made.warnings

    def test_of_a_pool_that_is_not_there_nothing_is_survived(self) -> None:
        gone = replace(mirror("UNAVAIL", "UNAVAIL", name="mirror-1"), state="UNAVAIL")

        made = planned(facts(vault(mirror("ONLINE", "ONLINE"), gone, state="UNAVAIL")), "import", "vault")

        assert ({"missing-devices"}, ()) == (rules(made), made.redundancy)


class TestSurvives:
    """`zpool import` shows which devices open, and not what they missed."""

    def test_what_opens_is_a_bound(self) -> None:
        found = vault(of("raidz1-0", leaf("a"), leaf("b"), leaf("c")))

        made = planned(facts(found, *(label(name, 900) for name in "abc")), "import", "vault")

        assert [(1, 1, "at most ")] == survived(made)

    @pytest.mark.parametrize(
        ("read_only", "after", "then"),
        [
            (False, (0, 1, "at most "), "it is resilvered then"),
            (True, (0, 0, ""), "nothing fills it while the pool is read-only"),
        ],
    )
    def test_a_device_that_was_not_written_to_last_lacks_data(
        self, after: tuple[int, int, str], then: str, *, read_only: bool
    ) -> None:
        found = vault(of("raidz1-0", leaf("a"), leaf("b"), leaf("c")))
        labels = (label("a", 900), label("b", 800, "active"), label("c", 900))

        made = planned(facts(found, *labels), "import", "vault", read_only=read_only)

        assert [after] == survived(made)
        words = "b was written to in txg 800 last, and others of raidz1-0 in 900: it lacks what was written"
        assert [f"{words} meanwhile; {then}"] == [each for each in made.warnings if each.startswith("b ")]

    def test_another_vdev_may_have_been_written_to_later(self) -> None:
        """A txg without a change of the configuration is noted on three top-level vdevs."""
        found = vault(mirror("ONLINE", "ONLINE"), of("mirror-1", leaf("c"), leaf("d")))
        labels = (
            label("mirror-0-a", 900), label("mirror-0-b", 900), label("c", 898), label("d", 898),
        )  # fmt: skip

        made = planned(facts(found, *labels), "import", "vault")

        assert [(1, 1, "at most "), (1, 1, "at most ")] == survived(made)

    def test_the_only_device_of_a_mirror_that_was_not_there_at_the_export_lacks_data(self) -> None:
        found = vault(
            mirror("ONLINE", "ONLINE"),
            replace(of("mirror-1", leaf("c"), leaf("d", "UNAVAIL")), state="DEGRADED"),
            state="DEGRADED",
        )
        labels = (label("mirror-0-a", 900), label("mirror-0-b", 900), label("c", 800, "active"))

        made = planned(facts(found, *labels), "import", "vault")

        assert [-1] == [each.during for each in made.redundancy if each.vdev == "mirror-1"]
        assert any(each.startswith("c was not there when vault was exported") for each in made.warnings)

    def test_after_a_crash_no_label_is_exported_and_none_is_behind(self) -> None:
        labels = (label("mirror-0-a", 900, "active"), label("mirror-0-b", 900, "active"))

        made = planned(facts(vault(), *labels), "import", "vault")

        assert [(1, 1, "at most ")] == survived(made)

    @pytest.mark.parametrize("read_only", [False, True])
    def test_a_resilver_that_the_export_interrupted_is_told(self, *, read_only: bool) -> None:
        made = planned(facts(vault(status=RESILVERED)), "import", "vault", read_only=read_only)

        goes_on = "it does not go on while the pool is read-only" if read_only else "it goes on then"
        assert f"ZFS was resilvering when vault was used last; {goes_on}" in made.warnings
        assert "at most " == made.redundancy[0].told[1][1][0]
