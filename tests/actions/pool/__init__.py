"""Tests of actions on pools."""
