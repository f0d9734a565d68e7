"""Earlier name of `echelon.policies.global_queue`, which users' rules may still import."""

from __future__ import annotations


def __getattr__(name: str) -> object:
    from echelon.policies import global_queue

    return getattr(global_queue, name)
