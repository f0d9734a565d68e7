// A chart of uPlot as lines and shapes: its grid, axes, lines, and what the page draws into it.

/** Let a chart be drawn into pictures; returns the chart. */
function drawable(chart) {
  paintedBy(chart.ctx.canvas, (context) => drawChart(chart, context));
  return chart;
}

function drawChart(chart, context) {
  const ratio = devicePixelRatio || 1, into = Object.create(chart, { ctx: { value: context } }); // hooks draw there
  context.save();
  context.scale(1 / ratio, 1 / ratio);
  for (const draw of chart.hooks.drawClear ?? []) draw(into);
  chart.axes.forEach((axis, place) => { if (axis.show) drawAxis(chart, context, { axis, isLevel: place === 0, ratio }); });
  chart.series.slice(1).forEach((line, place) => { if (line.show && colorOfLine(chart, line)) drawLine(chart, context, { line, values: chart.data[place + 1], ratio }); });
  for (const draw of chart.hooks.draw ?? []) draw(into);
  context.restore();
}

/** The grid, the ticks and the labels of an axis. */
function drawAxis(chart, context, { axis, isLevel, ratio }) {
  const { left, top, width, height } = chart.bbox, splits = axis._splits ?? [], labels = axis._values ?? [];
  context.font = `${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
  context.textAlign = isLevel ? "center" : "right";
  context.textBaseline = isLevel ? "top" : "middle";
  splits.forEach((split, place) => {
    const at = split === null ? NaN : chart.valToPos(split, isLevel ? "x" : "y", true);
    if (!(at >= (isLevel ? left : top) - 1 && at <= (isLevel ? left + width : top + height) + 1)) return;
    context.fillStyle = theme.grid;
    context.fillRect(isLevel ? at : left, isLevel ? top : at, isLevel ? ratio : width, isLevel ? height : ratio);
    context.fillStyle = theme.soft;
    String(labels[place] ?? "").split("\n").forEach((line, row) => { if (line) context.fillText(line, isLevel ? at : left - 15 * ratio, isLevel ? top + height + (15 + 14 * row) * ratio : at); });
  });
}

/** The color of a line, or nothing where its chart draws into itself only. */
const colorOfLine = (chart, line) => typeof line.stroke === "function" ? line.stroke(chart, chart.series.indexOf(line)) : line.stroke;

/** A line through the values that are there, in steps if its chart draws it so. */
function drawLine(chart, context, { line, values, ratio }) {
  const { left, top, width, height } = chart.bbox, at = chart.data[0];
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = colorOfLine(chart, line);
  context.lineWidth = line.width * ratio;
  context.setLineDash((line.dash ?? []).map((part) => part * ratio));
  context.beginPath();
  let before = null;
  values.forEach((value, place) => {
    if (value == null) return void (before = null);
    const x = chart.valToPos(at[place], "x", true), y = chart.valToPos(value, line.scale ?? "y", true);
    if (before === null) context.moveTo(x, y);
    else if (line.stepped) context.lineTo(x, before);
    if (before !== null) context.lineTo(x, y);
    before = y;
  });
  context.stroke();
  context.restore();
}
