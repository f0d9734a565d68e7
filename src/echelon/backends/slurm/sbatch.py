"""Handing jobs to ``sbatch``: one process each on this machine, many in one session over ssh."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from echelon.backends.contract import Answer, Refused, Unclear
from echelon.backends.slurm.answers import answer_of
from echelon.backends.slurm.commands import Commands, Reply

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor

COMMAND = ("sbatch", "--parsable", "--no-requeue")
SESSION = 25
"""Jobs that one session takes at most: a login may take as long as twenty submissions."""

FEW = 8
"""Jobs for which no further session is opened."""

SILENT = ("Unable to contact", "timed out", "standby mode")
"""Of messages after which the next job would not fare better."""

ANSWER, STOPS = "echelon answer", "echelon stops"
ALL = (
    'while read -r text; do said=$(printf "%s" "$text" | base64 -d | "$@" 2>&1); code=$?; '
    f'printf "%s\\n{ANSWER} %s\\n" "$said" "$code"; '
    f'case "$said" in {"|".join(f"*{chr(34)}{phrase}{chr(34)}*" for phrase in SILENT)}) break ;; esac; done; '
    f'echo "{STOPS}"'
)
"""Program of the shell that submits a text for each line of its input; a line that was cut off is none."""


@dataclass(frozen=True, slots=True)
class Sbatch:
    """How jobs are submitted.

    Parameters
    ----------
    commands : Commands
        How the cluster is reached.
    threads : Executor
        What runs processes or sessions beside one another.
    """

    commands: Commands
    threads: Executor

    def submit(self, texts: Sequence[str], *, limit: float) -> list[Answer]:
        """Submit jobs; return an answer for each.

        Once the controller does not answer, what has not begun is refused for now.

        Parameters
        ----------
        texts : sequence of str
            See `text_of`.
        limit : float
            Seconds after which a submission is over, here and at the cluster.
        """
        silent: list[str] = []

        def some(chunk: Sequence[str]) -> list[Answer]:
            if silent:
                return [_not_tried(silent[0]) for _ in chunk]
            answers = self._session(chunk, limit) if self.commands.is_remote else self._process(chunk, limit)
            silent.extend(why for answer in answers if (why := _silence(answer)))
            return answers

        size = min(max(-(-len(texts) // 4), FEW), SESSION) if self.commands.is_remote else 1
        chunks = [texts[start : start + size] for start in range(0, len(texts), size)]
        return [answer for answers in self.threads.map(some, chunks) for answer in answers]

    def _process(self, texts: Sequence[str], limit: float) -> list[Answer]:
        command = self.commands.slurm(COMMAND)
        replies = (self.commands.run(command, text=text, limit=limit, variables={}) for text in texts)
        return [answer_of(reply) for reply in replies]

    def _session(self, texts: Sequence[str], limit: float) -> list[Answer]:
        lines = (base64.b64encode(text.encode("utf-8", "surrogateescape")).decode() for text in texts)
        command = ["sh", "-c", ALL, "sh", *self.commands.slurm(COMMAND)]
        reply = self.commands.run(
            command, text="".join(f"{line}\n" for line in lines), limit=limit, variables={}
        )
        *pairs, rest = re.split(rf"^{ANSWER} (\d+)\n", reply.output, flags=re.MULTILINE)
        answers = [
            answer_of(_reply(int(code), stdout)) for stdout, code in zip(pairs[::2], pairs[1::2], strict=True)
        ]
        why = reply.problem or "the session ended early"
        missing = len(texts) - len(answers)
        if rest.startswith(STOPS):
            # The shell says that it has begun no other.
            return [*answers, *(_not_tried("the controller does not answer") for _ in range(missing))]
        return [*answers, *(Unclear(why) for _ in range(missing))]


def _reply(code: int, text: str) -> Reply:
    """Return what one sbatch has printed: messages have its name in front."""
    lines = text.splitlines()
    messages = [line for line in lines if line.startswith("sbatch:") or code != 0]
    return Reply(code, "\n".join(line for line in lines if line not in messages), "\n".join(messages))


def _not_tried(why: str) -> Refused:
    return Refused(f"not tried: {why}", is_permanent=False)


def _silence(answer: Answer) -> str:
    """Return why the controller does not answer, if it, not the job, is the reason; else nothing."""
    if isinstance(answer, Unclear):
        return answer.reason
    if isinstance(answer, Refused) and not answer.is_permanent:
        return answer.reason if any(phrase in answer.reason for phrase in SILENT) else ""
    return ""
