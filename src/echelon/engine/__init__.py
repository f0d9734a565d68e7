"""The engines, the only place where simulation time advances: reference engine and compiled engine."""
