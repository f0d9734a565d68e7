"""The SINAPAD study, reproduced: metascheduling by chance and by the state of time-shared machines."""

from echelon.reproduce.sinapad.study import SINAPAD

__all__ = ["SINAPAD"]
