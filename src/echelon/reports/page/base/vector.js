// Pictures of lines and shapes: what the page shows drawn once more as SVG, by the same code that draws on canvases.

/** What draws like a canvas's context and gives SVG; it knows what this page uses of one. */
class VectorContext {
  constructor() {
    this.isVector = true;
    this.parts = [];
    this.defs = [];
    this.run = null; // rectangles of one color that follow each other become one path
    this.saved = [];
    this.state = { fillStyle: "#000", strokeStyle: "#000", globalAlpha: 1, lineWidth: 1, font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic", dash: [], matrix: [1, 0, 0, 1, 0, 0], clip: null };
    this.path = [];
    this.measure = document.createElement("canvas").getContext("2d");
    for (const name of ["fillStyle", "strokeStyle", "globalAlpha", "lineWidth", "font", "textAlign", "textBaseline"])
      Object.defineProperty(this, name, { get: () => this.state[name], set: (value) => { this.state[name] = value; } });
  }

  save() { this.saved.push({ ...this.state, matrix: [...this.state.matrix] }); }
  restore() { if (this.saved.length) this.state = this.saved.pop(); }
  setLineDash(dash) { this.state.dash = [...dash]; }
  measureText(text) { this.measure.font = this.state.font; return this.measure.measureText(text); }
  clearRect() {}

  translate(x, y) { this.times([1, 0, 0, 1, x, y]); }
  scale(x, y) { this.times([x, 0, 0, y, 0, 0]); }
  rotate(angle) { this.times([Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]); }

  times([a, b, c, d, e, f]) {
    const [A, B, C, D, E, F] = this.state.matrix;
    this.state.matrix = [A * a + C * b, B * a + D * b, A * c + C * d, B * c + D * d, A * e + C * f + E, B * e + D * f + F];
  }

  /** A place of the drawing as one of the picture. */
  at(x, y) {
    const [a, b, c, d, e, f] = this.state.matrix;
    return `${brieflyWritten(a * x + c * y + e)} ${brieflyWritten(b * x + d * y + f)}`;
  }

  beginPath() { this.path = []; }
  moveTo(x, y) { this.path.push(`M${this.at(x, y)}`); }
  lineTo(x, y) { this.path.push(`${this.path.length ? "L" : "M"}${this.at(x, y)}`); }
  closePath() { this.path.push("Z"); }
  rect(x, y, wide, high) { this.path.push(this.box(x, y, wide, high)); }
  box(x, y, wide, high) {
    const [a, b, c, d] = this.state.matrix;
    if (!b && !c) return `M${this.at(x, y)}h${brieflyWritten(a * wide)}v${brieflyWritten(d * high)}h${brieflyWritten(-a * wide)}z`;
    return `M${this.at(x, y)}L${this.at(x + wide, y)}L${this.at(x + wide, y + high)}L${this.at(x, y + high)}Z`;
  }

  /** Whole circles only. */
  arc(x, y, radius) {
    const wide = brieflyWritten(radius * this.size);
    this.path.push(`M${this.at(x - radius, y)}A${wide} ${wide} 0 1 0 ${this.at(x + radius, y)}A${wide} ${wide} 0 1 0 ${this.at(x - radius, y)}Z`);
  }

  get size() { return Math.hypot(this.state.matrix[0], this.state.matrix[1]); }

  fill() { this.shape(this.path.join(""), this.filling()); }
  stroke() { this.shape(this.path.join(""), this.stroking()); }
  fillRect(x, y, wide, high) { if (wide && high) this.shape(this.box(x, y, wide, high), this.filling(), this.state.globalAlpha === 1); }
  strokeRect(x, y, wide, high) { this.shape(this.box(x, y, wide, high), this.stroking()); }

  filling() { return `${this.color("fill", this.state.fillStyle)}${this.alpha()}`; }
  stroking() {
    const { lineWidth, dash } = this.state, size = this.size;
    const dashed = dash.length ? ` stroke-dasharray="${dash.map((part) => brieflyWritten(part * size)).join(" ")}"` : "";
    return `fill="none"${this.color(" stroke", this.state.strokeStyle)} stroke-width="${brieflyWritten(lineWidth * size)}"${dashed}${this.alpha()}`;
  }

  alpha() { return this.state.globalAlpha < 1 ? ` opacity="${brieflyWritten(this.state.globalAlpha)}"` : ""; }

  color(name, style) {
    if (typeof style !== "string") return `${name}="url(#${style.id})"`;
    const [rgb, alpha] = plainColor(style);
    return `${name}="${rgb}"${alpha < 1 ? ` ${name.trim()}-opacity="${brieflyWritten(alpha)}"` : ""}`;
  }

  /** Add a shape; one that may `join` the last one of the same looks does. */
  shape(d, looks, join = false) {
    if (!d) return;
    if (join && this.run?.looks === looks && this.run.clip === this.state.clip) return void this.run.d.push(d);
    this.run = { d: [d], looks, clip: this.state.clip };
    this.parts.push(this.run);
    if (!join) this.run = null;
  }

  add(text) {
    this.run = null;
    this.parts.push({ text, clip: this.state.clip });
  }

  /** What is drawn from now on is cut by the path, within what cut it before. */
  clip() {
    const id = `clip-${this.defs.length}`, outer = this.state.clip;
    this.defs.push(`<clipPath id="${id}"${outer ? ` clip-path="url(#${outer})"` : ""}><path d="${this.path.join("")}"/></clipPath>`);
    this.state.clip = id;
  }

  createPattern(canvas) {
    const id = `pattern-${this.defs.length}`, { width, height } = canvas;
    this.defs.push(`<pattern id="${id}" width="${width}" height="${height}" patternUnits="userSpaceOnUse"><image width="${width}" height="${height}" href="${canvas.toDataURL()}"/></pattern>`);
    return { id };
  }

  fillText(text, x, y, most) {
    const { textAlign, textBaseline, matrix, font } = this.state, wide = this.measureText(text).width;
    const anchor = { center: "middle", right: "end", end: "end" }[textAlign] ?? "start", size = +/([\d.]+)px/.exec(font)?.[1] || 10;
    const down = { middle: .35, top: .8, hanging: .8, bottom: -.2 }[textBaseline] ?? 0;
    const fit = most < wide ? ` textLength="${brieflyWritten(Math.max(1, most))}" lengthAdjust="spacingAndGlyphs"` : "";
    const [a, b, c, d, e, f] = matrix, place = [a, b, c, d, a * x + c * (y + down * size) + e, b * x + d * (y + down * size) + f].map(brieflyWritten);
    this.add(`<text transform="matrix(${place.join(" ")})" text-anchor="${anchor}"${fit} style="font:${escaped(font)};white-space:pre" ${this.filling()}>${escaped(text)}</text>`);
  }

  /** A picture of pixels; its part and its place as for a canvas. */
  drawImage(canvas, x, y, wide = canvas.width, high = canvas.height) {
    if (!canvas.width || !canvas.height) return;
    this.add(`<image preserveAspectRatio="none" transform="matrix(${this.state.matrix.map(brieflyWritten).join(" ")})" x="${brieflyWritten(x)}" y="${brieflyWritten(y)}" width="${brieflyWritten(wide)}" height="${brieflyWritten(high)}" style="image-rendering:pixelated" href="${canvas.toDataURL()}"/>`);
  }

  /** A drawing that is SVG already. */
  drawSvg(element, x, y, wide, high) {
    const copy = element.cloneNode(true);
    copyLooks(element, copy);
    for (const [name, value] of Object.entries({ x, y, width: wide, height: high, xmlns: "http://www.w3.org/2000/svg" })) copy.setAttribute(name, value);
    this.add(new XMLSerializer().serializeToString(copy));
  }

  /** The picture, of so many pixels. */
  svg(width, height) {
    const body = this.parts.map(({ text, d, looks, clip }) => {
      const drawn = text ?? `<path d="${d.join("")}" ${looks}/>`;
      return clip ? `<g clip-path="url(#${clip})">${drawn}</g>` : drawn;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${this.defs.join("")}</defs>${body.join("\n")}</svg>`;
  }
}

const brieflyWritten = (value) => +value.toFixed(2);
const escaped = (text) => String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd").replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** A color of a style sheet as one that every program knows, and its opacity. */
function plainColor(style) {
  const parts = style.match(/-?[\d.]+(?:e-?\d+)?%?/g) ?? [], part = (place, whole) => Math.round(whole * parseFloat(parts[place]));
  if (style.startsWith("color(srgb")) return [`rgb(${[0, 1, 2].map((place) => part(place, 255))})`, parts[3] === undefined ? 1 : +parts[3]];
  if (style.startsWith("rgb")) return [`rgb(${[0, 1, 2].map((place) => part(place, 1))})`, parts[3] === undefined ? 1 : +parts[3]];
  return style === "transparent" ? ["#000", 0] : [style, 1];
}

const LOOKS = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "stroke-opacity", "font", "text-anchor", "dominant-baseline"];

/** Write what style sheets say of a drawing into its copy. */
function copyLooks(from, to) {
  const style = getComputedStyle(from);
  for (const name of LOOKS) to.style.setProperty(name, style.getPropertyValue(name));
  [...from.children].forEach((child, place) => copyLooks(child, to.children[place]));
}
