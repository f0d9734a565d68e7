"""Compiling ahead, and hearing of it."""

from __future__ import annotations

import threading
from itertools import product

from numba import njit

from echelon import read_swf, simulate
from echelon.engine.compiled.warm_up import announcing, compiled_already, warm_up
from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.model.allocation import assign_processors

ONE_NODE = Hardware((Cluster((Node((Processor((Core(1.0),)),)),)),))


def test_after_warming_up_nothing_is_compiled(tmp_path):
    """A log read, simulated under several policies and allocated meets compiled kernels only."""
    assert warm_up() > 0
    assert compiled_already()
    log = tmp_path / "log.swf"
    # All but the first wait for another.
    line = "{} 0 0 {} 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 {} -1\n"
    log.write_text("; MaxProcs: 1\n" + "".join(line.format(k, k, k // 2 or -1) for k in range(1, 9)))
    heard = []
    with announcing(lambda: heard.append("compiled")):
        policies = ("fcfs", "first-fit", "easy:sjf", "conservative", "plan", "easy(reservations=2)")
        for policy, rule in product(policies, ("keep", "ignore")):
            result = simulate(read_swf(log), policy=policy, engine="compiled", dependencies=rule)
            jobs = result.jobs
            assign_processors(
                jobs["start_time"].to_numpy(), jobs["end_time"].to_numpy(), jobs["processors"], 1
            )
        brokers = ("mpl", "mst", "mct:belief=execution", "exchange:easy", "common-pool", "stealing:50")
        for broker, rule in product(brokers, ("keep", "ignore")):
            simulate(read_swf(log), platform=[1], broker=broker, engine="compiled", dependencies=rule)
        for place in ("first-fit", "best-fit:high-gigaflops"):
            simulate(read_swf(log), platform=ONE_NODE, place=place, engine="compiled", dependencies="ignore")
    assert heard == []


def test_the_first_kernel_is_announced_from_any_thread():
    """Whoever compiles inside the block, it is told once; outside it is not told."""
    heard = []

    def fresh() -> None:
        njit(lambda x: x + 1)(1)

    with announcing(lambda: heard.append(threading.current_thread().name)):
        for name in ("one", "two"):
            thread = threading.Thread(target=fresh, name=name)
            thread.start()
            thread.join()
    fresh()
    assert heard == ["one"]
