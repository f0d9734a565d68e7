"""Settings of the jobs and of the machine: where they come from, and what is taken of what the log says."""

from __future__ import annotations

from functools import partial

from echelon.experiments.settings.setting import JOBS, MACHINE, Setting

_text = partial(Setting, group=JOBS, types=(str,))
_source = partial(_text, is_problem=True, rank=-2)

SOURCE = (
    _source(
        name="workload",
        noun="workload",
        least=1,
        expected="a path, the name of a data set or a model with its parameters",
        about="the jobs",
        located="experiments.settings.values.locations:workload",
        write="workloads.files.workload_reader:title_of",
        families=("workloads:DATASETS", "workloads:MODELS", "workloads.grid.spec:RECIPES"),
        is_rule=True,
        in_python=False,
        on_command_line=False,
    ),
    _source(
        name="format",
        expected="the name of a workload format",
        about="format of the workload, default by the file's extension",
        help="Format of WORKLOAD. Default: by its extension, else by its content.",
        metavar="NAME",
        families=("workloads:FORMATS",),
        check="workloads.formats.known_formats:format_named",
    ),
    _source(
        name="timezone",
        least=1,
        expected="a name of the tz database such as Europe/Madrid",
        about="time zone in which dates are read and shown, default that of the log, else UTC",
        help="Time zone of the log's clock, such as Europe/Madrid: dates without an offset are read in it, "
        "and dates are shown in it. Default: that of the log, else UTC.",
        metavar="ZONE",
        check="model.jobs.time_zone:zone_named",
        examples=("Europe/Madrid", "America/New_York"),
    ),
)

READING = tuple(setting.name for setting in SOURCE)
"""The settings that say which jobs are read, and how: those of one scenario begin after them."""

TREATMENT = (
    _text(
        name="estimates",
        expected="one of raise, kill, exact, request",
        about="default raise",
        help="What happens if a request is shorter than the run time: it is raised to the run time (raise, "
        "the default), or the job is killed at its request (kill). With exact the scheduler knows the "
        "run times; with request it plans with the requests, and jobs may run longer.",
        metavar="raise|kill|exact|request",
        default="raise",
        choices="model:ALL_ESTIMATES",
        common=True,
    ),
    _text(
        name="dependencies",
        expected="one of keep, ignore",
        about="whether jobs wait for the jobs that they depend on, default keep",
        help="Jobs wait until the jobs that they depend on in WORKLOAD have ended (keep, the default), or "
        "dependencies are ignored (ignore).",
        metavar="keep|ignore",
        default="keep",
        choices="model:DEPENDENCIES",
        is_problem=True,
    ),
    _text(
        name="cancellations",
        expected="one of ignore, keep",
        about="whether jobs that were canceled while they waited are simulated, default ignore",
        help="Jobs that were canceled in WORKLOAD before they ran, or left at their deadline, are left out "
        "(ignore, the default), or wait until then, and run for their requested time if they start before "
        "(keep).",
        metavar="ignore|keep",
        default="ignore",
        choices="workloads.transform.cancellations:CANCELLATIONS",
        is_problem=True,
    ),
)

STRICTNESS = (
    Setting(
        name="strict",
        group=JOBS,
        types=(bool,),
        expected="true or false",
        about="reject a workload with jobs that would be dropped, default false",
        help="Reject a workload with jobs that cannot be simulated. Default: drop and count them.",
        default=False,
        negative="--drop-invalid",
    ),
)


SIZES = (
    Setting(
        name="processors",
        group=MACHINE,
        types=(int,),
        least=1,
        expected="a whole number >= 1",
        about="processors of the machine, default those of the log's header",
        help="Processors of the machine. Default: those of the log's header.",
        metavar="N",
        common=True,
        is_problem=True,
    ),
    Setting(
        name="platform",
        group=MACHINE,
        types=(str,),
        expected="a platform file or the name of a preset",
        about="sites of a grid or nodes of the machine, default one machine without nodes",
        help="Sites of a grid or nodes of the machine: a platform file, or a preset of `echelon platforms`.",
        python="str | Path | Platform | Hardware | Sequence[int] | IntColumn",
        metavar="FILE|PRESET",
        check="platforms:platform_named",
        write="experiments.settings.values.value_format:platform",
        located="experiments.settings.values.locations:platform",
        families=("platforms.presets:PRESETS",),
        common=True,
        is_problem=True,
    ),
)
