"""Keeping the states of hosts fresh: sessions, streams and single readings."""
