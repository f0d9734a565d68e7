// Metrics as the run proceeds: one of them at a time, every run as a line.

const FEW_ENDS = 40; // up to so many times each has a point

panels.traces = (data, runs) => {
  const host = byId("traces-chart"), output = byId("traces-value"), select = byId("traces-metric"), shown = new Set(runs);
  const { origin } = runs[0], logarithmic = node("input", { type: "checkbox" });
  select.append(...data.metrics.map(({ label }, place) => node("option", { value: place, textContent: label })));
  const make = (width) => {
    output.textContent = "";
    return traceChart(host, width, { data, metric: data.metrics[select.value], runs: visible(runs).filter((run) => shown.has(run)), origin, output, logarithmic: logarithmic.checked });
  };
  let isChosen = false; // until then the scale is logarithmic where one run flattens the rest
  const suit = () => { if (!isChosen) logarithmic.checked = isFlattened(visible(runs).map((run) => data.metrics[select.value].value[run.place].at(-1))); };
  suit();
  const redraw = fitted(host, make);
  select.onchange = () => { suit(); redraw(); };
  logarithmic.onchange = () => { isChosen = true; redraw(); };
  chosenRuns.follow(() => { suit(); redraw(); });
  if (runs.length > 1) for (const run of runs) addRunChoice(byId("traces-runs"), run, shown, redraw);
  byId("traces-runs").append(node("label", {}, logarithmic, "logarithmic"));
  panelRows.traces = () => [["time (s)", "run", ...data.metrics.map(({ label }) => label)], ...runs.flatMap((run) => data.at.map((time, point) => [time, run.name, ...data.metrics.map(({ value }) => value[run.place][point])]))];
  remember(select, "traces");
  remember(logarithmic, "traces-log");
};

function traceChart(host, width, { data, metric, runs, origin, output, logarithmic }) {
  const values = runs.map((run) => metric.value[run.place]), { scale, round, tick, text } = traceUnit(metric.kind, values, logarithmic);
  host.ariaLabel = [`${metric.label} as the run proceeds`, ...runs.map((run, place) => `${run.name}: at the end ${text(values[place].at(-1))}`)].join(". ");
  const read = (chart) => {
    const point = chart.cursor.idx;
    output.textContent = point == null ? "" : `${moment(Math.floor(data.at[point]), origin)}: ` +
      runs.map((run, place) => `${runs.length > 1 ? `${run.name} ` : ""}${text(values[place][point])}`).join(" · ");
  };
  const lines = values.map((line) => line.map((value) => value == null || logarithmic && !(value > 0) ? null : value / scale));
  return new uPlot({
    width, height: 260, padding: [10, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: () => [data.from, data.to] },
      y: logarithmic ? { distr: 3, range: () => logRange(lines.flat().filter((value) => value != null)) } : { range: (_, low, high) => traceRange(low, high) },
    },
    axes: [
      axis({
        size: 48, splits: (u, _, low, high) => timeTicks(low, high, Math.max(2, innerWidthOf(u) / 80), origin),
        values: (u, ticks) => timeLabels(ticks, origin).map((label, at) => labelFits(u, ticks[at]) ? label : ""),
      }),
      logarithmic ? logAxis(round, tick, { room: 24, size: LEFT + 12, side: "y" }) : axis({ size: LEFT + 12, values: (_, ticks) => ticks.map(tick) }),
    ],
    series: [{}, ...runs.map((run) => ({
      label: run.name, stroke: runColor(run.place), width: 2, dash: DASHES[Math.floor(run.place / RUN_COLORS.length) % DASHES.length],
      paths: uPlot.paths.stepped({ align: 1 }), stepped: true, points: { show: data.at.length <= FEW_ENDS, size: 5 },
    }))],
    hooks: { setCursor: [read] },
  }, [data.at, ...lines], host);
}

/** How a metric's values are drawn and written: shares as percent, times in the unit of the largest, over a logarithmic axis each in its own. */
function traceUnit(kind, values, logarithmic) {
  const known = (text) => (value) => value == null ? "–" : text(value);
  const marked = (scale, sign, text) => ({ scale, round: POWERS_OF_TEN, tick: (value) => `${brief(value)}${sign}`, text: known(text) });
  if (kind === "share") return marked(.01, " %", (value) => `${+(100 * value).toPrecision(4)} %`);
  if (kind !== "time") return marked(1, "", (value) => figure(value));
  if (logarithmic) return { scale: 1, round: ROUND_TIMES, tick: shortTime, text: known(duration) };
  const most = values.flat().reduce((high, value) => Math.max(high, value ?? 0), 0);
  const [scale, sign] = [[DAY, " d"], [HOUR, " h"], [MINUTE, " min"]].find(([length]) => most >= 2 * length) ?? [1, " s"];
  return marked(scale, sign, duration);
}

/** Ends of the axis of values: from 0, unless all are closer to each other than to it. */
function traceRange(low, high) {
  if (low == null || !(high > 0)) return [0, 1];
  if (low < high / 2 || low === high) return [0, 1.06 * high];
  const room = .08 * (high - low);
  return [low - room, high + room];
}
