"""The only place where time passes: the reference engine, the compiled engine, and what both keep."""
