"""Settings of machines that change: failures, maintenance, reservations, and what becomes of the jobs hit."""

from __future__ import annotations

from functools import partial

from echelon.experiments.settings.setting import CHANGING, Setting

NONE = "none"
"""The word for nothing, with which a comparison asks for a run without."""

SYSTEM, BEGIN = ":system=", ":begin="
"""After a file of outages: which of its systems is meant; when in the log its first outage begins."""

_setting = partial(Setting, group=CHANGING)
_text = partial(_setting, types=(str,), least=1)
_choice = partial(_setting, types=(str,))
_seconds = partial(
    _setting,
    types=(float, str),
    least=0,
    unit="s",
    expected="seconds >= 0, or with a unit such as 5min",
    metavar="S",
    read="experiments.changes.change_values:seconds_of",
)

IN_TIME = (
    _text(
        name="outages",
        expected="a file of outages, none, or tables [[outage]]",
        about="file of outages: when nodes failed, were drained or maintained, default none",
        help="File of outages, recognized by its content: event trace of the Failure Trace Archive, LANL's "
        "failure data, node events of Slurm (sacctmgr -P show event), or a CSV with the columns node, down, "
        "up, kind, announced and site. FILE:system=NAME takes one of its systems; FILE:begin=TIME has its "
        "first outage begin at a time of the log, in seconds or as a date. Default: none.",
        python="str | Path | Outages | FailureTrace | Sequence[Mapping[str, Any]]",
        metavar="FILE",
        read="experiments.changes.outage_input:outages_of",
        write="experiments.changes.outage_input:format_outages",
        located="experiments.settings.values.locations:file_or_none",
        tables="outage",
        columns="availability.outage_row:COLUMNS",
    ),
    _text(
        name="failures",
        expected="a law of the times between failures, as after --failures",
        about="law by which nodes fail, default none",
        help="Law of the times between failures of each node: exponential:mean=1780h, "
        "weibull:shape=0.48,scale=817h, lognormal:mu=5,sigma=2,unit=h, gamma:shape=0.4,scale=4000h or "
        "constant:30d. of=machine: of the whole machine, whose failures hit a node at random; of=site, "
        "of=link: all nodes of a site, or below a link, fail together; burst=N: so many neighbors fail at "
        "once on average; start=stationary: nodes are not new at the start. Default: none.",
        python="str | FailureProcess | Law",
        metavar="LAW",
        read="experiments.changes.change_values:failures_of",
        write="experiments.changes.change_values:format_failures",
        offers=(
            "exponential:mean=1780h",
            "weibull:shape=0.48,scale=817h",
            "lognormal:mu=5,sigma=2,unit=h",
            "gamma:shape=0.4,scale=4000h",
            "constant:30d",
        ),
        is_rule=True,
        is_continued=True,
    ),
    _text(
        name="repair_times",
        expected="a law of the times of repairs, as after --repair-times",
        about="law of the times that repairs take, needed with failures",
        help="Law of the times that repairs take, with --failures: lognormal:mu=0.05,sigma=1.4,unit=h, "
        "constant:2h ...",
        python="str | Law",
        metavar="LAW",
        read="experiments.changes.change_values:repair_times_of",
        write="experiments.changes.change_values:format_repair_times",
        offers=("lognormal:mu=0.05,sigma=1.4,unit=h", "exponential:mean=6h", "constant:2h"),
        is_rule=True,
        is_continued=True,
    ),
    _setting(
        name="repair",
        types=(str, float),
        expected="unknown, known or estimate:SECONDS",
        about="what schedulers know of the end of a failure, default unknown",
        help="What schedulers know of the end of a failure while it lasts: nothing (unknown, the default), "
        "when it ends (known), or that repairs take so many seconds (estimate:SECONDS).",
        metavar="unknown|known|estimate:S",
        default="unknown",
        read="experiments.changes.change_values:repair_of",
        write="experiments.changes.change_values:format_repair",
        offers=("unknown", "known", "estimate:3600"),
    ),
    _choice(
        name="on_failure",
        expected="one of requeue, kill, slurm",
        about="what becomes of a job that loses a node, default requeue",
        help="What becomes of a job that loses a node: it waits again (requeue, the default), it is not run "
        "again (kill), or it waits as if submitted again 121 s later, as in Slurm (slurm).",
        metavar="requeue|kill|slurm",
        default="requeue",
        choices="availability.changes:ON_FAILURE",
    ),
    _choice(
        name="requeue_order",
        expected="one of keep, back",
        about="place of a requeued job in the queue, default keep",
        help="Place of a requeued job in the queue: by its first submission (keep, the default), or as if "
        "submitted again (back).",
        metavar="keep|back",
        default="keep",
        choices="availability.changes:REQUEUE_ORDERS",
    ),
    _seconds(
        name="requeue_delay",
        about="seconds until a requeued job joins the queue, default 0",
        help="Seconds until a requeued job joins the queue again. Default: 0; with --on-failure slurm 121.",
    ),
    _setting(
        name="max_requeues",
        types=(int,),
        least=0,
        expected="a whole number >= 0",
        about="how often a job is requeued before a failure ends it, default without limit",
        help="How often a job is requeued; after that a failure ends it. Default: without limit.",
        metavar="N",
    ),
    _text(
        name="maintenance",
        expected="START/LENGTH such as 86400/8h/weekly, several separated by semicolons",
        about="when nodes are maintained and no job may use them, default never",
        help="When nodes are maintained: START/LENGTH, START as a date on the clock of the log or in seconds "
        "of the log, then any of /daily, /weekly, /every=7d, /nodes=1-4+7, /announced=START and @SITE, "
        "several with semicolons between them: 2026-12-01T08:00/8h/weekly. Default: none.",
        metavar="SPEC",
        read="experiments.changes.change_values:canonical_maintenance",
    ),
    _text(
        name="reservations",
        expected="a file of reservations, none, or tables [[reservation]]",
        about="file of advance reservations, default none",
        help="File of advance reservations: a CSV with the columns name, nodes, start, end, users, accounts, "
        "flags and announced, or what sacctmgr -P show reservation prints. Default: none.",
        python="str | Path | Reservation | Sequence[Reservation | Mapping[str, Any]]",
        metavar="FILE",
        read="experiments.changes.reservation_input:reservations_of",
        write="experiments.changes.reservation_input:format_reservations",
        located="experiments.settings.values.locations:file_or_none",
        tables="reservation",
        columns="availability.reservations.reservation_row:COLUMNS",
    ),
    _choice(
        name="reservation_conflict",
        expected="one of kill, wait",
        about="what becomes of a job where maintenance or a reservation begins, default kill",
        help="What becomes of a job that runs where maintenance or a reservation begins that it may not use: "
        "it is killed (kill, the default), or runs on, and its nodes join when it ends (wait).",
        metavar="kill|wait",
        default="kill",
        choices="availability.changes:CONFLICTS",
    ),
    _setting(
        name="checkpoint",
        types=(str, float),
        expected="young, daly, optimal, none or seconds > 0",
        about="seconds of work between checkpoints of a job, or the rule that says them, default none",
        help="Seconds of work between checkpoints of a job, or the formula for them by how often its nodes "
        "fail: young, daly or optimal. Default: none, a requeued job begins again.",
        python="str | float | CheckpointRule",
        metavar="young|daly|optimal|S|none",
        read="experiments.changes.change_values:checkpoint_of",
        write="experiments.changes.change_values:format_checkpoint",
        offers=("young", "daly", "optimal", NONE),
    ),
    _seconds(
        name="checkpoint_cost",
        about="seconds that a checkpoint takes, default 0",
        help="Seconds that a checkpoint takes. Default: 0.",
    ),
    _seconds(
        name="restart_cost",
        about="seconds before work resumes after a failure, default 0",
        help="Seconds before the work of a requeued job resumes. Default: 0.",
    ),
    _seconds(
        name="checkpoint_mtbf",
        least=None,
        above=0,
        expected="seconds > 0, or with a unit such as 6h",
        read="experiments.changes.change_values:positive_seconds_of",
        about="mean seconds between failures of a job, for young, daly and optimal; default: by its nodes",
        help="Mean seconds between failures of a job, for young, daly and optimal. Default: those of a node "
        "by --failures, or as measured in --outages, divided by the number of its nodes; those of a whole "
        "site are not divided.",
    ),
    _choice(
        name="limit_per",
        expected="one of attempt, job",
        about="what the requested time limits, default attempt",
        help="What the requested time limits: each attempt (the default), or all attempts of a job together.",
        metavar="attempt|job",
        default="attempt",
        choices="availability.changes:LIMITS_PER",
    ),
)


def is_none(spec: object) -> bool:
    """Return whether a value is the word for nothing."""
    return isinstance(spec, str) and spec.strip().lower() == NONE
