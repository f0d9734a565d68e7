"""Testing: checks of your own rules, tiny workloads and grids with a name, strategies for hypothesis.

`echelon.testing.strategies` needs hypothesis and is therefore imported by its own name only.
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.testing.check import check_policy
    from echelon.testing.check_arrangement import check_arrangement
    from echelon.testing.check_broker import check_broker
    from echelon.testing.check_estimator import check_estimator
    from echelon.testing.check_immediate import check_immediate
    from echelon.testing.check_local_users import check_local_users, small_multiclusters
    from echelon.testing.check_metric import check_metric
    from echelon.testing.check_placement import check_placement
    from echelon.testing.check_rule import check_rule
    from echelon.testing.check_upper_queue import check_upper_queue
    from echelon.testing.drawing import draw
    from echelon.testing.finding import Check, Finding
    from echelon.testing.grids import GRID_CASES, GridCase, grid_case, grid_crowd
    from echelon.testing.machines import immediate_instances, machines
    from echelon.testing.placement_cases import PlacementCase, placement_cases, small_machines
    from echelon.testing.rooms import FixedRoom
    from echelon.testing.workloads import CASES, Case, case, crowd

__all__ = [
    "CASES",
    "GRID_CASES",
    "Case",
    "Check",
    "Finding",
    "FixedRoom",
    "GridCase",
    "PlacementCase",
    "case",
    "check_arrangement",
    "check_broker",
    "check_estimator",
    "check_immediate",
    "check_local_users",
    "check_metric",
    "check_placement",
    "check_policy",
    "check_rule",
    "check_upper_queue",
    "crowd",
    "draw",
    "grid_case",
    "grid_crowd",
    "immediate_instances",
    "machines",
    "placement_cases",
    "small_machines",
    "small_multiclusters",
]

lazily(
    __name__,
    {
        "check": ("check_policy",),
        "check_arrangement": ("check_arrangement",),
        "check_broker": ("check_broker",),
        "check_estimator": ("check_estimator",),
        "check_immediate": ("check_immediate",),
        "check_local_users": ("check_local_users", "small_multiclusters"),
        "check_metric": ("check_metric",),
        "check_placement": ("check_placement",),
        "check_rule": ("check_rule",),
        "check_upper_queue": ("check_upper_queue",),
        "drawing": ("draw",),
        "finding": ("Check", "Finding"),
        "grids": ("GRID_CASES", "GridCase", "grid_case", "grid_crowd"),
        "machines": ("immediate_instances", "machines"),
        "placement_cases": ("PlacementCase", "placement_cases", "small_machines"),
        "rooms": ("FixedRoom",),
        "workloads": ("CASES", "Case", "case", "crowd"),
    },
    aliases={"StillRoom": "FixedRoom"},
)
