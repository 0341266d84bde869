"""Table of dataset properties: types, values, and when a change takes effect.

From zfsprops(7) of OpenZFS 2.1 to 2.4. Newer releases may have more.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass


class PropertyEffect(Enum):
    """When a change takes effect. The value is the text in a plan."""

    AT_ONCE = "takes effect at once"
    NEW_BLOCKS = "only blocks written from now on; existing blocks stay until they are rewritten"
    NEW_RECORDS = "only new files: a file of several blocks keeps its block size"
    NEW_FILES = "only files made from now on"
    NEW_ATTRIBUTES = "only attributes that are set from now on, also those of files that exist"
    REMOUNT = "takes effect at once: it is unmounted and mounted again where that is needed"
    NEXT_MOUNT = "takes effect at the next mount"
    NEW_DEVICE = (
        "its device is created again: at once if nothing has it open, else after an import or a rename"
    )
    NEXT_IMPORT = "takes effect when its device is created again: after an import or a rename"


class Values(Enum):
    """Format of a value that is not an enumeration."""

    WORDS = "words"
    SIZE = "a size, such as 500G"
    SIZE_OR_NONE = "a size, such as 500G, or none"
    RESERVATION = "a size, such as 500G, none or auto"
    POWER = "a power of two from 512 to 16M, such as 128K"
    THRESHOLD = "a size from 0 to 16M"
    COUNT = "a number, or none"
    MOUNTPOINT = "an absolute path, none or legacy"
    KEY_PLACE = "prompt, or file:/// and an absolute path, or an https:// address"
    TEXT = "any text"


@dataclass(frozen=True, slots=True)
class SettableProperty:
    """Settable property. `kinds`: f file systems, v volumes, s snapshots."""

    name: str
    kinds: str
    effect: PropertyEffect
    words: tuple[str, ...] = ()
    values: Values = Values.WORDS
    is_inherited: bool = True
    is_about_mounts: bool = False  # setting it unmounts, takes a device away, or affects open files


_NOW, _BLOCKS, _FILES, _REMOUNT = (
    PropertyEffect.AT_ONCE,
    PropertyEffect.NEW_BLOCKS,
    PropertyEffect.NEW_FILES,
    PropertyEffect.REMOUNT,
)
_ON_OFF: Final = ("on", "off")
_HASHES: Final = ("sha256", "sha512", "skein", "edonr", "blake3")
_COMPRESSION: Final = (
    "on", "off", "lz4", "lzjb", "zle", "gzip", *(f"gzip-{level}" for level in range(1, 10)),
    "zstd", *(f"zstd-{level}" for level in range(1, 20)), "zstd-fast",
    *(f"zstd-fast-{level}" for level in (*range(1, 11), *range(20, 101, 10), 500, 1000)),
)  # fmt: skip
_DEDUP: Final = ("on", "off", "verify", *_HASHES, *(f"{name},verify" for name in _HASHES))
_CACHE: Final = ("all", "none", "metadata")

_LISTED: Final = (
    SettableProperty(
        "aclinherit", "f", _FILES, ("discard", "noallow", "restricted", "passthrough", "passthrough-x")
    ),
    SettableProperty("aclmode", "f", _NOW, ("discard", "groupmask", "passthrough", "restricted")),
    SettableProperty("acltype", "f", _NOW, ("off", "noacl", "nfsv4", "posix", "posixacl")),
    SettableProperty("atime", "f", _NOW, _ON_OFF),
    SettableProperty(
        "canmount", "f", _REMOUNT, ("on", "off", "noauto"), is_inherited=False, is_about_mounts=True
    ),
    SettableProperty("checksum", "fv", _BLOCKS, (*_ON_OFF, "fletcher2", "fletcher4", "noparity", *_HASHES)),
    SettableProperty("compression", "fv", _BLOCKS, _COMPRESSION),
    SettableProperty("copies", "fv", _BLOCKS, ("1", "2", "3")),
    SettableProperty("dedup", "fv", _BLOCKS, _DEDUP),
    SettableProperty("devices", "f", _NOW, _ON_OFF),
    SettableProperty("direct", "f", _NOW, ("disabled", "standard", "always")),
    SettableProperty("dnodesize", "f", _FILES, ("legacy", "auto", "1k", "2k", "4k", "8k", "16k")),
    SettableProperty("exec", "f", _NOW, _ON_OFF),
    SettableProperty("filesystem_limit", "fv", _NOW, values=Values.COUNT, is_inherited=False),
    SettableProperty("keylocation", "fv", _NOW, values=Values.KEY_PLACE, is_inherited=False),
    SettableProperty("logbias", "fv", _NOW, ("latency", "throughput")),
    SettableProperty("longname", "f", _FILES, _ON_OFF),
    SettableProperty("mountpoint", "f", _REMOUNT, values=Values.MOUNTPOINT, is_about_mounts=True),
    SettableProperty("nbmand", "f", PropertyEffect.NEXT_MOUNT, _ON_OFF),
    SettableProperty("overlay", "f", PropertyEffect.NEXT_MOUNT, _ON_OFF),
    SettableProperty("prefetch", "fv", _NOW, _CACHE),
    SettableProperty("primarycache", "fv", _NOW, _CACHE),
    SettableProperty("quota", "f", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False),
    SettableProperty("readonly", "fv", _NOW, _ON_OFF),
    SettableProperty("recordsize", "f", PropertyEffect.NEW_RECORDS, values=Values.POWER),
    SettableProperty("redundant_metadata", "fv", _BLOCKS, ("all", "most", "some", "none")),
    SettableProperty("refquota", "f", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False),
    SettableProperty("refreservation", "fv", _NOW, values=Values.RESERVATION, is_inherited=False),
    SettableProperty("relatime", "f", _NOW, _ON_OFF),
    SettableProperty("reservation", "fv", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False),
    SettableProperty("secondarycache", "fv", _NOW, _CACHE),
    SettableProperty("setuid", "f", _NOW, _ON_OFF),
    SettableProperty("sharenfs", "f", _NOW, values=Values.TEXT),
    SettableProperty("sharesmb", "f", _NOW, values=Values.TEXT),
    SettableProperty("snapdev", "fv", _NOW, ("hidden", "visible")),
    SettableProperty("snapdir", "f", _NOW, ("disabled", "hidden", "visible")),
    SettableProperty("snapshot_limit", "fv", _NOW, values=Values.COUNT, is_inherited=False),
    SettableProperty("special_small_blocks", "fv", _BLOCKS, values=Values.THRESHOLD),
    SettableProperty("sync", "fv", _NOW, ("standard", "always", "disabled")),
    SettableProperty(
        "volmode", "fv", PropertyEffect.NEW_DEVICE, ("default", "full", "geom", "dev", "none"),
        is_about_mounts=True,
    ),
    SettableProperty("volsize", "v", _NOW, values=Values.SIZE, is_inherited=False, is_about_mounts=True),
    SettableProperty("volthreading", "v", PropertyEffect.NEXT_IMPORT, _ON_OFF),
    SettableProperty("vscan", "f", _NOW, _ON_OFF),
    SettableProperty("xattr", "f", PropertyEffect.NEW_ATTRIBUTES, ("on", "off", "dir", "sa")),
    SettableProperty("zoned", "f", _REMOUNT, _ON_OFF, is_about_mounts=True),
    *(
        SettableProperty(f"{context}context", "f", PropertyEffect.NEXT_MOUNT, values=Values.TEXT)
        for context in ("", "fs", "def", "root")
    ),
    *(
        SettableProperty(f"default{who}{what}", "f", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False)
        for who in ("user", "group", "project")
        for what in ("quota", "objquota")
    ),
)  # fmt: skip
PROPERTIES: Final = {each.name: each for each in _LISTED}
AT_CREATION: Final = frozenset({
    "casesensitivity", "encryption", "keyformat", "normalization", "pbkdf2iters", "utf8only", "volblocksize",
})  # fmt: skip
READ_ONLY: Final = frozenset({
    "available", "clones", "compressratio", "createtxg", "creation", "defer_destroy", "encryptionroot",
    "filesystem_count", "guid", "keystatus", "logicalreferenced", "logicalused", "mounted", "objsetid",
    "origin", "receive_resume_token", "redact_snaps", "refcompressratio", "referenced", "snapshot_count",
    "snapshots_changed", "type", "used", "usedbychildren", "usedbydataset", "usedbyrefreservation",
    "usedbysnapshots", "userrefs", "version", "written",
})  # fmt: skip
ALIASES: Final = {
    "compress": "compression", "recsize": "recordsize", "reserv": "reservation",
    "refreserv": "refreservation", "rdonly": "readonly", "volblock": "volblocksize",
    "casesens": "casesensitivity", "fslimit": "filesystem_limit", "sslimit": "snapshot_limit",
}  # fmt: skip


def property_of(name: str) -> SettableProperty | None:
    """ZFS's settable property with this name or short name."""
    return PROPERTIES.get(ALIASES.get(name, name))
