"""Tests of the practice host."""
