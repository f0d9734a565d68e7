"""Testing: checks of your own rules, named tiny workloads and grids, strategies for hypothesis.

`echelon.testing.strategies` needs hypothesis and is therefore imported separately.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "backends": "BACKEND_CHECKS HARMLESS_CHECKS BackendCase check_backend",
        "check": "check_policy",
        "check_calendar": "check_calendar",
        "check_broker": "check_broker",
        "check_estimator": "check_estimator",
        "check_immediate": "check_immediate",
        "check_local_users": "check_local_users small_multiclusters",
        "check_metric": "check_metric",
        "check_placement": "check_placement",
        "check_protocol": "check_protocol",
        "check_rule": "check_rule",
        "check_upper_queue": "check_upper_queue",
        "drawing": "draw",
        "finding": "Check Finding",
        "grids": "GRID_CASES GridCase grid_case grid_crowd",
        "machines": "immediate_instances machines",
        "placement_cases": "PlacementCase placement_cases small_machines",
        "rooms": "FixedRoom",
        "workloads": "CASES Case case crowd",
    },
    aliases={"StillRoom": "FixedRoom", "check_arrangement": "check_protocol"},
)
