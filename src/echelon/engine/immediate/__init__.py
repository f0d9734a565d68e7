"""The engine of time-shared machines: every job starts at once and shares the cores of its machine."""
