"""What ``sbatch`` answers: accepted, refused, or nothing that can be relied on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from echelon.backends.contract import Accepted, Answer, Refused, Unclear

if TYPE_CHECKING:
    from echelon.backends.slurm.commands import Reply

NATIVE_ID = re.compile(r"(\d+)(?:;[^\s;]+)?")
"""What ``sbatch --parsable`` prints: ``id``, or ``id;cluster``."""

NOT_FOUND = 127
"""Exit code where there is no sbatch."""

NOT_NOW = (
    "Unable to contact slurm controller (connect failure)",
    "Slurm backup controller in standby mode",
    "Controller is in standby mode",
    "Unable to create job record, try again",
    "Slurm temporarily unable to accept job",
    "Requested partition configuration not available now",
    "Required partition not available (inactive or drain)",
    "Required node not available (down, drained or reserved)",
    "Requested reservation not usable now",
    "Requested reservation is in use",
    "Job violates accounting/QOS policy",
    "uthentication",
    "Munge",
    "Incompatible versions of client and server code",
    "Requested account has breached requested QOS usage threshold",
    "I/O error writing script/environment to file",
    "Requested operation is presently disabled",
    "Error generating job credential",
    "Slurm internal error",
    "Job update not available right now",
    "Could not establish a configuration source",
    "Unable to process configuration file",
    "error: Unable to open",
)
"""Of refusals that may pass: the controller is away or full, or a limit is reached."""

TOO_LARGE = ("PerJobLimit", "NotSatisfied")
"""Of the names of limits that the job breaks by itself; others may have room later."""

NEVER = (
    "Invalid ",
    "invalid ",
    "Requested node configuration is not available",
    "More processors requested than permitted",
    "Requested more tasks than available processors",
    "Requested time limit is invalid",
    "Time limit specification required",
    "Memory required by task is not available",
    "Memory specification can not be satisfied",
    "Node count specification invalid",
    "CPU count specification invalid",
    "Task count specification invalid",
    "Task distribution specification invalid",
    "Job size specification needs to be provided",
    "No partition specified or system default partition",
    "User's group not permitted to use this partition",
    "Requested nodes not in this partition",
    "Access denied to requested reservation",
    "Access/permission denied",
    "Active features not subset of available features",
    "Cannot request more threads per core",
    "Duplicate generic resource (gres) specification",
    "Requested GRES option unsupported",
    "Requested operation not supported on this system",
    "Multiple partition job request not supported",
    "Burst Buffer permission denied",
    "Job dependency problem",
    "Pathname of a file, directory or other parameter too long",
    "User not found on host",
    "Unspecified error",
    "unrecognized option",
)
"""Of refusals that stay: this cluster will not take this job."""


def answer_of(reply: Reply) -> Answer:
    """Return what an end of sbatch means.

    Whatever is in neither table, such as "Socket timed out on send/recv operation", may hide a job.
    """
    if reply.code is None:
        return Unclear(reply.problem or "sbatch was killed")
    if reply.code == 0:
        printed = reply.output.strip()
        match = NATIVE_ID.fullmatch(printed)
        return Accepted(match[1]) if match else Unclear(f"sbatch has printed {printed[:80]!r}, no number")
    reason = _reason(reply)
    # What may pass is looked for first: "Invalid" is in many sentences.
    is_too_large = any(phrase in reply.errors for phrase in TOO_LARGE)
    if reply.code == NOT_FOUND or (not is_too_large and any(phrase in reply.errors for phrase in NOT_NOW)):
        return Refused(reason, is_permanent=False)
    if is_too_large or any(phrase in reply.errors for phrase in NEVER):
        return Refused(reason, is_permanent=True)
    return Unclear(reason)


def _reason(reply: Reply) -> str:
    """Return the last line of messages without the program's name."""
    return re.sub(r"^sbatch: (error: |fatal: )?", "", reply.problem)
