"""Changes to the jobs before they are simulated: settings of runs, of ``convert`` and of `change_jobs`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from echelon.experiments.settings.setting import JOB_CHANGES, JOBS, Setting


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Change(Setting):
    """A setting that changes the jobs.

    Parameters
    ----------
    by : str
        The function of `echelon.workloads.transform` that makes the change; neighbors with the same one are
        made in one call.
    arguments : tuple of str, default empty
        Its arguments that the value fills: one, or one for each item of a list; none for a flag.
    draws : bool, default False
        Whether it draws random numbers, by a seed.
    """

    by: str
    arguments: tuple[str, ...] = ()
    draws: bool = False


# Runs of the same jobs stand together in a comparison, so that nothing varies more slowly.
_change = partial(Change, group=JOB_CHANGES, is_problem=True, rank=-1, expected="", about="")
_flag = partial(_change, types=(bool,), expected="true or false", default=False)
_count = partial(_change, types=(int,), least=1, expected="a whole number >= 1", metavar="N")
_moment = partial(_change, by="window", types=(float,), metavar="S")
_text = partial(_change, arguments=("spec",), types=(str,), least=1, is_rule=True)
_limit = partial(Change, group=JOBS, by="limit_time", is_problem=True)

DROP_INVALID = _flag(
    name="drop_invalid", by="keep_runnable", help="Drop jobs without a run time, a size or a submit time."
)
WINDOW = _change(
    name="window",
    by="window",
    arguments=("start", "end"),
    types=(list, float),
    least=2,
    expected="a list of two times in seconds, the first before the second",
    about="keep the jobs submitted at or after the first and before the second, default all",
    help="Only jobs submitted at FROM seconds of the log or later, and before TO.",
    listed="Only jobs submitted at FROM seconds of the log or later, and before TO. Semicolons separate "
    "several windows.",
    python="Sequence[float]",
    metavar="FROM,TO",
    read="experiments.settings.values.value_reader:window",
    write="experiments.settings.values.value_format:window",
    examples=([0, 604800],),
)
WINDOW_START = _moment(
    name="window_start", arguments=("start",), help="Only jobs submitted at S seconds of the log or later."
)
WINDOW_END = _moment(
    name="window_end", arguments=("end",), help="Only jobs submitted before S seconds of the log."
)
SKIP = _count(
    name="skip",
    by="head",
    arguments=("skip",),
    least=0,
    default=0,
    expected="a whole number >= 0",
    about="jobs to skip at the beginning, default 0",
    help="Skip the first N jobs.",
)
FIRST = _count(
    name="first",
    by="head",
    arguments=("first",),
    about="how many jobs to keep after those skipped, default all",
    help="Only the first N jobs, after those skipped.",
)
LOAD = _change(
    name="load",
    by="scale_load",
    arguments=("factor",),
    types=(float,),
    above=0,
    default=1,
    expected="a number > 0",
    about="factor on the offered load: interarrival times are divided by it, default 1",
    help="Divide interarrival times by F, which multiplies the load by F.",
    earlier_option="--scale-load",
    metavar="F",
    examples=(0.8, 1.2),
)
SCALE_SIZE = _count(
    name="scale_size",
    by="scale_size",
    arguments=("processors",),
    about="machine size, in processors, to which the jobs' sizes are scaled, default no scaling",
    help="Scale job sizes to a machine of N processors.",
)
SHAKE_BY = _count(
    name="shake_by",
    by="shake",
    arguments=("seconds",),
    draws=True,
    unit="s",
    about="largest random shift of each submit time, in seconds, either way, default none",
    help="Move each submit time at random by up to S seconds, either way, with --seed.",
    metavar="S",
)
OFF_LINE = _flag(
    name="off_line",
    by="submit_at_once",
    negative="--no-off-line",
    about="submit all jobs at second 0, in the order of their submit times, default false",
    help="Submit all jobs at second 0, in the order of their submit times.",
)
REPAIR_ESTIMATES = _flag(
    name="repair_estimates",
    by="repair_estimates",
    negative="--no-repair-estimates",
    about="raise a requested time that is missing or below the run time to the run time, default false",
    help="Raise a requested time that is missing or below the run time to the run time.",
)
ESTIMATES_MODEL = _text(
    name="estimates_model",
    by="draw_estimates",
    draws=True,
    expected="a model of users' estimates, as after generate --estimates-model",
    about="model that draws the requested times, default those of the log",
    help="Draw requested times from a model, with --seed: popular, factor:f=3, multiple:factor=2. Default: "
    "those of the log.",
    metavar="MODEL",
    check="experiments.study.run.workload_spec:check_estimates_model",
    families=("workloads.transform.estimate_models:MODELS",),
    examples=("factor:f=3", "popular"),
)
DEPENDENCIES_MODEL = _text(
    name="dependencies_model",
    by="draw_dependencies",
    draws=True,
    expected="a model of dependencies, as after generate --dependencies-model",
    about="draws dependencies between jobs, default those of the log",
    help="Draw dependencies between jobs, with --seed: chains:share=0.5, layers:size=20. Default: those of "
    "the log.",
    metavar="MODEL",
    check="experiments.study.run.workload_spec:check_dependencies_model",
    families=("workloads.transform.dependency_models:MODELS",),
    examples=("chains:share=0.5", "layers:size=20"),
)
SORT = _flag(name="sort", by="sort_by_submit", help="Sort jobs by submit time.")
RENUMBER = _flag(name="renumber", by="renumber", help="Number the jobs 1, 2, 3 ...")
MAX_TIME = _limit(
    name="max_time",
    arguments=("max_time",),
    types=(float, str),
    above=0,
    unit="s",
    expected="a time > 0 such as 24h, 30min, 1-12:00:00 or seconds",
    about="time limit of all jobs, default those of the log alone",
    help="Time limit of all jobs, such as 24h, 1-12:00:00 or seconds: longer requests are cut to it, and "
    "jobs that ran longer end there; see --longer-jobs. Default: the requests of the log alone.",
    metavar="T",
    read="experiments.settings.values.value_reader:time_limit",
    write="experiments.settings.values.value_format:format_time",
    examples=("24h", "1-12:00:00"),
)
LONGER_JOBS = _limit(
    name="longer_jobs",
    arguments=("longer_jobs",),
    types=(str,),
    expected="one of cut, drop",
    about="what becomes of jobs that request more than max_time, default cut",
    help="What becomes of jobs that request more than --max-time: they are cut to it (cut, the default), or "
    "left out, as if they had not been submitted (drop).",
    metavar="cut|drop",
    choices="workloads.transform.time_limit:LONGER_JOBS",
)
TASKS = _text(
    name="tasks",
    by="with_tasks",
    expected="a kind of tasks, as after convert --tasks",
    about="gives the jobs tasks, default those of the log",
    help="Give the jobs tasks: mpi (the default for workload.json), sequential or by-size:cores=16; "
    "parameters after a colon are speed=, ipc=, memory=, volume=, comm= and compute=.",
    metavar="KIND",
    check="workloads.transform.tasks:kind_and_values",
    offers=("mpi", "sequential", "by-size:cores=16"),
    examples=("mpi", "by-size:cores=16"),
)

# Sizes and times between submissions are scaled in the order that stored results and files have always had.
OF_FILES: tuple[Change, ...] = (
    *(DROP_INVALID, WINDOW_START, WINDOW_END, SKIP, FIRST, LOAD, SCALE_SIZE, SHAKE_BY, OFF_LINE),
    *(REPAIR_ESTIMATES, ESTIMATES_MODEL, DEPENDENCIES_MODEL, MAX_TIME, LONGER_JOBS, SORT, RENUMBER, TASKS),
)
"""Changes that ``convert`` and `echelon.change_jobs` make, in this order."""

TIME_LIMIT: tuple[Change, ...] = (MAX_TIME, LONGER_JOBS)
"""The time limit of jobs, which is set after all other changes that a run asks for."""

OF_MODELS: tuple[Change, ...] = (ESTIMATES_MODEL, DEPENDENCIES_MODEL)
"""Changes that ``generate`` makes to drawn jobs."""

OF_RUNS: tuple[Change, ...] = (
    *(WINDOW, SKIP, FIRST, SCALE_SIZE, LOAD, SHAKE_BY, OFF_LINE),
    *(REPAIR_ESTIMATES, ESTIMATES_MODEL, DEPENDENCIES_MODEL, TASKS),
)
"""Changes that a run, or a run of a study, may ask for, in the order in which they are made."""

DRAWING = frozenset(change.name for change in OF_RUNS if change.draws)
"""Those that draw random numbers."""

WORKLOAD_SEED = Setting(
    name="workload_seed",
    group=JOB_CHANGES,
    types=(int,),
    least=0,
    expected="a whole number >= 0",
    about="seed of the workload's random draws, default the seed of the run",
    help="Seed of what changes to the jobs draw, with --shake-by, --estimates-model and "
    "--dependencies-model. Default: that of the run.",
    metavar="N",
    rank=-1,
    is_problem=True,
)

CHANGES: tuple[Setting, ...] = (*OF_RUNS, WORKLOAD_SEED)
"""Settings of what is done to the jobs before they are simulated, in this order."""
