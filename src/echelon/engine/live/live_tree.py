"""LiveTree: a tree of sites whose leaves are clusters that decide elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from echelon.engine.live.messages import Recall, Reject, Submit
from echelon.engine.live.observed_machine import ObservedMachine
from echelon.engine.machine import Machine
from echelon.engine.tree.allowed_branches import AllowedBranches
from echelon.engine.tree.assembly import Planter, planned_scenario
from echelon.engine.tree.leaf_kinds import LeafKinds
from echelon.engine.tree.leaves import LeafBranch
from echelon.engine.tree.tree_system import TreeSystem
from echelon.model.machines.site_tree import SiteTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from echelon.engine.contract import Scenario
    from echelon.engine.live.messages import Effect
    from echelon.engine.tree.controlled_site import ControlledSite
    from echelon.engine.tree.inner_site import Branch, InnerSite
    from echelon.engine.tree.leaf import Leaf
    from echelon.engine.tree.leaves import Leaves
    from echelon.model import Instance, Job


class OpenClusters:
    """Which clusters take which jobs at present.

    Attributes
    ----------
    closed : set of int
        Clusters that take no jobs.
    refused : dict of int to set of int
        Clusters that have refused a job, by its position.
    """

    def __init__(self) -> None:
        self.closed: set[int] = set()
        self.refused: dict[int, set[int]] = {}

    def takes(self, position: int, cluster: int) -> bool:
        """Return whether a cluster takes a job."""
        return cluster not in self.closed and cluster not in self.refused.get(position, ())


class OpenBranches(list[Sequence[int]]):
    """The branches of one inner site that each job may go to, without those that take it nowhere at present.

    Parameters
    ----------
    allowed : sequence of sequence of int
        Those that it may go to whatever is open, by position.
    clusters : OpenClusters
        What is open.
    below : sequence of int or OpenBranches
        What each branch is: a cluster, or the branches of another inner site.
    """

    def __init__(
        self,
        allowed: Sequence[Sequence[int]],
        clusters: OpenClusters,
        below: Sequence[int | OpenBranches],
    ) -> None:
        super().__init__(allowed)
        self._clusters, self._below = clusters, below

    def __getitem__(self, position: Any) -> Any:  # noqa: ANN401  (as of a list)
        """Return the open branches of the job at `position`."""
        places = super().__getitem__(position)
        if not (self._clusters.closed or position in self._clusters.refused):
            return places
        return [place for place in places if self._is_open(position, place)]

    def _is_open(self, position: int, place: int) -> bool:
        branch = self._below[place]
        if isinstance(branch, OpenBranches):
            return len(branch[position]) > 0
        return self._clusters.takes(position, branch)

    def any_left(self, position: int) -> bool:
        """Return whether some cluster, open or closed, has not refused a job."""
        refused, places = self._clusters.refused.get(position, ()), super().__getitem__(position)
        return any(
            branch.any_left(position) if isinstance(branch, OpenBranches) else branch not in refused
            for branch in (self._below[place] for place in places)
        )


class LiveTree(TreeSystem):
    """`TreeSystem` that waits in the middle of an instant until its clusters have decided.

    Attributes
    ----------
    effects : list of Effect
        What the clusters are to do.
    inner_sites : mapping of str to InnerSite
        By path, outer before inner.
    clusters : OpenClusters
        Which clusters take jobs at present.
    open_branches : OpenBranches
        The branches of the root that each job may go to at present.
    before_submit : list of callable (Job, int) -> None
        Called with job and cluster before the job joins it.
    """

    effects: list[Effect]
    before_submit: list[Callable[[Job, int], None]]
    clusters: OpenClusters
    open_branches: OpenBranches
    inner_sites: Mapping[str, InnerSite]
    _direct: set[int]
    _rounds: Iterator[bool] | None = None
    _concerns_all = False

    @property
    def leaves(self) -> Leaves:
        """The clusters as they are reported."""
        return self._actual

    @property
    def waits(self) -> bool:
        """Whether it waits for what the clusters decide at this instant."""
        return self._rounds is not None

    def grow(self, scenario: Scenario) -> None:
        """Take in the jobs at the end of the instance of `scenario` that were not known before."""
        model: Any = scenario.system_model
        new = replace(scenario, instance=_jobs_behind(scenario.instance, len(self.ledger.jobs)))
        allowed = AllowedBranches(new, model.controllers, model.rules)
        for state in self._states:
            state.grow(scenario if state is self._actual else planned_scenario(scenario))
            for leaf in state.leaves:
                assert isinstance(leaf, Machine)
                leaf.cluster.grow(state.ledger.scenario)
        for inner in scenario.instance.sites.tree.inner():
            self.inner_sites[inner.path].grow(scenario, allowed.at(inner))

    def join_at(self, job: Job, site: int) -> None:
        """Let `job` join a cluster that no controller has chosen."""
        self._direct.add(job.position)
        for state in self._states:
            state.join(job, site, is_reported=False)
            for statistics, branch in state.leaves[site].above:
                statistics.join(job, branch)

    def close(self, site: int) -> None:
        """Let a cluster take no further jobs."""
        self.clusters.closed.add(site)
        self._choose_again()

    def open(self, site: int) -> None:
        """Let a cluster take jobs again."""
        self.clusters.closed.discard(site)
        self._choose_again()

    def _choose_again(self) -> None:
        self._event = True
        for controlled in self._controllers:
            controlled.choose_again()

    def refuse(self, job: Job, site: int, why: str) -> bool:
        """Find another way for `job`, which a cluster has refused; return whether there is one."""
        if not self._actual.leaves[site].has_waiting(job):
            # A copy has started elsewhere, or it is not wanted any more.
            return True
        self.clusters.refused.setdefault(job.position, set()).add(site)
        self._direct.discard(job.position)
        self._event = True
        counted = [self._lose(state, job, site) for state in self._states]
        for controlled, inner, place in self._way_up(site):
            for sums, is_counted in zip(inner.sums, counted, strict=True):
                if is_counted:
                    sums.leave(job, place)
            if controlled.reroute(job, place):
                return True
        if self.open_branches.any_left(job.position):
            self._controllers[0].join(job, is_reported=True)
            return True
        self._note_rejection(job, why)
        return False

    def _lose(self, state: Leaves, job: Job, site: int) -> bool:
        """Let a leaf lose `job`, which waits there, or by planned times runs; return whether it has it."""
        leaf = state.leaves[site]
        if not (leaf.has_waiting(job) or (state is not self._actual and leaf.runs(job))):
            return False
        state.touch(site)
        leaf.withdraw(job)
        return True

    def _way_up(self, site: int) -> Iterator[tuple[ControlledSite, InnerSite, int]]:
        """Yield the inner sites above a leaf, from the inmost one, each with its branch to the leaf."""
        for controlled, inner in reversed([*zip(self._controllers, self.inner_sites.values(), strict=True)]):
            for place, below in enumerate(inner.below):
                if site in below:
                    yield controlled, inner, place

    def choice(self, alone: Scenario, job: Job, never: set[int]) -> int | None:
        """Return the cluster that the controllers would choose for `job`, which is not here; see `Core`."""
        model: Any = alone.system_model
        if any(one.refresh for one in model.controllers.values()):
            return None
        allowed = AllowedBranches(alone, model.controllers, model.rules)
        trees = list(alone.instance.sites.tree.inner())
        for tree in trees:
            self.inner_sites[tree.path].allowed.append(allowed.at(tree)[0])
        self.clusters.refused[job.position] = never
        try:
            return self._descend(trees, job)
        finally:
            del self.clusters.refused[job.position]
            for tree in trees:
                self.inner_sites[tree.path].allowed.pop()
            for controlled in self._controllers:
                controlled.forget(job)

    def _descend(self, trees: Sequence[SiteTree], job: Job) -> int | None:
        """Return the cluster at which `job` would arrive, from the root down."""
        if not self.open_branches[job.position]:
            return None
        controlled = dict(zip([tree.path for tree in trees], self._controllers, strict=True))
        below: SiteTree | int = trees[0]
        while isinstance(below, SiteTree):
            below = below.children[controlled[below.path].choose(job)]
        return below

    def withdraw(self, job: Job) -> None:
        """See `System.withdraw`: no controller knows of a job that has joined its cluster directly."""
        if job.position not in self._direct:
            super().withdraw(job)
            return
        self._direct.discard(job.position)
        self._event = True
        self.effects.append(Recall(job, self._actual.site_of[job.position]))
        for state in self._states:
            state.withdraw(job)

    def accepts(self, job: Job, site: int) -> bool:
        """Return whether every controller above a cluster lets it have `job` now."""
        return all(controlled.accepts(job, place) for controlled, _, place in self._way_up(site))

    def leave_from(self, job: Job, site: int) -> None:
        """Remove `job` from everywhere, since a cluster where it waited has it no more."""
        self.withdraw(job)
        self.effects[:] = [one for one in self.effects if one != Recall(job, site)]

    def _note_rejection(self, job: Job, why: str) -> None:
        self.effects.append(Reject(job, why))

    def decide(self) -> None:
        """See `System.decide`: inner sites decide, and then the clusters are to decide."""
        self._rounds = rounds = self.rounds()
        self._advance(rounds)

    def resume(self) -> None:
        """Continue after the clusters have decided: more may be left to decide above them."""
        self.decide_below(event=self._concerns_all)
        if self._rounds is not None:
            self._advance(self._rounds)

    def settle(self) -> None:
        """See `System.settle`: when nothing is left to decide at this instant."""
        if not self.waits:
            super().settle()

    def _advance(self, rounds: Iterator[bool]) -> None:
        concerns_all = next(rounds, None)
        if concerns_all is None:
            self._rounds = None
        else:
            self._concerns_all = concerns_all


def live_tree(scenario: Scenario) -> LiveTree:
    """Return the controllers of a scenario over clusters that decide elsewhere.

    Parameters
    ----------
    scenario : Scenario
        Its system model is a tree whose leaves are counted processors.
    """
    system = _LivePlanter(scenario).system()
    assert isinstance(system, LiveTree)
    return system


def _jobs_behind(instance: Instance, first: int) -> Instance:
    """Return the jobs from position `first` on, without what they wait for."""
    names = ("kept", "submit_time", "run_time", "planned_time", "size", "killed")
    columns: Any = {name: getattr(instance, name)[first:] for name in names}
    return replace(instance, **columns, dependencies=None)


class _ObservedKinds(LeafKinds):
    """`LeafKinds` of clusters that decide elsewhere."""

    def leaves(self) -> list[Leaf]:
        """See `LeafKinds.leaves`."""
        return [
            ObservedMachine(self.ledger, site.processors, site.name, site=index)
            for index, site in enumerate(self._platform.sites)
        ]


class _LivePlanter(Planter):
    """Builds a `LiveTree`."""

    kind, kinds = LiveTree, _ObservedKinds

    def __init__(self, scenario: Scenario) -> None:
        model: Any = scenario.system_model
        self._effects: list[Effect] = []
        self._before_submit: list[Callable[[Job, int], None]] = []
        self._clusters = OpenClusters()
        self._open_at: dict[str, OpenBranches] = {}
        super().__init__(scenario, model.controllers, model.rules, None)

    def system(self) -> TreeSystem:
        """See `Planter.system`."""
        system = super().system()
        assert isinstance(system, LiveTree)
        system._direct = set()  # noqa: SLF001  (its own)
        system.effects, system.before_submit = self._effects, self._before_submit
        tree = self._scenario.instance.sites.tree
        system.inner_sites = {inner.path: self.inner_sites[inner.path] for inner in tree.inner()}
        system.clusters = self._clusters
        system.open_branches = self._open_at[""]
        return system

    def allowed_branches(self, tree: SiteTree) -> list[Sequence[int]]:
        """See `Planter.allowed_branches`: those that are open; inner sites come after those below them."""
        below = [
            self._open_at[child.path] if isinstance(child, SiteTree) else child for child in tree.children
        ]
        branches = OpenBranches(super().allowed_branches(tree), self._clusters, below)
        self._open_at[tree.path] = branches
        return branches

    def leaf_branch(self, site: int) -> Branch:
        """See `Planter.leaf_branch`."""
        return _LiveBranch(self._states, site, self._effects, self._before_submit)


class _LiveBranch(LeafBranch):
    """A cluster that decides elsewhere as a branch: what it is to do becomes an effect."""

    def __init__(
        self,
        states: Sequence[Leaves],
        site: int,
        effects: list[Effect],
        before_submit: Sequence[Callable[[Job, int], None]],
    ) -> None:
        super().__init__(states, site)
        self._place, self._effects, self._before_submit = site, effects, before_submit

    def join(self, job: Job, *, is_reported: bool) -> None:
        """See `Branch.join`."""
        for call in self._before_submit:
            call(job, self._place)
        self._effects.append(Submit(job, self._place))
        super().join(job, is_reported=is_reported)

    def withdraw(self, job: Job) -> None:
        """See `Branch.withdraw`."""
        self._effects.append(Recall(job, self._place))
        super().withdraw(job)
