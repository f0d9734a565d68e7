"""One case of E2 of the multicluster study as JSON, so that another program can simulate it again.

``python tests/differential/e2_export.py OUT.json [--platform 555|844] [--broker tat|ptt:w=0.5|round-robin|
first-site] [--owners 60] [--spread uniform|grouped] [--seed 0] [--decision SECONDS]``. Nothing of our code is
needed to read what comes out: this text says all. Times are in seconds from 0, memory in bytes, bandwidth in
bytes a second. Jobs, clusters and nodes are numbered from 0 in the order of their lists; where a rule below
says the first or the lowest cluster, it goes by (number of nodes x mpl, number in the list).

``platform``: list of clusters; of each its ``nodes`` (``power`` P, above 0 to 1; ``processors`` n;
``memory``; ``bandwidth`` of its link to the cluster's switch), ``mpl`` (most tasks in a node) and
``memory_share`` (share of a node's memory that tasks may hold together). A job runs in one cluster.

``jobs``: ``submit``; ``tasks`` (one in each of so many different nodes); ``run_time`` alone on dedicated
nodes of power 1 by its profile; ``factor`` (noise and the error of the profile: it really takes run_time x
factor; nobody who forecasts knows it); ``compute_share`` c (T^p = c x time, T^c = (1 - c) x time); of each
task ``memory`` and ``bandwidth`` (0 counts for jobs of one task). ``application`` is a name only.

``owners``: changes by time; from ``time`` on the owner of node ``node`` of cluster ``cluster`` uses the share
``cpu`` of its processors, the share ``memory`` of its memory and ``network`` of its link. Before its first
change a node has no owner at work. Changes after the last end are left out.

``rules``: ``cpu`` ("use" or "count"), ``interference``, ``paging``, ``owners_cost``, ``broker``,
``decision_time``, ``least_processor``, ``least_link``. ``result``: what our reference engine makes of it, a
row a job: ``delivered``, ``cluster``, ``nodes``, ``start``, ``end``, and ``forecast_wait`` and
``forecast_run`` for the cluster chosen, whether or not the broker goes by them; jobs that no cluster could
hold are left out of all lists.

**What a node offers.** Its owner uses the share u of its n processors. Monitors see p = n (1 - u). Tasks are
really given q = p if owners_cost is 1, else max(n (1 - owners_cost x u), min(p, least_processor x n)). A
further task finds memory x memory_share - what tasks there hold - max(0, memory x (owner's share) - memory x
(1 - memory_share)). Its link carries max(bandwidth - network, least_link x bandwidth) for tasks.

**How fast a job runs.** All of a job takes T = T^p SP + T^c SC in the state things are in; when the state
changes, the share of its work that is left stays, and the rest goes on at the new T. SP is the largest over
its nodes of (1 + paging x overfull) x sp, with overfull = max(0, (memory held by tasks) / memory + owner's
share - 1).

* By use: a task asks for the share a = T^p / (T^p + P T^c) of a processor. q is divided max-min fair among
  the tasks of the node: sort what they ask for, ascending; while the next one times the number of those left
  is at most what is left of q, it gets what it asks for; the first one for which it is not, and all after it,
  get the level L = (what is left) / (how many are left). sp = max(1 / P, 1 / (L P) - T^c / T^p), 1 / P if T^p
  = 0 or if all get what they ask for.
* By count: sp = 1 / (P min(1, q / m)), m being the tasks in the node.
* A job with a node for which q = 0 stands still.

SC = (1 / share) x (1 + interference x (M - 1)), M being the most tasks in one of its nodes. share is 1 unless
links saturate: while the tasks of a link ask for more than it carries, take the link with the least degree =
carried / asked (the lowest number on ties) and multiply the share of every job on it by the degree; what a
job asks for is its bandwidth x its share, on the link of each of its nodes, if it has two tasks or more.

**Order of things at one instant.** Jobs end. Owners change. Jobs are submitted: they wait for a decision, one
at a time in the order of submission, each decision_time long (a decision begins when the job is submitted or
when the one before is done). Decisions that are done are carried out in order with what is known now: the job
is delivered to the end of the queue of the cluster chosen. Every cluster then starts jobs from the head of
its queue while the head fits (first come, first served: one that does not fit blocks the others). Speeds
change at last.

**Fits.** A node has room for a task if it has fewer than mpl tasks, p > 0, and as much memory for a further
task as the task holds. A job fits if `tasks` nodes have room. It gets those with fewest tasks, then most
memory for a further task, then highest P min(1, p / (tasks there + 1)), then lowest number.

**Who may choose what.** A cluster may be chosen if so many of its nodes as the job has tasks could hold a
task of it when empty (memory x memory_share >= the task's). Of those:

* ``first-site``: the first. ``round-robin``: the next one after the one chosen last, by number in the list
  (of all, in a circle).
* ``tat``: the least forecast turnaround, wait + run; the lowest number on ties.
* ``ptt:w=W``: the least TR (W TR / max TR + (1 - W) LT / max LT), then the least TR, then the lowest number;
  max over the clusters that may be chosen (max LT is 1 if it is 0). LT is the number of nodes with an owner
  at work (one who uses any of the three) among those the job would get now, or, if it does not fit, with no
  tasks in any node.

**The forecast** of a job in a cluster simulates that cluster from now on, if nobody came after it: running
jobs with the share of their work that is really left; then its queue, then the job itself. Profiles are
believed (factor 1), owners stay as they are and cost what monitors see (p, not q), and there is no
interference and no paging; else as above: at now and at each end jobs start from the head of the queue. wait
= its start - now, run = its end - its start. Ends that differ by rounding alone are of one instant.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from echelon.engine import reference
from echelon.engine.multicluster.parts import times_of_profile
from echelon.engine.multicluster.sharing.nodes import LEAST_LINK, LEAST_PROCESSOR
from echelon.reproduce.multicluster.queue_setups import base
from echelon.reproduce.multicluster.setups import decision_of, owners_spec, scenario_of


def exported(
    platform="555", *, broker="tat", owners=60, spread="uniform", seed=0, decision=None, jobs=60, **world
):
    """Return one case of E2 as a mapping that JSON can hold; `world` replaces fields of the study's world."""
    setup = base(platform, owners_spec(owners, spread=spread), broker=broker, decision=decision, jobs=jobs)
    setup = setup._replace(world=setup.world._replace(**world))
    scenario = scenario_of(setup, seed)
    schedule = reference.simulate(scenario)
    rules = scenario.multicluster
    execution = rules.execution
    last = float(schedule.end.max())
    kept = schedule.instance.kept.tolist()
    assert scenario.instance.kept.tolist() == kept, "jobs were rejected"
    return {
        "platform": [_cluster(cluster) for cluster in scenario.instance.platform.clusters],
        "jobs": _jobs(scenario, execution),
        "owners": _owners(rules.local_users, scenario, last),
        "rules": {
            "cpu": execution.cpu,
            "interference": execution.interference,
            "paging": execution.paging,
            "owners_cost": execution.owners,
            "least_processor": LEAST_PROCESSOR,
            "least_link": LEAST_LINK,
            "broker": broker,
            "decision_time": decision_of(setup),
        },
        "result": _result(schedule),
    }


