"""The rules of each kind of system: from settings, and back to their words; and what a system refuses."""
