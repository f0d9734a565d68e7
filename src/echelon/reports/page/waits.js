// The share of jobs that wait longer than a time, over a logarithmic axis, every run as a line.

const ROUND_WAITS = [1, 10, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY];

function waitsChart(host, runs, waits, output) {
  const ticks = (u, _, low, high) => {
    const room = 52 / innerWidthOf(u) * Math.log(high / low);
    const kept = [];
    for (const tick of ROUND_WAITS) {
      if (tick < low * .999 || tick > high * 1.001) continue;
      if (!kept.length || Math.log(tick / kept.at(-1)) >= room) kept.push(tick);
    }
    return kept;
  };
  const read = (u) => {
    const at = u.cursor.idx;
    output.textContent = at == null ? "" : `longer than ${duration(waits[at])}: ` +
      runs.map((run) => `${runs.length > 1 ? `${run.name} ` : ""}${(100 * run.longer[at]).toFixed(2)} %`).join(" · ");
  };
  return new uPlot({
    width: host.clientWidth, height: 260, padding: [8, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: false, distr: 3, range: () => [waits[0], waits.at(-1)] }, y: { range: () => [0, 100] } },
    axes: [
      axis({ size: 36, splits: ticks, filter: (_, kept) => kept, values: (_, kept) => kept.map((tick) => tick >= 7 * DAY ? `${tick / DAY} d` : tick === 60 ? "1 min" : tick === HOUR ? "1 h" : tick === DAY ? "1 d" : duration(tick)) }),
      axis({ size: LEFT, values: (_, kept) => kept.map((tick) => `${tick} %`) }),
    ],
    series: [{}, ...runs.map((run) => ({ label: run.name, stroke: runColor(run.place), width: 2, points: { show: false } }))],
    hooks: { setCursor: [read] },
  }, [waits, ...runs.map((run) => run.longer.map((share) => 100 * share))], host);
}
