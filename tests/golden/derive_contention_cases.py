"""Contention cases worked by hand in exact arithmetic; writes ``contention_cases.json`` beside this file.

Nothing here simulates: the end of every task is written out as a sum of the stretches it runs, each
stretch with the speed factor the formula gives for it.  Rational quantities are Fractions; the
exponentials of section 8.4 are taken with 50 decimal digits.  Section numbers are those listed in
``tests/differential/plain_contention.py``.
Every case has two sets of figures: ``expected`` rounds S of memory-v1 to nine decimals as section 8.3 says,
``expected_unrounded`` does not (they are equal where memory-v1 plays no part).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path
from typing import Any

getcontext().prec = 50
F = Fraction
Rounding = Callable[[Fraction], Fraction]
Case = dict[str, Any]
CASES: list[Case] = []

STATIC, DYNAMIC, IDLE = F("6.14211"), F("5.59316"), F("0.05") * F("6.14211")
V1 = {"b": -1.85e-05, "c": 32000, "da": 1.75, "db": 2000, "dc": 50000, "dd": 6000}
V1_OTHER = {"b": -3e-05, "c": 20000, "da": 1.5, "db": 2500, "dc": 40000, "dd": 5000}
V2 = {
    "abb": -92.130488,
    "bbb": 1,
    "ccb": 1,
    "cca": -0.004,
    "cbb": 14.7,
    "cba": -19.8,
    "cab": -815,
    "caa": 495,
    "dbb": 0.0186,
    "dab": 0.7,
}
V2_FULL = {
    "abb": -60,
    "aba": -2,
    "aab": 40,
    "aaa": 3,
    "bbb": 0.98,
    "bba": -0.01,
    "bab": -0.5,
    "baa": 0.2,
    "ccb": 0.9,
    "cca": -0.02,
    "cbb": 4,
    "cba": -9,
    "cab": -120,
    "caa": 75,
    "dbb": 0.02,
    "dba": 0.003,
    "dab": 0.6,
    "daa": 0.05,
}
SLOW = {
    "pidle": 1,
    "p00": 1.997208,
    "p01": 1.374746,
    "p02": -0.006362,
    "p10": 18.848542,
    "p11": 0.596069,
    "p20": -24.348324,
}
FAST = {
    "pidle": 0.957001,
    "p00": 4.457061,
    "p01": 4.289798,
    "p02": -0.012149,
    "p10": 199.593202,
    "p11": -1.749876,
    "p20": -1729.219034,
}


# -- the formulas, exactly -------------------------------------------------------------------------


def exact(value: float | str | Fraction) -> Fraction:
    """Return the decimal number that was written, not its nearest binary neighbor."""
    return value if isinstance(value, Fraction) else F(str(value))


def fade(u: Fraction) -> Fraction:
    """Sstep of section 8.3, multiplied out: 1 - 6 u^5 + 15 u^4 - 10 u^3 between 0 and 1."""
    return F(1) if u < 0 else F(0) if u > 1 else 1 - 6 * u**5 + 15 * u**4 - 10 * u**3


def cap(q: int, n: int, k: dict[str, float] = V1) -> Fraction:
    """D(q, n) of section 8.3, over the common denominator 1 + 0.6 n."""
    da, db, dc, dd = (exact(k[name]) for name in ("da", "db", "dc", "dd"))
    u = (F(q) - (da - n) * db) / (dc - n * dd)
    return (1 + fade(u) * F(3, 5) * n) / (1 + F(3, 5) * n)


def line(total: int, k: dict[str, float] = V1) -> Fraction:
    """1 + b (Q - c), the middle regime of section 8.3."""
    return 1 + exact(k["b"]) * (total - exact(k["c"]))


def gompertz(o: int, total: str, own: str, k: dict[str, float] = V2) -> Fraction:
    """S of section 8.4; ``total`` and ``own`` are Q and y, already in thousandths."""
    kk = {name: Decimal(str(value)) for name, value in k.items()}

    def g(name: str) -> Decimal:
        return kk.get(name, Decimal(0))

    y, q = Decimal(own), Decimal(total)
    a = g("abb") + o * g("aba") + y * g("aab") + y * o * g("aaa")
    b = g("bbb") + o * g("bba") + y * g("bab") + y * o * g("baa")
    c = g("ccb") + o * g("cca") + y * g("cbb") + y * o * g("cba") + y * y * g("cab") + y * y * o * g("caa")
    d = g("dbb") + o * g("dba") + y * g("dab") + y * o * g("daa")
    return F(b + (c - b) * Decimal("0.9") * (-((a * (q - d)).exp())).exp())


def watts_v2(n: int, total: str, p: dict[str, float]) -> Fraction:
    """Power of a node of section 8.4 with ``n`` processes and Q = ``total``."""
    q = F(total)
    k = {name: exact(value) for name, value in p.items()}
    return k["p00"] + k["p10"] * q + k["p20"] * q * q + k["p01"] * n + k["p02"] * n * n + k["p11"] * q * n


# -- how cases are written -------------------------------------------------------------------------


def cpu(cores: int = 4, clock: float = 2.0, **more: Any) -> dict[str, Any]:
    """Return a processor with the powers of the public examples."""
    powers = {"static_power": 6.14211, "dynamic_power": 5.59316, "min_power": 0.05}
    return {"cores": cores, "clock_rate": clock, "dpflops_per_cycle": 1.0, **powers, "contention": V1, **more}


def node(*cpus: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a node of the given processors."""
    return {"processors": list(cpus), **more}


def tasks(places: str, base: float, q: float = 0, clock: float = 2.0) -> list[dict[str, Any]]:
    """Return equal tasks on cores "n.p.c ..." of base time ``base`` s and request ``q`` MB/s at ``clock``."""
    ops, volume = exact(base) * exact(clock) * 10**9, exact(q) * exact(base)
    assert ops.denominator == 1
    return [
        {
            "place": [int(part) for part in place.split(".")],
            "req_ops": int(ops),
            "ipc": 1.0,
            "mem_vol": float(volume),
        }
        for place in places.split()
    ]


