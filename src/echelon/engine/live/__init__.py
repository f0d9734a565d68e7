"""Live: the controllers of a tree over clusters that decide elsewhere, in simulated or in real time."""
