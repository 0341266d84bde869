"""What virsh would have printed: answers of libvirt-python for recordings, which play to virsh's parsers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def print_domain_stats(answer: Iterable[tuple[str, Mapping[str, object]]]) -> bytes:
    """As `virsh domstats --raw`: names of guests with the fields of each."""
    lines: list[str] = []
    for name, values in answer:
        lines += [f"Domain: '{name}'", *(f"  {key}={value}" for key, value in values.items()), ""]
    return _encoded(lines)


def print_uuids(uuids: Iterable[str]) -> bytes:
    """As `virsh list --uuid`."""
    return _encoded(uuids)


def print_disk_errors(errors: Mapping[str, str]) -> bytes:
    """As `virsh domblkerror`."""
    return _encoded([f"{disk}: {error}" for disk, error in errors.items()] or ["No errors found"])


def _encoded(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
