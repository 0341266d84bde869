"""Persistent files: journal, space samples, scenarios, snapshot index, known machines."""
