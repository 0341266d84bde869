"""`zpool list`, `zfs list`, `zfs get`, and the other commands that list: argv beside parser."""
