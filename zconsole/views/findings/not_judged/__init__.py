"""What findings were not judged by: readings that are missing, silences that do not apply."""
