"""Settings of the simulation itself and of its results: what else is measured, and what is written."""

from __future__ import annotations

from functools import partial

from echelon.experiments.settings.setting import RESULTS, SIMULATION, Setting

ENGINE = (
    Setting(
        name="engine",
        group=SIMULATION,
        types=(str,),
        expected="one of auto, reference, compiled",
        about="default auto",
        help="Engine; all give the same schedule. auto (the default) takes the compiled engine where it can.",
        metavar="auto|reference|compiled",
        default="auto",
        choices="experiments.simulation:ENGINES",
    ),
    Setting(
        name="seed",
        group=SIMULATION,
        types=(int,),
        least=0,
        expected="a whole number >= 0",
        about="seed of all random draws, default 0",
        help="Seed of all random draws. Default: 0.",
        metavar="N",
        default=0,
        common=True,
    ),
)


_output = partial(Setting, group=RESULTS, varies=False, in_python=False)
_flag = partial(_output, types=(bool,), expected="true or false")

OUTPUT = (
    Setting(
        name="metrics",
        group=RESULTS,
        types=(list, str),
        expected="a list of FILE.py:NAME",
        about="your own metrics, default none",
        help="Your own metric, in addition to the built-in ones; may be repeated.",
        python="Sequence[str | Metric]",
        metavar="FILE.py:NAME",
        option="--metric",
        default=(),
        check="metrics:own_metrics",
        located="experiments.settings.values.locations:rule",
        varies=False,
    ),
    _output(
        name="out",
        types=(str,),
        least=1,
        expected="a path",
        about="folder for the results, default none",
        help="Folder for the results. Default: nothing is written.",
        metavar="DIR",
        located="experiments.settings.values.locations:path",
        common=True,
        not_in_studies="each run has a folder in that of the study; give `out` at the top of the file",
    ),
    _flag(
        name="log_waits",
        about="show the waits of the log beside the simulated ones, default for accounting alone",
        help="Show how long jobs waited in the log beside the simulated waits, also in DIR and its report: "
        "does the simulation reproduce the machine? Default: for the accounting of a batch system.",
        negative="--no-log-waits",
        not_in_studies="a study compares runs, not a run with its log",
    ),
    _output(
        name="dates",
        types=(str,),
        expected="one of seconds, iso",
        about="whether jobs.csv also has dates, default seconds alone",
        help="Give jobs.csv also the dates of submission, start and end in ISO 8601 (iso), on the clock of "
        "--timezone. Default: seconds of the log alone (seconds).",
        metavar="seconds|iso",
        default="seconds",
        choices="experiments.tables.dates:DATES",
        not_in_studies="a study has no table of jobs",
    ),
    _flag(
        name="report",
        about="also write report.html into out, default true",
        help="Also write report.html into DIR (the default), or do not.",
        negative="--no-report",
        not_in_studies="the study has one page for all its runs",
    ),
)
