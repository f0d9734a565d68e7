"""Commands that list rules, platforms and data sets, and the tables that they print."""
