"""The reference pages, each made from the code it describes."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any, get_type_hints

import co_allocation
import docstrings
import execution
import history
import multiclusters
import rule_tables
import service_store
import settings
import sources
import study
from rules import described
from tables import codes, explicit_unit, summary, table, unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from echelon.experiments.tables.columns import Column
    from echelon.metrics import Metric

MADE = "<!-- Made from the code by `make docs`; change the docstrings instead. -->\n\n"


def policies() -> str:
    """Return the page on orders and backfillings."""
    from echelon.policies.backfill import ALIASES, BACKFILLS
    from echelon.policies.estimators import ESTIMATORS
    from echelon.policies.order import ORDERS
    from echelon.policies.policy import POLICY
    from echelon.policies.preemptive import PREEMPTIVE
    from echelon.rules import parameters

    orders = [
        (
            f"`{rule.name}`",
            summary(rule.name, rule.summary),
            codes(rule.aliases),
            sources.cited(rule.source, rule.name),
        )
        for rule in ORDERS
    ]
    parts = [
        "# Policies\n\nA policy is an *order* (which waiting job next?) and a *backfilling* (which jobs "
        "may overtake, under which reservation?). Any order goes with any backfilling. An order alone "
        "means no backfilling; a backfilling alone means `fcfs`; `easy:shortest-first` is both. Parameters "
        "follow, `easy:reservations=2`, `multifactor:half-life=14d:qos=high=1+normal=0.5` or "
        "`easy(candidates=shortest-first, fit=best-fit):largest-first`; "
        "quote parentheses in a shell. In every order ties "
        "are broken by submit time, then by the job's place in the workload. Exact definitions are in "
        "[Time, ties, scheduling cycles and estimates](../explanation/semantics.md).\n\n"
        "`FILE.py:NAME` names your own policy: see [Write your own policy](../how-to/own-policy.md).",
        "## Orders\n\n" + table(("Word", "First job", "Also called", "Source"), orders),
        "*Planned time* is what the scheduler plans with, by `--estimates`; a policy never sees the run time "
        "of a job that has not ended. In formulas w is the wait, e the planned time and s the submit time, "
        "in seconds, and n the number of processors.",
    ]
    weighed = [rule for rule in ORDERS if parameters(rule.rule)]
    parts += [f"### {rule.name}\n\n{described(rule.name, type(rule.rule))}" for rule in weighed]
    parts.append("## Backfillings")
    for kind in BACKFILLS:
        aliases = [alias for alias, name in ALIASES.items() if name == kind.name]
        also = f"Also called {codes(aliases)}. " if aliases else ""
        cited = f"{also}Source: {sources.cited(kind.source, kind.name)}."
        parts.append(f"### {kind.name}\n\n{cited}\n\n{described(kind.name, kind)}")
    parts.append(
        "## Preemptive policies\n\nWhole schedulers that suspend running jobs and resume them later; "
        "the exact rules are in [Preemption](../explanation/preemption.md). An order after the "
        "name matters to `round-robin` only, for jobs submitted together."
    )
    for policy in PREEMPTIVE:
        aliases = POLICY.aliases(policy.name)
        also = f"Also called {codes(aliases)}. " if aliases else ""
        cited = f"{also}Source: {sources.cited(policy.source, policy.name)}."
        parts.append(f"### {policy.name}\n\n{cited}\n\n{described(policy.name, policy)}")
    parts.append(
        "## Estimators\n\nAfter `--estimator`: how long a job is expected to run. What happens when a "
        "prediction proves too short is in [Time, ties, scheduling cycles and estimates]"
        "(../explanation/semantics.md#predictions-and-their-corrections)."
    )
    for kind in ESTIMATORS:
        cited = f"Source: {sources.cited(kind.source, kind.name)}."
        parts.append(f"### {kind.name}\n\n{cited}\n\n{described(kind.name, kind)}")
    return "\n\n".join(parts)


def brokers() -> str:
    """Return the page on brokers and decentralized protocols."""
    from echelon.cli.listing.brokers import LEVELS
    from echelon.policies import (
        DISPATCHERS,
        IMMEDIATE_STRATEGIES,
        PROTOCOLS,
        STRATEGIES,
        Admissible,
        DispatchView,
        GridView,
        ImmediateView,
        ProtocolView,
    )

    parts = [
        "# Brokers\n\nOn a [grid](../how-to/grids.md) a broker chooses the site of each job when it arrives; "
        "the site's own policy does the rest. What a broker may ask is its *level of information* (`sites`, "
        "`job-counts`, `job-sizes`, `estimates` or `schedules`, as `--information` names them), each "
        "including those below; asking for more is an error. Ties go to the lowest site: the smallest, of "
        "equal ones the first in the platform's file. In formulas s_i are the processors of site i, l_i or "
        "n_i its jobs, size_k and p'_k a job's processors and planned time, and t_w a wait.\n\n"
        "Parameters follow after colons, `mct:of=job`. Every strategy takes `grid-state`, `actual` (what "
        "the sites know now, the default of most) or `planned` (the broker's own schedule, in which jobs run "
        "for their planned times and never end earlier). Labels and records keep the earlier names, "
        "`belief=execution` and `belief=allocation`, which are also read. `FILE.py:NAME` is "
        "[your own broker](../how-to/own-broker.md).",
    ]
    for level, known in enumerate(LEVELS):
        parts.append(f"## Level {level}: {'also ' * (level > 0)}{known}")
        parts += [_broker(kind) for kind in STRATEGIES if kind.information == level]
    parts.append(
        "## On time-shared machines\n\nSites on which every job starts at once and shares the cores. Any "
        "broker above may choose among them; those here use what only such machines provide: the load "
        "averages that they publish, and the CPU times of earlier jobs of an application. Elsewhere they "
        "are refused. Every broker takes `decision` there and on multiclusters, the seconds that a decision "
        "takes."
    )
    parts += [_broker(kind) for kind in IMMEDIATE_STRATEGIES]
    parts.append(
        "## Dispatchers\n\nAlso on time-shared machines, but they see all jobs that are not dispatched "
        "yet: they may let jobs wait, map many together, or run copies of one."
    )
    parts += [_broker(kind) for kind in DISPATCHERS]
    parts.append(
        "## Decentralized protocols\n\nProtocols by which sites exchange waiting jobs, named in the same "
        "place; local policies are not used. What each does at an instant is described in "
        "[Decentralized grids](../explanation/decentralized-grids.md)."
    )
    parts += [_broker(kind) for kind in PROTOCOLS.values()]
    parts.append("## Admissibility\n\n" + docstrings.whole(Admissible))
    for view in (GridView, ImmediateView, DispatchView, ProtocolView):
        parts += [f"## {view.__name__}\n\n{docstrings.whole(view)}", *docstrings.members(view)]
    return "\n\n".join(parts)


def _broker(kind: Any) -> str:  # noqa: ANN401  (any class with a name and a source)
    return (
        f"### {kind.name}\n\nSource: {sources.cited(kind.source, kind.name)}.\n\n{described(kind.name, kind)}"
    )


def placements() -> str:
    """Return the page on placements."""
    from echelon.policies import ALLOCATORS, RESOURCE_ORDERS, SEARCHES, IdleCore, NodeSearch, Placement, Room
    from echelon.policies.placement import PLACEMENT

    orders = [
        (
            f"`{kind.name}`",
            docstrings.markdown(docstrings.parsed(kind).summary),
            codes(PLACEMENT.aliases(kind.name)),
            sources.cited(kind.source, kind.name),
        )
        for kind in RESOURCE_ORDERS
    ]
    searches = [(f"`{one.name}`", one.summary, sources.cited(one.source, one.name)) for one in SEARCHES]
    parts = [
        "# Placements\n\nOn a machine with nodes a placement chooses the cores of each job that starts. It "
        "is a *node search* (which node?) in a *resource order* (which cores first?): `best-fit:low-power` "
        "is both, `best-fit` alone follows the cores' numbers, `low-power` alone is first-fit in that order. "
        "Capitals and underscores do as well. `FILE.py:NAME` is [your own placement]"
        "(../how-to/own-placement.md).",
        "## Node searches\n\n" + table(("Word", "Which node of a sequential job", "Source"), searches),
        described("node search", NodeSearch),
        "## Resource orders\n\n" + table(("Word", "Which core is first", "Also called", "Source"), orders),
    ]
    parts += [
        f"### {kind.name}\n\n{docstrings.markdown(notes)}"
        for kind in RESOURCE_ORDERS
        if (notes := docstrings.parsed(kind).sections.get("Notes"))
    ]
    if ALLOCATORS:
        parts.append("## Allocators\n\nThey follow the network between the nodes and take no resource order.")
        parts += [_broker(kind) for kind in ALLOCATORS]
    for view in (IdleCore, Placement, Room):
        parts += [f"## {view.__name__}\n\n{docstrings.whole(view)}", *docstrings.members(view)]
    return "\n\n".join(parts)


def metrics() -> str:
    """Return the page on metrics."""
    from echelon.metrics import (
        GRID_STUDY,
        METRICS,
        TRACED,
        forecast_accuracy,
        log_waits,
        metric_named,
        per_class,
        per_code,
        per_user,
        trace,
    )
    from echelon.metrics.tables.code_table import summarize_groups

    rows = [
        (
            f"`{metric.name}`",
            explicit_unit(metric.name, metric.unit),
            f"`{summary(metric.name, metric.formula)}`",
            _range(metric),
            {"low": "low", "high": "high", None: ""}[metric.better],
            sources.cited(metric.source, metric.name),
        )
        for metric in METRICS
    ]
    return "\n\n".join(
        (
            "# Metrics\n\nEvery metric of a whole schedule, in the order of `metrics.json` and "
            "`result.metrics`. Times are in seconds; unit 1 is a ratio. `run` is the time a job really ran "
            "(with `--estimates kill` at most its request), `size` its processors, `processors` those of "
            "the machine. No value leaves the range, and intervals of means are shown within it.",
            table(("Name", "Unit", "Formula", "Range", "Good is", "Source"), rows),
            "## On a multicluster\n\nNodes are shared there, which changes what some of these say. "
            "`processors` are the tasks that nodes may hold at once, nodes times the multiprogramming level, "
            "so that `utilization` is the share of task slots; how long nodes were busy says "
            "`node_utilization`. `run` is the time that a job took beside others and owners, so that "
            "slowdowns and bounded slowdowns count its waits alone; what sharing cost says "
            "`mean_execution_slowdown`. `lower_bound` and `competitive_ratio` take these run times as given, "
            "though another schedule would have changed them: they compare nothing there. Waits begin with "
            "the submission; a turnaround as the M-CISNE thesis measures it in places begins with the "
            "delivery to a cluster, see "
            "`mean_turnaround_from_delivery`.\n\n" + docstrings.whole(forecast_accuracy),
            "## On time-shared machines\n\nJobs share cores there, which changes what some of these say. "
            "A run time is the execution time, from dispatch to end. `utilization`, `grid_utilization`, "
            "`lower_bound` and `competitive_ratio` use the work done, in seconds of a processor of speed "
            "1, of sum(processors * speed). The `area` of a site or user is the processors that jobs had of "
            "those they shared. Slowdowns count waits alone, of which there are none unless decisions take "
            "time or a dispatcher lets jobs wait; what sharing and slow machines cost says "
            "`mean_execution_slowdown`.",
            "## By the symbols of the grid study\n\nWhat its tables call rho, SD_b or WWT_s. It leaves the "
            "weight of WTA open; its tables tell that it is the size, see `echelon.metrics.GRID_STUDY`. Its "
            "sum of waits, SWT, is `total_wait`.",
            table(
                ("Symbol", "Name", "Good is"),
                [
                    (symbol, f"`{name}`", str(metric_named(name).better))
                    for symbol, name in GRID_STUDY.items()
                ],
            ),
            "## As the run proceeds\n\n`result.trace(NAME)` and, of all together, `result.traces()`; in "
            "`echelon.metrics`. They exist of " + codes(TRACED) + ".\n\n" + docstrings.whole(trace),
            "## By user\n\n" + docstrings.whole(per_user),
            "## By partition, queue or account\n\n" + docstrings.whole(per_code),
            "## Waits in the log\n\n" + docstrings.whole(log_waits),
            "## By class of size and length\n\n" + docstrings.whole(per_class),
            "## Columns of both tables\n\n" + docstrings.whole(summarize_groups, skip=("schedule", "groups")),
            "## What figures draw\n\nFunctions of columns behind the report's panels and the figures of "
            "`echelon.plotting`, in `echelon.metrics`; see [Read the report](../how-to/read-the-report.md).",
            *(f"### {figure.__name__}\n\n" + docstrings.whole(figure) for figure in _figures()),
        )
    )


def _range(metric: Metric) -> str:
    """Return the range of a metric: ``0 to 1``, ``>= 0``."""
    least, most = (None if end is None else f"{end:g}" for end in (metric.least, metric.most))
    if most is None:
        return "" if least is None else f">= {least}"
    return f"<= {most}" if least is None else f"{least} to {most}"


def _figures() -> tuple[Callable[..., object], ...]:
    """Return the functions of columns that figures draw."""
    from echelon import metrics

    return (
        metrics.log_axis,
        metrics.share_above,
        metrics.share_at_most,
        metrics.class_grid,
        metrics.user_means,
        metrics.jain_index,
        metrics.lorenz_curve,
        metrics.gini_coefficient,
        metrics.start_differences,
        metrics.difference_edges,
        metrics.difference_histogram,
        metrics.arrivals,
        metrics.cells,
        metrics.jobs_per_size,
        metrics.jobs_per_power_of_two,
    )


def analysis() -> str:
    """Return the page on what measured values of several strategies say."""
    from echelon import analysis

    things = {name: getattr(analysis, name) for name in analysis.__all__}
    functions = {name: thing for name, thing in things.items() if inspect.isfunction(thing)}
    types = {name: thing for name, thing in things.items() if inspect.isclass(thing)}
    parts = [
        "# Analysis\n\n`echelon.analysis`: what measured values of several strategies say. A table of values "
        "has one row an experiment and one column a strategy. See [Compare strategies over "
        "many experiments](../how-to/compare-strategies.md). What needs scipy is a `MissingExtraError` "
        "without it.",
        "## Conditions of the bounds\n\n"
        + docstrings.whole(inspect.getmodule(analysis.approximation_factor)),
    ]
    for name, thing in {**functions, **types}.items():
        parts.append(f"## {name}\n\n{_signature(name, thing)}{docstrings.whole(thing)}")
        parts += docstrings.members(thing) if inspect.isclass(thing) else []
    return "\n\n".join(parts)


def _columns(listed: Sequence[Column]) -> str:
    """Return a table of the columns of a file, with what some need to be there."""
    rows = [
        (f"`{c.name}`", unit(c.name, c.unit), summary(c.name, c.meaning), c.only or "always") for c in listed
    ]
    if any(c.only for c in listed):
        return table(("Column", "Unit", "Meaning", "When"), rows)
    return table(("Column", "Unit", "Meaning"), [row[:3] for row in rows])


def columns() -> str:
    """Return the page on the columns of files and of workloads, and on run.json."""
    from echelon.experiments.folders.manifest import manifest
    from echelon.experiments.tables import columns as of
    from echelon.model import FIELDS
    from echelon.model.jobs.fields import ACCOUNTING_FIELDS

    fields, accounted = (
        [(f"`{f.name}`", unit(f.name, f.unit), summary(f.name, f.meaning)) for f in listed]
        for listed in (FIELDS, ACCOUNTING_FIELDS)
    )
    return "\n\n".join(
        (
            "# Columns and files\n\nA run's folder (`--out DIR`) holds `jobs.csv` and `jobs.parquet` (the "
            "same table), `users.csv` and `classes.csv` (tables [by user](metrics.md#by-user) and [by class]"
            "(metrics.md#by-class-of-size-and-length)), `metrics.json` (see [Metrics](metrics.md)), "
            "`run.json` and `report.html`. A comparison's folder holds one report, `metrics.csv` (a row a "
            "run), `metrics.json` (by run), and such a folder for each run: each policy, on a grid each "
            "broker with each policy and admissibility.",
            "## jobs.csv, jobs.parquet, result.jobs\n\nOne row a simulated job, in the workload's order. "
            "Unit 1 is a ratio.",
            _columns(of.COLUMNS),
            "With [`--dates iso`](settings.md#results) three more columns come last; in Python they are in "
            "`result.dated_jobs`.",
            _columns(of.DATE_COLUMNS),
            "## partitions.csv, queues.csv, accounts.csv\n\nIn Python `result.partitions`, `result.queues` "
            "and `result.accounts`. Each only if the log has at least two of them: the [columns of users.csv]"
            "(metrics.md#by-user), with `partition`, `queue` (the QOS in Slurm's accounting) or `account` in "
            "place of `user`.",
            "## log_waits.csv, log_waits.parquet, result.log_wait_table\n\nOnly with [`--log-waits`]"
            "(settings.md#results), which is the default for accounting, and if the log records waits: one "
            "row a job whose wait it records, in the order of jobs.csv.",
            _columns(of.LOG_WAIT_COLUMNS),
            "## segments.csv, segments.parquet, result.segments\n\nOnly if some job was "
            "[preempted](../explanation/preemption.md) or paid a switch: one row a time a job held "
            "processors, by job, then time.",
            _columns(of.SEGMENT_COLUMNS),
            "## sites.csv, result.sites\n\nOnly on a [grid](../how-to/grids.md): one row a site, in "
            "the order of the platform's file.",
            _columns(of.SITE_COLUMNS),
            "## replicas.csv, replicas.parquet, result.replicas\n\nOnly if some job was replicated, on "
            "time-shared machines: one row a copy, by job, then dispatch.",
            _columns(of.REPLICA_COLUMNS),
            "## holdings.csv, holdings.parquet, result.holdings\n\nOnly on nodes, which are "
            "modeled individually: one row for the cores of one processor that equal tasks of a job held "
            "together, by job, then start, then lowest core.",
            _columns(of.HOLDING_COLUMNS),
            "## nodes.csv, result.nodes\n\nOnly on nodes: one row a node, in the platform's order.",
            _columns(of.NODE_COLUMNS),
            "## power.csv, power.parquet, result.power\n\nOnly on nodes whose power is known: one "
            "row a change of what the machine drew, from the first submission to the last end.",
            _columns(of.POWER_COLUMNS),
            "## places.csv, places.parquet, result.places\n\nOnly on a "
            "multicluster: one row a job and cluster in which it had tasks, one task a node.",
            _columns(of.PLACE_COLUMNS),
            "## nodes.csv of a multicluster\n\nOne row a node, by cluster in the platform's order.",
            _columns(of.SHARED_NODE_COLUMNS),
            "## forecasts.csv, forecasts.parquet, result.forecasts\n\nOnly on a multicluster, if estimators "
            "forecast waits and runs: one row a forecast, by estimator, the run's own first, then job.",
            _columns(of.FORECAST_COLUMNS),
            "## accuracy.csv, result.accuracy\n\nOf these forecasts: a row for each estimator and quantity. "
            "See [`forecast_accuracy`](metrics.md#on-a-multicluster).",
            _columns(of.ACCURACY_COLUMNS),
            "## rejected.csv, result.rejected\n\nOnly if a multicluster, or a machine that changes, did not "
            "run some job: one row such a job, by reason, then as in the log.",
            _columns(of.REJECTED_COLUMNS),
            "## attempts.csv, attempts.parquet, result.attempts\n\nOnly where the machine changes, or jobs "
            "are canceled or have deadlines: one row a time a job held processors, by job, then start.",
            _columns(of.ATTEMPT_COLUMNS),
            "## outages.csv, result.outages\n\nOnly if something was down: one row an outage of a node, by "
            "start.",
            _columns(of.OUTAGE_COLUMNS),
            "## reservations.csv, result.reservations\n\nOnly with advance reservations: one row each.",
            _columns(of.RESERVATION_COLUMNS),
            "## traces.csv, result.traces()\n\nOnly with `--traces`: `time` in seconds, then a "
            "column for each metric [as the run proceeds](metrics.md#as-the-run-proceeds), one row a time at "
            "which a job ends, at most 1,000 of them.",
            "## run.json\n\n" + docstrings.whole(manifest, skip=("result", "command")),
            "## Columns of a workload\n\n`workload.columns`, and the columns that CSV and Parquet files may "
            "have. Everywhere -1 (in tables: empty) means unknown.",
            table(("Column", "Unit", "Meaning"), fields),
            "Slurm's accounting says more, which tables in CSV and Parquet keep:",
            table(("Column", "Unit", "Meaning"), accounted),
        )
    )


def formats() -> str:
    """Return the page on workload formats."""
    from echelon.workloads import FORMATS

    rows = [
        (
            f"`{known.name}`",
            ", ".join(f"`{suffix}`" for suffix in known.suffixes),
            "read and written" if known.write else "read",
            summary(known.name, known.summary),
            sources.cited(known.source, known.name),
        )
        for known in FORMATS
    ]
    parts = [
        "# Formats\n\nA workload's format is recognized by the file's ending, then by its first bytes; every "
        "format may also be gzipped (`.gz`). A wrong line is an error that names file, line and field: no "
        "file is ever read in part, save lines of `sacct` in which the end of a cell cannot be known; those "
        "are counted.",
        table(("Format", "Endings", "Here", "What it is", "Source"), rows),
    ]
    for known in FORMATS:
        reading = docstrings.whole(known.read, skip=("data", "name"))
        parts.append(f"## {known.name}\n\n### {known.name}: reading\n\n{reading}")
        if known.write is not None:
            parts.append(f"### {known.name}: writing\n\n{docstrings.whole(known.write)}")
    return "\n\n".join(parts)


def models() -> str:
    """Return the page on models of workloads."""
    from echelon.workloads import MODELS
    from echelon.workloads.transform.dependency_models import MODELS as DEPENDENCIES
    from echelon.workloads.transform.estimate_models import MODELS as ESTIMATES
    from echelon.workloads.transform.tasks import PARAMETERS as TASKS

    parts = [
        "# Models of workloads\n\n`echelon generate MODEL` and `echelon.generate` draw jobs from a model; "
        "every MODEL can stand where a WORKLOAD can, with its settings: "
        "`lublin:jobs=5000,processors=256,seed=1`. See "
        "[Generate a workload](../how-to/generate.md). Unit 1 is a number without unit.",
        table(
            ("Model", "What its jobs are like", "Source"),
            [
                (f"`{one.name}`", summary(one.name, one.summary), sources.cited(one.source, one.name))
                for one in MODELS
            ],
        ),
    ]
    parts += [f"## {model.name}\n\n{_parameters(model.name, model.parameters)}" for model in MODELS]
    parts.append(
        "## Models of users' estimates\n\n`--estimates-model MODEL` of `echelon generate` and `echelon "
        "convert`, and `transform.draw_estimates` in Python, give every job a requested time."
    )
    parts += [
        f"### {model.name}\n\n{summary(model.name, model.summary)} Source: "
        f"{sources.cited(model.source, model.name)}.\n\n{_parameters(model.name, model.parameters)}"
        for model in ESTIMATES
    ]
    parts.append(
        "## Models of what jobs wait for\n\n`--dependencies-model MODEL` of `echelon generate` and `echelon "
        "convert`, and `transform.draw_dependencies` in Python, let jobs wait for others; see "
        "[Jobs that wait for others](../how-to/dependencies.md)."
    )
    parts += [
        f"### {model.name}\n\n{summary(model.name, model.summary)} Source: "
        f"{sources.cited(model.source, model.name)}.\n\n{_parameters(model.name, model.parameters)}"
        for model in DEPENDENCIES
    ]
    parts.append(
        "## Tasks for the jobs of a log\n\n`--tasks KIND` of `echelon convert`, and `transform.with_tasks` "
        "in Python, give every job a task a processor; KIND is `mpi`, `sequential` or `by-size:cores=16`, "
        "with what is assumed after the colon. See [Describe jobs with tasks](../how-to/tasks.md).\n\n"
        + _parameters("tasks", TASKS)
    )
    return "\n\n".join((*parts, *_grids()))


def _grids() -> Iterator[str]:
    """Yield the part on workloads of grids."""
    from echelon.workloads import grid

    rows = [
        (
            f"`{one.name}`",
            ", ".join(f"{log.site} ({log.log})" for log in one.logs),
            one.days,
            "all" if one.largest is None else f"at most {one.largest} processors",
        )
        for one in grid.RECIPES.values()
    ]
    yield (
        "## Workloads of grids\n\nThe logs of several sites as one workload, by a spec such as "
        "`grid1:week=3`, `echelon merge` or `echelon.workloads.grid_workload`; see "
        "[Merge the logs of several sites](../how-to/merge-logs.md)."
    )
    yield table(("Grid", "Sites and their logs", "Days", "Jobs"), rows)
    for thing in (grid.grid_workload, grid.GridRecipe, grid.SiteLog, grid.GridWorkload, grid.Contribution):
        yield f"### {thing.__name__}\n\n{docstrings.whole(thing)}"


def _parameters(model: str, parameters: Iterable[Any]) -> str:
    """Return a table of a model's parameters."""
    rows = [
        (
            f"`{one.name}`",
            explicit_unit(f"parameter {one.name} of {model}", one.unit),
            one.usual,
            one.bounds,
            summary(f"{model} {one.name}", one.meaning),
        )
        for one in parameters
    ]
    return table(("Parameter", "Unit", "Default", "Allowed", "Meaning"), rows)


