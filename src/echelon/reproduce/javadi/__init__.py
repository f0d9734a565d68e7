"""The study of the Failure Trace Archive: laws fitted to the failures of LANL's machines."""
