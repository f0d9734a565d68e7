"""Brokers: the rules that choose a site for an arriving job."""