def python() -> str:
    """Return the page on the public names of Python."""
    import echelon

    parts = ["# Python\n\nAll of these are `echelon.NAME`; say `import echelon as ec`."]
    for name in echelon.__all__:
        thing = getattr(echelon, name)
        if callable(thing):
            parts.append(f"## {name}\n\n{_signature(name, thing)}{docstrings.whole(thing)}")
            parts += docstrings.members(thing)
    transforms = import_transforms()
    parts.append(
        "## Transforms\n\n`echelon.workloads.transform`: functions from a workload to a workload, each "
        "recorded in its header."
    )
    parts += [
        f"### {name}\n\n{_signature(name, thing)}{docstrings.whole(thing)}" for name, thing in transforms
    ]
    return "\n\n".join(parts)


def import_transforms() -> list[tuple[str, Callable[..., Any]]]:
    """Return the public transforms by name."""
    from echelon.workloads import transform

    return [(name, getattr(transform, name)) for name in transform.__all__]


_OF_FILES = {
    "reservation": " A CSV file of reservations has the same columns. Of a reservation that repeats, all "
    "occurrences have its name. With the flag `maintenance` and neither users nor accounts no job may use "
    "the nodes. Without users and accounts only jobs that name it, in their column `reservation`, may.",
}
"""What else is said of tables."""


