"""The rows of the matrix: what a run may be asked for, and where it is refused, for which reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from system import special

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from system.invariants import Run

CLUSTERS = ("multicluster", "with reservations")
TREES = ("grid of nodes", "mixed tree", "grid of grids")
NO_NODES = dict.fromkeys(("one machine", "grid", "time-shared"), "no nodes")
ON_NODES = NO_NODES | dict.fromkeys(CLUSTERS, "nodes are shared")
ONLY_SHARED = dict.fromkeys(
    ("one machine", "nodes", "grid", "grid of nodes", "time-shared", "grid of grids"), "no owners"
)
SEVERAL = dict.fromkeys(("one machine", "nodes"), "one machine")
QUEUES = {"time-shared": "no queue"}


@dataclass(frozen=True)
class Variant:
    """One line of the matrix: what is asked for, on all columns.

    Parameters
    ----------
    row : str
        The row that it is of.
    name : str
        As the page shows it.
    options : mapping
        Settings of the run; a policy of None stands for none, whatever the column's.
    jobs : str, default ``"plain"``
        Which jobs.
    refused : mapping of str to str
        Name of a reason, by column.
    checks : mapping of callable to set of str
        What else must hold, where the column has leaves of one of these kinds.
    inexact : frozenset of str, default empty
        Kinds of leaves where run times depend on more than the general check works out.
    reserving : tuple of str, default EASY and conservative
        The policies whose reservations are kept: none where planned times do not hold; only conservative
        backfilling if jobs may join a queue ahead of its head.
    at : mapping of str to mapping
        Other settings on some columns: where only an inner site can be asked for it.
    unmeasured : mapping of str to str
        Name of a reason, by column, where there is a run but no energy to measure.
    """

    row: str
    name: str
    options: Mapping[str, Any]
    jobs: str = "plain"
    refused: Mapping[str, str] = field(default_factory=dict)
    checks: Mapping[Callable[[Run], None], frozenset[str]] = field(default_factory=dict)
    inexact: frozenset[str] = frozenset()
    reserving: tuple[str, ...] = ("easy", "conservative")
    at: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unmeasured: Mapping[str, str] = field(default_factory=dict)


RESERVING, ALONE = ("easy", "conservative"), ("conservative",)
ANY = frozenset({"count", "nodes", "shared", "time-shared"})
QUEUED = frozenset({"count", "nodes", "shared"})
WITH_NODES = frozenset({"nodes"})
ON_SHARED = frozenset({"shared"})


def backfillings() -> list[Variant]:
    """Return every backfilling, in order of arrival and in orders that change."""
    words = (
        *("fcfs", "first-fit", "easy", "easy:reservations=2", "conservative", "plan", "selective", "slack"),
        *("relaxed", "easy:wfp3", "conservative:shortest-first", "multifactor"),
    )
    found = [
        # Being the default, fcfs alone is no question to sites without queues.
        Variant("backfillings", f"`{word}`", {"policy": word}, refused={} if word == "fcfs" else QUEUES)
        for word in words
    ]
    shared = dict.fromkeys((*CLUSTERS, "mixed tree"), "one slot a node")
    one_node = Variant(
        "backfillings", "`node-backfill`", {"policy": "node-backfill"}, "narrow", refused=QUEUES | shared
    )
    return [*found, one_node]


def preemptive() -> list[Variant]:
    """Return the three preemptive schedulers, one of them with switches that take time."""
    words = ("srtf", "round-robin:quantum=10", "preemptive-priority:order=smallest-first", "srtf:switch=1")
    return [
        Variant(
            "preemption",
            f"`{word}`",
            {"policy": word},
            refused=QUEUES,
            checks={special.some_job_is_suspended: QUEUED},
        )
        for word in words
    ]


def estimators() -> list[Variant]:
    """Return every estimator of run times and waits."""
    given = ("request", "exact", "sdpn", "hanzich")
    learning = ("average", "smith", "li", "ibl", "hybrid", "corrected", "decisor")
    return [
        *(
            Variant(
                "estimators", f"`{one}`", {"estimator": one}, reserving=RESERVING if one == "request" else ()
            )
            for one in given
        ),
        *(
            Variant(
                "estimators",
                f"`{one}`",
                {"estimator": one},
                checks={special.averages_are_of_what_has_ended: ANY} if one == "average" else {},
                reserving=(),
            )
            for one in learning
        ),
    ]


def estimates() -> list[Variant]:
    """Return what may happen to requests that are too short."""
    cut = {special.some_job_is_cut: ANY}
    return [
        Variant("estimates", "`raise`", {"estimates": "raise"}),
        Variant("estimates", "`kill`", {"estimates": "kill"}, checks=cut),
        Variant("estimates", "`exact`", {"estimates": "exact"}),
        Variant(
            "estimates",
            "`request`",
            {"estimates": "request"},
            checks={special.some_job_overruns: ANY},
            reserving=(),
        ),
    ]


def cycles() -> list[Variant]:
    """Return every rule of when scheduling cycles take place."""
    several = dict.fromkeys(("grid", *CLUSTERS, *TREES), "one machine's order")
    return [
        Variant("cycles", "`instant`", {"cycles": "instant"}),
        Variant("cycles", "`event`", {"cycles": "event"}, refused={"time-shared": "no cycles"}),
        Variant("cycles", "`pyss`", {"cycles": "pyss"}, refused=several | {"time-shared": "no cycles"}),
    ]


def dependencies() -> list[Variant]:
    """Return jobs that wait for others, under several rules."""
    checks = {special.some_job_waits_for_others: ANY}
    return [
        Variant("dependencies", "jobs that wait for others", {}, "graph", checks=checks),
        Variant(
            "dependencies", "and are killed", {"estimates": "kill"}, "graph", checks=checks, reserving=()
        ),
    ]


def power() -> list[Variant]:
    """Return what concerns power: it is measured, scaled, capped, and nodes sleep."""
    measured = {special.energy_adds_up: WITH_NODES}
    capped = {special.the_cap_holds: WITH_NODES, special.the_cap_matters: frozenset({"only nodes"})}
    asleep = {special.nodes_sleep: WITH_NODES}
    unmeasured = NO_NODES | dict.fromkeys(CLUSTERS, "no power")
    cap = {"power_cap": 190}
    return [
        Variant("energy", "measured", {}, "tasks", checks=measured, unmeasured=unmeasured),
        Variant(
            "frequency",
            "`--governor lowest`",
            {"governor": "lowest"},
            "tasks",
            ON_NODES,
            measured,
            reserving=(),
        ),
        Variant(
            "frequency",
            "`--governor capped`",
            {**cap, "governor": "capped"},
            "tasks",
            ON_NODES,
            measured | capped,
            reserving=(),
        ),
        Variant(
            "sleep",
            "`--sleep-after 3`",
            {"sleep_after": 3},
            "tasks",
            ON_NODES,
            measured | asleep,
            reserving=(),
        ),
        Variant("power cap", "`--power-cap 190`", cap, "tasks", ON_NODES, measured | capped, reserving=()),
    ]


def contention() -> list[Variant]:
    """Return what slows tasks down beside each other: memory, network, cores that they share."""
    slowed = {special.no_job_is_faster: WITH_NODES, special.some_job_is_slowed: frozenset({"only nodes"})}
    by_factor = slowed | {special.communication_is_slowed_by_the_factor: WITH_NODES}
    found = [
        Variant("memory contention", "`memory-share`", {"execution": "memory-share"}, checks=slowed),
        Variant(
            "memory contention",
            "`memory-share:weights=equal`",
            {"execution": "memory-share:weights=equal"},
            checks=slowed,
            inexact=WITH_NODES,
        ),
        Variant(
            "network contention",
            "`proportional`",
            {"network": "proportional"},
            checks=slowed,
            inexact=WITH_NODES,
        ),
        Variant(
            "network contention",
            "`constant:factor=0.7`",
            {"network": "constant:factor=0.7"},
            checks=by_factor,
            inexact=WITH_NODES,
        ),
        Variant("sharing of cores", "`fair`", {"sharing": "fair"}, checks=slowed),
        Variant(
            "sharing of cores",
            "`round-robin:quantum=1`",
            {"sharing": "round-robin:quantum=1"},
            checks=slowed,
            inexact=WITH_NODES,
        ),
    ]
    return [
        Variant(v.row, v.name, v.options, "tasks", ON_NODES, v.checks, v.inexact, reserving=()) for v in found
    ]


def owners() -> list[Variant]:
    """Return shared nodes at which programs run, and owners come and go."""
    users = "xwin-internet:share=0.5:period=30"
    return [
        Variant("shared nodes", "MPI programs", {}, "programs", reserving=()),
        Variant(
            "local load",
            "`--local-users`",
            {"local_users": users},
            "programs",
            ONLY_SHARED,
            {special.owners_slow_jobs: ON_SHARED},
            ON_SHARED,
            reserving=(),
        ),
    ]


def co_allocation() -> list[Variant]:
    """Return rules that give one job nodes of several clusters."""
    words = ("threshold", "heuristic", "dp", "optimal", "rule-85:share=0.65", "low-communication")
    asked = [(f"`{word}`", {"co_allocate": word}) for word in words]
    asked.append(("`--two-phase`", {"co_allocate": "threshold", "two_phase": True}))
    suspending = ("srtf:switch=1", "round-robin:quantum=10", "preemptive-priority:order=smallest-first")
    asked += [(f"beside `{word}`", {"co_allocate": "threshold", "policy": word}) for word in suspending]
    queue = {"global_queue": "@campus/labs=fcfs"}
    return [
        Variant(
            "co-allocation",
            name,
            options,
            "wide",
            ONLY_SHARED,
            {special.some_job_spans_clusters: ON_SHARED}
            | ({special.some_job_is_suspended: frozenset({"only shared"})} if "policy" in options else {}),
            reserving=(),
            at={"mixed tree": options | queue},
        )
        for name, options in asked
    ]


def replication() -> list[Variant]:
    """Return what keeps or copies jobs: dispatchers, work queues with replicas, copies in several queues."""
    refused = SEVERAL | dict.fromkeys(CLUSTERS, "no clusters")
    refused |= dict.fromkeys(("grid", "grid of nodes", "grid of grids"), "for time-shared")
    copies = {special.some_job_has_copies: frozenset({"time-shared"})}
    words = ("min-min", "max-min", "sufferage", "fpltf", "wqr:replicas=2")
    return [
        *(
            Variant(
                "replication" if word.startswith("wqr") else "dispatchers",
                f"`{word}`",
                {"broker": word, "policy": None},
                refused=refused,
                checks=copies if word.startswith("wqr") else {},
                at={"mixed tree": {"broker": f"ml@campus/desks={word}", "policy": "easy"}},
            )
            for word in words
        ),
        Variant("replication", "`requests`", {"global_queue": "requests"}, refused=SEVERAL, reserving=()),
    ]


def protocols() -> list[Variant]:
    """Return the decentralized protocols, in trees those of one inner site."""
    refused = {"time-shared": "nothing waits"}
    return [
        Variant(
            "protocols",
            f"`{word}`",
            {"broker": word, "policy": None},
            refused=SEVERAL | refused,
            at={
                "mixed tree": {"broker": f"ml@campus/labs={word}", "policy": "easy"},
                "grid of grids": {"broker": f"ml@south={word}", "policy": "easy"},
            },
        )
        for word in ("exchange", "common-pool", "stealing")
    ]


def global_queues() -> list[Variant]:
    """Return the rules of global queues, with limits of the queues below."""
    rules = ("fcfs", "sjf", "fpfs", "backfilling", "b", "nb", "b.rs", "nb.rs", "pull")
    few = {special.waiting_jobs_are_few: ANY}
    return [
        *(
            Variant(
                "global queues",
                f"`{rule}`",
                {"global_queue": rule, "queue_limit": 2},
                refused=SEVERAL,
                checks=few,
                reserving=() if rule == "pull" else ALONE,
            )
            for rule in rules
        ),
        Variant(
            "global queues",
            "`--queue-limit stable`",
            {"global_queue": "nb.rs", "queue_limit": "stable"},
            refused=SEVERAL,
            reserving=ALONE,
        ),
        Variant(
            "rejections",
            "`--longest-stay 15`",
            {"global_queue": "fcfs", "longest_stay": 15},
            refused=SEVERAL,
            checks={special.some_job_is_rejected: QUEUED},
            reserving=(),
            at={column: {"longest_stay": 15} for column in CLUSTERS},
        ),
        Variant(
            "rejections",
            "and `--cycles event`",
            {"global_queue": "nb.rs", "queue_limit": 2, "longest_stay": 15, "cycles": "event"},
            refused=SEVERAL | {"time-shared": "no cycles"},
            checks={special.some_job_is_rejected: QUEUED},
            reserving=(),
        ),
    ]


def brokers() -> list[Variant]:
    """Return brokers of every level of information, and what they may know and need time for."""
    of_sums = ("random", "round-robin", "first-site", "home", "ml", "least-memory", "mpl", "mlb")
    of_schedules = ("mct", "mst", "tat", "ptt")
    by_load = ("cpu-load", "lottery", "wall-time", "met", "olb")
    queued = dict.fromkeys(("grid", "grid of nodes", *CLUSTERS, "grid of grids"), "for time-shared")
    return [
        *(Variant("brokers", f"`{word}`", {"broker": word}, refused=SEVERAL) for word in of_sums),
        # Those that plan ahead ask the policy about schedules that never come true.
        *(
            Variant("brokers", f"`{word}`", {"broker": word}, refused=SEVERAL, reserving=())
            for word in of_schedules
        ),
        *(
            Variant(
                "brokers",
                f"`{word}`",
                {"broker": word},
                refused=SEVERAL | queued,
                at={"mixed tree": {"broker": f"ml@campus/desks={word}"}},
            )
            for word in by_load
        ),
        Variant("brokers", "`--admissible 0.6`", {"admissible": 0.6, "broker": "ml"}, refused=SEVERAL),
        Variant("old information", "`--refresh 20`", {"refresh": 20, "broker": "ml"}, refused=SEVERAL),
        Variant(
            "levels of information",
            "`job-sizes`",
            {"information": "job-sizes", "broker": "mpl"},
            refused=SEVERAL,
        ),
        Variant("decisions that take time", "2 s", {"decision_time": 2, "broker": "ml"}, refused=SEVERAL),
    ]


VARIANTS: tuple[Variant, ...] = (
    *backfillings(), *preemptive(), *estimators(), *estimates(), *cycles(), *dependencies(), *power(),
    *contention(), *owners(), *co_allocation(), *replication(), *protocols(), *global_queues(), *brokers(),
)  # fmt: skip
"""In the order of the page."""

REPORTING = (
    "report with Gantt chart",
    "all measures, finite",
    "traces",
    "tables by site, node, user and class",
    "comparison",
    "study",
)
"""What is made of the results of a run on every column; see ``test_results_compose.py``."""
