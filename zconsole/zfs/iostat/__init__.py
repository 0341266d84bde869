"""`zpool iostat`: samples, rows, histograms, recordings."""