def job(name: str, submit: float, work: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Return a job that arrives, and starts, at ``submit``."""
    return {"id": name, "submit": submit, "tasks": work, **more}


def first_fit(nodes: list[Any], jobs: list[Any], ends: dict[str, list[float]]) -> bool:
    """Return whether the first free cores in platform order, jobs in order, are the places written."""
    order = [
        [i, j, k]
        for i, n in enumerate(nodes)
        for j, p in enumerate(n["processors"])
        for k in range(p["cores"])
    ]
    held: list[tuple[float, list[int]]] = []
    for entry in sorted(jobs, key=lambda one: float(one["submit"])):
        held = [(until, place) for until, place in held if until > entry["submit"]]
        free = [place for place in order if place not in [used for _, used in held]]
        if [task["place"] for task in entry["tasks"]] != free[: len(entry["tasks"])]:
            return False
        held += [(max(ends[entry["id"]]), task["place"]) for task in entry["tasks"]]
    return True


def case(  # noqa: PLR0917
    name: str, section: str, why: str, nodes: list[Any], jobs: list[Any], work: Any, **more: Any
) -> None:
    """Add a case; ``work(r)`` derives {job: [task ends]}, energy in joules, {job: [factors at start]}."""
    entry: Case = {"name": name, "section": section, "derivation": why, "nodes": nodes, "jobs": jobs, **more}
    for key, rounding in (("expected", lambda x: round(x, 9)), ("expected_unrounded", lambda x: x)):
        ends, energy, factors = work(rounding)
        entry[key] = {
            "tasks": {k: [float(e) for e in v] for k, v in ends.items()},
            "jobs": {k: float(max(v)) for k, v in ends.items()},
            "makespan": float(max(max(v) for v in ends.values())),
            "energy": float(energy),
            "speed_at_start": {k: [float(e) for e in v] for k, v in factors.items()},
        }
    entry["first_fit"] = first_fit(nodes, jobs, entry["expected"]["tasks"])
    entry["equal_tasks"] = all(len({(t["req_ops"], t["mem_vol"]) for t in one["tasks"]}) == 1 for one in jobs)
    CASES.append(entry)


# -- memory-v1 -------------------------------------------------------------------------------------


def crowd(name: str, k: int, q: int, regime: str, speed: Fraction, words: str) -> None:  # noqa: PLR0917
    """Add a job of ``k`` equal tasks, 10 s each alone, on the one processor of 8 cores."""
    total, n = k * q, k - 1
    expected = {"free": F(1), "line": line(total), "cap": cap(q, n)}[regime]
    assert speed == expected
    if regime == "line":
        assert line(total) >= cap(q, n)
        assert total >= 32000
    if regime == "cap":
        assert line(total) < cap(q, n)

    def work(r: Rounding) -> Any:
        end = 10 / r(speed)
        return {"J": [end] * k}, (STATIC + k * DYNAMIC) * end, {"J": [r(speed)] * k}

    places = " ".join(f"0.0.{i}" for i in range(k))
    why = f"n={n}, Q={k}*{q}={total}. {words} End = 10/S; energy = (static + {k} dynamic) * end."
    case(name, "8.3", why, [node(cpu(8))], [job("J", 0, tasks(places, 10, q))], work, memory="memory-v1")


def memory_v1_regimes() -> None:
    """One case per regime and per number of neighbors."""
    crowd("v1-n0-alone-above-c", 1, 40000, "cap", F(1), "D(q,0) = 1 and the line is 0.852 < D: S = D = 1.")
    crowd("v1-n1-below-c", 2, 15000, "free", F(1), "Q < c: S = 1.")
    crowd("v1-n1-at-c", 2, 16000, "line", F(1), "Q = c is not below c: S = 1 + b*0 = 1.")
    crowd(
        "v1-n1-line", 2, 17000, "line", 1 - F(37, 2000000) * 2000, "D = 0.910 < S = 1 - 1.85e-5*2000 = 0.963."
    )
    u = F(30000 + 0 - 1500, 44000)
    crowd(
        "v1-n1-cap",
        2,
        30000,
        "cap",
        (1 + F(3, 5) * fade(u)) / F(8, 5),
        "u = (30000 - 0.75*2000)/44000 = 0.6477; line 0.482 < D.",
    )
    crowd(
        "v1-n2-line",
        3,
        12000,
        "line",
        1 - F(37, 2000000) * 4000,
        "u = (12000 + 0.25*2000)/38000 = 0.3289, D = 0.889 < S = 1 - 1.85e-5*4000 = 0.926.",
    )
    crowd(
        "v1-n2-cap",
        3,
        22000,
        "cap",
        (1 + F(6, 5) * fade(F(22500, 38000))) / F(11, 5),
        "u = (22000 + 500)/38000 = 0.5921; line 0.371 < D.",
    )
    crowd(
        "v1-n3-line",
        4,
        10000,
        "line",
        1 - F(37, 2000000) * 8000,
        "u = (10000 + 1.25*2000)/32000 = 0.390625, D = 0.806 < S = 1 - 0.148 = 0.852.",
    )
    crowd(
        "v1-n3-cap-12200",
        4,
        12200,
        "cap",
        (1 + F(9, 5) * fade(F(14700, 32000))) / F(14, 5),
        "u = (12200 + 2500)/32000 = 0.459375, line 0.6892 < D = 0.727324.",
    )
    crowd(
        "v1-n3-cap-20000",
        4,
        20000,
        "cap",
        (1 + F(9, 5) * fade(F(22500, 32000))) / F(14, 5),
        "u = (20000 + 2500)/32000 = 0.703125, line 0.112 < D = 0.459338.",
    )
    crowd("v1-n3-past-1", 4, 30000, "cap", F(5, 14), "u = 32500/32000 > 1: sstep = 0, S = D = 1/2.8.")
    crowd(
        "v1-n4-line",
        5,
        7000,
        "line",
        1 - F(37, 2000000) * 3000,
        "u = (7000 + 2.25*2000)/26000 = 0.4423, D = 0.723 < S = 0.9445.",
    )
    crowd(
        "v1-n4-cap",
        5,
        13000,
        "cap",
        (1 + F(12, 5) * fade(F(17500, 26000))) / F(17, 5),
        "u = (13000 + 4500)/26000 = 0.6731; line 0.3895 < D.",
    )
    crowd(
        "v1-n5-line",
        6,
        8000,
        "line",
        1 - F(37, 2000000) * 16000,
        "u = (8000 + 3.25*2000)/20000 = 0.725, D = 0.349 < S = 1 - 0.296 = 0.704.",
    )
    crowd(
        "v1-n5-cap",
        6,
        12500,
        "cap",
        (1 + 3 * fade(F(19000, 20000))) / 4,
        "u = (12500 + 6500)/20000 = 0.95; line 0.2045 < D.",
    )
    crowd(
        "v1-n6-line",
        7,
        5000,
        "line",
        1 - F(37, 2000000) * 3000,
        "u = (5000 + 4.25*2000)/14000 = 0.964, D = 0.218 < S = 0.9445.",
    )
    crowd("v1-n6-past-1", 7, 11000, "cap", F(5, 23), "u = 19500/14000 > 1: S = D = 1/4.6; line 0.1675 < D.")
    crowd(
        "v1-n7-line",
        8,
        4200,
        "line",
        1 - F(37, 2000000) * 1600,
        "u = (4200 + 5.25*2000)/8000 > 1, D = 1/5.2 < S = 1 - 0.0296 = 0.9704.",
    )
    crowd("v1-n7-past-1", 8, 12000, "cap", F(5, 26), "u > 1: S = D = 1/5.2; the line is below zero.")


def memory_v1_mixtures() -> None:
    """Tasks of different demand beside each other, in one processor."""

    def below_zero(r: Rounding) -> Any:
        b1 = r(line(41000))
        b_end = 10 + (10 - 10 * b1)
        energy = (STATIC + 2 * DYNAMIC) * 10 + (STATIC + DYNAMIC) * (b_end - 10)
        return {"A": [F(10)], "B": [b_end]}, energy, {"A": [F(1)], "B": [b1]}

    case(
        "v1-mixed-u-below-0",
        "8.3",
        "Q = 1000 + 40000 = 41000, n = 1. A: u = (1000 - 0.75*2000)/44000 < 0, D = 1, threshold c: S "
        "= D = 1. "
        "B: u = 0.875, D = 0.63 < line = 1 - 1.85e-5*9000 = 0.8335. A ends at 10; B has done 8.335 s "
        "of its 10, "
        "then runs alone (D(q,0) = 1) for 1.665 s: 11.665.",
        [node(cpu(8))],
        [job("A", 0, tasks("0.0.0", 10, 1000)), job("B", 0, tasks("0.0.1", 10, 40000))],
        below_zero,
        memory="memory-v1",
    )

    def three(r: Rounding) -> Any:
        # Q = 45000, line 0.7595.  A: u=(5000+500)/38000 -> cap; B: u=15500/38000; C: u=25500/38000.
        a1, b1, c1 = (r(max(line(45000), cap(q, 2))) for q in (5000, 15000, 25000))
        t1 = 6 / a1
        # Q = 40000, n = 1, line 0.852.  B: u=(15000-1500)/44000; C: u=23500/44000.
        b2, c2 = (r(max(line(40000), cap(q, 1))) for q in (15000, 25000))
        t2 = t1 + (8 - t1 * b1) / b2
        c_left = 10 - t1 * c1 - (t2 - t1) * c2
        t3 = t2 + c_left  # alone: D(q, 0) = 1
        assert t1 < t2 < t3
        energy = STATIC * t3 + DYNAMIC * (t1 + t2 + t3)
        return {"A": [t1], "B": [t2], "C": [t3]}, energy, {"A": [a1], "B": [b1], "C": [c1]}

    case(
        "v1-mixed-three",
        "8.3",
        "A, B, C ask 5000, 15000, 25000 (bases 6, 8, 10 s). Together Q = 45000, n = 2, line 0.7595: "
        "each takes the "
        "larger of line and its own D. A ends first: Q = 40000, n = 1, line 0.852. Then C alone at 1.",
        [node(cpu(8))],
        [
            job("A", 0, tasks("0.0.0", 6, 5000)),
            job("B", 0, tasks("0.0.1", 8, 15000)),
            job("C", 0, tasks("0.0.2", 10, 25000)),
        ],
        three,
        memory="memory-v1",
    )

    def late(r: Rounding) -> Any:
        a1 = r(max(line(40000), cap(20000, 1)))
        a2, b2 = (r(max(line(64000), cap(q, 3))) for q in (20000, 12000))
        tb = 4 + 5 / b2
        ta = tb + (10 - 4 * a1 - (tb - 4) * a2) / a1
        assert tb < ta
        energy = STATIC * ta + 2 * DYNAMIC * (ta + tb - 4)
        return {"A": [ta] * 2, "B": [tb] * 2}, energy, {"A": [a1] * 2, "B": [b2] * 2}

    case(
        "v1-late-arrival",
        "8.3",
        "A (2 tasks of 20000, base 10) alone: Q = 40000, n = 1: line 0.852 < D(20000,1) = "
        "0.867. At 4 s B (2 "
        "tasks of 12000, base 5): Q = 64000, n = 3, line 0.408, so each its D(q,3). B ends: A as before.",
        [node(cpu(8))],
        [job("A", 0, tasks("0.0.0 0.0.1", 10, 20000)), job("B", 4, tasks("0.0.2 0.0.3", 5, 12000))],
        late,
        memory="memory-v1",
    )


def memory_v1_refresh() -> None:
    """Hold the core of a finished task: nothing changes until something starts on or leaves its processor."""
    jobs = [
        job("B", 0, tasks("0.0.0 0.0.1 0.0.2", 30, 20000)),
        job("A", 0, tasks("0.0.3 0.1.0", 10, 20000)),
        job("C", 0, tasks("0.1.1", 25, 18000)),
    ]

    def parts(r: Rounding) -> tuple[Fraction, ...]:
        s4 = r(max(line(80000), cap(20000, 3)))  # processor 0, four tasks
        s3 = r(max(line(60000), cap(20000, 2)))  # processor 0 after A
        a_p1 = r(max(line(38000), cap(20000, 1)))  # processor 1, A beside C
        c_p1 = r(max(line(38000), cap(18000, 1)))
        return s4, s3, a_p1, c_p1

    def held(r: Rounding) -> Any:
        s4, s3, a_p1, c_p1 = parts(r)
        a_short, a_end = 10 / a_p1, 10 / s4
        assert a_short < a_end
        c_end = a_end + (25 - c_p1 * a_end)
        b_end = a_end + (30 - s4 * a_end) / s3
        energy = STATIC * b_end + 3 * DYNAMIC * b_end + DYNAMIC * a_end
        energy += STATIC * c_end + DYNAMIC * (a_end + c_end) + IDLE * (b_end - c_end)
        assert c_end < b_end
        return (
            {"B": [b_end] * 3, "A": [a_end, a_short], "C": [c_end]},
            energy,
            {"B": [s4] * 3, "A": [s4, a_p1], "C": [c_p1]},
        )

    case(
        "v1-held-core-no-refresh",
        "8.3, 8.5",
        "Two processors of 4. B: 3 tasks (20000, 30 s) on 0; A: one task on 0, one on 1 (20000, 10 "
        "s); C: one on 1 "
        "(18000, 25 s). On 0: Q = 80000, n = 3. On 1: Q = 38000, n = 1. A's second task ends early "
        "but its core is "
        "held: C keeps its factor until A's first task ends and A leaves both processors.",
        [node(cpu(4), cpu(4))],
        jobs,
        held,
        memory="memory-v1",
    )

    def newcomer(r: Rounding) -> Any:
        s4, s3, a_p1, c_p1 = parts(r)
        a_short, a_end = 10 / a_p1, 10 / s4
        c2, d2 = (r(max(line(42000), cap(q, 1))) for q in (18000, 24000))
        assert cap(18000, 1) > line(42000) > cap(18000, 2)  # counting the finished task would give the line
        d_end = 15 + 4 / d2
        assert a_short < 15
        assert d_end < a_end
        # D leaves processor 1 at d_end: C is the only unfinished task there (A's is done, though held): S = 1
        c_end = d_end + (25 - 15 * c_p1 - (d_end - 15) * c2)
        b_end = a_end + (30 - s4 * a_end) / s3
        energy = STATIC * b_end + 3 * DYNAMIC * b_end + DYNAMIC * a_end
        energy += STATIC * c_end + DYNAMIC * (a_end + c_end + d_end - 15) + IDLE * (b_end - c_end)
        assert a_end < c_end < b_end
        return (
            {"B": [b_end] * 3, "A": [a_end, a_short], "C": [c_end], "D": [d_end]},
            energy,
            {"B": [s4] * 3, "A": [s4, a_p1], "C": [c_p1], "D": [d2]},
        )

    case(
        "v1-held-core-and-newcomer",
        "8.3, 8.5",
        "As v1-held-core-no-refresh, and D (one task, 24000, base 4) starts on processor 1 at 15 s. "
        "The factors "
        "there are renewed: A's finished task asks 0 and is not counted, so Q = 42000 and n = 1: C "
        "has D(18000,1) = 0.897 > line = 0.815, D the line.",
        [node(cpu(4), cpu(4))],
        [*jobs, job("D", 15, tasks("0.1.2", 4, 24000))],
        newcomer,
        memory="memory-v1",
    )

    def by_task(r: Rounding) -> Any:
        s2 = r(max(line(36000), cap(18000, 1)))
        t1 = 6 / s2
        t2 = t1 + (10 - 6)
        return {"J": [t1, t2]}, STATIC * t2 + DYNAMIC * (t1 + t2), {"J": [s2, s2]}

    case(
        "v1-release-by-task",
        "8.3, 5",
        "A sequential job of the thesis whose tasks (6 and 10 s, 18000 each) free their cores one by "
        "one: Q = 36000, "
        "n = 1 until the first leaves; then the second runs at 1 for the 4 s it has left.",
        [node(cpu(4))],
        [job("J", 0, tasks("0.0.0", 6, 18000) + tasks("0.0.1", 10, 18000), release="task")],
        by_task,
        memory="memory-v1",
    )

    def by_job(r: Rounding) -> Any:
        s2 = r(max(line(36000), cap(18000, 1)))
        t1, t2 = 6 / s2, 10 / s2
        return {"J": [t1, t2]}, (STATIC + 2 * DYNAMIC) * t2, {"J": [s2, s2]}

    case(
        "v1-release-by-job",
        "8.3, 8.5",
        "The same two tasks released with their job: the finished one leaves the processor only with "
        "the other, so "
        "the second keeps the factor of the first stretch to its end.",
        [node(cpu(4))],
        [job("J", 0, tasks("0.0.0", 6, 18000) + tasks("0.0.1", 10, 18000))],
        by_job,
        memory="memory-v1",
    )


def memory_v1_units() -> None:
    """Unlike processors, and operations that do not divide."""
    other = cpu(4, 2.5, dpflops_per_cycle=4.0, contention=V1_OTHER)

    def unlike(r: Rounding) -> Any:
        # Processor 0: R = 2e9, base 10 s, q = 13000 for 4 tasks: Q = 52000, n = 3.
        s0 = r(max(line(52000), cap(13000, 3)))
        # Processor 1: R = 1e10, base 2 s, q = 65000 for the same task: u > 1: D = 1/1.6.
        s1 = r(max(line(130000, V1_OTHER), cap(65000, 1, V1_OTHER)))
        # K: base 8 s there, q = 11000, 2 tasks from 6 s: Q = 22000, n = 1: line 0.94; u = 9750/35000.
        k1 = r(max(line(22000, V1_OTHER), cap(11000, 1, V1_OTHER)))
        j_end = 10 / s0
        assert s1 == r(F(5, 8))
        assert 2 / s1 < 6
        # J holds two cores of processor 1 until j_end; its finished tasks count in neither Q nor n.
        k_end = 6 + 8 / k1
        assert k_end > j_end
        energy = (STATIC + 4 * DYNAMIC) * j_end + IDLE * (k_end - j_end)
        energy += STATIC * k_end + 2 * DYNAMIC * (j_end + k_end - 6)
        return (
            {"J": [j_end] * 4 + [2 / s1] * 2, "K": [k_end] * 2},
            energy,
            {"J": [s0] * 4 + [s1] * 2, "K": [k1] * 2},
        )

    case(
        "v1-unlike-processors",
        "8.3",
        "Six equal tasks (2e10 operations, 130000 MB): four on a 2 GHz processor (base 10 s, q = "
        "13000, Q = 52000, "
        "n = 3), two on one of 2.5 GHz x 4 operations per cycle with other constants (base 2 s, q = "
        "65000, u > 1, "
        "D = 1/1.6). At 6 s K (2 tasks, 8 s, 11000) joins the second: Q = 22000, n = 1, J's finished "
        "tasks apart.",
        [node(cpu(4), other)],
        [
            job("J", 0, tasks("0.0.0 0.0.1 0.0.2 0.0.3 0.1.0 0.1.1", 10, 13000)),
            job("K", 6, tasks("0.1.2 0.1.3", 8, 11000, 10.0)),
        ],
        unlike,
        memory="memory-v1",
    )

    def rest(r: Rounding) -> Any:
        base = F(33333334, 2 * 10**9)
        q = F(300) / base  # about 18000 MB/s
        u = (q - 1500) / 44000
        s = r(max(1 - F(37, 2000000) * (2 * q - 32000), (1 + F(3, 5) * fade(u)) / F(8, 5)))
        end = base / s
        return {"J": [end] * 2}, (STATIC + 2 * DYNAMIC) * end, {"J": [s] * 2}

    ops = [{"place": [0, 0, i], "req_ops": 100000000, "ipc": 3.0, "mem_vol": 300.0} for i in range(2)]
    case(
        "v1-ceiling",
        "8.3",
        "ops = ceil(1e8/3) = 33333334, base = ops/2e9 = 0.016666667 s, q = 300/base = 17999.99964 "
        "(not 18000).",
        [node(cpu(4))],
        [job("J", 0, ops)],
        rest,
        memory="memory-v1",
    )

    def dual(r: Rounding) -> Any:
        # Known result of section 8.8: 0.5 s alone, 0.8 s at 0.625, 0.5 s alone.
        return ({"A": [F("1.3")], "B": [F("1.8")]}, F(350), {"A": [F(1)], "B": [F(5, 8)]})

    strong = cpu(2, 1.0, static_power=50.0, dynamic_power=100.0)
    case(
        "v1-dual-core",
        "8.8",
        "The public dual_core example: two tasks of 1 s and huge demand, 0.5 s apart; 350 J = 50*1.8 "
        "+ 100*2.6.",
        [node(strong)],
        [job("A", 0, tasks("0.0.0", 1, 1000000, 1.0)), job("B", 0.5, tasks("0.0.1", 1, 1000000, 1.0))],
        dual,
        memory="memory-v1",
    )


# -- memory-v2 -------------------------------------------------------------------------------------


def node_v2(
    clock: float = 1.7, power: dict[str, float] = SLOW, cores: int = 8, **more: Any
) -> dict[str, Any]:
    """Return a node under section 8.4; operations per cycle are set to 2 and must not matter."""
    return node(cpu(cores, clock, dpflops_per_cycle=2.0), contention_v2=V2, power_v2=power, **more)


def crowd_v2(name: str, k: int, q: str, words: str, coefficients: dict[str, float] = V2) -> None:
    """Add a job of ``k`` equal tasks of 10 s and request ``q`` on one node of 1.7 GHz."""
    y, total = Decimal(q) / 1000, k * Decimal(q) / 1000
    speed = gompertz(k - 1, str(total), str(y), coefficients)
    end = 10 / speed
    power = watts_v2(k, str(total), SLOW)
    why = f"o={k - 1}, y={y}, Q={total}. {words} S = {float(speed):.9f}; power {float(power):.6f} W."
    case(
        name,
        "8.4",
        why,
        [{**node_v2(), "contention_v2": coefficients}],
        [job("J", 0, tasks(" ".join(f"0.0.{i}" for i in range(k)), 10, float(q), 1.7))],
        lambda r: ({"J": [end] * k}, power * end, {"J": [speed] * k}),
        memory="memory-v2",
    )


def memory_v2_cases() -> None:
    """Alone, in growing crowds, with every coefficient, in mixtures, and on unlike nodes."""
    crowd_v2("v2-alone-light", 1, "20", "c=0.968, d=0.0326, Q below d: the start of the drop.")
    crowd_v2("v2-alone-on-the-slope", 1, "50", "c=-0.3025, d=0.0536, Q-d=-0.0036: the middle of the drop.")
    crowd_v2("v2-two-on-the-slope", 2, "20", "c=0.766, d=0.0326, Q-d=0.0074.")
    crowd_v2("v2-three", 3, "12", "c=0.992+0.012*(14.7-39.6)+0.000144*(-815+990), d=0.027.")
    crowd_v2("v2-four-light", 4, "4", "c=0.81992, d=0.0214, Q-d=-0.0054.")
    crowd_v2("v2-four-past-the-slope", 4, "20", "c=0.362, d=0.0326: almost the whole drop.")
    crowd_v2("v2-eight", 8, "10", "c=-0.002, d=0.0256: close to the end of the drop, b + 0.9 (c - b).")
    crowd_v2("v2-every-coefficient", 3, "15", "All 18 coefficients differ from zero.", V2_FULL)
    crowd_v2(
        "v2-slightly-above-1",
        1,
        "10",
        "c=1.0655 > b, so S > 1 as printed (no bound is stated; open reading).",
    )

    def mixed(_: Rounding) -> Any:
        a1, b1, c1 = gompertz(2, "0.036", "0.006"), gompertz(2, "0.036", "0.01"), gompertz(2, "0.036", "0.02")
        ta = 4 / a1
        b2, c2 = gompertz(1, "0.03", "0.01"), gompertz(1, "0.03", "0.02")
        tb = ta + (8 - ta * b1) / b2
        c3 = gompertz(0, "0.02", "0.02")
        tc = tb + (12 - ta * c1 - (tb - ta) * c2) / c3
        assert ta < tb < tc
        energy = watts_v2(3, "0.036", SLOW) * ta + watts_v2(2, "0.03", SLOW) * (tb - ta)
        energy += watts_v2(1, "0.02", SLOW) * (tc - tb)
        return {"A": [ta], "B": [tb], "C": [tc]}, energy, {"A": [a1], "B": [b1], "C": [c1]}

    case(
        "v2-mixed-three",
        "8.4",
        "A, B, C ask 6, 10, 20 (y = 0.006, 0.01, 0.02; bases 4, 8, 12 s) on one node: o = 2, Q = "
        "0.036; after A "
        "o = 1, Q = 0.03; C alone o = 0, Q = 0.02.",
        [node_v2()],
        [
            job("A", 0, tasks("0.0.0", 4, 6, 1.7)),
            job("B", 0, tasks("0.0.1", 8, 10, 1.7)),
            job("C", 0, tasks("0.0.2", 12, 20, 1.7)),
        ],
        mixed,
        memory="memory-v2",
    )

    def late(_: Rounding) -> Any:
        a1, a2, b2 = (
            gompertz(1, "0.03", "0.015"),
            gompertz(4, "0.054", "0.015"),
            gompertz(4, "0.054", "0.008"),
        )
        tb = 3 + 4 / b2
        ta = tb + (10 - 3 * a1 - (tb - 3) * a2) / a1
        energy = watts_v2(2, "0.03", SLOW) * (3 + ta - tb) + watts_v2(5, "0.054", SLOW) * (tb - 3)
        energy += (ta) * exact(FAST["pidle"])
        return {"A": [ta] * 2, "B": [tb] * 3}, energy, {"A": [a1] * 2, "B": [b2] * 3}

    case(
        "v2-late-arrival",
        "8.4",
        "A (2 tasks of 15, base 10) with Q = 0.03; at 3 s B (3 tasks of 8, base 4): Q = 0.054, o = "
        "4; B leaves, A as "
        "before. A second node, never used, draws pidle to the end.",
        [node_v2(), node_v2(3.4, FAST)],
        [job("A", 0, tasks("0.0.0 0.0.1", 10, 15, 1.7)), job("B", 3, tasks("0.0.2 0.0.3 0.0.4", 4, 8, 1.7))],
        late,
        memory="memory-v2",
    )

    def unlike(_: Rounding) -> Any:
        slow, fast = gompertz(2, "0.027", "0.009"), gompertz(1, "0.036", "0.018")
        ta, tb = 10 / slow, 5 / fast
        energy = watts_v2(3, "0.027", SLOW) * ta + watts_v2(2, "0.036", FAST) * tb
        energy += max(F(0), tb - ta) + exact(FAST["pidle"]) * max(
            F(0), ta - tb
        )  # the slow node's pidle is 1 W
        return {"A": [ta] * 3, "B": [tb] * 2}, energy, {"A": [slow] * 3, "B": [fast] * 2}

    case(
        "v2-unlike-nodes",
        "8.4",
        "The same task (1.7e10 operations, volume 90) has base 10 s and q = 9 at 1.7 GHz, base 5 s "
        "and q = 18 at 3.4 "
        "GHz. A: three on the slow node; B: two on the fast node. The node that ends first then "
        "draws pidle.",
        [node_v2(cores=3), node_v2(3.4, FAST)],
        [job("A", 0, tasks("0.0.0 0.0.1 0.0.2", 10, 9, 1.7)), job("B", 0, tasks("1.0.0 1.0.1", 10, 9, 1.7))],
        unlike,
        memory="memory-v2",
    )

    def two_processors(_: Rounding) -> Any:
        s = gompertz(3, "0.044", "0.011")
        end = 6 / s
        return {"J": [end] * 4}, watts_v2(4, "0.044", FAST) * end, {"J": [s] * 4}

    case(
        "v2-node-not-processor",
        "8.4",
        "Four tasks of 11 on two processors of one node: the node counts, o = 3 and Q = 0.044, not o "
        "= 1, Q = 0.022.",
        [node(cpu(2, 3.4), cpu(2, 3.4), contention_v2=V2, power_v2=FAST)],
        [job("J", 0, tasks("0.0.0 0.0.1 0.1.0 0.1.1", 6, 11, 3.4))],
        two_processors,
        memory="memory-v2",
    )


# -- network ---------------------------------------------------------------------------------------

MB = 10**6
FIXED = {"count": "task", "time": "second", "factor": 0.8}
PAIRS = {"count": "pair", "time": "second", "factor": 0.8}
SHARE = {"count": "pair", "time": "task", "factor": "proportional"}


def plain(*shape: tuple[int, int], clock: tuple[float, ...] = ()) -> list[dict[str, Any]]:
    """Nodes of one processor without memory contention: ``(cores, link in MB/s)`` each, 50 W and 100 W."""
    powers = {"static_power": 50.0, "dynamic_power": 100.0}
    speeds = clock or (2.0,) * len(shape)
    return [node(cpu(k, f, **powers), comm_bw=bw * MB) for (k, bw), f in zip(shape, speeds, strict=True)]


def joules(*held: list[tuple[int, Fraction]], until: Fraction) -> Fraction:
    """Return energy of processors of 50 W, 100 W per core, 2.5 W idle; each as (cores held, until when)."""
    total = F(0)
    for processor in held:
        busy = max((t for _, t in processor), default=F(0))
        total += 50 * busy + F(5, 2) * (until - busy) + sum(100 * k * t for k, t in processor)
    return total


def simple(  # noqa: PLR0917
    name: str,
    section: str,
    why: str,
    nodes: list[Any],
    places: str,
    base: str,
    volume: float,
    share: str,
    factors: list[Fraction],
    network: dict[str, Any],
    **more: Any,
) -> None:
    """Add one job alone, task i at the constant factor ``factors[i]``, all cores held to the last end."""
    parts = places.split()
    ends = [F(base) / f for f in factors]
    last = max(ends)
    held = [[(sum(p.startswith(f"{i}.") for p in parts), last)] for i in range(len(nodes))]
    held = [h if h[0][0] else [] for h in held]
    energy = joules(*held, until=last)
    case(
        name,
        section,
        why,
        nodes,
        [job("J", 0, tasks(places, float(base)), comm_vol=volume * MB, compute_share=float(share))],
        lambda r: ({"J": ends}, energy, {"J": factors}),
        network=network,
        **more,
    )


def network_fixed() -> None:
    """Use the thesis' model: a constant factor once the sum of volumes is strictly above the capacity."""
    two = "0.0.0 0.0.1 1.0.0 1.0.1"
    simple(
        "net-fixed-thesis",
        "4.3, 6.2 E3",
        "2 + 2 tasks of 200 MB: 400 > 125 on both; 0.9 + 0.1*0.8 = 0.98.",
        plain((2, 125), (2, 125)),
        two,
        "1",
        200,
        "0.9",
        [F(49, 50)] * 4,
        FIXED,
    )
    simple(
        "net-fixed-at-capacity",
        "4.3",
        "2 * 62.5 = 125 MB is not above 125: S_f = 1.",
        plain((2, 125), (2, 125)),
        two,
        "3",
        62.5,
        "0.3",
        [F(1)] * 4,
        FIXED,
    )
    simple(
        "net-fixed-just-above",
        "4.3",
        "2 * 63 = 126 > 125: 0.3 + 0.7*0.8 = 0.86 (size of the excess is no matter).",
        plain((2, 125), (2, 125)),
        two,
        "5",
        63,
        "0.3",
        [F(43, 50)] * 4,
        FIXED,
    )
    simple(
        "net-fixed-unequal-links",
        "4.3, 6.2 E4",
        "Node 0: 3*150 = 450 <= 500, free. Node 1: 150 > 125: 0.6 + 0.4*0.8 = 0.92. All cores held "
        "to 1/0.92.",
        plain((3, 500), (3, 125)),
        "0.0.0 0.0.1 0.0.2 1.0.0",
        "1",
        150,
        "0.6",
        [F(1)] * 3 + [F(23, 25)],
        FIXED,
    )
    simple(
        "net-fixed-per-task",
        "4.3, A4",
        "Counted per task: 2*50 = 100 <= 125, no contention.",
        plain((2, 125), (2, 125)),
        two,
        "6",
        50,
        "0.4",
        [F(1)] * 4,
        FIXED,
    )
    simple(
        "net-fixed-per-pair",
        "4.3, A4",
        "Counted per pair: 4*50 = 200 > 125: 0.4 + 0.6*0.8 = 0.88.",
        plain((2, 125), (2, 125)),
        two,
        "6",
        50,
        "0.4",
        [F(22, 25)] * 4,
        PAIRS,
    )
    simple(
        "net-fixed-three-nodes",
        "4.3",
        "2 + 2 + 1 tasks of 70 MB, links 200, 125, 60: 140 <= 200, 140 > 125, 70 > 60; factor 0.55, "
        "share 0.7: "
        "0.7 + 0.3*0.55 = 0.865 on nodes 1 and 2.",
        plain((2, 200), (2, 125), (2, 60)),
        "0.0.0 0.0.1 1.0.0 1.0.1 2.0.0",
        "7",
        70,
        "0.7",
        [F(1)] * 2 + [F(173, 200)] * 3,
        {**FIXED, "factor": 0.55},
    )
    simple(
        "net-fixed-one-node",
        "4.3, 6.2 E2b",
        "All four tasks on one node: no traffic, whatever the volume.",
        plain((4, 125), (4, 125)),
        "0.0.0 0.0.1 0.0.2 0.0.3",
        "2",
        900,
        "0.5",
        [F(1)] * 4,
        FIXED,
    )
    simple(
        "net-fixed-volume-over-time",
        "4.3, A5",
        "Volume over the task's time (4 s): 2*240/4 = 120 <= 125, free (as the flow of one second "
        "480 > 125).",
        plain((2, 125), (2, 125)),
        two,
        "4",
        240,
        "0.5",
        [F(1)] * 4,
        {**FIXED, "time": "task"},
    )


def network_fixed_two_jobs() -> None:
    """Two jobs on one link, a local job beside, and a partner that ends early."""

    def meet(_: Rounding) -> Any:
        k_end = 4 / F("0.84")
        j_slow = k_end + (10 - F("0.9") * k_end)
        energy = joules([(2, j_slow)], [(1, j_slow), (1, k_end)], [(1, k_end)], until=j_slow)
        return (
            {"J": [F(10), F(10), j_slow], "K": [k_end, F(4)]},
            energy,
            {"J": [F(1), F(1), F("0.9")], "K": [F("0.84"), F(1)]},
        )

    jobs = [
        job("J", 0, tasks("0.0.0 0.0.1 1.0.0", 10), comm_vol=60 * MB, compute_share=0.5),
        job("K", 0, tasks("1.0.1 2.0.0", 4), comm_vol=80 * MB, compute_share=0.2),
    ]
    case(
        "net-fixed-two-jobs-meet",
        "4.3",
        "J (2 + 1 tasks of 60) and K (1 + 1 of 80): node 0 120, node 1 60 + 80 = 140 > 125, node 2 "
        "80. On node 1 J "
        "runs at 0.5 + 0.5*0.8 = 0.9, K at 0.2 + 0.8*0.8 = 0.84 until K ends (4/0.84); then J at 1.",
        plain((2, 125), (2, 125), (2, 125)),
        jobs,
        meet,
        network=FIXED,
    )

    def local(_: Rounding) -> Any:
        energy = joules([(2, F(9)), (2, F(6))], [(1, F(6))], until=F(9))
        return ({"L": [F(9)] * 2, "K": [F(6)] * 3}, energy, {"L": [F(1)] * 2, "K": [F(1)] * 3})

    case(
        "net-fixed-local-job-is-no-load",
        "4.3",
        "L (2 tasks of 500 MB, both on node 0) exchanges nothing over the link; K (2 + 1 tasks of "
        "60) loads it with "
        "120 <= 125: nobody is slowed.",
        plain((4, 125), (4, 125)),
        [
            job("L", 0, tasks("0.0.0 0.0.1", 9), comm_vol=500 * MB, compute_share=0.5),
            job("K", 0, tasks("0.0.2 0.0.3 1.0.0", 6), comm_vol=60 * MB, compute_share=0.4),
        ],
        local,
        network=FIXED,
    )

    def partner(_: Rounding) -> Any:
        # J on node 1 (4 GHz): base 2 s, ends 2/0.9; J on node 0 ends at 4 s, and with it J's load on node 1.
        k_slow = 4 + (8 - F("0.84") * 4)
        energy = joules([(2, F(4))], [(1, F(4)), (1, k_slow)], [(1, k_slow)], until=k_slow)
        return (
            {"J": [F(4), F(4), 2 / F("0.9")], "K": [k_slow, F(16)]},
            energy + later(k_slow),
            {"J": [F(1), F(1), F("0.9")], "K": [F("0.84"), F(1)]},
        )

    def later(k_slow: Fraction) -> Fraction:
        # K holds both its cores to 16 s (its task on node 2 takes 16 s at 2 GHz); node 0 idles from 4 s.
        return (16 - k_slow) * (150 + 150 + F(5, 2))

    case(
        "net-fixed-finished-partner",
        "4.3, A11",
        "As net-fixed-two-jobs-meet, but node 1 runs at 4 GHz. J's task there ends at 2/0.9 and goes "
        "on counting until "
        "J ends at 4 s: K's task on node 1 runs at 0.84 for 4 s, then at 1: 4 + 8 - 3.36 = 8.64.",
        plain((2, 125), (2, 125), (2, 125), clock=(2.0, 4.0, 2.0)),
        [
            job("J", 0, tasks("0.0.0 0.0.1 1.0.0", 4), comm_vol=60 * MB, compute_share=0.5),
            job("K", 0, tasks("1.0.1 2.0.0", 16), comm_vol=80 * MB, compute_share=0.2),
        ],
        partner,
        network=FIXED,
        other_reading={
            "finished": "silent",
            "tasks": {"K": [float(2 / F("0.9") + 8 - F("0.84") * 2 / F("0.9")), 16.0]},
        },
    )


def network_share() -> None:
    """Use the proportional model: min(1, capacity/demand), demand = volume of remote pairs over base time."""
    two = "0.0.0 0.0.1 1.0.0 1.0.1"
    links = plain((2, 125), (2, 125))
    for name, volume, share, speed, words in (
        ("0.3", 37.5, "0.2", F(1), "0.3 of the capacity: S_c = 1"),
        ("1", 125, "0.5", F(1), "exactly the capacity: S_c = 1"),
        (
            "1.7",
            212.5,
            "0.7",
            F(7, 10) + F(3, 10) / F("1.7"),
            "S_c = 1/1.7, S_f = 0.7 + 0.3/1.7 = 0.876470588",
        ),
        ("3", 375, "0.4", F(2, 5) + F(3, 5) / 3, "S_c = 1/3, S_f = 0.4 + 0.6/3 = 0.6"),
    ):
        simple(
            f"net-share-{name}-times",
            "11",
            f"4 pairs of {volume} MB in 4 s: {volume} MB/s on a link of 125: {words}.",
            links,
            two,
            "4",
            volume,
            share,
            [speed] * 4,
            SHARE,
        )
    simple(
        "net-share-unequal-links",
        "11",
        "2 + 1 tasks of 300 MB in 5 s: 2 pairs = 120 MB/s on both; link 0 (200) is free, link 1 (50) "
        "gives 50/120: "
        "0.4 + 0.6*5/12 = 0.65.",
        plain((2, 200), (2, 50)),
        "0.0.0 0.0.1 1.0.0",
        "5",
        300,
        "0.4",
        [F(1), F(1), F(13, 20)],
        SHARE,
    )
    simple(
        "net-share-three-nodes",
        "11",
        "2 + 2 + 1 tasks of 90 MB in 6 s (15 MB/s a pair): node 0: 2*3 = 6 pairs, 90; node 1: 6 "
        "pairs, 90; node 2: "
        "4 pairs, 60. Links 100, 60, 40: S_c = 1, 2/3, 2/3; share 0.25: 0.25 + 0.75*2/3 = 0.75.",
        plain((2, 100), (2, 60), (2, 40)),
        "0.0.0 0.0.1 1.0.0 1.0.1 2.0.0",
        "6",
        90,
        "0.25",
        [F(1)] * 2 + [F(3, 4)] * 3,
        SHARE,
    )

    def meet(_: Rounding) -> Any:
        j_slow, k_slow = F("0.9") + F("0.1") * F("0.8"), F("0.3") + F("0.7") * F("0.8")  # 0.98, 0.86
        k_end = 2 + 4 / k_slow
        assert k_end > 6  # J ends first: 2 s at 1, then at 0.98
        j_end = 2 + 4 / j_slow
        # from j_end on node 1 carries K's 50 alone
        k_end = j_end + (4 - k_slow * (j_end - 2))
        energy = joules([(2, j_end)], [(1, j_end), (1, k_end)], [(1, k_end)], until=k_end)
        energy -= 100 * 2 * 2 + F("47.5") * 2  # K holds its cores from 2 s only; node 2 idles before
        return (
            {"J": [F(6), F(6), j_end], "K": [k_end, F(6)]},
            energy,
            {"J": [F(1)] * 3, "K": [k_slow, F(1)]},
        )

    case(
        "net-share-two-jobs-meet",
        "11",
        "J (2 + 1 tasks, 300 MB in 6 s) puts 2*50 = 100 on links 0 and 1; K (1 + 1, 200 MB in 4 s, "
        "from 2 s) puts 50 "
        "on links 1 and 2. Link 1 (120) carries 150: S_c = 0.8; J there 0.9 + 0.08 = 0.98, K 0.3 + "
        "0.56 = 0.86. J ends "
        "at 2 + 4/0.98; then K at 1.",
        plain((2, 120), (2, 120), (2, 120)),
        [
            job("J", 0, tasks("0.0.0 0.0.1 1.0.0", 6), comm_vol=300 * MB, compute_share=0.9),
            job("K", 2, tasks("1.0.1 2.0.0", 4), comm_vol=200 * MB, compute_share=0.3),
        ],
        meet,
        network=SHARE,
    )

    def clocks(_: Rounding) -> Any:
        # Node 0 (2 GHz, base 4): 2*100/4 = 50 of 60.  Node 1 (4 GHz, base 2): 2*100/2 = 100 of 60: S_c = 0.6.
        s = F("0.6") + F("0.4") * F("0.6")
        energy = joules([(2, F(4))], [(1, F(4))], until=F(4))
        return {"J": [F(4), F(4), 2 / s]}, energy, {"J": [F(1), F(1), s]}

    case(
        "net-share-unlike-clocks",
        "11 (open reading: each task's own base time)",
        "2 + 1 tasks of 100 MB; base 4 s on node 0, 2 s on node 1. Each end of a pair puts the "
        "volume over its own base "
        "time on its own link: 50 on link 0, 100 on link 1 (60): 0.6 + 0.4*0.6 = 0.84; the task ends "
        "at 2/0.84.",
        plain((2, 60), (2, 60), clock=(2.0, 4.0)),
        [job("J", 0, tasks("0.0.0 0.0.1 1.0.0", 4), comm_vol=100 * MB, compute_share=0.6)],
        clocks,
        network=SHARE,
        other_reading={"pair over the slower end's base time": {"tasks": {"J": [4.0, 4.0, 2.0]}}},
    )


def idle_processors() -> None:
    """Processors that never run anything draw idle power from the start (section 11)."""

    def watts(_: Rounding) -> Any:
        return {"J": [F(1)] * 8}, F(905), {"J": [F(1)] * 8}

    cpus = [cpu(4, static_power=50.0, dynamic_power=100.0) for _ in range(2)]
    places = " ".join(f"0.{p}.{c}" for p in range(2) for c in range(4))
    case(
        "power-905-watts",
        "6.3, 11, 12.12",
        "Platform A, eight tasks of 1 s on node 0: 8*100 + 2*50 + 2*0.05*50 = 905 W for 1 s.",
        [node(*cpus), node(*cpus)],
        [job("J", 0, tasks(places, 1))],
        watts,
    )


# -- memory and network together -------------------------------------------------------------------


def with_link(cores: int, bw: int, clock: float = 2.0) -> dict[str, Any]:
    """Return a node of one memory-v1 processor and a link of ``bw`` MB/s."""
    return node(cpu(cores, clock), comm_bw=bw * MB)


def combined_v1() -> None:
    """S_f = T S_m + (1 - T) S_c with S_m of memory-v1."""

    def fixed(r: Rounding) -> Any:
        m0 = r(cap(12200, 3))
        f0 = F("0.6") * m0 + F("0.4") * F("0.8")
        end = 10 / f0
        energy = (STATIC + 4 * DYNAMIC) * end + (STATIC + 2 * DYNAMIC) * end
        return {"J": [end] * 4 + [F(10)] * 2}, energy, {"J": [f0] * 4 + [F(1)] * 2}

    case(
        "both-v1-fixed",
        "8.3, 4.3",
        "4 + 2 tasks of 12200 and 40 MB: node 0 n = 3, S_m = D = 0.727324, 160 > 125: S_f = 0.6*S_m + "
        "0.4*0.8. Node 1 "
        "Q = 24400 < c and 80 <= 125: 1.",
        [with_link(4, 125), with_link(4, 125)],
        [
            job(
                "J",
                0,
                tasks("0.0.0 0.0.1 0.0.2 0.0.3 1.0.0 1.0.1", 10, 12200),
                comm_vol=40 * MB,
                compute_share=0.6,
            )
        ],
        fixed,
        memory="memory-v1",
        network=FIXED,
    )

    def share(r: Rounding) -> Any:
        m0, m1 = r(max(line(40000), cap(10000, 3))), r(max(line(33000), cap(11000, 2)))
        assert m0 == F("0.852")
        assert m1 == F("0.9815")
        # J: 4 + 1 tasks of 150 MB in 10 s: 4 pairs = 60 on both links (75, 50).  M: 2 tasks, local on node 1.
        f0, f1 = F("0.8") * m0 + F("0.2"), F("0.8") * F("0.9815") + F("0.2") * F(5, 6)
        j0, m_end = 10 / f0, 6 / m1
        # After M leaves node 1: J's task there has n = 0, S_m = 1; S_c unchanged.
        f1b = F("0.8") + F("0.2") * F(5, 6)
        j1 = m_end + (10 - f1 * m_end) / f1b
        last = max(j0, j1)
        energy = (STATIC + 4 * DYNAMIC) * last + (STATIC + DYNAMIC) * last + 2 * DYNAMIC * m_end
        return ({"J": [j0] * 4 + [j1], "M": [m_end] * 2}, energy, {"J": [f0] * 4 + [f1], "M": [m1] * 2})

    case(
        "both-v1-share",
        "8.3, 11, 4.3",
        "J: 4 + 1 tasks of 150 MB in 10 s, 4 pairs = 60 MB/s on each link (75: free; 50: S_c = 5/6). "
        "Node 0: Q = 40000, "
        "S_m = 0.852 (J's tasks there ask 10000). Node 1: J's 11000 (its task is its own) beside M's "
        "two of 11000: "
        "Q = 33000, n = 2, S_m = 0.9815 > D. When M ends, S_m of J's task there is 1.",
        [with_link(4, 75), with_link(4, 50)],
        [
            job(
                "J",
                0,
                tasks("0.0.0 0.0.1 0.0.2 0.0.3", 10, 10000) + tasks("1.0.0", 10, 11000),
                comm_vol=150 * MB,
                compute_share=0.8,
            ),
            job("M", 0, tasks("1.0.1 1.0.2", 6, 11000)),
        ],
        share,
        memory="memory-v1",
        network=SHARE,
    )

    def staged(r: Rounding) -> Any:
        # Node 0: J 2 tasks 14000, S one task 20000 (base 5): Q = 48000, n = 2.  Node 1: J: Q = 28000 < c.
        mj, ms = r(max(line(48000), cap(14000, 2))), r(max(line(48000), cap(20000, 2)))
        fj0, fj1 = F("0.7") * mj + F("0.3") * F("0.8"), F("0.7") + F("0.3") * F("0.8")
        s_end = 5 / ms
        j0 = s_end + (10 - fj0 * s_end) / fj1  # after S: Q = 28000 < c
        j1 = 10 / fj1
        assert j1 < j0
        energy = (STATIC + 2 * DYNAMIC) * 2 * j0 + DYNAMIC * s_end
        return {"J": [j0] * 2 + [j1] * 2, "S": [s_end]}, energy, {"J": [fj0] * 2 + [fj1] * 2, "S": [ms]}

    case(
        "both-v1-fixed-neighbor-leaves",
        "8.3, 4.3",
        "J: 2 + 2 tasks (14000, 70 MB: 140 > 125 on both). On node 0 a sequential S (20000, 5 s): Q "
        "= 48000, n = 2, "
        "line 0.704 against each D(q,2). S ends: Q = 28000 < c, only the network is left: 0.7 + 0.24 "
        "= 0.94.",
        [with_link(3, 125), with_link(3, 125)],
        [
            job("S", 0, tasks("0.0.0", 5, 20000)),
            job("J", 0, tasks("0.0.1 0.0.2 1.0.0 1.0.1", 10, 14000), comm_vol=70 * MB, compute_share=0.7),
        ],
        staged,
        memory="memory-v1",
        network=FIXED,
    )

    def other_clock(r: Rounding) -> Any:
        # S_c of X falls back to 1 when Y ends, though nothing starts on or leaves X's processor.
        mx = r(max(line(36000), cap(18000, 1)))
        fx = F("0.5") * mx + F("0.5") * F("0.8")
        fy = F("0.5") * 1 + F("0.5") * F("0.8")  # Y alone on its processor
        y_end = 3 / fy
        fx2 = F("0.5") * mx + F("0.5")
        x0 = y_end + (9 - fx * y_end) / fx2
        assert x0 > 9
        node_1 = (STATIC + 2 * DYNAMIC) * x0 + (STATIC + DYNAMIC) * y_end + IDLE * (x0 - y_end)
        others = (STATIC + DYNAMIC) * (x0 + y_end) + IDLE * (x0 - y_end)
        return (
            {"X": [F(9), x0, x0], "Y": [y_end, F(3)]},
            node_1 + others,
            {"X": [F(1), fx, fx], "Y": [fy, F(1)]},
        )

    case(
        "both-v1-fixed-other-processor",
        "8.3, 4.3, 11",
        "Node 1 has two processors. X: one task on node 0, two (18000, 9 s, 50 MB) on the first "
        "processor of node 1; Y: "
        "one task (10000, 3 s, 50 MB) on the second, one on node 2. Link 1: 150 > 125; links 0 and 2 "
        "carry 50. When Y "
        "ends, S_c of X is 1 although no task left X's processor; its S_m (Q = 36000, n = 1) stays.",
        [with_link(1, 125), node(cpu(2), cpu(1), comm_bw=125 * MB), with_link(1, 125)],
        [
            job("X", 0, tasks("0.0.0 1.0.0 1.0.1", 9, 18000), comm_vol=50 * MB, compute_share=0.5),
            job("Y", 0, tasks("1.1.0 2.0.0", 3, 10000), comm_vol=50 * MB, compute_share=0.5),
        ],
        other_clock,
        memory="memory-v1",
        network=FIXED,
    )


def combined_v2() -> None:
    """S_f with S_m of memory-v2."""
    bw = {"comm_bw": 125 * MB}

    def fixed(_: Rounding) -> Any:
        m0, m1 = gompertz(2, "0.036", "0.012"), gompertz(0, "0.012", "0.012")
        f0, f1 = F("0.45") * m0 + F("0.55") * F("0.8"), F("0.45") * m1 + F("0.55")
        end, short = 8 / f0, 8 / f1
        assert short < end
        # Node 1: its only process ends at `short`; power N over unfinished processes (open reading).
        energy = watts_v2(3, "0.036", SLOW) * end + watts_v2(1, "0.012", SLOW) * short + (end - short)
        return {"J": [end] * 3 + [short]}, energy, {"J": [f0] * 3 + [f1]}

    case(
        "both-v2-fixed",
        "8.4, 4.3",
        "3 + 1 tasks (12, 8 s, 60 MB, share 0.45): node 0 o = 2, Q = 0.036 and 180 > 125; node 1 o = "
        "0, Q = 0.012 and 60 "
        "<= 125. Energy assumes a finished process counts neither in N nor in Q (open reading).",
        [node_v2(1.7, SLOW, cores=3, **bw), node_v2(1.7, SLOW, **bw)],
        [job("J", 0, tasks("0.0.0 0.0.1 0.0.2 1.0.0", 8, 12, 1.7), comm_vol=60 * MB, compute_share=0.45)],
        fixed,
        memory="memory-v2",
        network=FIXED,
    )

    def share(_: Rounding) -> Any:
        # 2 + 2 tasks, 4 pairs of 300 MB in 6 s = 200 MB/s on 125 both: S_c = 0.625.
        m = gompertz(1, "0.036", "0.018")
        f = F("0.35") * m + F("0.65") * F(5, 8)
        end = 6 / f
        return {"J": [end] * 4}, 2 * watts_v2(2, "0.036", FAST) * end, {"J": [f] * 4}

    case(
        "both-v2-share",
        "8.4, 11, 4.3",
        "2 + 2 tasks (18, 6 s, 300 MB, share 0.35): o = 1, Q = 0.036 and 4*300/6 = 200 on 125: S_c = "
        "0.625 on both nodes.",
        [node_v2(3.4, FAST, cores=2, **bw), node_v2(3.4, FAST, **bw)],
        [job("J", 0, tasks("0.0.0 0.0.1 1.0.0 1.0.1", 6, 18, 3.4), comm_vol=300 * MB, compute_share=0.35)],
        share,
        memory="memory-v2",
        network=SHARE,
    )

    def leaves(_: Rounding) -> Any:
        mj, ms = gompertz(3, "0.04", "0.01"), gompertz(3, "0.04", "0.01")
        fj = F("0.7") * mj + F("0.3") * F("0.8")
        s_end = 4 / ms
        after = F("0.7") * gompertz(1, "0.02", "0.01") + F("0.3") * F("0.8")
        end = s_end + (12 - fj * s_end) / after
        other = 12 / after  # node 1 holds J's two others all the time
        assert other < end
        energy = watts_v2(4, "0.04", SLOW) * s_end + watts_v2(2, "0.02", SLOW) * (end - s_end)
        energy += watts_v2(2, "0.02", SLOW) * other + (end - other)
        return (
            {"S": [s_end] * 2, "J": [end] * 2 + [other] * 2},
            energy,
            {"S": [ms] * 2, "J": [fj] * 2 + [after] * 2},
        )

    case(
        "both-v2-fixed-neighbor-leaves",
        "8.4, 4.3",
        "S (2 sequential tasks, 10, 4 s) beside two of J's four (10, 12 s, 80 MB, share 0.7; 160 > "
        "125 on both nodes): "
        "o = 3, Q = 0.04 until S ends, then o = 1, Q = 0.02 as on node 1 throughout.",
        [node_v2(1.7, SLOW, cores=4, **bw), node_v2(1.7, SLOW, **bw)],
        [
            job("S", 0, tasks("0.0.0 0.0.1", 4, 10, 1.7)),
            job("J", 0, tasks("0.0.2 0.0.3 1.0.0 1.0.1", 12, 10, 1.7), comm_vol=80 * MB, compute_share=0.7),
        ],
        leaves,
        memory="memory-v2",
        network=FIXED,
    )


def fair_share() -> None:
    """Use the plain fair share of section 11: S_m = min(1, BW/Q)."""
    limited = cpu(4, static_power=50.0, dynamic_power=100.0, mem_bw=30000.0)

    def alone(_: Rounding) -> Any:
        # Q = 40000: 0.75; after A (6 s) B has 20000 <= 30000.
        a_end = 6 / F("0.75")
        b_end = a_end + 9 - F("0.75") * a_end
        return (
            {"A": [a_end] * 2, "B": [b_end] * 2},
            joules([(2, a_end), (2, b_end)], until=b_end),
            {"A": [F("0.75")] * 2, "B": [F("0.75")] * 2},
        )

    case(
        "fair-share",
        "11",
        "A and B, two tasks of 10000 each: Q = 40000 on 30000: 0.75. A ends at 6/0.75 = 8; B then at 1.",
        [node(limited)],
        [job("A", 0, tasks("0.0.0 0.0.1", 6, 10000)), job("B", 0, tasks("0.0.2 0.0.3", 9, 10000))],
        alone,
        memory="fair-share",
    )

    def linked(_: Rounding) -> Any:
        f = F("0.6") * F(5, 6) + F("0.4") * F("0.8")  # 0.82
        end = 7 / f
        return {"J": [end] * 4}, joules([(2, end)], [(2, end)], until=end), {"J": [f] * 4}

    case(
        "both-fair-share-fixed",
        "11, 4.3",
        "2 + 2 tasks of 18000 (Q = 36000 on 30000: 5/6) and 90 MB (180 > 125): 0.6*5/6 + 0.4*0.8 = 0.82.",
        [node({**limited, "cores": 2}, comm_bw=125 * MB), node({**limited, "cores": 2}, comm_bw=125 * MB)],
        [job("J", 0, tasks("0.0.0 0.0.1 1.0.0 1.0.1", 7, 18000), comm_vol=90 * MB, compute_share=0.6)],
        linked,
        memory="fair-share",
        network=FIXED,
    )


def table() -> str:
    """Derive every case and return the table, one case to a line."""
    CASES.clear()
    for derive in (
        memory_v1_regimes,
        memory_v1_mixtures,
        memory_v1_refresh,
        memory_v1_units,
        memory_v2_cases,
        network_fixed,
        network_fixed_two_jobs,
        network_share,
        idle_processors,
        combined_v1,
        combined_v2,
        fair_share,
    ):
        derive()
    names = [entry["name"] for entry in CASES]
    assert len(names) == len(set(names))
    return '{"cases": [\n' + ",\n".join(json.dumps(entry) for entry in CASES) + "\n]}\n"


if __name__ == "__main__":
    Path(__file__).with_name("contention_cases.json").write_text(table(), encoding="utf-8")
