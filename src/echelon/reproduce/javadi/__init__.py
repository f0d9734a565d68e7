"""The study of the Failure Trace Archive: laws fitted to the failures of LANL's machines."""

from echelon.reproduce.javadi.study import JAVADI

__all__ = ["JAVADI"]
