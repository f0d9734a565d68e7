"""The columns of ``jobs.csv`` and ``jobs.parquet``: one table for files, reference page and tests."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """One column of a run's table of jobs: its name, its unit, its meaning, and when it is there."""

    name: str
    unit: str
    meaning: str
    only: str = ""


_PREEMPTED = "if some job was preempted or paid a switch"
_ACCOUNTED = "if the log's accounting has it"
_DEPENDENT = "if some job waited for others to end"
_INSIDE = "on nodes"
_SHARED = "on a multicluster"
_WITHOUT_QUEUES = "on time-shared machines"
_SHARING = "on a multicluster, on time-shared machines"
_POWERED = "on nodes whose power is known"
_CHANGING = "on machines that change, or if jobs were canceled or had deadlines"
_SITES = "on a grid"

COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "the log's number of the job, or its label where the log's names are not numbers"),
    Column("submit_time", "s", "when the job joined the queue, on the clock of the log"),
    Column("start_time", "s", "when it started in this simulation"),
    Column("end_time", "s", "when it ended in this simulation: start_time + run_time + any interruption"),
    Column("run_time", "s", "how long it ran; with `--estimates kill` at most its request"),
    Column("requested_time", "s", "the user's estimate of the run time, as in the log; -1 if unknown"),
    Column("processors", "processors", "processors that it held while it ran"),
    Column("wait_time", "s", "all its time in the queue: start_time - submit_time + any suspension"),
    Column("turnaround_time", "s", "end_time - submit_time, also called flow time"),
    Column("bounded_slowdown", "1", "max(1, turnaround_time / max(run_time, 10 s))"),
    Column("site", "", "the site where it ran; a single machine is one site, `cluster`"),
    Column(
        "status",
        "",
        "`completed`, or `killed` if it was ended at its requested time; on machines that change also "
        "`failed_node`, `canceled_waiting` (after it had lost a node), `canceled_running`, `deadline` "
        "(cut at it), `held`, `evicted` (by maintenance, or by a reservation), `unfinished`",
    ),
    Column("user", "", "the user's name where the log has one, else the code; empty if unknown"),
    Column(
        "held_time",
        "s",
        "submit_time - submit time in the log: how long the jobs that it depends on held it; negative if "
        "they ended earlier than in the log",
        _DEPENDENT,
    ),
    Column(
        "earliest_release",
        "s",
        "when it would have joined the queue if every preceding job had started at once",
        _DEPENDENT,
    ),
    Column(
        "dependencies",
        "",
        "ids of the jobs that it waited for, separated by blanks; `5+60`: 60 s longer than for job 5",
        _DEPENDENT,
    ),
    Column(
        "home_site", "", "the site at which it was submitted; empty if unknown", "on a grid that knows homes"
    ),
    Column(
        "planned_time",
        "s",
        "the time that the scheduler planned with when the job was submitted",
        "with an `--estimator` other than request",
    ),
    Column("killed_at", "s", "when it was killed; empty if it was not", "with `--estimates kill`"),
    Column(
        "queue",
        "",
        "the queue's name where the log has one, else the code; in Slurm's accounting the QOS",
        "if the log has queues",
    ),
    Column(
        "ineligible_time",
        "s",
        "time from its submission in the log until it became eligible to run, which is its submit_time; "
        "empty if unknown",
        _ACCOUNTED,
    ),
    Column("gpus", "", "GPUs that it had or requested; the simulation ignores them", _ACCOUNTED),
    Column("account", "", "name of the account charged", _ACCOUNTED),
    Column("cancel_time", "s", "when its user cancels it, waiting or running; empty if never", _ACCOUNTED),
    Column("deadline", "s", "when it must have ended; empty without one", _ACCOUNTED),
    Column(
        "minimum_time",
        "s",
        "the shortest limit that it accepts to meet its deadline; empty: none",
        _ACCOUNTED,
    ),
    Column("due_time", "s", "when it should have ended; empty without one", _ACCOUNTED),
    Column("reservation", "", "name of the reservation that it runs in", _ACCOUNTED),
    Column("node_count", "", "nodes that it had or requested in the log", _ACCOUNTED),
    Column("state", "", "what became of it in the log, as the batch system names it", _ACCOUNTED),
    Column(
        "partition",
        "",
        "the partition's name where the log has one, else the code",
        "if the log has partitions that are not home sites",
    ),
    Column("preemptions", "", "number of times it was suspended", _PREEMPTED),
    Column("response_time", "s", "start_time - submit_time: how long until its first start", _PREEMPTED),
    Column(
        "suspended_time",
        "s",
        "time between start and end without processors; wait_time is response_time + suspended_time",
        _PREEMPTED,
    ),
    Column(
        "switch_time",
        "s",
        "time in which it held processors without progress, for context switches",
        _PREEMPTED,
    ),
    Column("restarts", "", "number of times it started again after it had lost a node", _CHANGING),
    Column(
        "lost_node_seconds",
        "processor-s",
        "time that it held processors for work that was lost, times its processors",
        _CHANGING,
    ),
    Column("checkpoint_seconds", "s", "time that its checkpoints and restarts took", _CHANGING),
    Column("first_start_time", "s", "when it started for the first time, as start_time", _CHANGING),
    Column(
        "nodes",
        "",
        "numbers of the nodes in which it held cores, from 0, as `1-3 5 7`; on a multicluster for each "
        "site, as `site-1: 1-3 5; site-2: 0`",
        "on nodes, on a multicluster",
    ),
    Column("cores", "", "numbers of the cores that it held, in the same way", _INSIDE),
    Column(
        "communication_volume",
        "B",
        "data that its tasks in different nodes exchanged: its volume for each pair of such tasks; empty "
        "for a job in no node",
        "on nodes, if some job communicates",
    ),
    Column(
        "energy",
        "J",
        "energy of its cores, and an equal share of the energy drawn for all cores that are held; empty for "
        "a job at a site of unknown power",
        _POWERED,
    ),
    Column(
        "speed_factor",
        "1",
        "time that its longest task takes without contention / time from first progress to end; empty for "
        "a job in no node",
        "on nodes, if some job was slowed down",
    ),
    Column(
        "pairwise_hops",
        "hops",
        "mean hops between two of its nodes; empty for a job in one node",
        "on nodes with a topology",
    ),
    Column(
        "diameter",
        "hops",
        "most hops between two of its nodes; empty for a job in one node",
        "on nodes with a topology",
    ),
    Column(
        "sites", "", "number of clusters in which it had tasks; `site` is the one with most of them", _SHARED
    ),
    Column(
        "dedicated_time",
        "s",
        "its run time alone on dedicated nodes of full power or a machine of speed 1, as in the log; "
        "`run_time` is its simulated time",
        _SHARING,
    ),
    Column(
        "delivered_time",
        "s",
        "when it was dispatched to the queue of its cluster; empty if it started from the global queue",
        _SHARED,
    ),
    Column(
        "forecast_wait",
        "s",
        "what the estimator then predicted for start_time - delivered_time; empty if it was not asked",
        _SHARED,
    ),
    Column("forecast_run", "s", "what it predicted for end_time - start_time", _SHARED),
    Column(
        "cpu_time",
        "s",
        "time for which each of its processes computed at its site; for the rest of run_time it did not "
        "compute",
        _WITHOUT_QUEUES,
    ),
    Column("copies", "", "number of copies that ran at some time", "if some job was replicated"),
    Column(
        "global_queue",
        "",
        "the one of several global queues in which it waited; of an inner site with its path: `spain: big`; "
        "of all on its way as `small; spain: big`",
        "if there are several",
    ),
)
"""In the order of the files, one row a simulated job. Unit ``"1"`` is a ratio, an empty one no quantity."""

