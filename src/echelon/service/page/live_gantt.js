// The Gantt chart of reports for what a service knows: what is forecast is pale and hatched, and there is a line where now is.

const KINDS = CLASS_COLORS.light.length; // colors of the service's own jobs, one after the other

/** A run as the chart of reports draws it, of the bars of an outlook. Times are seconds since `origin`, a Unix time. */
function runOf({ now, clusters }, { origin, shift, kept, submitted }) {
  const shown = clusters.filter(({ processors }) => processors > 0).reverse(); // the first one on top
  const sites = { name: shown.map(({ name }) => name), processors: shown.map(({ processors }) => processors) };
  const below = sums(sites.processors), bars = [], intervals = [];
  shown.forEach(({ name, processors, bars: own }, site) => {
    const rows = new Rows(processors);
    for (const bar of [...own].sort((a, b) => a.start - b.start || a.planned - b.planned || (a.number ?? 0) - (b.number ?? 0))) {
      const end = isEnded(bar.state) || bar.planned ? bar.end : Math.max(bar.end, now);
      const key = `${name} ${bar.job ?? `${bar.start} ${bar.processors}`}`;
      const taken = rows.take(bar.start, end, bar.processors, kept.get(key));
      bars.push({ ...bar, end, site, key, cluster: name });
      intervals.push(taken.map(([first, height]) => [first + below[site], height]));
      kept.set(key, taken);
    }
  });
  const column = (of) => Float64Array.from(bars, of), start = column((bar) => bar.start - origin), run = column((bar) => bar.end - bar.start);
  const forecast = column((bar) => bar.planned ? bar.end - bar.start : isEnded(bar.state) ? 0 : Math.max(0, bar.end - Math.max(now, bar.start)));
  const flat = intervals.flat(), processors = below.at(-1);
  return {
    bars, sites, processors, capacity: processors, jobs: bars.length, origin: origin + shift, start, run,
    submit: column((bar) => Math.min(submitted(bar) ?? bar.start, bar.start) - origin), size: Int32Array.from(bars, (bar) => bar.processors),
    jobName: (job) => bars[job].name || bars[job].number || "", labels: { site: { codes: Int32Array.from(bars, (bar) => bar.site), of: (job) => bars[job].cluster } },
    gantt: { count: Int32Array.from(intervals, (each) => each.length), first: Int32Array.from(flat, ([first]) => first), height: Int32Array.from(flat, ([, height]) => height), start, run, blocked: forecast },
    stack: new Stack(sites, processors),
  };
}

/** What the jobs are painted with: own ones in turn, others gray. */
function paintOfBars(bars) {
  const colors = [...CLASS_COLORS[scheme()], OTHERS[scheme()]].map(rgbOf);
  return { code: Uint8Array.from(bars, (bar) => bar.job === null ? KINDS : bar.number % KINDS), colors, weights: colors.map(() => 1) };
}

class LiveGantt extends Gantt {
  /** `now` gives the time on the chart. */
  constructor(run, full, now) {
    super(run, full);
    this.now = now;
  }

  paint(context, area, view, milliseconds) {
    const left = super.paint(context, area, view, milliseconds);
    this.drawNow(context, area, view);
    return left;
  }

  drawNow(context, area, view) {
    const now = this.now(), { ratio, top, height } = area;
    if (now < view.t0 || now > view.t1) return;
    const x = Math.round(this.scales(area, view).x(now));
    context.fillStyle = theme.paper;
    context.fillRect(x - 2 * ratio, top, 4 * ratio, height);
    context.fillStyle = theme.ink;
    context.fillRect(x - ratio, top, 2 * ratio, height);
  }

  /** A name on what is mostly forecast, and so pale, has a ground of its own. */
  name(context, rgb, job, place) {
    const { blocked } = this.rectangles, isPale = blocked[job] > .5 * this.run.run[job], ratio = devicePixelRatio || 1;
    if (!isPale) return super.name(context, rgb, job, place);
    const wide = Math.min(context.measureText(this.run.jobName(job)).width, place.wide) + 6 * ratio;
    context.globalAlpha = .7;
    context.fillStyle = theme.empty;
    context.fillRect(place.left - 3 * ratio, (place.top + place.bottom) / 2 - 7 * ratio, wide, 14 * ratio);
    context.globalAlpha = 1;
    super.name(context, rgbOf(theme.empty.slice(1)), job, place);
  }
}
