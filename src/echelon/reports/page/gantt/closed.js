// What was closed to jobs: nodes that were down, and nodes that were reserved; and why attempts of jobs ended.

const HATCHED = 7; // pixels of a band from which on its lines are seen
const CLOSED = {
  fail: { label: "Failed", color: "ink", strength: .5, slope: 1 },
  drain: { label: "Drained", color: "soft", strength: .16, slope: 0 },
  maintenance: { label: "Maintenance", color: "soft", strength: .34, slope: -1 },
  reserved: { label: "Reserved", color: "accent", strength: .14, slope: null },
};
const ENDS = { killed: "cut at its limit", stopped: "canceled by its user", deadline: "cut at its deadline" }; // others are said as they are
const TAKEN = ["requeued", "failed", "evicted"]; // attempts that the machine ended

/** Bands of rows that were closed from one time to another; drawn below the jobs. */
class Closed {
  constructor({ kinds, names, sets, ...columns }) {
    Object.assign(this, columns, { kinds, names, sets });
    this.end = Float64Array.from(this.start, (start, band) => start + this.run[band]);
    this.used = kinds.filter((_, kind) => this.kind.includes(kind));
  }

  /** Numbers of the bands within a view. */
  within({ t0, t1, p0, p1 }, stack) {
    const found = [];
    for (let band = 0; band < this.start.length; band++) {
      if (this.end[band] < t0 || this.start[band] > t1) continue;
      const [low, high] = this.rows(band, stack);
      if (low < p1 && high > p0) found.push(band);
    }
    return found;
  }

  /** Where a band is drawn, from its lowest to its highest row. */
  rows(band, stack) {
    const low = this.first[band], high = low + this.height[band];
    if (!stack?.equal) return [low, high];
    let site = 0;
    while (stack.before[site + 1] <= low) site++;
    return [stack.heightOf(site, low - stack.before[site]), stack.heightOf(site, high - stack.before[site])];
  }

  draw(context, area, view, scales, stack) {
    const { ratio } = area, lines = {};
    for (const band of this.within(view, stack)) {
      const style = CLOSED[this.kinds[this.kind[band]]], box = this.box(band, scales, stack);
      context.globalAlpha = style.strength;
      context.fillStyle = theme[style.color];
      context.fillRect(...box);
      context.globalAlpha = Math.min(1, 2 * style.strength);
      if (style.slope !== null && box[2] > HATCHED * ratio && box[3] > HATCHED * ratio) {
        context.fillStyle = lines[style.label] ??= slanted(context, ratio, style);
        context.fillRect(...box);
      }
    }
    context.globalAlpha = 1;
  }

  /** Frame reservations; drawn above the jobs, which use most of one. */
  frame(context, area, view, scales, stack) {
    const { ratio } = area;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5 * ratio;
    for (const band of this.within(view, stack)) {
      if (this.kinds[this.kind[band]] !== "reserved") continue;
      const [left, top, wide, tall] = this.box(band, scales, stack);
      if (wide > 3 * ratio && tall > 3 * ratio) context.strokeRect(left, top, wide, tall);
    }
  }

  box(band, { x, y }, stack) {
    const [low, high] = this.rows(band, stack), left = x(this.start[band]), top = y(high);
    return [left, top, Math.max(x(this.end[band]) - left, .5), Math.max(y(low) - top, .5)];
  }

  /** The band at a moment on a row, the one that began last; -1 without one. */
  at(time, row, stack) {
    const found = this.within({ t0: time, t1: time, p0: row, p1: row }, stack);
    return found.length ? found.reduce((last, band) => this.start[band] > this.start[last] ? band : last) : -1;
  }

  /** What a band is, and its facts: names and values. */
  describe(band, { origin, stack }) {
    const kind = this.kinds[this.kind[band]], name = this.names[this.name[band]], low = this.first[band];
    // Where the axis has nodes and their cores, their numbers are those of the axis, else those of files.
    const where = stack?.part ? [`${stack.part}s`, numbers([[low, low + this.height[band] - 1]])] : ["nodes", this.sets[this.nodes[band]]];
    const ends = this.forever[band] ? "not during the run" : moment(this.end[band], origin);
    return [`${CLOSED[kind].label}${name ? ` · ${name}` : ""}`, [["from", moment(this.start[band], origin)], ["to", ends],
      this.forever[band] ? null : ["for", duration(this.run[band])], where].filter(Boolean)];
  }
}

/** Slanted or level lines as a fill. */
function slanted(context, ratio, { color, slope }) {
  const size = Math.round(8 * ratio), tile = Object.assign(document.createElement("canvas"), { width: size, height: size }), pen = tile.getContext("2d");
  pen.strokeStyle = theme[color];
  pen.lineWidth = 1.25 * ratio;
  for (const shift of slope ? [-size, 0, size] : [size / 2]) {
    pen.moveTo(slope ? shift : 0, slope > 0 ? size : slope ? 0 : shift);
    pen.lineTo(slope ? shift + size : size, slope > 0 ? 0 : slope ? size : shift);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

/** The attempts of jobs that had several or did not complete, by job. */
class Tries {
  constructor({ reasons, ...columns }) {
    Object.assign(this, columns, { reasons });
    this.places = new Map();
    this.job.forEach((job, at) => this.places.set(job, [...this.places.get(job) ?? [], at]));
  }

  /** Whether the machine ended what a job held until then. */
  isTaken(job, end) {
    return (this.places.get(job) ?? []).some((at) => Math.abs(this.start[at] + this.run[at] - end) < 1e-6 && TAKEN.includes(this.reasons[this.reason[at]]));
  }

  /** Names and values of what became of a job; nothing of one that ran once, to its end. */
  describe(job, origin) {
    const places = this.places.get(job) ?? [], shown = places.slice(0, 6), lost = (at) => TAKEN.includes(this.reasons[this.reason[at]]) && this.lost[at] > 0 ? `, lost ${duration(this.lost[at])}` : "";
    const saved = (at) => this.overhead[at] > 0 ? `, ${duration(this.overhead[at])} for checkpoints` : "";
    const rows = shown.map((at, place) => [`attempt ${place + 1}`, `${moment(this.start[at], origin)} for ${duration(this.run[at])}: ${ENDS[this.reasons[this.reason[at]]] ?? this.reasons[this.reason[at]]}${lost(at)}${saved(at)}`]);
    return places.length > shown.length ? [...rows, ["", `and ${places.length - shown.length} more`]] : rows;
  }
}

const CLOSED_KEYS = [
  [(run) => run.closed?.used.length, "Bands behind the jobs are nodes that were closed to them; point at one for details."],
  [(run) => run.tries?.reason.some((code) => TAKEN.includes(run.tries.reasons[code])), "A thick end of a bar, as dark as text, is an attempt that the machine ended."],
  [(run) => run.available, "The line across the busy processors is how many were available."],
];

/** A legend of what was closed, below that of the jobs, and how to read it. */
function addClosedLegend(runs) {
  const kinds = Object.keys(CLOSED).filter((kind) => runs.some((run) => run.closed?.used.includes(kind)));
  const entries = kinds.map((kind) => node("li", {}, node("i", { className: kind }), CLOSED[kind].label));
  byId("legend").after(node("ul", { className: "legend closed", id: "closed-legend", ariaLabel: "What was closed to jobs" }, ...entries));
  const keys = CLOSED_KEYS.filter(([has]) => runs.some(has)).map(([, text]) => text).join(" ");
  if (keys) byId("gantt-keys").before(node("p", { className: "hint", id: "closed-keys", textContent: keys }));
}