_ISO = "with `--dates iso`"

DATE_COLUMNS: tuple[Column, ...] = (
    Column("submit_date", "", "date of submit_time in ISO 8601, `2024-02-01T09:00:00+01:00`", _ISO),
    Column("start_date", "", "date of start_time", _ISO),
    Column("end_date", "", "date of end_time", _ISO),
)
"""Further columns of ``jobs.csv`` and ``jobs.parquet``, the last ones."""

SEGMENT_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "as in jobs.csv"),
    Column("row", "", "the job's row in jobs.csv, from 0"),
    Column("start_time", "s", "when the job received processors, for the first time or again"),
    Column("end_time", "s", "when it released them: preempted, or at its end"),
    Column("processors", "processors", "processors that it held"),
)
"""Columns of ``segments.csv`` and ``segments.parquet``: one each time a job held processors."""

LOG_WAIT_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "as in jobs.csv"),
    Column("row", "", "the job's row in jobs.csv, from 0"),
    Column("log_wait", "s", "its wait in the log; in accounting from when it was eligible to run"),
    Column(
        "simulated_wait",
        "s",
        "start_time in this simulation - submission in the log; below 0 where the job waits for another that "
        "ends earlier than in the log",
    ),
    Column("difference", "s", "simulated_wait - log_wait: how much later it starts than in the log"),
)
"""Columns of ``log_waits.csv`` and ``log_waits.parquet``: one row a job whose wait the log records."""

