"""The rules of each kind of system: from settings, and back to their specs; and what a system refuses."""
