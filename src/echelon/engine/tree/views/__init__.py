"""What controllers know of the sites below them, fresh or old, and what their rules see."""
