"""zconsole: a terminal console for ZFS storage."""

from typing import Final

__version__: Final = "0.1.0"
