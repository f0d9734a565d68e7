// An element of the page as a picture: its texts, boxes, bars and charts, without the controls.

const NOT_DRAWN = "button, select, input, textarea, label:has(select), form, .download, .controls, .spoken, .card, .skip, script, style, .hint, .chips:not(ul), .u-select, .u-cursor-x, .u-cursor-y, .u-cursor-pt, .brush, #definition";
const DRAWN_BUTTONS = "th button, .legend button, button.term"; // texts of tables, legends and terms are buttons
const MARGIN = 12;

const painters = new WeakMap(); // what draws a canvas again, by the canvas: (context) in pixels of the page

/** Let a canvas be drawn into pictures by `paint(context)`, in pixels of the page from its upper left. */
function paintedBy(canvas, paint) {
  painters.set(canvas, paint);
}

/** Draw an element as SVG; returns the text and its size. */
function pictureOf(element) {
  const box = element.getBoundingClientRect(), context = new VectorContext();
  const width = Math.ceil(box.width + 2 * MARGIN), height = Math.ceil(box.height + 2 * MARGIN);
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim() || "#fff";
  context.fillRect(0, 0, width, height);
  context.translate(MARGIN - box.left, MARGIN - box.top);
  paintElement(element, context, true);
  return { svg: context.svg(width, height), width, height };
}

function paintElement(element, context, isRoot = false) {
  if (element.matches(NOT_DRAWN) && !element.matches(DRAWN_BUTTONS)) return;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  if (style.display === "none" || style.visibility === "hidden" || (element.hidden && style.display === "none")) return;
  if (!isRoot) paintBox(context, style, box);
  if (element.tagName === "CANVAS") return void paintCanvas(element, context, box);
  if (element.tagName.toLowerCase() === "svg") return void context.drawSvg(element, box.left + context.state.matrix[4], box.top + context.state.matrix[5], box.width, box.height);
  const cut = /auto|scroll|hidden/.test(style.overflowX + style.overflowY) && !isRoot && (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1);
  if (cut) {
    context.save();
    context.beginPath();
    context.rect(box.left, box.top, box.width, box.height);
    context.clip();
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) paintText(child, context, style);
    else if (child.nodeType === Node.ELEMENT_NODE) paintElement(child, context);
  }
  if (cut) context.restore();
}

/** The background and the borders of a box. */
function paintBox(context, style, { left, top, width, height }) {
  const isSeen = (color) => color && plainColor(color)[1] > 0;
  if (isSeen(style.backgroundColor)) {
    context.fillStyle = style.backgroundColor;
    context.fillRect(left, top, width, height);
  }
  if (style.backgroundImage.startsWith("linear-gradient(90deg")) paintRamp(context, style.backgroundImage, { left, top, width, height });
  const border = (side, x, y, wide, high) => {
    if (!(wide > 0 && high > 0) || style[`border${side}Style`] === "none" || !isSeen(style[`border${side}Color`])) return;
    context.fillStyle = style[`border${side}Color`];
    context.fillRect(x, y, wide, high);
  };
  const [up, right, down, back] = ["Top", "Right", "Bottom", "Left"].map((side) => parseFloat(style[`border${side}Width`]) || 0);
  border("Top", left, top, width, up);
  border("Bottom", left, top + height - down, width, down);
  border("Left", left, top, back, height);
  border("Right", left + width - right, top, right, height);
}

/** A ramp of colors from left to right, in steps. */
function paintRamp(context, gradient, { left, top, width, height }) {
  const stops = [...gradient.matchAll(/(?:rgba?|color)\([^)]*\)/g)].map(([color]) => plainColor(color)[0].match(/[\d.]+/g).map(Number)), steps = 48;
  for (let step = 0; stops.length > 1 && step < steps; step++) {
    const at = step / (steps - 1) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2);
    context.fillStyle = `rgb(${[0, 1, 2].map((part) => Math.round(stops[low][part] + (at - low) * (stops[low + 1][part] - stops[low][part])))})`;
    context.fillRect(left + step * width / steps, top, width / steps + .5, height);
  }
}

function paintCanvas(canvas, context, box) {
  const paint = painters.get(canvas);
  context.save();
  context.translate(box.left, box.top);
  if (paint) paint(context);
  else context.drawImage(canvas, 0, 0, box.width, box.height);
  context.restore();
}

/** A text, line by line as the page breaks it. */
function paintText(text, context, style) {
  if (!text.data.trim() || !text.parentElement.getClientRects().length) return;
  const range = document.createRange(), lines = [];
  for (const word of text.data.matchAll(/\S+\s?/g)) {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    for (const part of partsOf(range, word[0])) addPart(lines, part);
  }
  context.save();
  context.fillStyle = style.color;
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const { piece, left, top, height } of lines) context.fillText(piece.trimEnd(), left, top + height / 2);
  context.restore();
}

/** A word with its box, or its letters with theirs where it is broken. */
function partsOf(range, word) {
  const boxes = range.getClientRects();
  if (boxes.length <= 1) return boxes.length && boxes[0].width ? [{ piece: word, box: boxes[0] }] : [];
  const text = range.startContainer, from = range.startOffset, letters = [];
  for (let at = 0; at < word.length; at++) {
    range.setStart(text, from + at);
    range.setEnd(text, from + at + 1);
    const [box] = range.getClientRects();
    if (box) letters.push({ piece: word[at], box });
  }
  return letters;
}

/** Add a part to the line that it stands in. */
function addPart(lines, { piece, box: { left, top, height } }) {
  const last = lines.at(-1);
  if (last && Math.abs(last.top - top) < 2) last.piece += piece;
  else lines.push({ piece, left, top, height });
}
