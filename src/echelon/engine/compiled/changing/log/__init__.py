"""The log of a run on a changing machine, and the schedule that is made of it."""
