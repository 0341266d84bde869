"""`zconsole apply` that is asked to end while it loads: it says that nothing was run, and ends with 3."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from zconsole.cli.signals import NOT_DONE, NOTHING_RUN

IMPORTS = (
    "zconsole.cli.main",
    "zconsole.cli.target_host_with_policy_and_journal",
    "asyncio",
    "zconsole.service.prepare_execute_and_recover_plans",
)
PRESSED_WHILE_IT_LOADS = """
import builtins, os, signal, sys
number, name = int(sys.argv[1]), sys.argv[2]
load = builtins.__import__
def loads(what, *more):
    if what == name:
        builtins.__import__ = load
        os.kill(os.getpid(), number)
    return load(what, *more)
from zconsole.__main__ import main
builtins.__import__ = loads
sys.argv = ["zconsole", *sys.argv[3:]]
sys.exit(main())
"""


@pytest.mark.parametrize("name", IMPORTS)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_it_loads_ends_it_with_a_sentence(number: signal.Signals, name: str) -> None:
    """Seen: 130 and no word, or ended by the signal."""
    done = subprocess.run(
        [sys.executable, "-c", PRESSED_WHILE_IT_LOADS, str(int(number)), name, "apply", "/no/plan.json"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert (NOT_DONE, "", f"zconsole: {NOTHING_RUN}\n") == (done.returncode, done.stdout, done.stderr)
