// Migration matrices: rows are where jobs came from, columns where they ran; one a run, all in the same colors.

const MATRIX_CELL = 84, MATRIX_SIDE = 560; // pixels, of a cell and of a side at most
const MATRICES_SHOWN = 4;

panels.migration = async (data, runs) => {
  const select = byId("migration-what"), output = byId("migration-value"), parts = 1e6;
  const loaded = [];
  for (const { rows, jobs, work } of data) loaded.push({ names: rows, jobs: await unpack(jobs), work: await unpack(work) });
  const scale = () => {
    const most = Math.max(1, ...loaded.map((run) => run[select.value].reduce((a, b) => Math.max(a, b), 0)));
    return { most, level: (value) => most > 1 ? Math.log(value) / Math.log(most) : 1 };
  };
  const share = (value) => `${(100 * value / parts).toPrecision(value < parts / 1000 ? 2 : 3)} %`;
  const write = (value) => select.value === "jobs" ? brief(value) : value < parts / 1000 ? String(+(100 * value / parts).toPrecision(1)) : (100 * value / parts).toFixed(1);
  let { most, level } = scale();
  const shown = new Set(runs.slice(0, MATRICES_SHOWN)), maps = new Map();
  for (const run of runs) {
    const { names, jobs, work } = loaded[run.place], n = names.length, host = node("div", {}), values = () => loaded[run.place][select.value];
    const all = jobs.reduce((a, b) => a + b, 0) || 1;
    host.append(...(runs.length > 1 ? [node("h3", { textContent: run.name })] : []));
    byId("migration-maps").append(host);
    const room = nameRoom(names, Math.min(110, innerWidth / 4));
    host.style.maxWidth = `${room + RIGHT + (n <= 12 ? n * MATRIX_CELL : MATRIX_SIDE)}px`;
    const map = new HeatMap(host, {
      rows: n, columns: n, left: room, top: Math.min(room, 90), bottom: 4, output,
      heightOf: (wide) => Math.min(wide, n <= 12 ? MATRIX_CELL * .4 : MATRIX_SIDE / n),
      color: (row, column) => values()[row * n + column] ? markShade(level(values()[row * n + column])) : null,
      text: (row, column) => write(values()[row * n + column]),
      read: (row, column) => {
        const at = row * n + column, where = row === column ? `${names[row]}, at home` : `${names[row]} → ${names[column]}`;
        return `${runs.length > 1 ? `${run.name}, ` : ""}${where}: ${number.format(jobs[at])} job${jobs[at] === 1 ? "" : "s"} (${(100 * jobs[at] / all).toFixed(1)} %), ${share(work[at])} of the work`;
      },
      choose: (row, column) => {
        if (run.labels.site) theSchedule.filter.toggle({ home_site: [names[row]], site: [names[column]] });
      },
      axes: (context, drawn) => {
        drawn.rowNames(context, names);
        columnNames(context, drawn, names);
        frameDiagonal(context, drawn);
      },
    });
    map.canvas.setAttribute("role", "img");
    map.canvas.setAttribute("aria-label", `Migration matrix of ${n} by ${n} under ${run.name}; its sentence and the list of largest moves are beside it.`);
    maps.set(run, { host, map });
    addRunChoice(byId("migration-runs"), run, shown, () => draw());
  }
  const draw = () => {
    ({ most, level } = scale());
    for (const [run, { host, map }] of maps) {
      host.hidden = !shown.has(run) || !chosenRuns.isShown(run);
      if (!host.hidden) map.draw();
    }
    legend();
  };
  const legend = () => {
    byId("migration-legend").replaceChildren(...rampLegend(select.value === "jobs" ? "1 job" : "0.0001 %", select.value === "jobs" ? `${number.format(most)} jobs` : share(most), markRamp()));
  };
  byId("migration-runs").hidden = runs.length < 2;
  onTheme(legend);
  chosenRuns.follow(draw);
  panelRows.migration = () => [["run", "home site", "site", "jobs", "share of the work"], ...runs.flatMap((run) => {
    const { names, jobs, work } = loaded[run.place];
    return Array.from(jobs, (count, at) => [run.name, names[Math.floor(at / names.length)], names[at % names.length], count, work[at] / parts]);
  })];
  select.onchange = draw;
  draw();
  remember(select, "migration");
};

/** Write names above the columns, upright so that they fit: each, or every so many. */
function columnNames(context, { left, top, wide, columns }, names) {
  const step = Math.max(1, Math.ceil(NAME_ROOM / wide));
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (let column = 0; column < columns; column += step) {
    context.save();
    context.translate(left + (column + .5) * wide, top - 6);
    context.rotate(-Math.PI / 2);
    context.fillText(shortened(context, names[column], top - 8), 0, 0);
    context.restore();
  }
}

function frameDiagonal(context, { left, top, wide, tall, rows }) {
  if (Math.min(wide, tall) < 5) return;
  context.strokeStyle = theme.ink;
  for (let place = 0; place < rows; place++) context.strokeRect(left + place * wide + .5, top + place * tall + .5, wide - 2, tall - 2);
}
