"""From axes to cases: combinations, replications and searches."""
