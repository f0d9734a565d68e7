"""Settings of multiclusters, whose nodes are shared: the global queue, co-allocation, local load, history."""

from __future__ import annotations

import math
from functools import partial

from echelon.experiments.settings.setting import OF_MULTICLUSTERS, OF_SITES, SHARED, Setting

_of_sites = partial(Setting, group=SHARED, scope=OF_SITES, by_site=True)
_text_of_sites = partial(_of_sites, types=(str,))
_setting = partial(Setting, group=SHARED, scope=OF_MULTICLUSTERS)
_text = partial(_setting, types=(str,))

ON_SHARED_NODES = (
    _text_of_sites(
        name="global_queue",
        earlier=("upper_queue",),
        field="global_queue",
        expected="a global queue as given to --global-queue",
        about="global queue above several sites, default fcfs on a multicluster, else none",
        help="Global queue of a multicluster, or above other sites: which job is dispatched next, and to "
        "which site. `echelon policies` lists the rules: fcfs, fpfs, b, nb, b.rs, nb.rs ... On a tree "
        "NAME@PATH=NAME sets that of an inner site, too. Default: fcfs on a multicluster, else none.",
        listed="Global queues of a multicluster, or above other sites, separated by commas, as `echelon "
        "policies` lists them; each is run with each broker and policy. On a tree NAME@PATH=NAME sets that "
        "of an inner site, too. Default: fcfs on a multicluster, else none.",
        python="str | GlobalQueueRule",
        metavar="NAME",
        default="fcfs",
        read="policies.global_queue.registry:global_queue",
        write="policies.global_queue.registry:format_global_queue",
        located="experiments.settings.values.locations:rule",
        families=("policies.global_queue.registry:GLOBAL_QUEUES",),
        summary="global queue {}",
        rank=1,
        is_rule=True,
    ),
    _of_sites(
        name="queue_limit",
        types=(str, int),
        expected="a number or a rule as given to --queue-limit",
        about="most jobs in the queue of a site below a global queue, default no limit",
        help="Most jobs in the queue of a cluster, or of another site below a global queue: a number, "
        "unlimited (the default), held:N (running jobs count, too), stable, stable:predicted. On a tree "
        "N@PATH=N sets it for an inner site.",
        listed="Most jobs in the queue of a cluster, or of another site below a global queue: numbers, "
        "unlimited (the default), held:N (running jobs count, too), stable, stable:predicted, separated by "
        "commas; each is run with each global queue.",
        python="str | int | QueueLimit",
        metavar="N|SPEC",
        default="unlimited",
        read="policies.global_queue.registry:queue_limit",
        write="policies.global_queue.registry:format_queue_limit",
        offers=("unlimited", "stable", "stable:predicted"),
        field="limit",
        summary="queue limit {}",
        rank=2,
        is_rule=True,
    ),
    _text_of_sites(
        name="queues",
        expected="queues as given to --queues",
        about="several global queues above sites instead of one, default none",
        help="Several global queues instead of one, with semicolons between them: a job waits in the first "
        "that takes it. Each is a name, and in parentheses the criteria of its jobs (priority, tasks, type, "
        "communication, time, memory) and its rule, broker, limit and sites where they are not as for all: "
        "'small(tasks(most=4), rule=fpfs, broker=ptt:w=0.2); rest'. On a tree QUEUES@PATH=QUEUES sets it for "
        "an inner site. Default: one queue.",
        python="str | Sequence[str | JobQueue]",
        metavar="SPEC",
        read="policies.global_queue.several:job_queues",
        write="policies.global_queue.several:format_job_queues",
        idle="experiments.systems.refusals:idle_filters",
        summary="queues {}",
        is_separable=False,
    ),
    _text_of_sites(
        name="queue_order",
        expected="one of listed, rotating, oldest",
        about="which of several global queues is served first, default listed",
        help="Which of several global queues is served first in each cycle: listed (the default: as they are "
        "listed), rotating (the one after the queue that dispatched a job last), or oldest (the one whose "
        "head has waited longest). On a tree ORDER@PATH=ORDER sets it for an inner site, too.",
        metavar="ORDER",
        read="policies.global_queue.several:serving_order",
        families=("policies.global_queue.several:SERVING_ORDERS",),
        summary="queues served in the order {}",
    ),
    _text_of_sites(
        name="site_filter",
        expected="a site filter as given to --site-filter",
        about="sites that are left out before one is chosen, default none",
        help="Sites that may be chosen now, before a broker or a global queue chooses: mpl-below:N (fewer "
        "than N tasks in each node), memory-below:SHARE (less than that share of the memory in use), "
        "not-running:TYPE (no job of that type runs there; same or other: than that of the job), or several "
        "joined by +. On a tree SPEC@PATH=SPEC sets it for an inner site, too. Default: none.",
        python="str | SiteFilter",
        metavar="SPEC",
        read="policies.broker.site_filter:site_filter",
        write="policies.broker.site_filter:format_site_filter",
        located="experiments.settings.values.locations:rule",
        offers=("none", "mpl-below:2", "memory-below:0.8", "not-running:same", "not-running:other"),
        idle="experiments.systems.refusals:idle_filters",
        summary="site filter {}",
        is_rule=True,
    ),
    _text(
        name="co_allocate",
        expected="a co-allocation as given to --co-allocate",
        about="rule that gives a job nodes of several clusters, default none",
        help="Rule that gives a job nodes of several clusters, as `echelon policies` lists them. Default: "
        "each job runs in one cluster.",
        python="str | CoAllocation",
        metavar="NAME",
        default="none",
        read="policies.coallocation.registry:co_allocation",
        write="policies.coallocation.registry:format_co_allocation",
        check="policies.coallocation.registry:co_allocation_named",
        located="experiments.settings.values.locations:rule",
        offers=("none",),
        families=("policies.coallocation.registry:CO_ALLOCATIONS",),
        field="co_allocation",
        summary="co-allocation {}",
        is_rule=True,
    ),
    _setting(
        name="two_phase",
        types=(bool,),
        expected="true or false",
        about="also co-allocate jobs that wait in clusters, default false",
        help="With --co-allocate: also start jobs that wait in a cluster on free nodes of several clusters. "
        "Default: co-allocate only jobs that are too large for every cluster.",
        negative="--one-phase",
        default=False,
        turn=2,
        summary="in two phases",
        silent=(False,),
    ),
    _of_sites(
        name="longest_stay",
        types=(float, str),
        above=0,
        unit="s",
        expected="seconds > 0, or with a unit such as 8h",
        about="seconds after which a job that waits below a global queue is rejected, default never",
        help="Reject a job that has not started S seconds (or with a unit, 8h) after its submission, on a "
        "multicluster or below another global queue. On a tree S@PATH=S sets it for the queue of an inner "
        "site, too, which counts from a job's arrival there. Default: never.",
        metavar="S",
        default=math.inf,
        read="experiments.settings.values.value_reader:stay",
        write="experiments.settings.values.value_format:finite",
        turn=2,
        summary="rejected after {}",
    ),
    _text(
        name="local_users",
        expected="a profile or a file as given to --local-users",
        about="local load of the nodes, default none",
        help="Local load of the nodes of a multicluster: none (the default), a profile of their owners such "
        "as xwindows+internet:share=0.3, or a file of recorded loads.",
        python="str | Path | LocalLoadModel",
        metavar="SPEC|FILE",
        default="none",
        read="workloads.local_users:local_users",
        write="experiments.settings.values.value_format:spec",
        located="experiments.settings.values.locations:local_users",
        families=("workloads.local_users:LOCAL_USERS",),
        summary="local load {}",
        is_rule=True,
        is_problem=True,
    ),
    _setting(
        name="watch",
        types=(list, str),
        expected="a list of estimators",
        about="further estimators to evaluate, default none",
        help="Further estimators that predict every job; only their accuracy is measured.",
        listed="Further estimators that predict every job; only their accuracy is measured. Semicolons "
        "separate several such lists.",
        python="str | Sequence[str | Estimator]",
        metavar="E,F,...",
        check="experiments.settings.values.value_reader:estimators",
        located="experiments.settings.values.locations:rule",
        field="watched",
        families=("policies:ESTIMATORS",),
    ),
    _text(
        name="history",
        least=1,
        expected="a file or an address as given to --history",
        about="past runs from which estimators learn, default none",
        help="Past runs from which estimators learn, and to which this run is added: a file, sqlite:///FILE "
        "or postgresql://USER@HOST/DATABASE.",
        python="str | Path",
        metavar="FILE|URL",
        located="experiments.settings.values.locations:address",
        field=None,
        is_separable=False,
        not_in_studies="a run that learns from other runs depends on their order; runs of a study must not",
    ),
)
