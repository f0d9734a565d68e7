// Run time and size of all jobs: a square for each cell with jobs, its color the number of them.

const SQUARE = 5; // pixels, of a cell at least

const HALF_CELL = 10 ** (1 / 40); // of a cell's middle to its edges: a decade has twenty

panels.shapes = ({ run, size, jobs }) => {
  const most = Math.max(...jobs);
  const level = (count) => most > 1 ? Math.log(count) / Math.log(most) : 1;
  const host = byId("shapes-chart");
  const legend = () => {
    byId("shapes-legend").replaceChildren(...(most > 1 ? rampLegend("1 job", `${number.format(most)} jobs in a square`, markRamp()) : []));
  };
  onTheme(legend);
  legend();
  host.setAttribute("aria-label", `Scatter of run time and processors: ${number.format(run.length)} squares hold ${number.format(jobs.reduce((a, b) => a + b, 0))} jobs`);
  panelRows.shapes = () => [["run time (s)", "processors", "jobs"], ...run.map((each, at) => [each, size[at], jobs[at]])];
  fitted(host, (width) => scatter({
    width, host, x: run, y: size, output: byId("shapes-value"),
    axes: [logAxis(ROUND_TIMES, shortTime, { room: 52, size: 36, side: "x" }), logAxis(POWERS_OF_TWO, brief, { room: 22, size: LEFT, side: "y" })],
    read: (at) => `${jobs[at] === 1 ? "1 job" : `${number.format(jobs[at])} jobs`} of ${jobs[at] === 1 ? "" : "about "}${duration(run[at])} on ${number.format(+size[at].toPrecision(3))} processors`,
    choose: (at) => theSchedule.filter.toggle({ run: cellEnds(run[at]), size: cellEnds(size[at]) }),
    paint: (context, place, ratio) => {
      const edge = SQUARE * ratio;
      for (let i = 0; i < run.length; i++) {
        const [left, top] = place(run[i], size[i]);
        context.fillStyle = markColor(level(jobs[i]));
        context.fillRect(left - edge / 2, top - edge / 2, edge, edge);
      }
    },
  }));
};

/** The ends of a cell with this middle, written briefly. */
const cellEnds = (middle) => [+(middle / HALF_CELL).toPrecision(6), +(middle * HALF_CELL).toPrecision(6)];
