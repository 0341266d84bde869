"""Properties of datasets: the kinds that have them, defaults, allowed values."""

from __future__ import annotations

from typing import Final

from zconsole.practice.nicenum_and_times import words

FILESYSTEM, VOLUME, SNAPSHOT, BOOKMARK = "filesystem", "volume", "snapshot", "bookmark"
_KINDS: Final = """
type:fvszb creation:fvszb used:fvsz available:fv referenced:fvszb compressratio:fvsz mounted:f origin:fv
quota:f reservation:fv volsize:vz volblocksize:v recordsize:f mountpoint:f sharenfs:f checksum:fv
compression:fv atime:f devices:fs exec:fs setuid:fs readonly:fv zoned:f snapdir:f aclmode:f aclinherit:f
createtxg:fvszb canmount:f xattr:fs copies:fv version:fs utf8only:fs normalization:fs casesensitivity:fs
vscan:f nbmand:fs sharesmb:f refquota:f refreservation:fv guid:fvszb primarycache:fvsz secondarycache:fvsz
usedbysnapshots:fv usedbydataset:fv usedbychildren:fv usedbyrefreservation:fv defer_destroy:sz userrefs:sz
logbias:fv objsetid:fvsz dedup:fv mlslabel:fvsz sync:fv dnodesize:f refcompressratio:fvsz written:fvsz
clones:sz logicalused:fv logicalreferenced:fvszb volmode:fv filesystem_limit:f snapshot_limit:fv
filesystem_count:f snapshot_count:fv snapdev:fv acltype:fs context:fvsz fscontext:fvsz defcontext:fvsz
rootcontext:fvsz relatime:f redundant_metadata:fv overlay:f encryption:fvsz encryptionroot:fvsz
keylocation:fv keyformat:fv keystatus:fvsz pbkdf2iters:fv special_small_blocks:fv snapshots_changed:fv
prefetch:fvsz direct:f longname:f volthreading:v defaultuserquota:fs defaultgroupquota:fs
defaultprojectquota:fs defaultuserobjquota:fs defaultgroupobjquota:fs defaultprojectobjquota:fs
"""
_HIDDEN: Final = {"numclones": "sz", "redact_snaps": "fvszb", "receive_resume_token": "fv"}  # on request only
APPLIES: Final = {name: frozenset(kinds) for name, kinds in (entry.split(":") for entry in _KINDS.split())}
ORDER: Final = tuple(APPLIES)  # of `zfs get all`
APPLIES.update({name: frozenset(kinds) for name, kinds in _HIDDEN.items()})
ALIASES: Final = {
    "avail": "available",
    "refer": "referenced",
    "ratio": "compressratio",
    "refratio": "refcompressratio",
    "usedsnap": "usedbysnapshots",
    "usedds": "usedbydataset",
    "usedchild": "usedbychildren",
    "usedrefreserv": "usedbyrefreservation",
    "lused": "logicalused",
    "lrefer": "logicalreferenced",
    "compress": "compression",
    "recsize": "recordsize",
    "volblock": "volblocksize",
    "reserv": "reservation",
    "refreserv": "refreservation",
    "rdonly": "readonly",
    "casesens": "casesensitivity",
}
HEADERS: Final = {full: short.upper() for short, full in ALIASES.items() if full != "readonly"} | {
    "readonly": "RDONLY",
    "casesensitivity": "CASE",
    "usedbyrefreservation": "USEDREFRESERV",
    "encryptionroot": "ENCROOT",
    "snapshot_limit": "SSLIMIT",
    "filesystem_limit": "FSLIMIT",
}
_ON: Final = "checksum compression atime devices exec setuid canmount relatime overlay volthreading"
_OFF: Final = "sharenfs readonly zoned vscan nbmand sharesmb dedup acltype encryption longname"
_NONE: Final = """
    mlslabel filesystem_limit snapshot_limit filesystem_count snapshot_count context fscontext defcontext
    rootcontext keylocation keyformat
"""
_ZERO: Final = "quota reservation refquota refreservation pbkdf2iters special_small_blocks"
DEFAULTS: Final[dict[str, int | str]] = {
    **dict.fromkeys(words(_ON), "on"),
    **dict.fromkeys(words(_OFF), "off"),
    **dict.fromkeys(words(_NONE), "none"),
    **dict.fromkeys(words(_ZERO), 0),
    **dict.fromkeys(words("primarycache secondarycache prefetch redundant_metadata"), "all"),
    **dict.fromkeys(words("snapdir snapdev"), "hidden"),
    **dict.fromkeys(words("sync direct"), "standard"),
    "recordsize": 131072,
    "volblocksize": 16384,
    "copies": 1,
    "aclmode": "discard",
    "aclinherit": "restricted",
    "xattr": "sa",
    "logbias": "latency",
    "dnodesize": "legacy",
    "volmode": "default",
}
NOT_INHERITED: Final = frozenset(
    words("""
        quota reservation refquota refreservation filesystem_limit snapshot_limit canmount volsize
        volblocksize encryption keyformat keylocation
    """)
)
NUMBERS: Final = frozenset(name for name, value in DEFAULTS.items() if isinstance(value, int)) | {"volsize"}
FIXED: Final[dict[str, int | str]] = {
    "version": 5,
    "utf8only": "off",
    "normalization": "none",
    "casesensitivity": "sensitive",
    **{f"default{who}{what}": 0 for who in ("user", "group", "project") for what in ("quota", "objquota")},
}
SIZES: Final = frozenset(
    words("""
        used available referenced usedbysnapshots usedbydataset usedbychildren usedbyrefreservation
        written logicalused logicalreferenced volsize recordsize volblocksize quota reservation refquota
        refreservation special_small_blocks
    """)
)
NONE_WHEN_ZERO: Final = frozenset({"quota", "reservation", "refquota", "refreservation"})
RATIOS: Final = frozenset({"compressratio", "refcompressratio"})
SETTABLE: Final = frozenset(DEFAULTS) - {"filesystem_count", "snapshot_count"} | {"volsize", "mountpoint"}
SET_ONCE: Final = frozenset(
    words("volblocksize encryption keyformat pbkdf2iters casesensitivity utf8only normalization")
)
_ON_OFF: Final = words("""
        atime relatime devices exec setuid readonly nbmand vscan zoned overlay longname volthreading
    """)
