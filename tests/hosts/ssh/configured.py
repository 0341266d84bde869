"""Configurations of ssh."""

from __future__ import annotations

from tests.hosts.conftest import Lan


def configure(lan: Lan, text: str) -> None:
    (lan.ssh_folder / "config").write_text(text)
