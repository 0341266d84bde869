"""Findings on the releases of ZFS on a host: known errors, and commands that are not of the module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zconsole.analysis.findings.care.known_bad_releases import known_errors_of
from zconsole.model.finding import Advised, Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.host.zfs_version import ZfsVersion


def findings_of_releases(state: HostState) -> Iterator[Finding]:
    """Judge the versions that a host has told."""
    version = state.version.value
    if version is not None:
        yield from _known_bad(state, version)
        yield from _differing(state, version)


def _known_bad(state: HostState, version: ZfsVersion) -> Iterator[Finding]:
    """One finding for all errors of the module, the worst first."""
    found = known_errors_of(version, has_dedup=_has_dedup(state), has_draid=_has_draid(state))
    errors = sorted(found, key=lambda each: -each.severity)
    if not errors:
        return
    release = ".".join(map(str, version.kernel_numbers))
    wrong = "; ".join(f"{each.wrong} (openzfs/zfs#{each.issue}, fixed in {each.fixed_in})" for each in errors)
    fixed = max(each.fixed for each in errors)
    yield Finding(
        "release-known-bad",
        errors[0].severity,
        state.host,
        f"the kernel module is OpenZFS {release}, with which {wrong}, unless its package was patched",
        {
            "kernel": version.kernel,
            "fixed_in": ".".join(map(str, fixed)),
            "issues": tuple(f"openzfs/zfs#{each.issue}" for each in errors),
            "look_for": tuple(dict.fromkeys(each.look_for for each in errors)),
        },
        advised=Advised(f"OpenZFS {release}", f"{'.'.join(map(str, fixed))} or later of its series", None),
    )


def _differing(state: HostState, version: ZfsVersion) -> Iterator[Finding]:
    """Commands and module of different releases.

    Two packages of one release are sound: distributions build the module with the kernel.
    """
    if not version.differs or version.numbers == version.kernel_numbers:
        return
    found = Finding(
        "versions-differ",
        Severity.INFO,
        state.host,
        f"the ZFS commands are {version.userland}, the kernel module is {version.kernel}",
        {"userland": version.userland, "kernel": version.kernel},
    )
    told = Advised(f"{version.userland} and {version.kernel}", "one release", None)
    yield replace(found, is_advice=True, advised=told)


def _has_dedup(state: HostState) -> bool:
    """Whether any dataset of the host is known to deduplicate."""
    values = {each.dedup for pool in state.pools for each in pool.settings.value or ()}
    values |= {
        pool.pool.value.settings.dedup
        for pool in state.pools
        if pool.pool.value is not None and pool.pool.value.settings is not None
    }
    return bool(values - {None, "off", "-"})


def _has_draid(state: HostState) -> bool:
    """Whether any pool of the host has a dRAID vdev."""
    pools = (pool.pool.value for pool in state.pools)
    return any(vdev.type.startswith("draid") for pool in pools if pool is not None for vdev in pool.vdevs)
