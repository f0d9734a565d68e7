// The Gantt chart: each job as rectangles over time (right) and processor numbers (up).
//
// Many rectangles are smaller than a pixel when a year is seen at once. Then every pixel gets the exact mix of
// the jobs that cover it: a rectangle adds its color at its top row and takes it off at its bottom row, and one
// sum down the columns gives all pixels, whatever the rectangles' heights. Few rectangles are drawn one by one.

const FEW = 3000;
const MOST_PIXELS = 1_000_000; // of the mixing raster; finer screens get it enlarged

class Gantt {
  constructor() {
    this.layer = document.createElement("canvas");
    this.selected = -1;
    this.drawn = 0;
  }

  /** Show a run; null where it has no Gantt. */
  use(run, paint) {
    this.run = run;
    this.paintOf = paint;
    this.rectangles = run.gantt ?? { job: [], first: [], height: [] };
  }

  paint(context, area, view) {
    const visible = this.visible(view);
    this.drawn = visible.length;
    if (visible.length <= FEW) this.drawEach(context, area, view, visible);
    else this.mix(context, area, view, visible);
    if (this.selected >= 0) this.outline(context, area, view);
  }

  /** Numbers of the rectangles that touch the view. */
  visible({ t0, t1, p0, p1 }) {
    const { job, first, height } = this.rectangles, { start, run } = this.run;
    if (!this.room || this.room.length !== job.length) this.room = new Int32Array(job.length);
    let n = 0;
    for (let r = 0; r < job.length; r++) {
      const j = job[r], begin = start[j];
      if (begin < t1 && begin + run[j] > t0 && first[r] < p1 && first[r] + height[r] > p0) this.room[n++] = r;
    }
    return this.room.subarray(0, n);
  }

  /** Left, top, right and bottom of a rectangle, in pixels of a raster. */
  edges(r, view, width, height) {
    const j = this.rectangles.job[r], low = this.rectangles.first[r];
    const kx = width / (view.t1 - view.t0), ky = height / (view.p1 - view.p0);
    return [(this.run.start[j] - view.t0) * kx, (view.p1 - low - this.rectangles.height[r]) * ky,
      (this.run.start[j] + this.run.run[j] - view.t0) * kx, (view.p1 - low) * ky];
  }

  drawEach(context, area, view, visible) {
    const { ratio } = area, { code, colors } = this.paintOf;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const r of visible) {
      const [x0, y0, x1, y1] = this.edges(r, view, area.width, area.height);
      const left = Math.max(x0, -2), width = Math.min(x1, area.width + 2) - left, height = y1 - y0;
      const rgb = colors[code[this.rectangles.job[r]]];
      context.fillStyle = `rgb(${rgb})`;
      context.fillRect(area.left + left, area.top + y0, Math.max(ratio, width - (width > 4 * ratio ? ratio : 0)), height - (height > 4 * ratio ? ratio : 0));
      if (width < 70 * ratio || height < 15 * ratio) continue;
      context.fillStyle = rgb[0] * .3 + rgb[1] * .59 + rgb[2] * .11 > 140 ? "#14181c" : "#fff";
      context.fillText(this.run.jobName(this.rectangles.job[r]), area.left + Math.max(left, 0) + 6 * ratio, area.top + y0 + height / 2, width - 12 * ratio);
    }
  }

  outline(context, area, view) {
    context.strokeStyle = theme.ink;
    context.lineWidth = 2 * area.ratio;
    for (let r = 0; r < this.rectangles.job.length; r++) {
      if (this.rectangles.job[r] !== this.selected) continue;
      const [x0, y0, x1, y1] = this.edges(r, view, area.width, area.height);
      context.strokeRect(area.left + x0, area.top + y0, Math.max(x1 - x0, area.ratio), y1 - y0);
    }
  }

  mix(context, area, view, visible) {
    const shrink = Math.max(1, Math.sqrt(area.width * area.height / MOST_PIXELS));
    const width = Math.ceil(area.width / shrink), height = Math.ceil(area.height / shrink);
    const raster = this.raster(width, height);
    for (const r of visible) this.addToRaster(raster, r, view);
    this.layer.getContext("2d").putImageData(sumDown(raster), 0, 0);
    context.imageSmoothingEnabled = shrink > 1;
    context.drawImage(this.layer, area.left, area.top, area.width, area.height);
  }

  raster(width, height) {
    const old = this.kept;
    if (old?.width === width && old.height === height) {
      old.change.fill(0);
      old.sum.fill(0);
      return old;
    }
    Object.assign(this.layer, { width, height });
    const row = width * 4;
    return this.kept = { width, height, row, change: new Float32Array(row * (height + 2)), sum: new Float32Array(row), image: new ImageData(width, height) };
  }

  addToRaster({ width, height, row, change }, r, view) {
    const { job, first } = this.rectangles, j = job[r], low = first[r];
    const kx = width / (view.t1 - view.t0), ky = height / (view.p1 - view.p0);
    const x0 = Math.max(0, (this.run.start[j] - view.t0) * kx), x1 = Math.min(width, (this.run.start[j] + this.run.run[j] - view.t0) * kx);
    const y0 = Math.max(0, (view.p1 - low - this.rectangles.height[r]) * ky), y1 = Math.min(height, (view.p1 - low) * ky);
    const rgb = this.paintOf.colors[this.paintOf.code[j]];
    const top = Math.floor(y0), bottom = Math.floor(y1), below = y0 - top, above = y1 - bottom;
    for (let x = Math.floor(x0); x < x1; x++) {
      const share = Math.min(x1, x + 1) - Math.max(x0, x);
      const at = top * row + x * 4, to = bottom * row + x * 4;
      for (let c = 0; c < 4; c++) {
        const amount = c < 3 ? share * rgb[c] : share;
        change[at + c] += amount * (1 - below);
        change[at + row + c] += amount * below;
        change[to + c] -= amount * (1 - above);
        change[to + row + c] -= amount * above;
      }
    }
  }

  /** The job at a moment on a processor, or -1; `slack` seconds let a pointer find jobs thinner than a pixel. */
  jobAt(time, processor, slack) {
    const { job, first, height } = this.rectangles, { start, run } = this.run;
    let near = -1;
    for (let r = 0; r < job.length; r++) {
      if (processor < first[r] || processor >= first[r] + height[r]) continue;
      const j = job[r], begin = start[j], end = begin + run[j];
      if (time >= begin && time < end) return j;
      if (time >= begin - slack && time < end + slack) near = j;
    }
    return near;
  }

  /** The lowest and highest processor of a job, or null where it is not drawn. */
  processorsOf(wanted) {
    const { job, first, height } = this.rectangles, parts = [];
    for (let r = 0; r < job.length; r++) if (job[r] === wanted) parts.push([first[r], first[r] + height[r] - 1]);
    return parts.length ? parts : null;
  }
}

/** Turn the changes from row to row into an image. */
function sumDown({ width, height, row, change, sum, image }) {
  const pixels = image.data;
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < row; x += 4, at += 4) {
      const red = sum[x] += change[at], green = sum[x + 1] += change[at + 1], blue = sum[x + 2] += change[at + 2];
      const covered = sum[x + 3] += change[at + 3];
      if (covered < .002) { pixels[at + 3] = 0; continue; }
      pixels[at] = red / covered;
      pixels[at + 1] = green / covered;
      pixels[at + 2] = blue / covered;
      pixels[at + 3] = covered * 255;
    }
  return image;
}
