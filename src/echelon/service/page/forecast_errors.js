// How far forecast waits were from what happened, over time, on a logarithmic axis; and how often an interval held it.

const LEAST_ERROR = 1; // seconds; smaller errors are drawn there
const MOST_MARKS = 20_000;

class ForecastErrors {
  constructor(service) {
    Object.assign(this, { service, all: null, chart: null });
    this.host = byId("errors");
    onTheme(() => this.draw());
    new ResizeObserver(() => { if (this.chart && this.host.clientWidth && this.host.clientWidth !== this.chart.width) this.draw(); }).observe(this.host);
  }

  async load() {
    const found = await this.service.ask("forecast-errors");
    if (this.all && found.length === this.all.length && found.at(-1)?.number === this.all.at(-1)?.number && found[0]?.number === this.all[0]?.number) return;
    this.all = found;
    byId("errors-summary").replaceChildren(...summariesOf(found).map((textContent) => node("p", { className: found.length ? "" : "absent", textContent })));
    this.draw();
  }

  draw() {
    if (!this.all) return;
    this.chart?.destroy();
    this.chart = null;
    this.host.hidden = byId("errors-legend").hidden = !this.all.length;
    if (!this.all.length) return;
    const all = this.all.slice(-MOST_MARKS), base = Math.floor(all[0].at), origin = base + zoneShift(base), wide = Math.max(all.at(-1).at - base, 4 * MINUTE);
    const x = all.map(({ at }) => at - base), y = all.map(errorOf), [low, high] = logRange(y), left = -.02 * wide, right = 1.02 * wide;
    const size = widthFor(logTicks(ROUND_TIMES, low, high, 6).map(shortTime), LEFT);
    this.host.ariaLabel = `Errors of forecast waits over time. ${byId("errors-summary").textContent}`;
    this.chart = new uPlot({
      width: this.host.clientWidth, height: 280, padding: [8, RIGHT, 0, 0], legend: { show: false },
      cursor: { x: false, y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { x: { time: false, auto: false, range: () => [left, right] }, y: { distr: 3, auto: false, range: () => [low, high] } },
      axes: [axis({ size: 48, splits: (u, _, from, to) => timeTicks(from, to, Math.max(2, innerWidthOf(u) / 74), origin), values: (u, ticks) => timeLabels(ticks, origin).map((label, at) => labelFits(u, ticks[at]) ? label : "") }),
        logAxis(ROUND_TIMES, shortTime, { room: 30, size, side: "y" })],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: { draw: [(u) => drawErrors(u, all, { x, y })] },
    }, [[left, right], [null, null]], this.host);
    const read = (event) => {
      const box = this.chart.over.getBoundingClientRect(), at = nearest(this.chart, x, y, [event.clientX - box.left, event.clientY - box.top]);
      write(byId("errors-under"), at < 0 ? "" : `Job ${all[at].number}: forecast a wait of ${duration(all[at].forecast)}, waited ${duration(all[at].actual)}`);
    };
    for (const kind of ["pointermove", "pointerdown"]) this.chart.over.addEventListener(kind, read);
    this.chart.over.addEventListener("pointerleave", () => write(byId("errors-under"), ""));
  }
}

const errorOf = ({ forecast, actual }) => Math.max(LEAST_ERROR, Math.abs(actual - forecast));
const hasInterval = ({ earliest, latest }) => earliest !== null && latest !== null;
const isInside = ({ actual, earliest, latest }) => actual >= earliest && actual <= latest;
const middleOf = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** What forecasts by each estimator were worth, as sentences. */
function summariesOf(all) {
  if (!all.length) return ["No job with a forecast has started and ended in the last week."];
  const of = (estimator) => {
    const own = all.filter((one) => one.estimator === estimator), held = own.filter(hasInterval), inside = held.filter(isInside).length;
    const interval = held.length ? ` ${Math.round(100 * inside / held.length)} in 100 started within their interval, which is made for 80 in 100.` : "";
    return `Run times by ${estimator}: of ${counted(own.length, "job")} in the last week, half started within ${duration(middleOf(own.map(({ forecast, actual }) => Math.abs(actual - forecast))))} of the forecast.${interval}`;
  };
  return [...new Set(all.map(({ estimator }) => estimator))].map(of);
}

function drawErrors(u, all, { x, y }) {
  const { ctx } = u, ratio = devicePixelRatio || 1, { left, top, width, height } = u.bbox, place = (at) => [u.valToPos(x[at], "x", true), u.valToPos(y[at], "y", true)];
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.lineWidth = 1.5 * ratio;
  ctx.globalAlpha = all.length > 2000 ? .35 : .8;
  all.forEach((one, at) => {
    ctx.fillStyle = ctx.strokeStyle = runColor(one.actual > one.forecast ? 1 : 0);
    ctx.beginPath();
    ctx.arc(...place(at), 3 * ratio, 0, 2 * Math.PI);
    if (hasInterval(one) && !isInside(one)) ctx.stroke();
    else ctx.fill();
  });
  ctx.globalAlpha = 1;
  drawMiddles(ctx, y, place, ratio);
  ctx.restore();
}

/** A line through the medians of so many in a row. */
function drawMiddles(ctx, y, place, ratio) {
  const each = Math.max(9, Math.ceil(y.length / 60));
  if (y.length < 2 * each) return;
  ctx.strokeStyle = theme.ink;
  ctx.lineWidth = 2 * ratio;
  ctx.beginPath();
  for (let from = 0; from + each <= y.length; from += each) {
    const middle = middleOf(y.slice(from, from + each)), at = from + y.slice(from, from + each).indexOf(middle);
    ctx.lineTo(place(from + (each >> 1))[0], place(at)[1]);
  }
  ctx.stroke();
}