def scenario() -> str:
    """Return the page on scenario files."""
    from echelon.experiments.scenario_file import keys_of_files, keys_of_tables
    from echelon.experiments.settings.setting import load

    rows = [
        (
            f"`{key}`",
            "yes" if key == "workload" else "",
            setting.expected,
            summary(key, setting.about),
        )
        for key, setting in keys_of_files().items()
    ]
    return (
        "# Scenario file\n\nOne simulation in TOML: `echelon run SCENARIO.toml`. See "
        "[Keep a run in a scenario file](../how-to/scenario-file.md). [Settings](settings.md) explains "
        "every key. The [JSON Schema](scenario.schema.json) lets editors complete keys and names and mark "
        "mistakes; name it in a comment on the first line of the file: "
        "`#:schema scenario.schema.json`, a path or an address.\n\n"
        + table(("Key", "Needed", "Expected", "Meaning"), rows)
        + "".join(
            f"\n\n## `[[{name}]]`\n\nOne table each, as many as there are; they are added to what "
            f"`{setting.name}` names.{_OF_FILES.get(name, '')}\n\n"
            + table(("Key", "Holds"), [(f"`{key}`", holds) for key, holds in load(setting.columns).items()])
            for name, setting in keys_of_tables().items()
        )
    )


def command_line() -> str:
    """Return the page on the commands: what each does, its arguments and its options."""
    import typer

    from echelon.cli.commands import app_of

    app = app_of()
    functions = _functions(app, typer.main.get_command(app))
    parts = [
        "# Command line\n\n`WORKLOAD` is a path, `-` for standard input, or the name of a "
        "[data set](../how-to/datasets.md). A policy is written as in [Policies](policies.md). Exit codes "
        "are in [Errors and exit codes](errors.md). Progress goes to stderr when it is a terminal; results "
        "go to stdout, with `--json` as JSON. `echelon COMMAND --help` says the same as this page; "
        "`--version` shows the version, and `--debug`, anywhere, the traceback of an error. An option is "
        "given once, unless it says that it may be repeated.",
        *(_command(name, command, function) for name, (command, function) in functions.items()),
    ]
    return "\n\n".join(parts)


