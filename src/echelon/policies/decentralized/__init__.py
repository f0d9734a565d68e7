"""Arrangements of sites without a broker: jobs wait where they were submitted, and other sites take them."""
