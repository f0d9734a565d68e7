"""A study in a paper: figures and tables of one style."""
