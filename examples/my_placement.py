"""A placement of one's own, to be named FILE.py:NAME on the command line, after --place.

echelon check examples/my_placement.py:cool-corner
"""

from echelon import placement


@placement("cool-corner", source="none")
def cool_corner(core, job):
    """Cores in processors that work already first, of these the ones that draw least a unit of speed."""
    at_work = core.running > 0 and core.idle_in_processor < core.idle_in_node
    return (not at_work) + core.dynamic_power / core.speed


if __name__ == "__main__":
    from echelon.testing import check_placement

    for finding in check_placement(cool_corner).require().findings:
        print(f"{finding.name}: {finding.sentence}")
