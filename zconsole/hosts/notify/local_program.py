"""Local program that is given a message: facts in its environment, a document on its standard input."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from zconsole.base.escape_control_characters import decoded, visible
from zconsole.hosts.notify.delivery_error import DeliveryFailed

TIMEOUT_S: Final = 60.0
SAID: Final = 300  # bytes of what it says


def run_program(
    argv: Sequence[str], document: bytes, facts: Mapping[str, str], *, timeout_s: float = TIMEOUT_S
) -> None:
    """Run a program to its end; no shell. Raises DeliveryFailed unless it ends with 0 in time."""
    environment = {**os.environ, **{name: visible(value) for name, value in facts.items()}}
    with tempfile.TemporaryFile() as errors:  # no pipe: a child that stays would keep it open
        try:
            running = subprocess.Popen(  # noqa: S603  # an argv of the user's configuration, without a shell
                list(argv),
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise DeliveryFailed(f"{argv[0]} cannot be run: {error}") from None
        try:
            running.communicate(document, timeout=timeout_s)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            raise DeliveryFailed(f"{argv[0]} did not end within {timeout_s:g} s") from None
        errors.seek(0)
        said = visible(decoded(errors.read(SAID)).strip())
    if running.returncode:
        raise DeliveryFailed(f"{argv[0]} ended with {running.returncode}{f': {said}' if said else ''}")
