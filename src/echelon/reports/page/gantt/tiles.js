// Pictures of many jobs: tiles drawn once, kept, and moved while the schedule is panned.
//
// Where a job is smaller than a pixel, the pixels count the votes of the jobs that cover them: a pixel gets
// the color that covers most of it, as strong as it is busy, so that what is idle stays empty. The count is
// that of Boyer and Moore (1981): a color with more than half of the busy part always wins.

const COLUMNS = 128;
const KEPT = 48; // tiles of a zoom, or twice as many as a view needs
const FAINTEST = .08; // what a pixel with any job shows at least, so that a lone short job is not lost

/** The place where one tile at a time is counted, column after column. */
class Ballot {
  constructor(rows) {
    this.rows = rows;
    this.code = new Uint8Array(COLUMNS * rows);
    this.lead = new Float32Array(COLUMNS * rows);
    this.busy = new Float32Array(COLUMNS * rows);
  }

  clear() {
    this.lead.fill(0);
    this.busy.fill(0);
  }

  /** Count a rectangle's share of each pixel it touches for its color. */
  add(x0, x1, y0, y1, color, weight, strength = 1) {
    const { rows, code, lead, busy } = this;
    const bottom = Math.min(y1, rows), top = Math.max(y0, 0), right = Math.min(x1, COLUMNS), left = Math.max(x0, 0);
    for (let x = Math.floor(left); x < right; x++) {
      const wide = Math.min(right, x + 1) - Math.max(left, x);
      for (let y = Math.floor(top), at = x * rows + y; y < bottom; y++, at++) {
        const share = wide * (Math.min(bottom, y + 1) - Math.max(top, y)), votes = share * weight;
        busy[at] += strength * share;
        if (code[at] === color) lead[at] += votes;
        else if (lead[at] >= votes) lead[at] -= votes;
        else { code[at] = color; lead[at] = votes - lead[at]; }
      }
    }
  }

  /** A canvas with the colors that won. */
  picture(colors) {
    const { rows, code, busy } = this, image = new ImageData(COLUMNS, rows), pixels = new Uint32Array(image.data.buffer);
    const packed = colors.map(([red, green, blue]) => blue << 16 | green << 8 | red);
    for (let x = 0, at = 0; x < COLUMNS; x++)
      for (let y = 0; y < rows; y++, at++)
        if (busy[at] > 0) pixels[y * COLUMNS + x] = packed[code[at]] | Math.min(255, 255 * Math.max(FAINTEST, busy[at])) << 24;
    const canvas = Object.assign(document.createElement("canvas"), { width: COLUMNS, height: rows });
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  }
}

/** All tiles of one zoom: `seconds` and `processors` to a pixel, counted from the start and the top of the schedule. */
class Mosaic {
  constructor({ rectangles, paint, full, seconds, processors, rows }) {
    Object.assign(this, { rectangles, paint, full, seconds, processors, rows });
    this.tiles = new Map();
  }

  fits(view, area) {
    return Math.abs(this.zoomX(view, area) - 1) < 1e-6 && Math.abs(this.zoomY(view, area) - 1) < 1e-6;
  }

  /** How many pixels of the screen a pixel of a tile is drawn on. */
  zoomX(view, area) { return this.seconds * area.width / (view.t1 - view.t0); }
  zoomY(view, area) { return this.processors * area.height / (view.p1 - view.p0); }

  /** Whether tiles of this zoom, enlarged or reduced, do for a view while it is zoomed. */
  near(view, area) {
    const x = this.zoomX(view, area), y = this.zoomY(view, area);
    return Math.max(x, y) < 2 && Math.min(x, y) > .5;
  }

  tooFine(view, area) { return Math.min(this.zoomX(view, area), this.zoomY(view, area)) < .2; }

  /** Columns and rows of the tiles that a part of the schedule needs. */
  needed(view) {
    const { full, seconds, processors, rows } = this, places = [];
    const range = (low, high) => [Math.floor(low + 1e-9), Math.ceil(high - 1e-9)];
    const [left, right] = range((view.t0 - full.t0) / seconds / COLUMNS, (view.t1 - full.t0) / seconds / COLUMNS);
    const [top, bottom] = range((full.p1 - view.p1) / processors / rows, (full.p1 - view.p0) / processors / rows);
    for (let row = top; row < bottom; row++) for (let column = left; column < right; column++) places.push([column, row]);
    return places;
  }

  tile(column, row) {
    const key = `${column} ${row}`, found = this.tiles.get(key);
    if (found) { // The one used last is the last to be dropped.
      this.tiles.delete(key);
      this.tiles.set(key, found);
    }
    return found;
  }

  keep(column, row, canvas, most) {
    this.tiles.set(`${column} ${row}`, canvas);
    if (this.tiles.size > most) this.tiles.delete(this.tiles.keys().next().value);
  }

  /** Where on the screen a tile belongs: left, top, right, bottom. */
  place(column, row, view, area) {
    const zx = this.zoomX(view, area), zy = this.zoomY(view, area);
    const left = Math.round((this.full.t0 - view.t0) / this.seconds * zx), top = Math.round((view.p1 - this.full.p1) / this.processors * zy);
    return [area.left + Math.round(left + column * COLUMNS * zx), area.top + Math.round(top + row * this.rows * zy),
      area.left + Math.round(left + (column + 1) * COLUMNS * zx), area.top + Math.round(top + (row + 1) * this.rows * zy)];
  }

