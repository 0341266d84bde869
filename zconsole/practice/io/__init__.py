"""The I/O of the practice host: counters, simulation, drive speed."""
