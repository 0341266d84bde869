"""Tests of the guided repair in words."""
