// How busy each site of a grid, or each node of a machine, was over time: a row each, the last one on top.

const LOAD_ROW = 24, LOAD_HEIGHT = 440; // pixels, of a row and of a map at most
const MAPS_SHOWN = 3;

panels.machine_load = (data, runs) => loadMaps(data, runs, { id: "machine-load", one: "machine", parts: "processors" });

panels.site_load = (data, runs) => loadMaps(data, runs, { id: "site-load", one: "site", parts: "processors" });

/** Fill a panel with a map a run; its elements' names begin with `id`. */
async function loadMaps(data, runs, { id, one, parts }) {
  const output = byId(`${id}-value`), { origin } = runs[0], shown = new Set(runs.slice(0, MAPS_SHOWN));
  const describe = (level) => data.most ? `${+(data.most * level / data.levels).toPrecision(2)} processes a processor` : `${Math.round(100 * level / data.levels)} % busy`, span = (data.to - data.from) / data.columns;
  const maps = new Map(), loads = [];
  const show = () => {
    for (const [run, { host, map }] of maps) {
      host.hidden = !shown.has(run) || !chosenRuns.isShown(run);
      if (!host.hidden) map.draw();
    }
  };
  for (const run of runs) {
    const { rows: names, processors, level: block } = data.runs[run.place], level = await unpack(block), host = node("div", {});
    loads.push({ run, names, level });
    const at = (row, column) => level[(names.length - 1 - row) * data.columns + column];
    const top = [...names].reverse();
    host.append(...(runs.length > 1 ? [node("h3", { textContent: run.name })] : []));
    const map = new HeatMap(host, {
      rows: names.length, columns: data.columns, left: nameRoom(names, Math.min(130, innerWidth / 4)), top: 8, bottom: 36, output,
      heightOf: () => Math.min(LOAD_ROW, LOAD_HEIGHT / names.length),
      color: (row, column) => at(row, column) ? markShade(at(row, column) / data.levels) : null,
      read: (row, column) => `${runs.length > 1 ? `${run.name}, ` : ""}${top[row]} (${number.format(processors[names.length - 1 - row])} ${parts}) from ${moment(Math.floor(data.from + column * span), origin)}: ${describe(at(row, column))}`,
      choose: (row, column) => {
        const low = +(data.from + column * span).toPrecision(9), high = +(data.from + (column + 1) * span).toPrecision(9), name = top[row], place = run.stack?.name.indexOf(name) ?? -1;
        const isSite = run.labels.site && place >= 0 && !run.nodes;
        theSchedule.filter.toggle(isSite ? { site: [name], during: [low, high] } : { during: [low, high] });
        if (place >= 0 && !isSite) theSchedule.lookAtRow(place);
      },
      axes: (context, drawn) => {
        drawn.rowNames(context, top);
        timeAxisBelow(context, drawn, data, origin);
      },
    });
    map.canvas.setAttribute("role", "img");
    map.canvas.setAttribute("aria-label", `Heat map of ${names.length} rows of ${one}s under ${run.name}; the table of ${one}s has their utilization.`);
    maps.set(run, { host, map });
    byId(`${id}-maps`).append(host);
    addRunChoice(byId(`${id}-runs`), run, shown, show);
  }
  chosenRuns.follow(show);
  panelRows[id.replace("-", "_")] = () => [["run", one, "from (s)", "to (s)", data.most ? "processes a processor" : "share busy"], ...loads.flatMap(({ run, names, level }) => Array.from(level, (value, at) =>
    [run.name, names[Math.floor(at / data.columns)], data.from + at % data.columns * span, data.from + (at % data.columns + 1) * span, +((data.most ?? 1) * value / data.levels).toPrecision(4)]))];
  byId(`${id}-runs`).hidden = runs.length < 2;
  const legend = () => byId(`${id}-legend`).replaceChildren(...rampLegend("idle", describe(data.levels), markRamp()));
  onTheme(legend);
  legend();
  show();
}

/** Write moments below a map whose columns are times. */
function timeAxisBelow(context, { left, top, wide, tall, rows, columns }, { from, to }, origin) {
  const pixels = wide * columns, ticks = timeTicks(from, to, Math.max(2, pixels / 80), origin), labels = timeLabels(ticks, origin), bottom = top + tall * rows;
  context.textBaseline = "top";
  context.textAlign = "center";
  ticks.forEach((tick, place) => {
    const x = left + (tick - from) / (to - from) * pixels;
    context.fillStyle = theme.line;
    context.fillRect(x, bottom, 1, 4);
    context.fillStyle = theme.soft;
    if (x + 34 < left + pixels + RIGHT) labels[place].split("\n").forEach((line, row) => context.fillText(line, x, bottom + 7 + 14 * row));
  });
}
