"""Detection of disks that are slower than their peers, from samples of `zpool iostat`.

`peer_groups` groups equal disks, `sample_comparison` and `peer_score` compare a disk with the others,
`accumulated_evidence` and `stalled_disks` accumulate evidence, `detector` decides, `latency_cost` and
`slow_disk_advice` explain.
"""