  /** The part of the schedule that a tile shows. */
  part(column, row) {
    const { full, seconds, processors, rows } = this, t0 = full.t0 + column * COLUMNS * seconds, p1 = full.p1 - row * rows * processors;
    return { t0, t1: Math.min(full.t1, t0 + COLUMNS * seconds), p0: Math.max(0, p1 - rows * processors), p1 };
  }

  /** Count one tile, pausing now and then; the last value is its canvas. */
  *count(ballot, column, row) {
    const { rectangles: { order, offset, first, height, start, end, jobOf }, paint: { code, colors, weights }, seconds, processors } = this;
    const { t0, t1, p0, p1 } = this.part(column, row);
    ballot.clear();
    const parted = this.rectangles.waking || this.rectangles.blocked;
    let done = 0;
    for (const [from, to] of this.rectangles.spans(t0, t1))
      for (let k = from; k < to; k++) {
        const piece = order[k], color = code[jobOf[piece]];
        if (end[piece] < t0 || start[piece] > t1) continue;
        const x0 = (start[piece] - t0) / seconds, x1 = Math.max((end[piece] - t0) / seconds, x0 + .01);
        for (let r = offset[piece]; r < offset[piece + 1]; r++) {
          const low = first[r], high = low + height[r];
          if (low >= p1 || high <= p0) continue;
          const y0 = (p1 - high) / processors, y1 = (p1 - low) / processors;
          if (!parted) { ballot.add(x0, x1, y0, y1, color, weights[color]); continue; }
          const [begins, stops] = this.rectangles.runs(piece).map((time) => Math.max(x0, Math.min(x1, (time - t0) / seconds)));
          ballot.add(begins, Math.max(stops, begins + .01), y0, y1, color, weights[color]);
          if (begins > x0) ballot.add(x0, begins, y0, y1, color, weights[color], PALE);
          if (x1 > stops) ballot.add(stops, x1, y0, y1, color, weights[color], PALE);
        }
        if ((++done & 255) === 0) yield null;
      }
    yield ballot.picture(colors);
  }
}

/** Draws a view from tiles: sharp ones where they are ready, else what is kept of other zooms. */
class Tiles {
  /** Begin again with other jobs or colors; what was drawn of the same jobs stays until its place is drawn again. */
  use(rectangles, paint, full) {
    this.older = this.rectangles === rectangles ? [this.mosaic, this.overview].filter(Boolean) : [];
    Object.assign(this, { rectangles, paint, full, mosaic: null, overview: null, job: null });
  }

  /** Count all tiles again: the rectangles moved. */
  forget() {
    this.rectangles = null;
  }

  /** Draw, then say how many tiles are missing, of the view and of the overview; spends about `milliseconds` on them. */
  draw(context, area, view, milliseconds) {
    this.choose(area, view);
    const deadline = performance.now() + milliseconds;
    const missing = this.count(this.mosaic, view, deadline);
    const behind = missing ? 1 : this.count(this.overview, this.full, deadline);
    this.drawFrom([this.mosaic, ...this.older], context, area, view, view);
    return { missing, behind };
  }

  /** Choose the zoom of the tiles: that of the view once it rests, and another while it moves only if need be. */
  choose(area, view) {
    if (this.size !== `${area.width} ${area.height}`) {
      this.size = `${area.width} ${area.height}`;
      this.ballot = new Ballot(area.height);
      this.older = [];
      Object.assign(this, { mosaic: null, overview: null, job: null });
    }
    this.overview ??= this.mosaicOf(area, this.full);
    const { mosaic } = this;
    if (mosaic && (mosaic.fits(view, area) || (view.zooming() && mosaic.near(view, area)))) return;
    if (mosaic) this.older = [mosaic, this.overview];
    this.mosaic = this.overview.fits(view, area) ? this.overview : this.mosaicOf(area, view);
  }

  mosaicOf(area, view) {
    const { rectangles, paint, full } = this;
    return new Mosaic({ rectangles, paint, full, rows: area.height, seconds: (view.t1 - view.t0) / area.width, processors: (view.p1 - view.p0) / area.height });
  }

  /** Count the tiles of a part that a mosaic lacks, until the deadline; returns how many it lacks then. */
  count(mosaic, part, deadline) {
    const needed = mosaic.needed(part), lacking = needed.filter(([column, row]) => !mosaic.tile(column, row));
    while (lacking.length && performance.now() < deadline) {
      if (this.job?.mosaic !== mosaic) this.job = { mosaic, place: lacking[0], steps: mosaic.count(this.ballot, ...lacking[0]) };
      const { value } = this.job.steps.next();
      if (!value) continue;
      const [column, row] = this.job.place, at = lacking.findIndex((place) => place[0] === column && place[1] === row);
      mosaic.keep(column, row, value, Math.max(KEPT, 2 * needed.length));
      if (at >= 0) lacking.splice(at, 1);
      this.job = null;
    }
    return lacking.length;
  }

  /** Draw a part of the view from the first mosaic, and where that lacks a tile, from the next. */
  drawFrom([mosaic, ...older], context, area, view, part) {
    if (!mosaic) return;
    if (mosaic.tooFine(view, area)) return this.drawFrom(older, context, area, view, part);
    context.imageSmoothingEnabled = !mosaic.fits(view, area);
    for (const [column, row] of mosaic.needed(part)) {
      const [left, top, right, bottom] = mosaic.place(column, row, view, area), tile = mosaic.tile(column, row);
      if (tile) context.drawImage(tile, left, top, right - left, bottom - top);
      else if (older.length) {
        context.save();
        context.beginPath();
        context.rect(left, top, right - left, bottom - top);
        context.clip();
        this.drawFrom(older, context, area, view, mosaic.part(column, row));
        context.restore();
      }
    }
  }
}