SITE_COLUMNS: tuple[Column, ...] = (
    Column("site", "", "the site's name"),
    Column("processors", "processors", "how many it has"),
    Column("jobs", "jobs", "jobs that ran there"),
    Column(
        "area",
        "processor-s",
        "sum of run_time * processors of its jobs; on time-shared machines of cpu_time * processors",
    ),
    Column("area_share", "1", "its share of the area of all jobs"),
    Column(
        "utilization",
        "1",
        "area / (processors * makespan of the whole schedule); of nodes core-seconds held / (cores * that "
        "makespan)",
    ),
    Column("mean_wait", "s", "mean of its jobs' waits; empty if it ran none, like the next four"),
    Column("median_wait", "s", "median of its jobs' waits"),
    Column("max_wait", "s", "the longest of its jobs' waits"),
    Column("mean_turnaround", "s", "mean of its jobs' turnaround times"),
    Column("mean_bounded_slowdown", "1", "mean of its jobs' bounded slowdowns"),
    Column(
        "jobs_from_elsewhere",
        "jobs",
        "number of its jobs that were submitted at another site; empty if no home site is known",
    ),
    Column("nodes", "nodes", "how many it has", _SHARED),
    Column("tasks", "tasks", "tasks that ran there", _SHARED),
    Column("spanning_jobs", "jobs", "jobs that had tasks there and in another cluster", _SHARED),
    Column("node_utilization", "1", "sum of the busy times of its nodes / (nodes * makespan)", _SHARED),
    Column("mean_mpl", "tasks", "mean tasks of a busy node; empty if none was busy", _SHARED),
    Column("owner_active_time", "s", "total time that its owners were at work", _SHARED),
    Column("owner_slowdown", "1", "mean slowdown of its owners in that time; empty if it is 0", _SHARED),
    Column("energy", "J", "energy that its nodes drew; empty where that is not known", _POWERED),
    Column("speed", "1", "of a core, relative to the machine of the log's run times", _WITHOUT_QUEUES),
    Column("mean_execution", "s", "mean of end_time - start_time; empty if it ran none", _WITHOUT_QUEUES),
    Column(
        "mean_processes",
        "",
        "mean number of processes while it had any; empty if it never had",
        _WITHOUT_QUEUES,
    ),
    Column("max_processes", "", "the largest number at once", _WITHOUT_QUEUES),
    Column("canceled_copies", "", "copies that were canceled there", _WITHOUT_QUEUES),
)
"""Columns of ``sites.csv``: one row a site of a grid, in the platform's order."""

HOLDING_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "as in jobs.csv"),
    Column("row", "", "the job's row in jobs.csv, from 0"),
    Column("node", "", "number of the node, from 0"),
    Column("processor", "", "number of the processor, counted through all nodes from 0"),
    Column("cores", "", "numbers of the cores held, counted through all nodes from 0, as `1-3 5 7`"),
    Column(
        "tasks",
        "",
        "number of equal tasks of the job that ran on them; more than cores only if tasks share cores",
    ),
    Column("start_time", "s", "when the cores were taken"),
    Column("begin_time", "s", "when the tasks began to progress: later if a node had to wake up"),
    Column("end_time", "s", "when the last of these tasks ended"),
    Column(
        "release_time",
        "s",
        "when the cores were released: an MPI job releases all at the end of its last task",
    ),
    Column("level", "", "frequency level of the processor, 0 the fastest"),
)
"""Columns of ``holdings.csv`` and ``holdings.parquet``: by job, then start, then lowest core."""