def _functions(app: Any, made: Any) -> dict[str, tuple[Any, object]]:  # noqa: ANN401  (typer's, not public)
    """Return every command by its name, with its function; those of a group after it."""
    groups = {name: one for name, one in made.commands.items() if hasattr(one, "commands")}
    plain = [name for name in made.commands if name not in groups]
    found = {
        name: (made.commands[name], command.callback)
        for name, command in zip(plain, app.registered_commands, strict=True)
    }
    for (name, group), told in zip(groups.items(), app.registered_groups, strict=True):
        inside = _functions(told.typer_instance, group)
        found |= {f"{name} {name_inside}": command for name_inside, command in inside.items()}
    return found


PAGES: dict[str, Callable[[], str]] = {
    "command-line.md": command_line,
    "scenario.md": scenario,
    "settings.md": settings.page,
    "study.md": study.page,
    "rules.md": rule_tables.page,
    "policies.md": policies,
    "placements.md": placements,
    "execution.md": execution.page,
    "brokers.md": brokers,
    "co-allocation.md": co_allocation.page,
    "multiclusters.md": multiclusters.page,
    "metrics.md": metrics,
    "analysis.md": analysis,
    "columns.md": columns,
    "formats.md": formats,
    "history.md": history.page,
    "service-store.md": service_store.page,
    "models.md": models,
    "python.md": python,
    "sources.md": sources.page,
}


