// A heat map on a canvas: cells in rows and columns, names beside those rows that have room, the cell under the pointer described.

const NAME_ROOM = 12; // pixels, that a name needs

class HeatMap {
  /** `color(row, column)` gives red, green, blue or null; `text` what is written into a large cell; `read` the description of one. */
  constructor(host, { rows, columns, left, top, bottom, heightOf, color, text, read, axes, output, choose }) {
    Object.assign(this, { host, rows, columns, left, top, bottom, heightOf, color, text, read, axes, output });
    this.canvas = node("canvas", { className: "heat-map" });
    host.append(this.canvas);
    paintedBy(this.canvas, (context) => this.paint(context));
    this.canvas.addEventListener("pointermove", (event) => { output.textContent = this.describe(event); });
    this.canvas.addEventListener("pointerdown", (event) => { output.textContent = this.describe(event); });
    this.canvas.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") output.textContent = ""; });
    if (choose) this.answer(choose);
    onTheme(() => this.draw());
    new ResizeObserver(() => { if (host.clientWidth !== this.width) this.draw(); }).observe(host);
  }

  draw() {
    const { host, canvas, left, top, bottom } = this, ratio = devicePixelRatio || 1;
    this.width = host.clientWidth;
    if (!this.width) return;
    this.wide = (this.width - left - RIGHT) / this.columns;
    this.tall = this.heightOf(this.wide);
    const height = top + this.tall * this.rows + bottom;
    Object.assign(canvas, { width: Math.round(this.width * ratio), height: Math.round(height * ratio) });
    Object.assign(canvas.style, { width: `${this.width}px`, height: `${height}px` });
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    this.paint(context);
  }

  /** Draw all of it, in pixels of the page. */
  paint(context) {
    const { left, top } = this;
    context.fillStyle = theme.empty;
    context.fillRect(left, top, this.wide * this.columns, this.tall * this.rows);
    this.cells(context);
    this.axes(context, this);
  }

  cells(context) {
    const { left, top, wide, tall } = this, gap = Math.min(wide, tall) > 6 ? 1 : 0, roomy = this.text && wide > 34 && tall > 18;
    context.font = FONT;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let row = 0; row < this.rows; row++)
      for (let column = 0; column < this.columns; column++) {
        const rgb = this.color(row, column);
        if (!rgb) continue;
        const [x0, x1] = [left + column * wide, left + (column + 1) * wide], [y0, y1] = [top + row * tall, top + (row + 1) * tall];
        context.fillStyle = `rgb(${rgb.map(Math.round)})`;
        // Cells that touch are drawn to whole pixels, so that no seam shines through.
        if (gap) context.fillRect(x0, y0, wide - gap, tall - gap);
        else context.fillRect(Math.floor(x0), Math.floor(y0), Math.ceil(x1) - Math.floor(x0), Math.ceil(y1) - Math.floor(y0));
        if (!roomy) continue;
        context.fillStyle = inkOn(rgb);
        context.fillText(this.text(row, column), x0 + wide / 2, y0 + tall / 2, wide - 4);
      }
  }

  /** Write names beside the rows: each, or every so many that they do not touch. */
  rowNames(context, names) {
    const step = Math.max(1, Math.ceil(NAME_ROOM / this.tall));
    context.font = FONT;
    context.fillStyle = theme.soft;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (let row = 0; row < this.rows; row += step) context.fillText(shortened(context, names[row], this.left - 8), this.left - 6, this.top + (row + .5) * this.tall);
  }

  /** Let cells answer to a click, and to Enter on the one that arrow keys reached; `choose(row, column)`. */
  answer(choose) {
    const { canvas } = this, at = [0, 0];
    canvas.classList.add("answers");
    canvas.tabIndex = 0;
    canvas.addEventListener("click", (event) => { const cell = this.cellAt(event); if (cell) choose(...cell); });
    canvas.addEventListener("keydown", (event) => {
      const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (event.key === "Enter") choose(...at);
      else if (!by) return;
      else [this.rows, this.columns].forEach((count, part) => { at[part] = Math.max(0, Math.min(count - 1, at[part] + by[part])); });
      event.preventDefault();
      this.output.textContent = this.read(...at);
      byId("spoken").textContent = this.read(...at);
    });
  }

  describe(event) {
    const cell = this.cellAt(event);
    return cell ? this.read(...cell) : "";
  }

  /** Row and column under a pointer event, or null. */
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - this.left) / this.wide), row = Math.floor((event.clientY - box.top - this.top) / this.tall);
    return row >= 0 && row < this.rows && column >= 0 && column < this.columns ? [row, column] : null;
  }
}

/** A name that fits so many pixels: of a longer one its beginning, of a longer path its end. */
function shortened(context, name, pixels) {
  if (context.measureText(name).width <= pixels) return name;
  const part = (length) => name.includes("/") ? `…${name.slice(-length)}` : `${name.slice(0, length)}…`;
  let length = name.length;
  while (length > 1 && context.measureText(part(length)).width > pixels) length--;
  return part(length);
}

/** Room for names at the left of a map: what the longest needs, within bounds. */
function nameRoom(names, most) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = FONT;
  return Math.min(most, Math.max(LEFT, ...names.map((name) => context.measureText(name).width + 14)));
}
