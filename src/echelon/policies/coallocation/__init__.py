"""Co-allocation: nodes of several clusters for one job. One file per method."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "baselines": "LowCommunication Rule85",
        "binary_program": "FirstFeasible NonSaturated Optimal",
        "contract": "PHYSICAL CoAllocation Reading Span SpanningProblem",
        "dynamic_program": "DynamicProgram",
        "heuristic": "Heuristic",
        "registry": (
            "CO_ALLOCATION CO_ALLOCATIONS co_allocation co_allocation_named format_co_allocation "
            "names_co_allocation"
        ),
        "rule": "SpanningRule",
        "threshold": "Threshold",
    },
    aliases={"co_allocation_words": "format_co_allocation"},
)
