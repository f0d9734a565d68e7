"""What a reader must know of how the thesis is read."""

from __future__ import annotations

from echelon.reproduce.irmasim.public_examples import SAVE_NOTE

NOTES = (
    "L numbers are lines of the thesis as plain text. Jobs are numbered from 1 as there, nodes and "
    "cores from 0.",
    "A task's speed is weighted as the thesis' own numbers need it, not as its formula is printed: "
    "the compute share by what memory allows, the rest by what the network allows.",
    "What a node sends is the volume of each of its tasks that has a sibling elsewhere, once, over "
    "one second: the thesis compares bytes with bytes a second, and its tasks take a second. The "
    "total counts each pair of tasks in different nodes once, as its 800 MB do.",
    "A task that has ended keeps its traffic until its job ends; else the last one of E2a would be "
    "alone for an instant and end at 1.02 s instead of 1.0204 s.",
    "E2a and E3 are one run. Its cores are forced as the thesis shows them: handed out in the order of "
    "the trace, job 2 would have four of one node and send nothing. A branch of the public repository holds "
    "an early state of the thesis' program, and that explains both this and the order of E1c: equal "
    "arrivals leave its queue, a binary heap, in another order than they came in. So is the last digit of "
    "1.020408164 s explained: its times are rounded up to whole nanoseconds.",
    "E4: which bandwidths were edited is not said. Ours is 1 TB/s in the first node, 125 MB/s in the second.",
    "The power of the platform is not stated. That of a platform file in the same branch, 100 W a busy core, "
    "50 W a busy processor and 5 % of that an idle one, gives the printed 905 J of E2b; no power that rises "
    "with the busy cores gives the energy of E2a, too.",
    "Of the global experiment's platform the thesis states 30 nodes of four processors of four cores,"
    " 125 MB/s a node and clocks from 2.4 to 4.4 GHz; of its jobs only that both kinds are there. So "
    "a mix of ours is run on many seeds, and no digit of its table can be tested. The branch has a trace of "
    "ten sequential and two MPI jobs; its 64 tasks fit at once and its longest jobs are sequential, so it is "
    "another.",
    SAVE_NOTE,
)
