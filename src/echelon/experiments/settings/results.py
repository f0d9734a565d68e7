"""Settings of the results: what is measured beside the built-in metrics, and what is written."""

from __future__ import annotations

from echelon.experiments.settings.groups import RESULTS
from echelon.experiments.settings.setting import Setting

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
    Setting(
        name="out",
        group=RESULTS,
        types=(str,),
        least=1,
        expected="a path",
        about="folder for the results, default none",
        help="Folder for the results. Default: nothing is written.",
        metavar="DIR",
        located="experiments.settings.values.locations:path",
        varies=False,
        in_python=False,
        common=True,
        not_in_studies="each run has a folder in that of the study; give `out` at the top of the file",
    ),
    Setting(
        name="log_waits",
        group=RESULTS,
        types=(bool,),
        expected="true or false",
        about="show the waits of the log beside the simulated ones, default for accounting alone",
        help="Show how long jobs waited in the log beside the simulated waits, also in DIR and its report: "
        "does the simulation reproduce the machine? Default: for the accounting of a batch system.",
        negative="--no-log-waits",
        varies=False,
        in_python=False,
        not_in_studies="a study compares runs, not a run with its log",
    ),
    Setting(
        name="dates",
        group=RESULTS,
        types=(str,),
        expected="one of seconds, iso",
        about="whether jobs.csv also has dates, default seconds alone",
        help="Give jobs.csv also the dates of submission, start and end in ISO 8601 (iso), on the clock of "
        "--timezone. Default: seconds of the log alone (seconds).",
        metavar="seconds|iso",
        default="seconds",
        choices="experiments.tables.dates:DATES",
        varies=False,
        in_python=False,
        not_in_studies="a study has no table of jobs",
    ),
    Setting(
        name="report",
        group=RESULTS,
        types=(bool,),
        expected="true or false",
        about="also write report.html into out, default true",
        help="Also write report.html into DIR (the default), or do not.",
        negative="--no-report",
        varies=False,
        in_python=False,
        not_in_studies="the study has one page for all its runs",
    ),
)
