"""Schedlyzer's study: a priority queue and EASY with six comparators on two years of the SDSC SP2."""
