"""`python -m zconsole`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line."""
    from zconsole.cli import run  # noqa: PLC0415  # --version must not pay for what it does not use

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
