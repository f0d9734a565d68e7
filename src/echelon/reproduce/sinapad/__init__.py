"""The SINAPAD study, run again: metascheduling by chance and by the state of machines without queues."""

from echelon.reproduce.sinapad.study import SINAPAD

__all__ = ["SINAPAD"]
