"""The placements by name; a new placement is added here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

from echelon.errors import InputError
from echelon.lazy import Rules
from echelon.policies.placement.contract import Placement
from echelon.policies.placement.node_search import FITS, Fit, NodeSearch
from echelon.policies.placement.own_placement import OwnPlacement
from echelon.policies.placement.resource_order import ResourceOrder
from echelon.rules.family import Family
from echelon.rules.parameter import settings_of
from echelon.rules.spec import Spec, format_spec, normalize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.policies.placement.contract import Allocator


class Search(NamedTuple):
    """One of the node searches of `NodeSearch`: its name, its summary and its source."""

    name: str
    summary: str
    source: str


SEARCHES: tuple[Search, ...] = (
    Search(
        "first-fit",
        "The first node, in the resource order, that can hold the job.",
        "Cuevas Cuesta, Universidad de Cantabria 2022, 3.4.1",
    ),
    Search(
        "best-fit",
        "The node with the fewest free cores among those that can hold the job.",
        "Cuevas Cuesta, Universidad de Cantabria 2022, 5.2 (as work to come)",
    ),
    Search(
        "worst-fit",
        "The node with the most free cores among those that can hold the job.",
        "no paper: worst-fit of bin packing, over nodes",
    ),
)
"""Every node search of `echelon.policies.placement.node_search`."""

RESOURCE_ORDERS: Rules[type[ResourceOrder]] = Rules(
    __package__,
    {
        "first": "resource_order.First",
        "random": "dynamic_orders.Random",
        "high-gigaflops": "resource_order.HighGigaflops",
        "high-cores": "dynamic_orders.HighCores",
        "low-cores": "dynamic_orders.LowCores",
        "high-memory": "resource_order.HighMemory",
        "high-memory-bandwidth": "resource_order.HighMemoryBandwidth",
        "low-power": "resource_order.LowPower",
        "energy": "dynamic_orders.Energy",
        "edp": "dynamic_orders.EnergyDelay",
    },
    {
        "fiarr": "first",
        "randm": "random",
        "hicom": "high-gigaflops",
        "high-gflops": "high-gigaflops",
        "hicor": "high-cores",
        "himem": "high-memory",
        "high-mem": "high-memory",
        "himbw": "high-memory-bandwidth",
        "high-mem-bw": "high-memory-bandwidth",
        "lpowr": "low-power",
        "energy-aware": "energy",
        "energy-delay-product": "edp",
    },
)
"""In the sequence of the tables."""

ALLOCATORS: Rules[type[Allocator]] = Rules(
    __package__,
    {
        "node-order": "node_order.NodeOrder",
        "linear": "network.linear.Linear",
        "nearest": "network.nearest.Nearest",
        "mbs": "network.mbs.MultipleBuddies",
        "compact": "network.compact.Compact",
        "scatter": "network.scatter.Scatter",
    },
    {
        "tree-compact": "compact",
        "dragonfly-compact": "compact",
    },
)
"""Placements that choose whole nodes, most by the network between them, in the order of tables."""

RESOURCE_ORDER: Family[ResourceOrder] = Family(
    "resource order",
    [RESOURCE_ORDERS],
    example="low-power",
    is_rule=lambda thing: (
        isinstance(thing, ResourceOrder) or (isinstance(thing, type) and issubclass(thing, ResourceOrder))
    ),
    is_ready=lambda rule: isinstance(rule, ResourceOrder),
    must="be made with @placement",
    groups=["echelon.placements"],
)


def _check_placement(placement: Placement) -> Placement:
    """Return `placement` if it is built in, else wrapped in checks."""
    if not isinstance(placement.name, str):
        raise InputError(f"must be a string, got {placement.name!r:.60}", field="placement, name")
    is_ours = type(placement) in (NodeSearch, OwnPlacement) or type(placement) in ALLOCATORS
    return placement if is_ours else OwnPlacement(placement)


class _Placements(Family[Placement]):
    """Resource orders and allocators; a node search may stand before an order."""

    @property
    def names(self) -> list[str]:
        """Names of all built-in rules."""
        return [*FITS, *super().names]

    @property
    def names_and_aliases(self) -> list[str]:
        """Every name and alias of the built-in rules."""
        return [*FITS, *super().names_and_aliases]

    def has(self, name: str) -> bool:
        """Return whether a built-in rule, or a node search, has that name."""
        return normalize(name) in FITS or super().has(name)

    def built_in(self, name: str) -> Any:  # noqa: ANN401  (as of any family)
        """Return a node search in its usual order, or the rule that is listed."""
        return NodeSearch(cast("Fit", normalize(name))) if normalize(name) in FITS else super().built_in(name)

    def entry(self, name: str) -> Any:  # noqa: ANN401  (as of any family)
        """Return the description of a node search, or the rule that is listed."""
        search = next((one for one in SEARCHES if one.name == normalize(name)), None)
        return search or super().entry(name)

    def assemble(
        self,
        name: str,
        rule_object: Any,  # noqa: ANN401  (a class, or a rule that is ready)
        rest: Sequence[str],
        settings: Mapping[str, str],
        spec: Spec,
    ) -> Placement:
        """Return the placement of an order, of a search and an order, or of an allocator."""
        if isinstance(rule_object, NodeSearch) and self.has(name):
            return self._search(rule_object, name, rest, settings, spec)
        if rest and normalize(rest[0]) in FITS:
            right = ":".join([*rest, name, *(f"{key}={value}" for key, value in settings.items())])
            raise InputError(
                f"must name the node search before the resource order: {right}",
                field=f"placement {spec.text!r}",
            )
        rule = self.make(name, rule_object, self.add_keyless(name, rule_object, rest, settings))
        if isinstance(rule, ResourceOrder):
            return NodeSearch(order=rule)
        return cast("Placement", rule) if self.has(name) else _check_placement(rule)

    def _search(
        self, search: NodeSearch, name: str, rest: Sequence[str], settings: Mapping[str, str], spec: Spec
    ) -> Placement:
        if not rest:
            if settings:
                raise InputError(f"takes no parameters, got {', '.join(settings)}", field=f"placement {name}")
            return search
        if normalize(rest[0]) in ALLOCATORS.words:
            problem = f"must name a resource order after {normalize(name)}, got {rest[0]}"
            raise InputError(problem, field=f"placement {spec.text!r}")
        parameters = (f"{key}={value}" for key, value in settings.items())
        return NodeSearch(search.fit, RESOURCE_ORDER.parse(":".join([*rest, *parameters])))

    def of(self, rule: object) -> Placement:
        """Return `rule` as a placement: a spec, a resource order, or a placement itself."""
        return NodeSearch(order=rule) if isinstance(rule, ResourceOrder) else super().of(rule)

    def format(self, rule: Any) -> str:  # noqa: ANN401  (as of any family)
        """Return the canonical spec of a placement."""
        if isinstance(rule, NodeSearch):
            return format_spec(rule.name, settings_of(rule.order))
        return super().format(rule)


PLACEMENT: Family[Placement] = _Placements(
    "placement",
    [RESOURCE_ORDERS, ALLOCATORS],
    example="best-fit:low-power",
    is_rule=lambda thing: RESOURCE_ORDER.recognizes(thing) or hasattr(thing, "place"),
    is_ready=lambda rule: isinstance(rule, ResourceOrder | Placement),
    must="be made with @placement, or have name and place(job, cores, room)",
    groups=["echelon.placements"],
    own=lambda rule, _: _check_placement(rule),
)
placement_named, placement_of, format_placement = PLACEMENT.parse, PLACEMENT.of, PLACEMENT.format
names_placement = PLACEMENT.in_file


def placement_names() -> list[str]:
    """Return all names of placements, including aliases."""
    return sorted(PLACEMENT.names_and_aliases)
