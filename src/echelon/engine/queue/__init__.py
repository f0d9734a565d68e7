"""The local scheduler: its queue and reservations, what its policy sees, and its decisions."""
