"""Settings of a host: a parameter that was not read is unknown, one that is empty is not."""

from __future__ import annotations

from zconsole.model.host.host_settings import HostSettings


def test_a_parameter_is_found_by_its_name() -> None:
    settings = HostSettings((("zfs_arc_max", "0"), ("zfs_txg_timeout", "")))

    assert "0" == settings.parameter("zfs_arc_max")
    assert "" == settings.parameter("zfs_txg_timeout")
    assert settings.parameter("zfs_arc") is None
