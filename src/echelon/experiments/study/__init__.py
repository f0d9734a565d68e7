"""Studies: many runs that one file describes, done in parallel, kept in a store, compared."""
