"""Your own placement, to be named FILE.py:NAME on the command line, after --place.

echelon check examples/my_placement.py:cool-corner
WORKLOAD=lublin:jobs=500,processors=64,seed=1
echelon run $WORKLOAD --platform irmasim-b --execution speed --place examples/my_placement.py:cool-corner
"""

from echelon import placement


@placement("cool-corner", source="none")
def cool_corner(core, job):
    """Cores in processors that work already first, of these the ones that draw least a unit of speed."""
    at_work = core.running > 0 and core.idle_in_processor < core.idle_in_node
    return (not at_work) + core.dynamic_power / core.speed


if __name__ == "__main__":
    from echelon import generate, simulate

    workload = generate("lublin", jobs=500, processors=64, seed=1)
    for rule in ("first-fit", "low-power", cool_corner):
        result = simulate(workload, platform="irmasim-b", policy="easy", execution="speed", place=rule)
        print(f"{getattr(rule, 'name', rule)}: {result.metrics['energy'] / 3.6e6:.1f} kWh")
