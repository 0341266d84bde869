"""Tests of zconsole.analysis.guests."""
