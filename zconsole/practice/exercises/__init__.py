"""Exercises: scripted troubles of the practice host."""