NODE_COLUMNS: tuple[Column, ...] = (
    Column("node", "", "number of the node, from 0"),
    Column("type", "", "name of its type in the platform; empty without one"),
    Column("cores", "cores", "how many it has"),
    Column("first_core", "", "number of its first core, counted through all nodes from 0"),
    Column("processor_cores", "", "cores of each of its processors, as `8 8`"),
    Column("jobs", "jobs", "jobs that held cores of it"),
    Column("busy_core_time", "core-s", "core-seconds held, also while blocked or waking up"),
    Column("utilization", "1", "busy_core_time / (cores * makespan of the whole schedule)"),
    Column(
        "energy",
        "J",
        "energy that it drew, where the machine's power is known; empty at sites of unknown power",
    ),
    Column("times_off", "", "number of times it was switched off"),
    Column("off_time", "s", "time for which it was off, until the last job's end at most"),
)
"""Columns of ``nodes.csv``: one row a node, in the platform's order."""

POWER_COLUMNS: tuple[Column, ...] = (
    Column("time", "s", "beginning of the interval; the last row is the end of the last job"),
    Column("power", "W", "power of the whole machine, until the next row"),
    Column(
        "idle_power",
        "W",
        "part of it for what no job held: idle processors and nodes, nodes that are off or wake up",
    ),
)
"""Columns of ``power.csv`` and ``power.parquet``: one row a change of what the machine drew."""

PLACE_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "as in jobs.csv"),
    Column("row", "", "the job's row in jobs.csv, from 0"),
    Column("site", "", "name of a cluster in which it had tasks"),
    Column("nodes", "", "numbers of its nodes there, from 0 in each cluster, as `1-3 5 7`: one task each"),
    Column("tasks", "tasks", "number of its tasks that ran there"),
    Column("start_time", "s", "when they came there", _PREEMPTED),
    Column("end_time", "s", "when they left: suspended, or at the job's end", _PREEMPTED),
)
"""Columns of ``places.csv`` and ``places.parquet``: by job, attempt, then cluster; on a multicluster."""

REPLICA_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "as in jobs.csv"),
    Column("row", "", "the job's row in jobs.csv, from 0"),
    Column("site", "", "where the copy ran"),
    Column("start_time", "s", "when it was dispatched"),
    Column("end_time", "s", "when it ended, or was canceled because another copy had ended"),
    Column("cpu_time", "s", "time for which each of its processes had computed by then"),
    Column("finished", "", "whether it ended by itself: one copy of each job does"),
)
"""Columns of ``replicas.csv`` and ``replicas.parquet``: by job, then dispatch; if some job was replicated."""

ATTEMPT_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "as in jobs.csv"),
    Column("row", "", "the job's row in jobs.csv, from 0"),
    Column("start_time", "s", "when the job received processors, for the first time or again"),
    Column("end_time", "s", "when it released or lost them"),
    Column("site", "", "where it ran; where most of its tasks ran", _SITES),
    Column(
        "nodes",
        "",
        "numbers of the nodes that it held, from 1 in each site, as `1-3 5 7`, of several sites as "
        "`north: 1-3; south: 1`; where processors are counted each is a node",
        "if it is known",
    ),
    Column(
        "reason",
        "",
        "why it ended: `completed`, `killed` (at its limit), `preempted`, `canceled` (another copy had "
        "ended), `requeued` or `failed` (a node went down), `stopped` (canceled by its user), `evicted` "
        "(maintenance or a reservation), `deadline` (cut at its deadline)",
    ),
    Column("work", "s", "time of it that did work that was not lost"),
    Column("overhead", "s", "time of it that restarts, and checkpoints that were kept, took"),
)
"""Columns of ``attempts.csv`` and ``attempts.parquet``: by job, then start; on machines that change."""

OUTAGE_COLUMNS: tuple[Column, ...] = (
    Column("node", "", "number of the node, from 1 in each site; where processors are counted each is one"),
    Column("site", "", "where it is", _SITES),
    Column("down", "s", "when it went down"),
    Column("up", "s", "when it came back; empty if never"),
    Column("kind", "", "`fail`, `drain` (no job may start there) or `maintenance` (no job may run there)"),
    Column("jobs_killed", "", "jobs that lost it then", "if it is known which nodes jobs held"),
)
"""Columns of ``outages.csv``: one row an outage of a node, by start."""

