"""Options that several commands share, each written once."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer


def _folder(text: str) -> Path:
    """Return the folder named; an empty name would mean the folder one is in, which nobody types so."""
    if not text.strip():
        raise typer.BadParameter("needs the name of a folder, got an empty one")
    return Path(text)


Source: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="WORKLOAD", help="A file of jobs, - for standard input, or a data set's name."),
]
ScenarioSource: TypeAlias = Annotated[
    str, typer.Argument(metavar="WORKLOAD|SCENARIO.toml", help="A workload, as for info, or a scenario file.")
]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Format of WORKLOAD. Default: by its ending, else its content."),
]
Processors: TypeAlias = Annotated[
    int | None,
    typer.Option("--processors", metavar="N", help="Processors of the machine. Default: what the log says."),
]
Platform: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|PRESET",
        help="Sites of a grid or nodes of the machine: a platform file, or one of `echelon platforms`.",
    ),
]
Place: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Which cores a job takes, on a platform with nodes, as `echelon placements` lists them; "
        "FILE.py:NAME is your own. Default there: first-fit.",
    ),
]
Execution: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How fast tasks run on their cores: fixed, speed, memory-v1, memory-v2, memory-share. Default "
        "on nodes: speed if WORKLOAD says what its tasks ask for, else fixed. On a multicluster time-shared, "
        "with its parameters.",
    ),
]
Network: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How MPI jobs slow each other down between nodes: none (the default), constant, proportional.",
    ),
]
Sharing: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How tasks take turns on fewer cores than tasks: none (the default: the job waits), "
        "round-robin:quantum=0.1, fair.",
    ),
]
PowerCap: TypeAlias = Annotated[
    float | None, typer.Option(metavar="W", help="Most that the nodes may draw. Default: no limit.")
]
Governor: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="highest|lowest|capped",
        help="Frequency level of jobs: the fastest (the default), the slowest, or the fastest under the cap.",
    ),
]
SleepAfter: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="S", help="Seconds until an idle node is switched off. Default: as the nodes say."),
]
Release: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="by-kind|gang",
        help="When jobs give their cores back on nodes: a sequential job each when its task ends, an MPI job "
        "all together (the default), or every job all together.",
    ),
]
Sequential: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="one-node|straddle",
        help="Whether all tasks of a sequential job are in one node (the default), or wherever cores are "
        "idle.",
    ),
]
UpperQueue: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Which job is handed to which cluster next, on a multicluster, as `echelon policies` lists "
        "them: fcfs (the default there), fpfs, b, nb, b.rs, nb.rs ...",
    ),
]
QueueLimit: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="N|WORDS",
        help="Most jobs in the queue of a cluster: a number, unlimited (the default), stable, "
        "stable:predicted.",
    ),
]
CoAllocate: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How a job gets nodes of several clusters, as `echelon policies` lists them. Default: no job "
        "does.",
    ),
]
TwoPhase: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--two-phase/--one-phase",
        help="With --co-allocate: also start jobs that wait in a cluster on free nodes of several, or only "
        "those too large for every cluster (the default).",
    ),
]
LongestStay: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="S", help="Reject a job that has not started S seconds after its submission."),
]
LocalUsers: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="WORDS|FILE",
        help="Who is at work at the nodes of a multicluster: none (the default), a profile such as "
        "xwindows+internet:share=0.3, or a file of recorded loads.",
    ),
]
Watch: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="E,F,...",
        help="Estimators that are asked about every job besides --estimator, for their accuracy alone.",
    ),
]
History: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|URL",
        help="Past runs that estimators learn from, and that this one is added to: a file, sqlite:///FILE or "
        "postgresql://USER@HOST/DATABASE.",
    ),
]
Monitoring: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="WORDS",
        help="How loads of machines without queues are averaged and published: linear (the default) or "
        "exponential, with parameters, as in exponential:period=15:window=60:phase=zero.",
    ),
]
DecisionTime: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="own|S",
        help="Seconds that the broker takes for each decision on machines without queues and on "
        "multiclusters; own (the default): what its parameter decision says.",
    ),
]
Experience: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="warm|cold",
        help="What brokers know of CPU times on machines without queues before the run: the mean of each "
        "application (the default), or nothing.",
    ),
]
CpuUse: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="full|log",
        help="Whether jobs on machines without queues compute all the time (the default), or for the average "
        "CPU time that the log says.",
    ),
]
Estimates: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="raise|kill|exact|request",
        help="Requests shorter than the run time are raised to it (the default) or cut the job; "
        "or the scheduler knows the run times; or, on nodes, plans with requests that jobs may outlast.",
    ),
]
Dependencies: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="keep|ignore",
        help="Jobs wait for the ends of those that WORKLOAD says they wait for (the default), or come as it "
        "says.",
    ),
]
Estimator: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Who says how long jobs will run, on a multicluster also how long they will wait: request (the "
        "default: what --estimates says), exact, average:alpha=0.5, sdpn ..., as `echelon policies` lists "
        "them, or FILE.py:NAME.",
    ),
]
Passes: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="instant|event|pyss",
        help="When the policy decides: once an instant (the default), after every event, or as pyss does.",
    ),
]
Engine: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="auto|reference|compiled",
        help="Both give the same schedule; auto (the default) takes the compiled one when it can.",
    ),
]
Seed: TypeAlias = Annotated[
    int | None, typer.Option(metavar="N", help="Seed of all random choices. Default: 0.")
]
Strict: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--strict/--drop-invalid",
        help="Refuse a log with jobs that cannot be simulated, or drop and count them (the default).",
    ),
]
Metrics: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="FILE.py:NAME",
        help="A metric of your own, beside the built-in ones; may be repeated.",
    ),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", parser=_folder, help="Folder for the results. Default: nothing is written."),
]
Report: TypeAlias = Annotated[
    bool | None,
    typer.Option("--report/--no-report", help="Write report.html into DIR, too (the default), or do not."),
]
Figures: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="png|svg|pdf", help="Write the figures into DIR/figures, too, in this format."),
]
Traces: TypeAlias = Annotated[
    bool,
    typer.Option("--traces", help="Write traces.csv into DIR, too: the metrics as the run proceeds."),
]
Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print exact figures as JSON on stdout, and nothing else there.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
