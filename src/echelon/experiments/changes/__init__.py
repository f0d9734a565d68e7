"""Changes of a machine and of its jobs during a run: from settings to what the engine takes."""
