"""Testing: checks of your own rules, named tiny workloads and grids, strategies for hypothesis.

`echelon.testing.strategies` needs hypothesis and is therefore imported separately.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "backends": "BACKEND_CHECKS HARMLESS_CHECKS BackendCase check_backend",
        "checks.check": "check_policy",
        "checks.check_calendar": "check_calendar",
        "checks.check_broker": "check_broker",
        "checks.check_estimator": "check_estimator",
        "checks.check_immediate": "check_immediate",
        "checks.check_local_users": "check_local_users small_multiclusters",
        "checks.check_metric": "check_metric",
        "checks.check_placement": "check_placement",
        "checks.check_protocol": "check_protocol",
        "checks.check_rule": "check_rule",
        "checks.check_global_queue": "check_global_queue",
        "drawing": "draw",
        "finding": "Check Finding",
        "grids": "GRID_CASES GridCase grid_case grid_crowd",
        "machines": "immediate_instances machines",
        "placement_cases": "PlacementCase placement_cases small_machines",
        "rooms": "FixedRoom",
        "workloads": "CASES Case case crowd",
    },
    aliases={
        "StillRoom": "FixedRoom",
        "check_arrangement": "check_protocol",
        "check_upper_queue": "check_global_queue",
    },
)
