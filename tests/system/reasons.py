"""Why some cells of the matrix are no runs, each with the sentence that a user reads."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Reason(NamedTuple):
    """Why a cell is no run.

    Attributes
    ----------
    kind : {"physics", "definition", "not yet"}
        What the reason is.
    words : str
        As the page says it.
    said : tuple of str
        Patterns of whole sentences, with one of which the run is refused.
    """

    kind: Literal["physics", "definition", "not yet"]
    words: str
    said: tuple[str, ...]


GIVE = r"\(--platform FILE\|PRESET\)"
REASONS = {
    "no queue": Reason(
        "definition",
        "Time-shared machines start every job as it comes. They have no queue for a policy to schedule.",
        (r"policy: '.*' applies to sites with queues; on time-shared machines every job starts at once",),
    ),
    "no cycles": Reason(
        "definition",
        "Time-shared machines have no scheduling cycles to choose a rule for.",
        (
            r"cycles: on time-shared machines every job starts at once, and no local policy decides; choose "
            r"'instant', got '\w+'",
        ),
    ),
    "one machine": Reason(
        "definition",
        "There is one site, so there is nothing to choose, to dispatch or to exchange.",
        (rf"[a-z-]+: .* applies to several sites( under brokers)?; give a platform with sites {GIVE}",),
    ),
    "no nodes": Reason(
        "physics",
        "Counted processors and time-shared machines have no nodes: no memory bus, no network links, no "
        "clock to scale and no power.",
        (rf"[a-z-]+: .* applies to nodes; give a platform with nodes {GIVE}",),
    ),
    "no power": Reason(
        "definition", "What shared nodes draw is their owners' affair, and not described.", ()
    ),
    "nodes are shared": Reason(
        "definition",
        "Shared nodes belong to their owners, who do not let jobs switch them off, scale their clocks or "
        "choose their cores. What slows jobs down there is `--execution time-shared`.",
        (
            "[a-z-]+: .* applies to nodes of which jobs hold cores; on a multicluster tasks share the "
            "least used nodes",
            r"no execution on shared nodes is named '.*'; did you mean 'time-shared'\?",
        ),
    ),
    "no owners": Reason(
        "definition",
        "Only shared nodes have owners, contracts and links between clusters.",
        (rf"[a-z-]+: .* applies to a multicluster, whose nodes are shared; give one {GIVE}",),
    ),
    "one slot a node": Reason(
        "definition",
        "On shared nodes each task of a job is in a node of its own; `node-backfill` runs jobs in one node.",
        (
            r"job \d+ needs \d+ cores, and no node alone can hold it; node-backfill runs every job in one "
            "node: leave it out, or take another policy, such as easy",
        ),
    ),
    "one machine's order": Reason(
        "definition",
        "`pyss` is the order of one queue to which all jobs are submitted.",
        (
            "cycles: pyss is the order of one machine, whose jobs have all been submitted to it; choose "
            "'instant' or 'event', got 'pyss'",
        ),
    ),
    "for time-shared": Reason(
        "definition",
        "Dispatchers, and brokers by load averages, are rules for machines that start every job at once.",
        (
            r"broker: [\w-]+ is for time-shared machines, but the platform's sites have queues; choose "
            r"another broker, or a platform whose sites have queue = \"none\" \(such as sinapad-rau\)",
            r"broker: [\w-]+ starts a copy of a job as soon as it dispatches it, but at site '\w+' jobs wait "
            "in a queue; choose a broker, or a dispatcher above time-shared machines alone",
            r"broker: [\w-]+ decides by itself what starts at each of its sites, but '\w+' is a site of "
            "sites, with a controller of its own; choose a broker above it",
        ),
    ),
    "no clusters": Reason(
        "definition",
        "On a multicluster it is the global queue that keeps jobs back; a dispatcher would be a second one.",
        (r"broker: needs a broker that chooses among clusters, got '[\w-]+'",),
    ),
    "nothing waits": Reason(
        "definition",
        "Protocols exchange jobs that wait at sites, and at time-shared machines none does.",
        (
            r"broker: [\w-]+ exchanges jobs that wait at sites, but no job waits at time-shared machines; "
            "choose a broker, such as wall-time",
        ),
    ),
}
"""By name."""
