"""Shared parts of screens: layout, marking, the timeline, the dataset tree."""
