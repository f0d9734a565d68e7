// The share of jobs above a value, over a logarithmic axis, every run as a line.

const DASHES = [[], [7, 4], [2, 3]]; // colors repeat after eight runs, then lines are dashed

panels.distributions = (data, runs) => {
  const shown = new Set(runs);
  const control = { logarithmic: false };
  const charts = [
    shareChart("wait-share", data.wait, { round: ROUND_TIMES, tick: shortTime, value: duration, comparison: "longer than", field: "wait" }),
    shareChart("slowdown-share", data.slowdown, { round: POWERS_OF_TEN, tick: brief, value: (x) => number.format(x), comparison: "above", field: "slowdown" }),
  ];
  const again = charts.map(({ host, make }) => fitted(host, (width) => make(width, runs, shown, control)));
  const redraw = () => again.forEach((redrawOne) => redrawOne());
  if (runs.length > 1) for (const run of runs) addRunChoice(byId("distributions-runs"), run, shown, redraw);
  const box = node("input", { type: "checkbox" });
  box.onchange = () => { control.logarithmic = box.checked; redraw(); };
  byId("distributions-runs").append(node("label", {}, box, "logarithmic percent"));
  chosenRuns.follow(redraw);
  panelRows.distributions = () => [["quantity", "above", ...runs.map((run) => run.name)], ...Object.entries({ "wait (s)": data.wait, "bounded slowdown": data.slowdown }).flatMap(([name, { at, share }]) => at.map((value, place) => [name, value, ...share.map((each) => each[place])]))];
  remember(box, "distributions-log");
};

/** The runs that the page shows; all on a page without a choice. */
const visibleOf = (runs) => typeof visible === "function" ? visible(runs) : runs;

function shareChart(id, { at, share }, { round, tick, value, comparison, field }) {
  const host = byId(id), output = byId(`${id}-value`);
  const spoken = host.ariaLabel;
  const make = (width, runs, shown, { logarithmic }) => {
    const drawn = visibleOf(runs).filter((run) => shown.has(run));
    host.ariaLabel = [spoken, ...drawn.map((run) => `${run.name}: ${quantileText(at, share[run.place], value)}`)].join(". ");
    // On a logarithmic axis a share of 0 has no place: the line ends there.
    const lines = drawn.map((run) => share[run.place].map((part) => logarithmic && !(part > 0) ? null : 100 * part));
    const least = Math.min(100, ...share.flat().filter((part) => part > 0).map((part) => 100 * part));
    const read = (chart) => {
      const point = chart.cursor.idx;
      output.textContent = point == null ? "" : `${comparison} ${value(at[point])}: ` +
        drawn.map((run) => `${runs.length > 1 ? `${run.name} ` : ""}${+(100 * share[run.place][point]).toPrecision(4)} %`).join(" · ");
    };
    const percent = { size: LEFT, values: (_, kept) => kept.map((part) => part == null ? "" : `${part} %`) };
    const chart = new uPlot({
      width, height: 260, padding: [8, RIGHT, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { time: false, distr: 3, range: () => [at[0], at.at(-1)] },
        y: logarithmic ? { distr: 3, range: () => [least, 100] } : { range: () => [0, 100] },
      },
      axes: [
        logAxis(round, tick, { room: 52, size: 36, side: "x" }),
        logarithmic ? logAxis(POWERS_OF_TEN, (part) => `${part} %`, { room: 24, size: LEFT + 12, side: "y" }) : axis(percent),
      ],
      series: [{}, ...drawn.map((run) => ({
        label: run.name, stroke: runColor(run.place), width: 2, dash: DASHES[Math.floor(run.place / RUN_COLORS.length) % DASHES.length], points: { show: false },
      }))],
      hooks: { setCursor: [read] },
    }, [at, ...lines], host);
    if (field) onClick(chart, () => { const point = chart.cursor.idx; if (point != null) theSchedule.filter.toggle({ [field]: [at[point], Infinity] }); });
    return chart;
  };
  return { host, make };
}

/** What a line says to those who do not see it; each value to the next point of the axis. */
function quantileText(at, share, value) {
  const below = (part) => value(at[Math.max(0, share.findIndex((above) => above <= part))]);
  return `half of the jobs up to ${below(.5)}, nine of ten up to ${below(.1)}`;
}
