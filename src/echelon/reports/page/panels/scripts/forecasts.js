// Forecasts beside what happened: a dot a job, the line of those that are right, and the regression line.

const DOT = 2.5; // pixels, half of a dot

panels.forecasts = async (data, runs) => {
  const forecasting = runs.filter((run) => data.some((each) => each.run === run.place));
  for (const { estimators } of data)
    for (const each of estimators) {
      const blocks = await Promise.all(each.blocks.map(unpack));
      for (const [name, block] of Object.entries(each.columns)) each.columns[name] = blocks[block];
    }
  const chosen = { run: forecasting[0], estimator: 0 };
  const estimators = () => data.find((each) => each.run === chosen.run.place).estimators;
  const current = () => estimators()[Math.min(chosen.estimator, estimators().length - 1)];
  const charts = [["wait", "forecasts-wait", "waits"], ["run", "forecasts-run-chart", "run times"]].map(([quantity, id, noun]) => {
    const host = byId(id), output = byId(`forecasts-${quantity}-value`);
    return fitted(host, (width) => agreement({ width, host, output, quantity, noun, forecasts: current(), run: chosen.run }));
  });
  const redraw = () => charts.forEach((redrawOne) => redrawOne());
  const listed = byId("forecasts-estimator");
  const list = () => {
    listed.replaceChildren(...estimators().map(({ name }, place) => node("option", { value: place, textContent: name })));
    listed.value = Math.min(chosen.estimator, estimators().length - 1);
    listed.closest("label").hidden = estimators().length < 2;
  };
  listed.onchange = () => { chosen.estimator = +listed.value; redraw(); };
  const choice = byId("forecasts-run");
  choice.append(...forecasting.map((run) => node("option", { value: run.place, textContent: run.name })));
  choice.closest("label").hidden = forecasting.length < 2;
  choice.onchange = () => { chosen.run = runs[choice.value]; list(); redraw(); };
  list();
  const legend = () => byId("forecasts-legend").replaceChildren(lineKey(theme.soft), "as it happened", lineKey(runColor(1)), "regression through the origin");
  onTheme(legend);
  legend();
  panelRows.forecasts = () => { const { columns } = current(), names = Object.keys(columns); return [["job", ...names.slice(names.indexOf("row") === 0 ? 1 : 0)], ...Array.from(columns.row, (job, at) => [chosen.run.jobName(job), ...names.filter((name) => name !== "row").map((name) => columns[name][at])])]; };
  remember(listed, "estimator");
};

/** A dash of a color. */
function lineKey(color) {
  return node("i", { className: "swatch", style: `background:${color}` });
}

/** A chart of equal axes from 0 with a dot for each forecast. */
function agreement({ width, host, output, quantity, noun, forecasts, run }) {
  const x = forecasts.columns[`real_${quantity}`], y = forecasts.columns[quantity], slope = forecasts.slope[quantity];
  const most = 1.05 * Math.max(1, ...[x, y].map((column) => column.reduce((a, b) => Math.max(a, b), 0)));
  host.ariaLabel = `Scatter of real and forecast ${noun} by ${forecasts.name}: ${number.format(x.length)} jobs${slope == null ? "" : `, slope ${slope}`}`;
  const unit = [[DAY, "d"], [HOUR, "h"], [MINUTE, "min"]].find(([length]) => most >= 4 * length) ?? [1, "s"];
  const step = WHOLE_STEPS.find((each) => each * unit[0] * 6 >= most) ?? most / unit[0], ticks = { splits: () => Array.from({ length: Math.floor(most / unit[0] / step) + 1 }, (_, mark) => mark * step * unit[0]), values: (_, marks) => marks.map((mark) => `${brief(mark / unit[0])} ${unit[1]}`) };
  const chart = new uPlot({
    width, height: 320, padding: [8, RIGHT, 0, 0],
    legend: { show: false },
    cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: false, auto: false, range: () => [0, most] }, y: { auto: false, range: () => [0, most] } },
    axes: [axis({ size: 36, ...ticks }), axis({ size: LEFT + 12, ...ticks })],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [(u) => drawAgreement(u, { x, y, most, slope })] },
  }, [[0, most], [null, null]], host);
  const read = (event) => {
    const box = chart.over.getBoundingClientRect(), at = nearest(chart, x, y, [event.clientX - box.left, event.clientY - box.top]);
    output.textContent = at < 0 ? "" : `job ${run.jobName(forecasts.columns.row[at])}: ${duration(x[at])}, forecast ${duration(y[at])}`;
  };
  onClick(chart, (event) => {
    const box = chart.over.getBoundingClientRect(), at = nearest(chart, x, y, [event.clientX - box.left, event.clientY - box.top]);
    if (at >= 0) theSchedule.goTo(run, forecasts.columns.row[at]);
  });
  chart.over.addEventListener("pointermove", read);
  chart.over.addEventListener("pointerdown", read);
  chart.over.addEventListener("pointerleave", () => { output.textContent = ""; });
  return chart;
}

function drawAgreement(u, { x, y, most, slope }) {
  const { ctx } = u, ratio = devicePixelRatio || 1, { left, top, width, height } = u.bbox;
  const line = (rise, color, dash) => {
    const end = Math.min(most, most / Math.max(rise, 1e-9));
    ctx.strokeStyle = color;
    ctx.lineWidth = 2 * ratio;
    ctx.setLineDash(dash.map((part) => part * ratio));
    ctx.beginPath();
    ctx.moveTo(u.valToPos(0, "x", true), u.valToPos(0, "y", true));
    ctx.lineTo(u.valToPos(end, "x", true), u.valToPos(end * rise, "y", true));
    ctx.stroke();
  };
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  line(1, theme.soft, [6, 4]);
  ctx.fillStyle = runColor(0);
  ctx.globalAlpha = x.length > 500 ? .35 : .7;
  for (let i = 0; i < x.length; i++) {
    ctx.beginPath();
    ctx.arc(u.valToPos(x[i], "x", true), u.valToPos(y[i], "y", true), DOT * ratio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  if (slope != null) line(slope, runColor(1), []);
  ctx.restore();
}
