"""Commands that list what can be named, and the tables that they print."""
