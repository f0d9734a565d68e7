"""Transforms: pure functions from a workload to a workload, each recorded in its header.

Every one appends a line ``Note: transformed: ...`` to the header, which SWF files keep, so that what was
done to a log is shown wherever the log is. Columns not named are unchanged; so is the order of the jobs, save
where a function is there to change it.
"""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "cancellations": "keep_cancellations keeps_cancellations",
        "completeness": "complete find_incomplete is_complete",
        "dependency_models": "chains draw_dependencies layers",
        "estimate_models": "draw_estimates factor_estimates multiple_estimates",
        "estimates": "repair_estimates",
        "merging": "merge",
        "numbering": "renumber sort_by_submit",
        "moving": "submit_at_once",
        "popular_estimates": "known_popular popular_estimates",
        "record": "transformations",
        "scaling": "scale_load scale_run_times scale_size shift",
        "selection": "filter head keep_runnable window",
        "shaking": "shake",
        "tasks": "with_tasks",
        "time_limit": "limit_time time_limit_of",
    },
    aliases={"incomplete": "find_incomplete", "off_line": "submit_at_once", "runnable": "keep_runnable"},
)
