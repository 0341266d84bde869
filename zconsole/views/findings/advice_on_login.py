"""Advice in words: logins by SSH that are slow."""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

LOGIN: Final = (
    Advice(
        "ssh-login-slow",
        Stake.SERVICE,
        HelpedData.NONE,
        "A phase of the newest login to a host behind SSH, or to one of its jump hosts, took 3 s or more. "
        "A login that was given up counts up to then.",
        "a limit of this program: more than a busy host needs, less than the shortest time-out that is "
        "behind most slow logins (5 s of a resolver, 25 s of D-Bus)",
        "Each console, backup and monitoring job waits as long; one that gives up earlier never gets in. "
        "In an emergency it may be worse.",
        "Look for the cause by the phase that is slow: each has known ones, and how to tell them.",
        "Nothing is changed in ZFS.",
        (
            "login_host",
            "slowest_phase",
            "has_ended",
            "total_s",
            "connect_s",
            "key_exchange_s",
            "authentication_s",
            "session_s",
            "shell_s",
            "limit_s",
        ),
    ),
)
