"""The properties of datasets: which can be set on what, to what, and when setting one takes effect.

From zfsprops(7) of OpenZFS 2.1 to 2.4. Names that are missing here may exist in a newer one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final


class Effect(Enum):
    """What is affected now, and what only later. The value is how a plan says it."""

    AT_ONCE = "takes effect at once"
    NEW_BLOCKS = "only blocks written from now on; what is there stays as it is until it is written anew"
    NEW_RECORDS = "only files written from now on: one of several blocks keeps the size of its blocks"
    NEW_FILES = "only files made from now on"
    REMOUNT = "takes effect at once: it is unmounted and mounted again where that is needed"
    NEXT_MOUNT = "takes effect when it is mounted the next time"
    NEXT_IMPORT = "takes effect when its device is made the next time: after an import, or a rename"


class Values(Enum):
    """What a value looks like, where it is not one of a few words."""

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
class Property:
    """One that can be set. `kinds`: f file systems, v volumes, s snapshots."""

    name: str
    kinds: str
    effect: Effect
    words: tuple[str, ...] = ()
    values: Values = Values.WORDS
    is_inherited: bool = True
    is_about_mounts: bool = False  # setting it unmounts, or changes what is open


_NOW, _BLOCKS, _FILES, _REMOUNT = Effect.AT_ONCE, Effect.NEW_BLOCKS, Effect.NEW_FILES, Effect.REMOUNT
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
    Property("aclinherit", "f", _FILES, ("discard", "noallow", "restricted", "passthrough", "passthrough-x")),
    Property("aclmode", "f", _NOW, ("discard", "groupmask", "passthrough", "restricted")),
    Property("acltype", "f", _NOW, ("off", "noacl", "nfsv4", "posix", "posixacl")),
    Property("atime", "f", _NOW, _ON_OFF),
    Property("canmount", "f", _REMOUNT, ("on", "off", "noauto"), is_inherited=False, is_about_mounts=True),
    Property("checksum", "fv", _BLOCKS, (*_ON_OFF, "fletcher2", "fletcher4", "noparity", *_HASHES)),
    Property("compression", "fv", _BLOCKS, _COMPRESSION),
    Property("copies", "fv", _BLOCKS, ("1", "2", "3")),
    Property("dedup", "fv", _BLOCKS, _DEDUP),
    Property("devices", "f", _NOW, _ON_OFF),
    Property("direct", "f", _NOW, ("disabled", "standard", "always")),
    Property("dnodesize", "f", _FILES, ("legacy", "auto", "1k", "2k", "4k", "8k", "16k")),
    Property("exec", "f", _NOW, _ON_OFF),
    Property("filesystem_limit", "fv", _NOW, values=Values.COUNT, is_inherited=False),
    Property("keylocation", "fv", _NOW, values=Values.KEY_PLACE, is_inherited=False),
    Property("logbias", "fv", _NOW, ("latency", "throughput")),
    Property("longname", "f", _FILES, _ON_OFF),
    Property("mountpoint", "f", _REMOUNT, values=Values.MOUNTPOINT, is_about_mounts=True),
    Property("nbmand", "f", Effect.NEXT_MOUNT, _ON_OFF),
    Property("overlay", "f", Effect.NEXT_MOUNT, _ON_OFF),
    Property("prefetch", "fv", _NOW, _CACHE),
    Property("primarycache", "fv", _NOW, _CACHE),
    Property("quota", "f", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False),
    Property("readonly", "fv", _NOW, _ON_OFF),
    Property("recordsize", "f", Effect.NEW_RECORDS, values=Values.POWER),
    Property("redundant_metadata", "fv", _BLOCKS, ("all", "most", "some", "none")),
    Property("refquota", "f", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False),
    Property("refreservation", "fv", _NOW, values=Values.RESERVATION, is_inherited=False),
    Property("relatime", "f", _NOW, _ON_OFF),
    Property("reservation", "fv", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False),
    Property("secondarycache", "fv", _NOW, _CACHE),
    Property("setuid", "f", _NOW, _ON_OFF),
    Property("sharenfs", "f", _NOW, values=Values.TEXT),
    Property("sharesmb", "f", _NOW, values=Values.TEXT),
    Property("snapdev", "fv", _NOW, ("hidden", "visible")),
    Property("snapdir", "f", _NOW, ("disabled", "hidden", "visible")),
    Property("snapshot_limit", "fv", _NOW, values=Values.COUNT, is_inherited=False),
    Property("special_small_blocks", "fv", _BLOCKS, values=Values.THRESHOLD),
    Property("sync", "fv", _NOW, ("standard", "always", "disabled")),
    Property("volmode", "v", Effect.NEXT_IMPORT, ("default", "full", "geom", "dev", "none")),
    Property("volsize", "v", _NOW, values=Values.SIZE, is_inherited=False, is_about_mounts=True),
    Property("volthreading", "v", Effect.NEXT_IMPORT, _ON_OFF),
    Property("vscan", "f", _NOW, _ON_OFF),
    Property("xattr", "f", _FILES, ("on", "off", "dir", "sa")),
    Property("zoned", "f", _REMOUNT, _ON_OFF, is_about_mounts=True),
    *(
        Property(f"{context}context", "f", Effect.NEXT_MOUNT, values=Values.TEXT)
        for context in ("", "fs", "def", "root")
    ),
    *(
        Property(f"default{who}{what}", "f", _NOW, values=Values.SIZE_OR_NONE, is_inherited=False)
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


def property_of(name: str) -> Property | None:
    """One of ZFS's own properties that can be set, by its name or the short form of it."""
    return PROPERTIES.get(ALIASES.get(name, name))
