"""Co-allocation: nodes of several clusters for one job. One file per method."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "binary_program": "FirstFeasible NonSaturated Optimal",
        "contract": "PHYSICAL CoAllocation Reading Span SpanningProblem",
        "dynamic_program": "DynamicProgram",
        "heuristic": "Heuristic",
        "low_communication": "LowCommunication",
        "registry": (
            "CO_ALLOCATION CO_ALLOCATIONS co_allocation co_allocation_named format_co_allocation "
            "names_co_allocation"
        ),
        "rule": "SpanningRule",
        "rule_85": "Rule85",
        "threshold": "Threshold",
    },
    aliases={"co_allocation_words": "format_co_allocation"},
)
