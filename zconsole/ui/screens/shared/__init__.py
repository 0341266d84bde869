"""What several screens share: layout, marking, the timeline, the dataset tree."""