def _command(name: str, command: Any, function: object) -> str:  # noqa: ANN401  (typer's, not public)
    texts = _helps(function)
    texts |= {one.name: one.help for one in command.params if hasattr(one, "setting")}
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.name in texts and param not in arguments]
    rows = [(f"`{_metavar(one)}`", summary(f"{name} {one.name}", texts[one.name])) for one in arguments]
    groups: dict[str, list[tuple[str, str]]] = {"": rows}
    places = _places_of_groups(options)
    for option in sorted(options, key=lambda one: places[_group(one)]):
        spelled = " / ".join(f"`{word}`" for word in (*option.opts, *option.secondary_opts))
        value = f" `{option.metavar}`" if option.metavar else ""
        text = summary(f"{name} {option.name}", texts[option.name])
        groups.setdefault(_group(option), []).append((spelled + value, text))
    arguments_text = " ".join(_metavar(argument) for argument in arguments)
    said = docstrings.markdown(summary(name, inspect.getdoc(function) or ""))
    tables = [
        (f"**{title}**\n\n" if title else "") + table(("Word", "Meaning"), rows)
        for title, rows in groups.items()
        if rows
    ]
    return f"## {name}\n\n`echelon {name} {arguments_text}`\n\n{said}\n\n" + "\n\n".join(tables)


