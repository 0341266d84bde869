"""`zconsole trust`: accept a host key whose fingerprint was compared."""

from __future__ import annotations

import argparse
import asyncio
from contextlib import suppress
from typing import Final, Protocol, runtime_checkable

from zconsole.base.errors import HostError, UsageError, ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.open_and_ask_named_hosts import CLOSE_TIMEOUT_S, TIMEOUT_S, open_hosts
from zconsole.cli.options import HOST_FORMS, Parser
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand


@dataclass(frozen=True, slots=True)
class TrustRequest:
    """`zconsole trust`."""

    host: str
    fingerprint: str


@runtime_checkable
class ShowsKey(Protocol):
    """Host that shows its key before it is trusted."""

    async def accept_key(self, fingerprint: str) -> None:
        """Remember the key if it has this fingerprint."""


def run_trust(asked: TrustRequest, config: Config) -> int:
    """Connect, compare, and save the key. Raises HostKeyChanged for another key."""
    (place,) = open_hosts(HostSelection((asked.host,)), config, within_s=TIMEOUT_S)
    host = place.host
    if not isinstance(host, ShowsKey):
        raise UsageError(f"{asked.host} is this machine and shows no key", hint="Only hosts behind SSH do.")

    async def accept(remote: ShowsKey) -> None:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await remote.accept_key(asked.fingerprint)
        except TimeoutError:
            raise HostError(f"{asked.host} gave no answer within {TIMEOUT_S:g} s") from None
        finally:
            with suppress(ZConsoleError, OSError, TimeoutError):
                await asyncio.wait_for(host.close(), CLOSE_TIMEOUT_S)

    asyncio.run(accept(host))
    print(f"{visible(asked.host)} is known now by {visible(asked.fingerprint)}")
    return 0


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("host", metavar="HOST", help=HOST_FORMS)
    parser.add_argument("fingerprint", metavar="FINGERPRINT", help="as it was shown: SHA256:...")


def _read(found: argparse.Namespace) -> TrustRequest:
    return TrustRequest(found.host, found.fingerprint)


SUBCOMMAND: Final = Subcommand(
    "trust",
    "Remember the key of a host that shows this fingerprint, and no other.",
    _add_arguments,
    _read,
    run_trust,
)
