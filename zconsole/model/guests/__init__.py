"""Values of virtual machines: state, disks, images."""
