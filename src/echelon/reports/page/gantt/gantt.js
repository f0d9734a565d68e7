// The Gantt chart: each job as rectangles over time (right) and processor numbers (up).
//
// Few rectangles are drawn one by one, with the job's number where there is room; many as tiles (tiles.js).

const FEW = 4000;
const MOST_SHAPES = 200_000; // rectangles of an SVG; of more it holds the tiles' pixels
const LEAST_CORE = 6; // pixels of a core that is parted from its neighbors
const PALE = .45; // strength of what is held without running

/** Slanted lines as a fill. */
function hatching(context, ratio) {
  const size = Math.round(7 * ratio), tile = Object.assign(document.createElement("canvas"), { width: size, height: size }), pen = tile.getContext("2d");
  pen.strokeStyle = theme.paper;
  pen.lineWidth = 1.5 * ratio;
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size);
    pen.lineTo(shift + size, 0);
  }
  pen.stroke();
  return context.createPattern(tile, "repeat");
}

class Gantt {
  constructor(run, full) {
    this.run = run;
    this.full = full;
    this.rectangles = new Rectangles(run);
    this.tiles = new Tiles();
    this.selected = -1;
  }

  /** Color the jobs in another way. */
  use(paint) {
    this.paintOf = paint;
    this.tiles.use(this.rectangles, paint, this.full);
  }

  /** Draw the sites equally high, or as high as they have processors. */
  stack() {
    this.rectangles.stack(this.run.stack);
    this.tiles.forget();
  }

  /** Draw a view; returns how many tiles are still to come, for which this must be called again. */
  paint(context, area, view, milliseconds) {
    const few = context.isVector ? this.shapes(view) : this.rectangles.within(view, FEW);
    const { closed, stack } = this.run, scales = this.scales(area, view);
    closed?.draw(context, area, view, scales, stack);
    let left = { missing: 0, behind: 0 };
    if (few) this.drawEach(context, area, view, few);
    else left = this.tiles.draw(context, area, view, milliseconds);
    if (!context.isVector) this.each = few ? few.length / 2 : 0;
    closed?.frame(context, area, view, scales, stack);
    stack?.draw(context, area, view);
    if (this.selected >= 0) this.outline(context, area, view);
    return left;
  }

  /** Rectangles of a view for a picture of shapes, those of a color together; null where they are too many for one. */
  shapes(view) {
    const found = this.rectangles.within(view, MOST_SHAPES), { code } = this.paintOf, { jobOf } = this.rectangles, pairs = [];
    for (let k = 0; found && k < found.length; k += 2) pairs.push([found[k], found[k + 1]]);
    return found && pairs.sort((a, b) => code[jobOf[a[0]]] - code[jobOf[b[0]]]).flat();
  }

  /** Functions from times and processors to pixels of the canvas. */
  scales(area, view) {
    const kx = area.width / (view.t1 - view.t0), ky = area.height / (view.p1 - view.p0);
    const clip = (x) => Math.max(-9, Math.min(area.width + 9, x));
    return { x: (time) => area.left + clip((time - view.t0) * kx), y: (processor) => area.top + (view.p1 - processor) * ky };
  }

  drawEach(context, area, view, found) {
    const { ratio } = area, { code, colors } = this.paintOf, { start, end, first, height, jobOf } = this.rectangles, { x, y } = this.scales(area, view);
    const styles = colors.map((rgb) => `rgb(${rgb.map(Math.round)})`);
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    const parted = this.rectangles.waking || this.rectangles.blocked, hatch = parted && hatching(context, ratio);
    for (let k = 0; k < found.length; k += 2) {
      const piece = found[k], r = found[k + 1], job = jobOf[piece];
      const left = x(start[piece]), wide = x(end[piece]) - left, bottom = y(first[r]), tall = Math.max(ratio, bottom - y(first[r] + height[r])), top = bottom - tall;
      const high = tall - (tall > 4 * ratio ? ratio : 0), right = left + Math.max(ratio, wide - (wide > 4 * ratio ? ratio : 0));
      const [begins, stops] = parted ? this.rectangles.runs(piece).map((time) => Math.max(left, Math.min(right, x(time)))) : [left, right];
      context.fillStyle = styles[code[job]];
      context.fillRect(begins, top, parted ? stops - begins : right - left, high);
      if (this.run.tries?.isTaken(job, end[piece])) this.taken(context, { right, top, wide: right - left, high, ratio });
      if (right > stops) this.blocked(context, hatch, { left: stops, top, wide: right - stops, high });
      if (begins > left) this.waking(context, { left, top, wide: begins - left, high });
      if (this.run.nodes) this.partCores(context, { left, top, wide: right - left, tall, cores: height[r], ratio });
      if (wide >= 60 * ratio && tall >= 13 * ratio) this.name(context, colors[code[job]], job, { left: Math.max(begins, area.left) + 6 * ratio, top: Math.max(top, area.top), wide: wide - 12 * ratio, bottom: Math.min(bottom, area.top + area.height) });
    }
  }

  /** Lines between the cores of a rectangle that are high enough: each task is seen by itself. */
  partCores(context, { left, top, wide, tall, cores, ratio }) {
    const each = tall / cores;
    if (cores === 1 || each < LEAST_CORE * ratio) return;
    context.fillStyle = theme.empty;
    for (let core = 1; core < cores; core++) context.fillRect(left, top + core * each - ratio, wide, ratio);
  }

  /** Cores that a job still holds though their tasks have ended: pale and hatched. */
  blocked(context, hatch, { left, top, wide, high }) {
    context.globalAlpha = PALE;
    context.fillRect(left, top, wide, high);
    context.globalAlpha = 1;
    context.fillStyle = hatch;
    context.fillRect(left, top, wide, high);
  }

  /** The end of an attempt that the machine ended: a bar. */
  taken(context, { right, top, wide, high, ratio }) {
    const thick = Math.min(4 * ratio, wide / 2);
    context.fillStyle = theme.ink;
    context.fillRect(right - thick, top, thick, high);
  }

  /** Cores of a node that wakes up: gray. */
  waking(context, { left, top, wide, high }) {
    context.globalAlpha = PALE;
    context.fillStyle = theme.soft;
    context.fillRect(left, top, wide, high);
    context.globalAlpha = 1;
  }

  name(context, rgb, job, { left, top, wide, bottom }) {
    context.fillStyle = inkOn(rgb);
    context.fillText(this.run.jobName(job), left, (top + bottom) / 2, wide);
  }

  /** Frame all rectangles of the selected job, and draw a line from its submission to its start. */
  outline(context, area, view) {
    const { x, y } = this.scales(area, view), { ratio } = area, pieces = this.rectangles.ofJob(this.selected);
    context.strokeStyle = theme.ink;
    for (const { start, end, intervals } of pieces)
      for (const [low, high] of intervals) {
        context.lineWidth = 2 * ratio;
        context.strokeRect(x(start), y(high + 1), Math.max(x(end) - x(start), ratio), Math.max(y(low) - y(high + 1), ratio));
      }
    if (!pieces.length || !pieces[0].intervals.length) return;
    const [low, high] = pieces[0].intervals[0], middle = y((low + high + 1) / 2), from = x(this.run.submit[this.selected]), to = x(pieces[0].start);
    if (to - from < ratio) return;
    context.setLineDash([4 * ratio, 3 * ratio]);
    context.beginPath();
    context.moveTo(from, middle);
    context.lineTo(to, middle);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.moveTo(from, middle - 5 * ratio);
    context.lineTo(from, middle + 5 * ratio);
    context.stroke();
  }
}
