"""Settings of the jobs: where they come from, and what is taken of what the log says."""

from __future__ import annotations

from echelon.experiments.settings.groups import JOBS
from echelon.experiments.settings.setting import Setting

SOURCE = (
    Setting(
        name="workload",
        group=JOBS,
        types=(str,),
        least=1,
        expected="a path, a data set's name or a model's words",
        about="the jobs",
        located="experiments.settings.locations:workload",
        families=("workloads:DATASETS", "workloads:MODELS", "workloads.grid.ready:RECIPES"),
        is_rule=True,
        is_problem=True,
        varies=False,
        in_python=False,
        on_command_line=False,
    ),
    Setting(
        name="format",
        group=JOBS,
        types=(str,),
        expected="a workload format's name",
        about="default by the file's ending",
        help="Format of WORKLOAD. Default: by its ending, else its content.",
        metavar="NAME",
        families=("workloads:FORMATS",),
        check="workloads.formats.known_formats:format_named",
        is_problem=True,
        varies=False,
        in_python=False,
    ),
)

TREATMENT = (
    Setting(
        name="estimates",
        group=JOBS,
        types=(str,),
        expected="one of raise, kill, exact, request",
        about="default raise",
        help="Requests shorter than the run time are raised to it (the default) or cut the job; "
        "or the scheduler knows the run times; or, on nodes, plans with requests that jobs may outlast.",
        metavar="raise|kill|exact|request",
        default="raise",
        choices="model:ESTIMATES_ON_NODES",
        common=True,
    ),
    Setting(
        name="dependencies",
        group=JOBS,
        types=(str,),
        expected="one of keep, ignore",
        about="whether jobs wait for those they name, default keep",
        help="Jobs wait for the ends of those that WORKLOAD says they wait for (the default), or come as it "
        "says.",
        metavar="keep|ignore",
        default="keep",
        choices="model:DEPENDENCIES",
        is_problem=True,
    ),
)

STRICTNESS = (
    Setting(
        name="strict",
        group=JOBS,
        types=(bool,),
        expected="true or false",
        about="refuse a log with jobs that would be dropped, default false",
        help="Refuse a log with jobs that cannot be simulated, or drop and count them (the default).",
        default=False,
        negative="--drop-invalid",
    ),
)
