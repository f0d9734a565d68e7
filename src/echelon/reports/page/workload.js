// A log and the jobs of a model side by side.

const QUANTITIES = {
  size: { round: POWERS_OF_TWO, tick: brief, value: (x) => `${number.format(x)} processors`, comparison: "more than" },
  run_time: { round: ROUND_TIMES, tick: shortTime, value: duration, comparison: "longer than" },
  gap: { round: ROUND_TIMES, tick: shortTime, value: duration, comparison: "longer than" },
  requested_time: { round: ROUND_TIMES, tick: shortTime, value: duration, comparison: "longer than" },
};

/** The share of jobs above each value, as lines; a quantity that one side lacks has no chart. */
function distributionCharts(shares, sides) {
  const control = { logarithmic: false }, shown = new Set(sides), redraws = [];
  for (const [name, look] of Object.entries(QUANTITIES)) {
    if (shares[name] == null) {
      byId(name).closest("figure").hidden = true;
      continue;
    }
    const { host, make } = shareChart(name, shares[name], look);
    redraws.push(fitted(host, (width) => make(width, sides, shown, control)));
  }
  byId("logarithmic").onchange = (event) => {
    control.logarithmic = event.target.checked;
    redraws.forEach((redraw) => redraw());
  };
}

/** Percent of the jobs in each hour of the day, as steps. */
function hourChart(hours, sides) {
  const host = byId("by-hour"), output = byId("by-hour-value");
  // Each hour is a step; the last one needs an end.
  const at = Array.from({ length: 25 }, (_, hour) => hour), lines = hours.map((shares) => [...shares, shares[23]]);
  const read = (chart) => {
    const hour = chart.cursor.idx == null ? null : Math.min(23, Math.floor(chart.posToVal(chart.cursor.left, "x")));
    output.textContent = hour == null || hour < 0 ? "" : `${two(hour)}:00 to ${two(hour)}:59: ` +
      sides.map((side) => `${side.name} ${+hours[side.place][hour].toPrecision(3)} %`).join(" · ");
  };
  fitted(host, (width) => new uPlot({
    width, height: 260, padding: [8, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: () => [0, 24] }, y: { range: (_, low, high) => [0, 1.05 * Math.max(high, 1)] } },
    axes: [
      axis({ size: 36, splits: () => [0, 3, 6, 9, 12, 15, 18, 21, 24], values: (_, kept) => kept.map(two) }),
      axis({ size: LEFT, values: (_, kept) => kept.map((part) => `${part} %`) }),
    ],
    series: [{}, ...sides.map((side) => ({
      label: side.name, stroke: runColor(side.place), width: 2, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }), stepped: true,
    }))],
    hooks: { setCursor: [read] },
  }, [at, ...lines], host));
}

function begin() {
  readTheme();
  addThemeButton(byId("theme"));
  const page = JSON.parse(byId("report-data").textContent);
  const sides = page.names.map((name, place) => ({ name, place }));
  for (const legend of document.querySelectorAll("ul.legend")) legend.append(...sides.map((side) => node("li", {}, swatch(side), ` ${side.name}`)));
  distributionCharts(page.shares, sides);
  hourChart(page.hours, sides);
  for (const section of document.querySelectorAll("main > section")) addDownload(section);
  document.documentElement.dataset.ready = "true";
}

try {
  begin();
} catch (error) {
  byId("trouble").hidden = false;
  byId("trouble").textContent = `The charts could not be drawn: ${error.message}.`;
  throw error;
}
