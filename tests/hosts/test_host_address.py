"""What a user may write for a host."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import UsageError
from zconsole.hosts.host_address import Address, Local, parse_host, parse_jumps


@pytest.mark.parametrize(
    ("text", "host", "user", "port"),
    [
        ("nas1", "nas1", None, None),
        ("nas_1.example.org", "nas_1.example.org", None, None),
        ("root@nas1", "nas1", "root", None),
        ("DOM\\admin@nas1", "nas1", "DOM\\admin", None),
        ("ssh://nas1", "nas1", None, None),
        ("ssh://nas1/", "nas1", None, None),
        ("ssh://local", "local", None, None),
        ("ssh://status", "status", None, None),
        ("ssh://root@nas1:2222", "nas1", "root", 2222),
        ("[fe80::1]", "fe80::1", None, None),
        ("root@[fe80::1%eth0]", "fe80::1%eth0", "root", None),
        ("2001:db8::7", "2001:db8::7", None, None),
        ("ssh://root@[::1]:22", "::1", "root", 22),
        ("192.0.2.7", "192.0.2.7", None, None),
    ],
)
def test_the_forms_of_a_host(text: str, host: str, user: str | None, port: int | None) -> None:
    address = parse_host(text)

    assert isinstance(address, Address)
    assert (host, user, port) == (address.host, address.user, address.port)
    assert text == address.label


def test_local_is_this_machine() -> None:
    assert Local() == parse_host("local")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "names no host"),
        ("root@", "names no host"),
        ("@nas1", "names no user"),
        ("-oProxyCommand=x", "cannot start with -"),
        ("-l@nas1", "cannot start with -"),
        ("root@-nas1", "cannot start with -"),
        ("nas 1", "is not allowed in a host name"),
        ("nas1\n", "is not allowed in a host name"),
        ("nas\x1b[2J", "is not allowed in a host name"),
        ("n\u202eas", "is not allowed in a host name"),
        ("nas$(id)", "is not allowed in a host name"),
        ("nas`id`", "is not allowed in a host name"),
        ("r;id@nas1", "is not allowed in a user name"),
        ("nas*", "is not allowed in a host name"),
        ("nas%h", "is not allowed in a host name"),
        ("tank/home", "is not allowed in a host name"),
        ("nas1:2222", "names a port"),
        ("ssh://nas1:0", "is not a port"),
        ("ssh://nas1:65536", "is not a port"),
        ("ssh://nas1:", "is not a port"),
        ("ssh://nas1:\uff12\uff12", "is not a port"),
        ("[nas1]", "is not an IPv6 address"),
        ("http://nas1", "the only known scheme is ssh://"),
        ("root:secret@nas1", "contains a password"),
        ("a" * 256, "longer than 255"),
    ],
)
def test_what_is_no_host_is_refused_with_the_reason_and_the_way_on(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        parse_host(text)

    assert caught.value.hint
    assert "secret" not in str(caught.value)


def test_a_port_without_a_scheme_is_answered_with_the_form_that_works() -> None:
    with pytest.raises(UsageError) as caught:
        parse_host("root@nas1:2222")

    assert "Write ssh://root@nas1:2222" == caught.value.hint


def test_the_jumps_of_a_config_may_name_ports() -> None:
    hops = parse_jumps("root@gate:2222, ssh://inner,[::1]:22")

    assert (Address("gate", "root", 2222), Address("inner"), Address("::1", port=22)) == hops
    assert ["ssh://root@gate:2222", "inner", "ssh://[::1]:22"] == [hop.label for hop in hops]


@given(text=st.text(max_size=40))
def test_any_text_is_a_host_or_a_usage_error(text: str) -> None:
    try:
        address = parse_host(text)
    except UsageError:
        return
    if isinstance(address, Address):
        assert not address.host.startswith("-")
        assert address.host.isprintable()
        assert not set(address.host) & set(" ;|&$`'\"<>\\")
        assert parse_host(str(address)) in (
            Address(address.host, address.user, address.port, str(address)),
            Local(),
        )
