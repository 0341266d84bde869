"""What a recording without queues shows of disks that complete nothing."""
