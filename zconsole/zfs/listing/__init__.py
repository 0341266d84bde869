"""`zpool list`, `zfs list`, `zfs get` and other listing commands: argv and parsers."""
