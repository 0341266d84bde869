"""Which disk is slower than its like? Sample after sample, as `zpool iostat` gives them.

`peers` says which disks are alike, `compare` how one stands against the others, `tracks` and `stalls` keep
the evidence, `detector` makes verdicts of it, `cost` and `advice` say what that means.
"""
