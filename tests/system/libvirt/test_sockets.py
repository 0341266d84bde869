"""Sockets of libvirt: those that allow reading only, of QEMU's own daemon before the one for all."""

from __future__ import annotations

from zconsole.model.guests.guest import SESSION, SYSTEM
from zconsole.system.libvirt.sockets import list_sockets, parse_sockets, sockets_of, uri_of_socket


def test_of_the_system_only_sockets_for_reading_are_used() -> None:
    assert (
        "/run/libvirt/virtqemud-sock-ro",
        "/run/libvirt/libvirt-sock-ro",
    ) == sockets_of(SYSTEM, 1000)


def test_a_session_has_the_sockets_of_its_user() -> None:
    assert (
        "/run/user/1000/libvirt/virtqemud-sock",
        "/run/user/1000/libvirt/libvirt-sock",
    ) == sockets_of(SESSION, 1000)


def test_those_that_exist_come_in_the_order_of_preference_and_nothing_else() -> None:
    paths = (*sockets_of(SYSTEM, 0), *sockets_of(SESSION, 0))
    printed = "/run/user/0/libvirt/libvirt-sock\n/run/libvirt/libvirt-sock-ro\n/etc/passwd\n"

    assert ("ls", "-1d", "--", *paths) == list_sockets(paths).argv
    assert (paths[1], paths[3]) == parse_sockets(printed, paths)
    assert () == parse_sockets("", paths)


def test_a_uri_with_a_socket_names_the_instance_that_it_leads_to() -> None:
    assert "qemu+unix:///session?socket=/run/user/7/s" == uri_of_socket(SESSION, "/run/user/7/s")
