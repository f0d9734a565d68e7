"""The libraries, and the module that declares the entry of each."""

LIBRARIES = {
    "machine": "echelon.engine.compiled.machine.run",
    "dynamic_machine": "echelon.engine.compiled.dynamic_machine.run",
    "dynamic_nodes": "echelon.engine.compiled.dynamic_machine.run",
    "dynamic_reservations": "echelon.engine.compiled.dynamic_machine.planning.reserving_run",
    "dynamic_rows": "echelon.engine.compiled.dynamic_machine.log.rows",
    "grid_by_sums": "echelon.engine.compiled.grid.run",
    "grid_by_schedules": "echelon.engine.compiled.grid.run",
    "grid_room": "echelon.engine.compiled.grid.room",
    "nodes": "echelon.engine.compiled.nodes.run",
    "node_rows": "echelon.engine.compiled.nodes.rows",
    "peers": "echelon.engine.compiled.decentralized.run",
    "planned_queue": "echelon.engine.compiled.planned_queue",
    "projection": "echelon.engine.compiled.multicluster.run",
    "swf": "echelon.workloads.formats.swf_kernel",
    "allocation": "echelon.model.schedules.allocation_kernel",
}
"""By name. A library has one entry, and all that it calls."""
