"""A cluster of two unequal nodes, three jobs with tasks, and what they cost: times, nodes and energy.

An MPI job of six tasks finds four cores free in one node and two in the other; what its tasks exchange
between the nodes slows it down. See docs/how-to/platforms.md and tasks.md for the same in files.
"""

from dataclasses import replace

import echelon as ec
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Node, Processor, TaskGroup

core = Core(clock=2e9, dynamic_power=10.0)
fast = Core(clock=4e9, dynamic_power=30.0)
nodes = (
    Node((Processor((core,) * 4, static_power=20.0, idle_share=0.5),), memory=16e9, network_bandwidth=1e9),
    Node((Processor((fast,) * 4, static_power=40.0, idle_share=0.5),), memory=8e9, network_bandwidth=1e9),
)
machine = Hardware((Cluster(nodes),), name="two nodes")

demands = [
    Demand((TaskGroup(2, 8e9, memory=1e9),), sequential=True),
    Demand((TaskGroup(6, 8e9, memory=1e9),), communication_volume=8e8, compute_share=0.75),
    Demand((TaskGroup(1, 2e9, memory=4e9),), sequential=True),
]
jobs = ec.Workload.from_columns(submit_time=[0, 1, 2], run_time=[8, 8, 2], processors=[2, 6, 1])
jobs = replace(jobs, demands=Demands.of(demands), name="three jobs")

if __name__ == "__main__":
    for place in ("first-fit", "high-gigaflops"):
        run = ec.simulate(jobs, platform=machine, place=place, network="proportional")
        print(f"{place}: {run.metrics['makespan']:.2f} s, {run.metrics['energy']:.0f} J")
        print(run.jobs.select("job_id", "start_time", "end_time", "nodes", "cores", "energy"))
