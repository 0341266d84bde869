"""Evidence for people: titles in words, numbers with units, dates."""

from __future__ import annotations

import pytest

from zconsole.views.findings.evidence_values import Value, in_words


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("by_design", 2, ("survives when whole", "2")),
        ("left", 0, ("survives now", "0")),
        ("used_bytes", 13142860136448, ("used", "12.0 TiB")),
        ("used_percent", 83.02, ("used", "83%")),
        ("percent", 41.5, ("percent", "42%")),
        ("mean_ns", 41_000_000, ("mean latency", "41 ms")),
        ("low_s", 6600, ("time left, least", "1h50m")),
        ("bytes_per_s", 128 * 2**20, ("rate", "128 MiB/s")),
        ("since", 1795220000, ("since", "2026-11-21 00:13:20 UTC")),
        ("since", None, ("since", "unknown")),
        ("checkpoint_bytes", None, ("checkpoint", "unknown")),
        ("failed", ("sda", "sdb"), ("failed", "sda, sdb")),
        ("files", (), ("files", "none")),
        ("is_raw", False, ("raw space", "no")),
        ("state", "FAULTED", ("state", "FAULTED")),
    ],
)
def test_evidence_is_shown_in_words_with_its_unit(name: str, value: Value, shown: tuple[str, str]) -> None:
    """Without the names and the bare numbers of the JSON."""
    assert shown == in_words(name, value)
