"""Power and energy: what a machine draws over time, and who is charged for it."""
