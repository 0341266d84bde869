"""What lasts on disk: journal, space samples, scenarios, snapshot index, known machines."""
