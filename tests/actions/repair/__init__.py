"""Tests of the guided repair: its steps and offers."""
