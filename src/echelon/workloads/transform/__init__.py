"""Transforms: pure functions from a workload to a workload, each recorded in its header.

Every one appends a line ``Note: transformed: ...`` to the header, which SWF files keep, so that what was
done to a log is shown wherever the log is. Columns not named are unchanged; so is the order of the jobs, save
where a function is there to change it.
"""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.workloads.transform.completeness import complete, incomplete, is_complete
    from echelon.workloads.transform.dependency_models import chains, draw_dependencies, layers
    from echelon.workloads.transform.estimate_models import draw_estimates
    from echelon.workloads.transform.estimates import repair_estimates
    from echelon.workloads.transform.factor_estimates import factor_estimates, multiple_estimates
    from echelon.workloads.transform.merging import merge
    from echelon.workloads.transform.numbering import renumber, sort_by_submit
    from echelon.workloads.transform.off_line import off_line
    from echelon.workloads.transform.popular_estimates import known_popular, popular_estimates
    from echelon.workloads.transform.record import transformations
    from echelon.workloads.transform.scaling import scale_load, scale_run_times, scale_size, shift
    from echelon.workloads.transform.selection import filter, head, runnable, window  # noqa: A004  (as in a library)
    from echelon.workloads.transform.shaking import shake
    from echelon.workloads.transform.tasks import with_tasks

__all__ = [
    "chains",
    "complete",
    "draw_dependencies",
    "draw_estimates",
    "factor_estimates",
    "filter",
    "head",
    "incomplete",
    "is_complete",
    "known_popular",
    "layers",
    "merge",
    "multiple_estimates",
    "off_line",
    "popular_estimates",
    "renumber",
    "repair_estimates",
    "runnable",
    "scale_load",
    "scale_run_times",
    "scale_size",
    "shake",
    "shift",
    "sort_by_submit",
    "transformations",
    "window",
    "with_tasks",
]

lazily(
    __name__,
    {
        "completeness": ("complete", "incomplete", "is_complete"),
        "dependency_models": ("chains", "draw_dependencies", "layers"),
        "estimate_models": ("draw_estimates",),
        "estimates": ("repair_estimates",),
        "factor_estimates": ("factor_estimates", "multiple_estimates"),
        "merging": ("merge",),
        "numbering": ("renumber", "sort_by_submit"),
        "off_line": ("off_line",),
        "popular_estimates": ("known_popular", "popular_estimates"),
        "record": ("transformations",),
        "scaling": ("scale_load", "scale_run_times", "scale_size", "shift"),
        "selection": ("filter", "head", "runnable", "window"),
        "shaking": ("shake",),
        "tasks": ("with_tasks",),
    },
)
