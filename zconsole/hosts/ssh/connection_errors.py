"""Causes of failed connections, each as a sentence with a hint."""

from __future__ import annotations

import os
import socket

import asyncssh

from zconsole.base.errors import HostUnreachable
from zconsole.hosts.host_address import Address
from zconsole.model.host.ssh_login import LoginPhase

DOWN = "Is it up, and is sshd running there?"
REFUSED = ("[Errno 111]", "[Errno 61]")  # asyncio's wording for a name with several addresses


def in_words(address: Address, error: Exception, methods: list[str]) -> HostUnreachable:
    """The failure of a connection as an error; `methods` are the authentication methods of the host."""
    label = address.label
    match error:
        case asyncssh.PermissionDenied():
            return _denied(address, methods)
        case asyncssh.ConnectionLost() | ConnectionResetError() | BrokenPipeError():
            return HostUnreachable(
                f"{label} closed the connection before the login",
                hint="sshd may be rejecting this client (MaxStartups, a ban, a firewall): see its log.",
            )
        case asyncssh.KeyExchangeFailed():
            return HostUnreachable(f"{label} and this program have no cipher in common: {error.reason}")
        case asyncssh.ChannelOpenError():
            return HostUnreachable(f"the jump host cannot reach {label}: {error.reason}", hint=DOWN)
        case asyncssh.ProtocolError() | asyncssh.ProtocolNotSupported():
            return HostUnreachable(
                f"the service at {label} does not speak SSH: {error.reason}", hint="Is it the right port?"
            )
        case asyncssh.Error():
            return HostUnreachable(f"{label} ended the login: {error.reason}")
        case socket.gaierror():
            return HostUnreachable(
                f"there is no host {address.host}: {error.strerror}",
                hint="Names come from DNS, from /etc/hosts, and from ~/.ssh/config.",
            )
        case ConnectionRefusedError():
            return _refused(label)
        case OSError() if any(mark in str(error) for mark in REFUSED):
            return _refused(label)
        case OSError():
            return HostUnreachable(f"{label} cannot be reached: {error.strerror or error}", hint=DOWN)
        case _:
            return HostUnreachable(
                f"{label} cannot be reached: {error}", hint="See ~/.ssh/config and the keys that it names."
            )


def too_slow(address: Address, timeout_s: float, running: LoginPhase | None) -> HostUnreachable:
    """The error for a login that was given up after `timeout_s` in the phase that was running."""
    label, waited = address.label, f"within {timeout_s:g} s"
    if running is LoginPhase.AUTHENTICATION:
        return HostUnreachable(
            f"{label} did not end the authentication {waited}",
            hint="It answers, and its sshd waits: for the reverse lookup of this machine's address (UseDNS), "
            "for PAM, or for a directory service. ConnectTimeout in ~/.ssh/config is how long we wait.",
        )
    return HostUnreachable(f"{label} did not answer {waited}", hint="Is it up, and does a firewall block it?")


def _refused(label: str) -> HostUnreachable:
    return HostUnreachable(f"{label} refuses the connection", hint=DOWN)


def _denied(address: Address, methods: list[str]) -> HostUnreachable:
    asks = f"it asks for {', '.join(methods)}" if methods else "it rejects every authentication method"
    agent = "the agent's keys were tried" if os.environ.get("SSH_AUTH_SOCK") else "no ssh-agent is running"
    return HostUnreachable(
        f"{address.label} refuses the login: {asks}; {agent}, and those of ~/.ssh that have no passphrase",
        hint=f"zconsole does not ask for passwords: ssh-add your key, or ssh-copy-id {address}",
    )
