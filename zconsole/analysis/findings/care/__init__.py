"""Rules on the care of a host and its pools: releases with known errors, dates at which pools are full."""
