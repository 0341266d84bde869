"""Advice on the host of the pools: its event daemon, hostid, ARC and module parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from zconsole.base.fixed_width_formatting import size
from zconsole.model.finding import Advised, Evidence, Finding, Severity
from zconsole.model.host.host_settings import HostSettings
from zconsole.model.host.host_state import HostState
from zconsole.zfs.settings.host_settings import ARC_MAX
from zconsole.zfs.settings.parameter_defaults import PARAMETERS

ARC_LEAST_PART: Final = 16  # of memory
ARC_LEAST_BYTES: Final = 1 << 30  # installers of hypervisors give 1/10 of memory, and at most 16 GiB
MUCH_MEMORY_BYTES: Final = 4 << 30  # below, little is left for the ARC
MAIL: Final = "ZED_EMAIL_ADDR"
CHANNELS: Final = frozenset(  # of zed.rc, beside mail
    {
        "ZED_PUSHBULLET_ACCESS_TOKEN",
        "ZED_SLACK_WEBHOOK_URL",
        "ZED_PUSHOVER_TOKEN",
        "ZED_NTFY_TOPIC",
        "ZED_GOTIFY_URL",
    }
)
OF_ONE_HOST: Final = frozenset({"nvme", "sata", "ata", "usb", "mmc"})  # as lsblk calls transports
HostRule = Callable[[HostState, HostSettings], Iterator[Finding]]


def findings_of_host_settings(state: HostState) -> Iterator[Finding]:
    """Judge the settings of a host that has pools."""
    settings = state.settings.value
    if settings is not None and state.pools:
        for rule in RULES:
            yield from rule(state, settings)


def event_daemon_is_idle(state: HostState, settings: HostSettings) -> Iterator[Finding]:
    """No event daemon, or one that tells nobody."""
    if settings.is_zed_running is False:
        yield _advised(
            state,
            "zed-not-running",
            "the event daemon (zed) does not run: no hot spare steps in, and nobody is told of a fault",
            Advised("no process named zed", "zed runs", None),
            {},
        )
    elif settings.is_zed_running and settings.zed_set is not None:
        mails = MAIL in settings.zed_set
        if CHANNELS & {*settings.zed_set} or (mails and settings.has_mailer is not False):
            return
        why = "no program to mail with is installed" if mails else "no address or service is set in zed.rc"
        yield _advised(
            state,
            "zed-tells-nobody",
            f"the event daemon (zed) cannot tell of a fault: {why}",
            Advised(why, "one way to tell a person", None),
            {"zed_set": settings.zed_set, "has_mailer": settings.has_mailer},
        )


def hostid_is_zero(state: HostState, settings: HostSettings) -> Iterator[Finding]:
    """A host that ZFS cannot tell from others without a hostid, unless nobody else reaches its disks."""
    if settings.hostid == 0 and not _are_disks_its_own(state):
        yield _advised(
            state,
            "hostid-zero",
            "it has no hostid: ZFS cannot tell that a pool is in use by another host",
            Advised("hostid 0", "a hostid of its own", None),
            {"hostid": 0},
        )


def arc_is_odd(state: HostState, settings: HostSettings) -> Iterator[Finding]:
    """A limit of the ARC that ZFS ignores, or one that leaves it hardly any memory."""
    limit, memory, asked = settings.arc_max_bytes, settings.memory_bytes, settings.parameter(ARC_MAX)
    if limit is None or memory is None:
        return
    if asked is not None and asked not in {"0", str(limit)}:
        yield _advised(
            state,
            "arc-limit-ignored",
            f"zfs_arc_max={asked} is not in effect: the ARC may take {size(limit)} of {size(memory)}",
            Advised(f"zfs_arc_max={asked}", f"{size(limit)} in effect", None),
            {"zfs_arc_max": asked, "arc_max_bytes": limit, "memory_bytes": memory},
        )
    elif limit < min(memory // ARC_LEAST_PART, ARC_LEAST_BYTES) and memory >= MUCH_MEMORY_BYTES:
        least = min(memory // ARC_LEAST_PART, ARC_LEAST_BYTES)
        yield _advised(
            state,
            "arc-small",
            f"the ARC may take only {size(limit)} of {size(memory)} memory",
            Advised(f"{size(limit)} of {size(memory)}", f"{size(least)}", None),
            {"zfs_arc_max": asked, "arc_max_bytes": limit, "memory_bytes": memory},
        )


def parameters_are_changed(state: HostState, settings: HostSettings) -> Iterator[Finding]:
    """Module parameters with consequences, away from their defaults."""
    for each in PARAMETERS:
        value = settings.parameter(each.name)
        if value is not None and value != each.default:
            found = _advised(
                state,
                "parameter-unsafe" if each.risks_data else "parameter-changed",
                f"{each.name}={value}, not {each.default}: {each.changed}",
                Advised(f"{each.name}={value}", f"{each.default}, the default", None),
                {"parameter": each.name, "value": value, "default": each.default},
            )
            yield replace(found, subject=f"{state.host} {each.name}")


def _advised(
    state: HostState, finding_id: str, summary: str, advised: Advised, evidence: Evidence
) -> Finding:
    return Finding(
        finding_id,
        Severity.INFO,
        state.host,
        summary,
        evidence,
        is_advice=True,
        advised=advised,
    )


def _are_disks_its_own(state: HostState) -> bool:
    """Whether each device of its pools is known to be attached in a way that no other host shares."""
    disks = state.inventory.value
    leaves = [
        leaf
        for pool in state.pools
        if pool.pool.value is not None
        for leaf in pool.pool.value.walk()
        if leaf.is_leaf
    ]
    if disks is None or not leaves:
        return False
    names = [disks.kernel_name(leaf.path or "") for leaf in leaves]
    found = [None if name is None else disks.disk_of(name) for name in names]
    return all(each is not None and each.transport in OF_ONE_HOST for each in found)


RULES: Final[tuple[HostRule, ...]] = (
    event_daemon_is_idle,
    hostid_is_zero,
    arc_is_odd,
    parameters_are_changed,
)
