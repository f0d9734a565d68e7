"""The log of a run on a dynamic machine, and the schedule that is made of it."""
