"""Options: made from the settings, shared by commands, given once."""
