"""The study file: what it may say, how it is read, and its schema for editors."""