def _cluster(cluster):
    return {
        "mpl": cluster.contract.mpl,
        "memory_share": cluster.contract.memory,
        "nodes": [
            {
                "power": node.power,
                "processors": node.processors,
                "memory": node.memory,
                "bandwidth": node.bandwidth,
            }
            for node in cluster.nodes
        ],
    }


def _jobs(scenario, execution):
    factors = times_of_profile(scenario, execution)
    return [
        {
            "submit": float(job.submit_time),
            "tasks": int(job.processors),
            "run_time": float(scenario.instance.run_time[position]),
            "factor": factors[position],
            "compute_share": job.application.compute_share,
            "memory": job.application.memory,
            "bandwidth": job.application.bandwidth,
            "application": job.application.name,
        }
        for position, job in enumerate(scenario.instance.jobs())
    ]


def _owners(users, scenario, last):
    found = []
    for time, cluster, node, use in users.changes(scenario.instance.platform, scenario.seed):
        if time > last:
            break
        found.append(
            {
                "time": time,
                "cluster": cluster,
                "node": node,
                "cpu": use.cpu,
                "memory": use.memory,
                "network": use.network,
            }
        )
    return found


def _result(schedule):
    places = schedule.places
    said = schedule.forecasts[0]
    return [
        {
            "delivered": float(schedule.delivered[job]),
            "cluster": int(schedule.site[job]),
            "nodes": places.node[places.job == job].tolist(),
            "start": float(schedule.start_time[job]),
            "end": float(schedule.end[job]),
            "forecast_wait": float(said.wait[job]),
            "forecast_run": float(said.run[job]),
        }
        for job in range(len(schedule.start_time))
    ]


def main():
    """Write one case to a file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--platform", default="555", choices=("555", "844"))
    parser.add_argument("--broker", default="tat")
    parser.add_argument("--owners", type=int, default=60)
    parser.add_argument("--spread", default="uniform", choices=("uniform", "grouped"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--decision", type=float)
    given = vars(parser.parse_args())
    given.pop("out").write_text(json.dumps(exported(**given), indent=1))


if __name__ == "__main__":
    main()