VALUES: Final = {  # of those that know a few words only, as libzfs lists them
    **dict.fromkeys(_ON_OFF, "on | off"),
    "checksum": "on | off | fletcher2 | fletcher4 | sha256 | sha512 | skein | edonr | blake3",
    "dedup": "on | off | verify | sha256[,verify] | sha512[,verify] | skein[,verify] | edonr,verify"
    " | blake3[,verify]",
    "compression": "on | off | lzjb | gzip | gzip-[1-9] | zle | lz4 | zstd | zstd-[1-19] | zstd-fast"
    " | zstd-fast-[1-10,20,30,40,50,60,70,80,90,100,500,1000]",
    "snapdir": "disabled | hidden | visible",
    "snapdev": "hidden | visible",
    "aclmode": "discard | groupmask | passthrough | restricted",
    "aclinherit": "discard | noallow | restricted | passthrough | passthrough-x",
    "acltype": "off | nfsv4 | posix",
    "canmount": "on | off | noauto",
    "xattr": "on | off | dir | sa",
    "copies": "1 | 2 | 3",
    "primarycache": "all | none | metadata",
    "secondarycache": "all | none | metadata",
    "logbias": "latency | throughput",
    "sync": "standard | always | disabled",
    "dnodesize": "legacy | auto | 1k | 2k | 4k | 8k | 16k",
    "volmode": "default | full | geom | dev | none",
    "redundant_metadata": "all | most | some | none",
    "prefetch": "none | metadata | all",
    "direct": "disabled | standard | always",
    "encryption": "on | off | aes-128-ccm | aes-192-ccm | aes-256-ccm | aes-128-gcm | aes-192-gcm"
    " | aes-256-gcm",
    "keyformat": "none | raw | hex | passphrase",
}


def is_property(name: str) -> bool:
    """Whether datasets have it; user properties hold a colon."""
    return name in APPLIES or ":" in name or name == "name" or name.startswith("written@")
