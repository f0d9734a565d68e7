// Sites: what each ran, as a table that is sorted at will.

panels.sites = (data, runs) => {
  const { filter } = theSchedule;
  let current = data[0], table = null;
  const { sort, onSort } = rememberedSort("sites-sort", 14, { column: 2, descending: true }, (chosen) => { kept.sort = chosen; draw(current); }), kept = { sort };
  const draw = (sites) => {
    const percent = (part) => `${(100 * part).toFixed(1)} %`, or = (value, write) => value === null ? "–" : write(value);
    const columns = [
      { name: "Site", value: (row) => sites.name[row], text: (row) => sites.name[row] },
      { name: "Processors", value: (row) => sites.processors[row], text: (row) => number.format(sites.processors[row]) },
      { name: "Jobs", value: (row) => sites.jobs[row], text: (row) => number.format(sites.jobs[row]) },
      { name: "Share of jobs", value: (row) => sites.jobs[row], text: (row) => percent(sites.jobs[row] / sites.total) },
      { name: "Processor-hours", saved: "Processor-seconds", value: (row) => sites.area[row], text: (row) => number.format(Math.round(sites.area[row] / HOUR)) },
      { name: "Share of work", value: (row) => sites.share[row], text: (row) => percent(sites.share[row]) },
      { name: "Utilization", value: (row) => sites.utilization[row], text: (row) => percent(sites.utilization[row]) },
      { name: "Mean wait", value: (row) => sites.wait[row] ?? -1, text: (row) => or(sites.wait[row], duration) },
      { name: "Mean slowdown", value: (row) => sites.slowdown[row] ?? -1, text: (row) => or(sites.slowdown[row], figure) },
    ];
    if (sites.speed) columns.splice(7, 2,
      { name: "Speed", value: (row) => sites.speed[row], text: (row) => number.format(sites.speed[row]) },
      { name: "Mean execution", value: (row) => sites.execution[row] ?? -1, text: (row) => or(sites.execution[row], duration) },
      { name: "Processes while busy", value: (row) => sites.processes[row] ?? -1, text: (row) => or(sites.processes[row], (mean) => mean.toFixed(2)) },
      { name: "Most at once", value: (row) => sites.most[row], text: (row) => number.format(sites.most[row]) });
    if (sites.elsewhere) columns.push({ name: "From elsewhere", value: (row) => sites.elsewhere[row], text: (row) => number.format(sites.elsewhere[row]) });
    table = sortableTable(byId("sites-table"), columns, sites.name.length, byId("sites-more"), { sort: kept.sort, onSort: (chosen) => { kept.sort = chosen; onSort(chosen); }, onRow: (row) => filter.toggle({ site: [sites.name[row]] }), isChosen: (row) => filter.has({ site: [sites.name[row]] }) });
  };
  runSelect(byId("sites-run"), runs, runs[0], (run) => { current = data[run.place]; draw(current); });
  draw(current);
  panelRows.sites = () => table.rows();
  filter.follow(() => draw(current));
  remember(byId("sites-run"), "sites-run");
};
