// Marks in a plane of two logarithmic axes, and what lies under the pointer.

/** A chart in which `paint(context, place)` draws; `place(x, y)` gives pixels of the canvas; `read(index)` describes a mark, `choose(index)` is called for a click on one; the axis goes up to `top` at least. */
function scatter({ width, host, x, y, axes, paint, read, output, choose, top = 0 }) {
  const [left, right] = logRange(x), [low, high] = logRange(y, top);
  const under = (chart, event) => {
    const box = chart.over.getBoundingClientRect();
    return nearest(chart, x, y, [event.clientX - box.left, event.clientY - box.top]);
  };
  const hover = (chart, event) => {
    const at = event ? under(chart, event) : -1;
    output.textContent = at < 0 ? "" : read(at);
  };
  const chart = new uPlot({
    width, height: 300, padding: [8, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, distr: 3, auto: false, range: () => [left, right] }, y: { distr: 3, auto: false, range: () => [low, high] } },
    axes,
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [(u) => {
      u.ctx.save();
      paint(u.ctx, (a, b) => [u.valToPos(a, "x", true), u.valToPos(b, "y", true)], devicePixelRatio || 1);
      u.ctx.restore();
    }] },
  }, [[left, right], [null, null]], host);
  chart.over.addEventListener("pointermove", (event) => hover(chart, event));
  chart.over.addEventListener("pointerleave", () => hover(chart, null));
  if (choose) onClick(chart, (event) => { const at = under(chart, event); if (at >= 0) choose(at); });
  return chart;
}

/** The index of the mark nearest to a place of the plotting area, at most 24 pixels away, or -1. */
function nearest(chart, x, y, [left, top]) {
  let best = -1, distance = 24 ** 2;
  for (let i = 0; i < x.length; i++) {
    const away = (chart.valToPos(x[i], "x") - left) ** 2 + (chart.valToPos(y[i], "y") - top) ** 2;
    if (away < distance) [best, distance] = [i, away];
  }
  return best;
}
