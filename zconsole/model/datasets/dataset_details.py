"""Properties of one dataset or snapshot, read when a user opens its page."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PropertyValue:
    """Property with its value; `source` is ZFS's: `local`, `default`, `inherited from X`, `received`, `-`."""

    key: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class DatasetDetails:
    """One dataset or snapshot: name, properties, and for a clone the data written since its origin."""

    name: str
    properties: tuple[PropertyValue, ...] = ()
    since_origin_bytes: int | None = None  # written@ORIGIN
