"""When is a pool full? From what its use was, with a range that holds as often as it says."""
