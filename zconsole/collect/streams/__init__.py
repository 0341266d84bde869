"""Streams of samples: `zpool iostat`, histograms, dataset I/O, ARC."""
