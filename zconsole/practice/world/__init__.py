"""The state of the practice host: drives, pools, vdevs, datasets."""
