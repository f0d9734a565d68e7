"""The compiled engine on one machine of counted processors: its loop, its cycles and its reservations."""
