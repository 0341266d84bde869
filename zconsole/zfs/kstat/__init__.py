"""Kernel statistics below /proc/spl/kstat/zfs."""
