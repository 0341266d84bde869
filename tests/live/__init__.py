"""Tests of the collecting side."""
