"""The console against a real libvirtd with small QEMU guests under software emulation."""
