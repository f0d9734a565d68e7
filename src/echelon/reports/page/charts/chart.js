// Axes, grid and cursor around what gantt.js and strip.js draw; uPlot makes them.

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const LEFT = 52; // the same for all charts that share the time axis, so that their plotting areas align
const RIGHT = 18;
const WHOLE_STEPS = [1, 2, 5].flatMap((digit) => [0, 1, 2, 3, 4, 5, 6].map((power) => digit * 10 ** power)).sort((a, b) => a - b);

/** Width of a chart's plotting area; known before the chart is laid out. */
const innerWidthOf = (chart) => chart.width - LEFT - RIGHT;

const axis = (more) => ({
  font: FONT, stroke: () => theme.soft, grid: { stroke: () => theme.grid, width: 1 }, ticks: { stroke: () => theme.line, width: 1 }, ...more,
});

/** The plotting area of a chart, in pixels of its canvas. */
function plotArea(chart) {
  const { left, top, width, height } = chart.bbox;
  return { left: Math.round(left), top: Math.round(top), width: Math.round(width), height: Math.round(height), ratio: devicePixelRatio || 1 };
}

/** Marks of the axis of processors: of one machine, or within each site of a stack. */
function processorAxis(stack) {
  if (!stack) return { incrs: WHOLE_STEPS, space: 28, values: (_, ticks) => ticks.map(brief) };
  return {
    splits: (u, _, low, high) => stack.ticks(low, high, u.bbox.height / (devicePixelRatio || 1)),
    values: (_, ticks) => ticks.map((tick) => brief(Math.round(stack.processorAt(tick)))),
  };
}

/** A chart over the view's span of time; `paint(context, area)` fills the plotting area. */
function timeChart(host, { height, view, origin, top, labels, stack, written, level, paint, hover }) {
  const painted = (chart) => {
    const area = plotArea(chart), context = chart.ctx;
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.width, area.height);
    context.clip();
    paint(context, area);
    context.restore();
  };
  const chart = new uPlot({
    width: host.clientWidth, height,
    padding: [6, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, sync: { key: "time" }, bind: { dblclick: () => null } },
    scales: { x: { time: false, auto: false, min: view.t0, max: view.t1 }, y: { auto: false, min: 0, max: top } },
    axes: [
      axis({
        size: labels ? 48 : 8,
        splits: (u, _, low, high) => timeTicks(low, high, Math.max(2, innerWidthOf(u) / 74), origin),
        values: (u, ticks) => labels ? timeLabels(ticks, origin).map((label, at) => labelFits(u, ticks[at]) ? label : "") : ticks.map(() => ""),
      }),
      axis({ size: LEFT, ...(level ? level : written ? { space: 28, values: (_, ticks) => ticks.map(written) } : processorAxis(stack)) }),
    ],
    series: [{}, { show: true, paths: () => null, points: { show: false } }],
    hooks: {
      drawClear: [(u) => { const a = plotArea(u); u.ctx.fillStyle = theme.empty; u.ctx.fillRect(a.left, a.top, a.width, a.height); }],
      draw: [painted],
    },
  }, [[view.full.t0, view.full.t1], [null, null]], host);
  chart.over.addEventListener("pointermove", (event) => hover(event, chart));
  // A finger leaves when it is lifted; what it tapped on stays.
  chart.over.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hover(null, chart); });
  return typeof drawable === "function" ? drawable(chart) : chart; // the live page draws no pictures
}

/** Call `act(event)` for clicks on a chart's plotting area; uPlot keeps some of them to itself. */
function onClick(chart, act) {
  chart.root.addEventListener("click", (event) => { if (event.target === chart.over) act(event); }, true);
  chart.over.classList.add("answers");
}

/** Whether a label of a date, centered at a moment, stays on the canvas. */
function labelFits(chart, moment) {
  const { min, max } = chart.scales.x;
  return (max - moment) / (max - min) * innerWidthOf(chart) + RIGHT > 34;
}

/** Show the view's span of time, and low to high on the other axis. */
function show(chart, view, low, high) {
  chart.batch(() => {
    chart.setScale("x", { min: view.t0, max: view.t1 });
    chart.setScale("y", { min: low, max: high });
  });
}
