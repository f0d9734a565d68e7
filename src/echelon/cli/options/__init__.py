"""Options: generated from settings, shared by commands, and checked for repetition."""
