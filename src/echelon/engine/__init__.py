"""The engines, the only place where simulation time passes: the reference engine and the compiled engine."""
