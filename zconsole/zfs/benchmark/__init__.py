"""Benchmark by fio on a scratch dataset: the script that the host runs, and the parsers of its output."""