def _group(option: Any) -> str:  # noqa: ANN401  (as above)
    return getattr(option, "rich_help_panel", None) or ""


def _places_of_groups(options: Iterable[Any]) -> dict[str, int]:
    """Return the place of each group: those of runs as their reference has them, then all others."""
    from echelon.cli.options.setting_options import COMMON
    from echelon.experiments.settings.setting import GROUPS

    titles = dict.fromkeys(("", COMMON, *GROUPS, *map(_group, options)))
    return {title: place for place, title in enumerate(titles)}


def _helps(function: object) -> dict[str, str]:
    """Return the help of each parameter of a command, as written at its type."""
    hints = get_type_hints(function, include_extras=True)
    noted = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    return {name: str(notes[0].help or "") for name, notes in noted.items() if notes}


def _metavar(argument: Any) -> str:  # noqa: ANN401  (as above)
    shown = str(argument.metavar or argument.name.upper())
    return shown if argument.required or shown.startswith("[") else f"[{shown}]"


def _signature(name: str, thing: object) -> str:
    if inspect.isclass(thing) or not inspect.isroutine(thing):
        return ""
    plain = re.sub(r": '([^']+)'", r": \1", str(inspect.signature(thing)).split(" -> ")[0])
    return f"`{name}{plain}`\n\n" if len(plain) < 90 else ""
