// Nodes: how busy each was over time, and a table of what each ran and drew.

panels.nodes = async (data, runs) => {
  let current = data.tables[0], table = null;
  const { sort, onSort } = rememberedSort("nodes-sort", 20, { column: 2, descending: true }, (chosen) => { kept.sort = chosen; draw(current); }), kept = { sort };
  await loadMaps(data, runs, { id: "nodes", one: "node", parts: `${runs[0].stack.part}s` });
  const percent = (part) => `${(100 * part).toFixed(1)} %`, draw = (nodes) => {
    const column = (name, key, text, saved = name) => nodes[key] && { name, saved, value: (row) => nodes[key][row], text: (row) => nodes[key][row] === null ? "–" : text(nodes[key][row]) };
    const columns = [
      column("Node", nodes.name ? "name" : "node", String), column("Utilization", "utilization", percent), column("Core-hours", "busy_core_time", (time) => number.format(+(time / HOUR).toPrecision(4)), "Core-seconds"),
      column("Jobs", "jobs", number.format), column("Energy", "energy", (energy) => quantity(energy, "J")), column("Cores", "cores", number.format),
      column("Tasks", "tasks", number.format), column("Tasks while busy", "mean_mpl", (mean) => mean.toFixed(2)), column("Most at once", "max_mpl", number.format),
      column("Owner's time at work", "owner_active_time", duration), column("Owner slowed down", "owner_slowdown", (factor) => `${factor.toFixed(2)} ×`),
      nodes.power?.some((power) => power !== 1) && column("Power", "power", number.format), column("Task slots", "slots", number.format),
      nodes.type?.some(Boolean) && column("Type", "type", String),
      nodes.times_off?.some(Boolean) && column("Times off", "times_off", number.format), nodes.off_time?.some(Boolean) && column("Off for", "off_time", duration),
    ];
    table = sortableTable(byId("nodes-table"), columns.filter(Boolean), nodes.node.length, byId("nodes-more"), { sort: kept.sort, onSort: (chosen) => { kept.sort = chosen; onSort(chosen); }, onRow: (row) => theSchedule.lookAtRow(nodes.node[row]) });
  };
  runSelect(byId("nodes-run"), runs, runs[0], (run) => { current = data.tables[run.place]; draw(current); });
  draw(current);
  panelRows.nodes = () => table.rows();
  remember(byId("nodes-run"), "nodes-run");
};
