"""RecordedView: the view of a scheduling cycle that notes which starts the scheduler plans for whom."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.queue.view import View
    from echelon.model import Job
    from echelon.policies.contract import NodeView, Profile, Shadow, Where


class RecordedView:
    """Answers as `view` does, and notes what a scheduler plans by its questions.

    EASY asks for the planned start of its head, `plan` holds room for each job in a profile. Neither makes a
    reservation that lasts, so what they ask is all that can be seen of these plans.

    Parameters
    ----------
    view : View
        Of a cluster, in one scheduling cycle.

    Attributes
    ----------
    plans : dict of int to (Job, float)
        The planned start of each job that was asked about, by position, in the order of the questions; in
        seconds, later than now.
    heads : dict of int to (Job, sequence of NodeView)
        The jobs whose planned start was looked up node by node, by position.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self.plans: dict[int, tuple[Job, float]] = {}
        self.heads: dict[int, tuple[Job, Sequence[NodeView]]] = {}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  (whatever a view answers)
        return getattr(self._view, name)

    def note(self, job: Job, start: float) -> None:
        """Note that `job` is planned to start at `start`, in seconds, if that is a known later time."""
        if self._view.now < start < math.inf:
            self.plans[job.position] = (job, start)

    def head_start(self, head: Job) -> Shadow:
        """See `SystemView.head_start`."""
        shadow = self._view.head_start(head)
        self.note(head, shadow.time)
        return shadow

    def availability(self) -> Profile:
        """See `SystemView.availability`."""
        return _RecordedProfile(self._view.availability(), self)

    def by_node(self, head: Job, *, small: bool = False) -> Sequence[NodeView]:
        """See `SystemView.by_node`."""
        nodes = self._view.by_node(head, small=small)
        self.heads[head.position] = (head, nodes)
        return nodes


class _RecordedProfile:
    """A scratch profile that notes the starts for which a scheduler holds room in it."""

    def __init__(self, profile: Profile, recorded: RecordedView) -> None:
        self._profile, self._recorded = profile, recorded
        self.earliest, self.earliest_for, self.take = profile.earliest, profile.earliest_for, profile.take

    def hold(self, job: Job, start: float) -> Where | None:
        """See `Profile.hold`."""
        where = self._profile.hold(job, start)
        self._recorded.note(job, start)
        return where
