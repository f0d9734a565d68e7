"""The clock of a run: the only loop in which time passes, and the order of what happens at one instant."""
