"""The engine of machines without queues: every job starts at once and shares the cores of its machine."""
