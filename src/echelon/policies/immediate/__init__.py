"""Metascheduling of time-shared machines: the contract and the rules."""
