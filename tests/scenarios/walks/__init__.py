"""Random walks of actions and of keys."""