RESERVATION_COLUMNS: tuple[Column, ...] = (
    Column("name", "", "of the reservation"),
    Column("site", "", "where its nodes are", _SITES),
    Column("nodes", "", "numbers of its nodes, from 1 in the site, as `1-3 5 7`"),
    Column("start", "s", "when it began; empty, like all that follows, if it slid to the end of the run"),
    Column("end", "s", "when it ended"),
    Column(
        "used_node_seconds",
        "processor-s",
        "what jobs held of its nodes from start to end; empty, like the next two, if that is not known",
    ),
    Column("unused_node_seconds", "processor-s", "the rest of its processors times its length"),
    Column(
        "idle_before",
        "processor-s",
        "time for which its processors stood idle just before its start while jobs waited that it kept out",
    ),
)
"""Columns of ``reservations.csv``: one row an advance reservation."""

REJECTED_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "name of the job in the log"),
    Column("submit_time", "s", "when it was submitted"),
    Column("processors", "nodes", "nodes that it needed"),
    Column("reason", "", "reason why it was rejected"),
)
"""Columns of ``rejected.csv``: one row a job left out under a global queue, by reason, then the log."""

SHARED_NODE_COLUMNS: tuple[Column, ...] = (
    Column("site", "", "name of its cluster"),
    Column("node", "", "its number in the cluster, from 0"),
    Column("type", "", "name of its type in the platform; empty without one"),
    Column("power", "1", "relative power, 1 the most powerful"),
    Column("processors", "processors", "processors that tasks and owner share"),
    Column("slots", "tasks", "most parallel tasks that its contract allows at once"),
    Column("tasks", "tasks", "tasks that ran there"),
    Column("busy_time", "s", "time in which it had at least one parallel task"),
    Column("utilization", "1", "busy_time / makespan of the whole schedule"),
    Column("mean_mpl", "tasks", "mean parallel tasks while it was busy; empty if it never was"),
    Column("max_mpl", "tasks", "most parallel tasks at once"),
    Column("owner_active_time", "s", "time for which its owner was at work while jobs were in the system"),
    Column("owner_slowdown", "1", "mean slowdown of the owner's system calls in that time; empty if it is 0"),
)
"""Columns of ``nodes.csv`` on a multicluster: one row a node, by cluster in the platform's order."""

FORECAST_COLUMNS: tuple[Column, ...] = (
    Column("job_id", "", "as in jobs.csv"),
    Column("row", "", "the job's row in jobs.csv, from 0"),
    Column(
        "estimator",
        "",
        "the estimator that was asked when the job was dispatched to its cluster; first that of the run",
    ),
    Column("wait", "s", "its forecast of the wait in the cluster's queue"),
    Column("run", "s", "its forecast of the time from start to end"),
    Column("real_wait", "s", "start_time - delivered_time"),
    Column("real_run", "s", "end_time - start_time"),
    Column(
        "seconds",
        "s",
        "wall-clock time that the forecast took: the only value in all files that differs "
        "between identical runs",
    ),
)
"""Columns of ``forecasts.csv`` and ``forecasts.parquet``: by estimator, then job; on a multicluster."""

ACCURACY_COLUMNS: tuple[Column, ...] = (
    Column("estimator", "", "its specification"),
    Column("quantity", "", "`wait`, `run`, or `turnaround`: both together"),
    Column("jobs", "jobs", "forecasts compared"),
    Column(
        "deviation", "1", "sum(|forecast - real|) / sum(real); empty, like others, if all real times are 0"
    ),
    Column("slope", "1", "slope of the regression line of forecasts on real times through the origin"),
    Column("adjusted_correlation", "1", "Ra of that line: near 1 if the error is a constant factor"),
    Column("line_slope", "1", "slope of the regression line with an intercept"),
    Column("line_intercept", "s", "intercept of that line"),
    Column("corrected_deviation", "1", "the deviation of the same forecasts, each divided by slope"),
    Column("seconds", "s", "mean wall-clock time of a forecast"),
)
"""Columns of ``accuracy.csv``: a row for each estimator and quantity; on a multicluster."""
