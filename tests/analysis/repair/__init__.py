"""Tests of what a repair is judged by."""
