"""Bodies of requests: strict JSON, and the texts, times and jobs in it."""
