"""Runs of several folders on one page and in one table: what tells them apart, whose jobs are the same."""
