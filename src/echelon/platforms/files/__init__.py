"""Files as tables: what they say, on which lines, and everything that is wrong with them."""
