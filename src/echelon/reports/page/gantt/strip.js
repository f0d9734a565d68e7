// Step functions over time. Where many steps share a pixel column, its time-weighted mean, least and most are drawn.

/** Index of the last step at or before `time`, -1 before the first. */
function stepAt(steps, time) {
  let low = 0, high = steps.time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps.time[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const valueAt = (steps, time) => steps.value[stepAt(steps, time)] ?? 0;

/** The least and most of every 32 steps, of every 32 of those, and so on; made once, so that a frame looks at few. */
function summaries({ value }) {
  const levels = [{ least: value, most: value }];
  for (let below = levels[0]; below.least.length > 32; levels.push(below)) {
    const n = Math.ceil(below.least.length / 32), least = new Float64Array(n).fill(Infinity), most = new Float64Array(n).fill(-Infinity);
    below.least.forEach((low, i) => { if (low < least[i >> 5]) least[i >> 5] = low; });
    below.most.forEach((high, i) => { if (high > most[i >> 5]) most[i >> 5] = high; });
    below = { least, most };
  }
  return levels;
}

/** The least and most of the steps from `first` up to, not including, `last`; found from the summaries. */
function extremes(steps, first, last) {
  const levels = steps.summaries ??= summaries(steps);
  let least = Infinity, most = -Infinity;
  const look = (level, i) => {
    if (level.least[i] < least) least = level.least[i];
    if (level.most[i] > most) most = level.most[i];
  };
  for (let at = 0; first < last; at++, first >>= 5, last >>= 5) {
    const level = levels[at], top = at + 1 === levels.length;
    while (first < last && (top || first & 31)) look(level, first++);
    while (first < last && last & 31) look(level, --last);
  }
  return [least, most];
}

/** Mean, least and most of a step function in each of `columns` equal parts of t0 to t1. */
function sample(steps, { t0, t1 }, columns) {
  const mean = new Float32Array(columns), least = new Float32Array(columns), most = new Float32Array(columns);
  const { time, value, integral } = steps, width = (t1 - t0) / columns;
  let i = stepAt(steps, t0);
  const total = (moment) => i < 0 ? 0 : integral[i] + value[i] * (moment - time[i]);
  let before = total(t0);
  for (let column = 0; column < columns; column++) {
    const end = t0 + (column + 1) * width, held = i < 0 ? 0 : value[i], next = i + 1;
    while (i + 1 < time.length && time[i + 1] < end) i = i + 64 < time.length && time[i + 64] < end ? i + 64 : i + 1;
    const [low, high] = extremes(steps, next, i + 1), now = total(end);
    mean[column] = (now - before) / width;
    least[column] = Math.min(held, low);
    most[column] = Math.max(held, high);
    before = now;
  }
  return { mean, least, most };
}

/** The largest value within the view. */
function peak(steps, view) {
  return Math.max(valueAt(steps, view.t0), extremes(steps, stepAt(steps, view.t0) + 1, stepAt(steps, view.t1) + 1)[1]);
}

/** Where a count stands on a logarithmic axis from 0 to `top`, as a share of its height: 0 has a place there, too. */
const logShare = (top) => (value) => Math.log1p(Math.max(0, value)) / Math.log1p(top);

/** Draw a step function up to `top`; filled, with its range, if it is the `main` one, else as a line. */
function drawSteps(context, area, view, { steps, color, top, main, share = (value) => value / top }) {
  if (context.isVector) return stepShapes(context, area, view, { steps, color, main, share });
  const { mean, least, most } = sample(steps, view, area.width), sheet = sheetOf(area.width, area.height);
  const row = (value) => Math.max(0, Math.min(area.height, Math.round(area.height * (1 - share(value))))), thick = Math.max(1, Math.round(1.5 * area.ratio));
  const [line, fill, range, both] = inks(color, main ? [255, 56, 56, 100] : [217]);
  for (let x = 0, before = row(mean[0]); x < area.width; x++) {
    const y = row(mean[x]), high = row(most[x]), low = row(least[x]);
    if (main) {
      sheet.column(x, y, area.height, fill);
      sheet.column(x, high, Math.min(y, low), range);
      sheet.column(x, Math.max(y, high), low, both);
    }
    const upper = Math.min(y, before, area.height - thick);
    sheet.column(x, upper, Math.max(y, before, upper) + thick, line);
    before = y;
  }
  context.drawImage(sheet.canvas(), area.left, area.top);
}

/** The same as shapes. */
function stepShapes(context, { left, top: upper, width, height, ratio }, view, { steps, color, main, share }) {
  const { mean, least, most } = sample(steps, view, width), y = (value) => upper + height * (1 - Math.max(0, Math.min(1, share(value))));
  const area = (low, high, alpha) => {
    context.globalAlpha = alpha;
    context.fillStyle = color;
    context.beginPath();
    for (let x = 0; x < width; x++) for (const at of [x, x + 1]) context.lineTo(left + at, y(high(x)));
    for (let x = width - 1; x >= 0; x--) for (const at of [x + 1, x]) context.lineTo(left + at, y(low(x)));
    context.closePath();
    context.fill();
  };
  if (main) area(() => 0, (x) => mean[x], .22);
  if (main && mean.some((value, x) => least[x] !== value || most[x] !== value)) area((x) => least[x], (x) => most[x], .22);
  context.globalAlpha = main ? 1 : .85;
  context.strokeStyle = color;
  context.lineWidth = 1.5 * ratio;
  context.beginPath();
  for (let x = 0; x < width; x++) for (const at of [x, x + 1]) if (at === x || mean[x] !== mean[x + 1]) context.lineTo(left + at, y(mean[x]));
  context.stroke();
  context.globalAlpha = 1;
}

/** Pixels that are written column by column; thousands of thin shapes would cost a canvas more. */
class Sheet {
  constructor(width, height) {
    Object.assign(this, { width, height, image: new ImageData(width, height) });
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.shown = Object.assign(document.createElement("canvas"), { width, height });
  }

  column(x, from, to, ink) {
    for (let y = from, at = from * this.width + x; y < to && y < this.height; y++, at += this.width) this.pixels[at] = ink;
  }

  canvas() {
    this.shown.getContext("2d").putImageData(this.image, 0, 0);
    return this.shown;
  }
}

const sheets = new Map(); // one for each size, used again and again

function sheetOf(width, height) {
  const key = `${width} ${height}`;
  if (!sheets.has(key)) {
    if (sheets.size > 3) sheets.clear();
    sheets.set(key, new Sheet(width, height));
  }
  sheets.get(key).pixels.fill(0);
  return sheets.get(key);
}

/** A color, written "#rrggbb", with each of some opacities of 255, as pixels. */
function inks(color, opacities) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return opacities.map((opacity) => (opacity << 24 | blue << 16 | green << 8 | red) >>> 0);
}
