"""Line widgets that repaint only what changed."""
