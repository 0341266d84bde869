"""Detection of disks that are slower than their peers, from samples of `zpool iostat`.

`peers` groups equal disks, `sample_comparison` and `peer_score` compare a disk with the others, `evidence`
and `stalls` accumulate evidence, `detector` decides, `cost` and `advice` explain.
"""
