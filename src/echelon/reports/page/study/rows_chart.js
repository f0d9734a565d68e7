// Charts with a row for each value: means with intervals, and distributions.

const ROW = 26, NAMES = 150, RIGHT = WIDE - 14, NAME_LINE = 13;

/** The lines of a name beside its row, whole. */
const linesOf = (name) => wrapped(name, NAMES - 14);

/** The height of each row: that of the name with the most lines. */
const rowHeight = (items) => Math.max(ROW, ...items.map(({ name }) => 4 + NAME_LINE * linesOf(name).length));

/** What a mean tells. */
function meanText(measure, { name, mean, low, high, n }, level) {
  const interval = low == null ? [] : [`${levelText(level)} from ${measure.exactly(low)} to ${measure.exactly(high)}`];
  return [name, `${measure.label}: ${measure.exactly(mean)}`, ...interval, `n = ${number.format(n)}`];
}

/** Means as dots with their intervals. */
function drawIntervals({ items }, { measures: [measure], way, level }) {
  const scale = Scale.around(items.flatMap(({ mean, low, high }) => [mean, low, high]).filter((value) => value != null).map((value) => measure.scaled(value)), NAMES, RIGHT, way, false);
  const tall = rowHeight(items), bottom = tall * items.length + 6, at = (value) => scale.at(measure.scaled(value));
  const rows = items.map((item, row) => {
    const y = tall * (row + .5) + 4, place = item.place, parts = [];
    if (item.low != null)
      parts.push(lineThrough([[at(item.low), y], [at(item.high), y]], strokeOf(place, 3)), ...[item.low, item.high].map((value) => lineThrough([[at(value), y - 5], [at(value), y + 5]], strokeOf(place))));
    if (item.mean != null) parts.push(dotAt(at(item.mean), y, { place, size: 5 }));
    return rowMark(item, y, tall, meanText(measure, item, level), parts);
  });
  return wholeChart(bottom + 40, `${measure.label}: means with confidence intervals`, [...across(scale, 4, bottom, measure.title), ...rows]);
}

/** A mark with its name at the left, whole; all of its row answers. */
function rowMark({ labels, name }, y, tall, facts, parts) {
  const room = drawnNode("rect", { x: 0, y: y - tall / 2, width: WIDE, height: tall, class: "room" }), lines = linesOf(name);
  const first = y + 4 - NAME_LINE * (lines.length - 1) / 2;
  const named = lines.map((line, place) => textAt(NAMES - 10, first + NAME_LINE * place, line, { anchor: "end", kind: "name" }));
  return mark(labels, facts, room, ...named, ...parts);
}

/** Distributions as boxes; if experiments are few, a dot each. */
function drawBoxes({ items }, { measures: [measure], way }) {
  const scale = Scale.around(items.flatMap(({ box }) => box).map((value) => measure.scaled(value)), NAMES, RIGHT, way);
  const tall = rowHeight(items), bottom = tall * items.length + 6, at = (value) => scale.at(measure.scaled(value));
  const rows = items.map((item, row) => {
    const y = tall * (row + .5) + 4, place = item.place, [least, low, middle, high, most] = item.box;
    const facts = [item.name, ...(item.n ? [`median ${measure.exactly(middle)}`, `quartiles ${measure.exactly(low)} and ${measure.exactly(high)}`, `from ${measure.exactly(least)} to ${measure.exactly(most)}`] : []), `n = ${number.format(item.n)}`];
    if (!item.n) return rowMark(item, y, tall, facts, []);
    const box = drawnNode("rect", { x: at(low), y: y - 7, width: Math.max(at(high) - at(low), 1), height: 14, rx: 2, style: fillOf(place, .35) });
    const dots = item.values.map((value, k) => dotAt(at(value), y + ((k * .618) % 1 - .5) * 12, { place, size: 1.8 }));
    return rowMark(item, y, tall, facts, [lineThrough([[at(least), y], [at(most), y]], strokeOf(place, 1.5)), box, lineThrough([[at(middle), y - 8], [at(middle), y + 8]], strokeOf(place, 3)), ...dots]);
  });
  return wholeChart(bottom + 40, `${measure.label}: distribution over experiments`, [...across(scale, 4, bottom, measure.title), ...rows]);
}
