// Critical-difference diagrams: names by mean rank on one line, and bars over those that do not differ significantly.

const RULER = 58, LENGTH = 200, LEAST_SIDE = 90, MOST_SIDE = 215, NAME_ROW = 14, NAME_GAP = 5;

function drawRanks({ items, difference, cliques, n, count: all }, { measures: [measure] }) {
  const said = items.map((item) => [item.name, item.rank.toFixed(2)]);
  const side = Math.min(MOST_SIDE, Math.max(LEAST_SIDE, ...said.map((each) => textRoom(each.join("  ")))));
  const scale = new Scale(1, all, side + 16, side + 16 + LENGTH, false), half = Math.ceil(items.length / 2);
  const order = items.map((_, place) => place).sort((a, b) => items[a].rank - items[b].rank);
  const joined = cliques.map((clique) => items.filter((item) => clique.includes(item.place)).map((item) => item.rank)).filter((ranks) => ranks.length > 1);
  const first = RULER + 12 + 7 * joined.length, ends = [first], names = [];
  // The worst is at the top of the right side, so that no line crosses another.
  for (const isLeft of [true, false]) {
    let top = first;
    for (const place of isLeft ? order.slice(0, half) : order.slice(half).reverse()) {
      const lines = wrapped((isLeft ? said[place] : [...said[place]].reverse()).join("  "), side);
      const facts = [items[place].name, `mean rank ${items[place].rank.toFixed(3)} of ${measure.label}`, `n = ${number.format(n)} blocks`];
      names.push(mark(items[place].labels, facts, ...nameBeside(lines, scale, items[place].rank, top, isLeft)));
      top += NAME_ROW * lines.length + NAME_GAP;
    }
    ends.push(top);
  }
  const bars = joined.map((ranks, place) => lineThrough([[scale.at(Math.min(...ranks)) - 3, RULER + 8 + 7 * place], [scale.at(Math.max(...ranks)) + 3, RULER + 8 + 7 * place]], strokeOf(1, 4)));
  return wholeChart(Math.max(...ends) + 4, `Mean ranks of ${measure.label}`, [...lineOfRanks(scale), ...rulerOf(scale, difference), ...names, ...bars], LENGTH + 2 * side + 32);
}

/** A name beside the diagram, in as many lines as it needs, joined with its place on the line of ranks. */
function nameBeside(lines, scale, rank, top, isLeft) {
  const x = scale.at(rank), middle = top + lines.length * NAME_ROW / 2, edge = isLeft ? scale.start - 6 : scale.end + 6;
  return [
    drawnNode("polyline", { class: "leader", points: `${x},${RULER} ${x},${middle} ${edge},${middle}` }),
    ...lines.map((line, row) => textAt(isLeft ? edge - 4 : edge + 4, top + NAME_ROW * (row + .5) + 4, line, { anchor: isLeft ? "end" : "start", kind: "name" })),
  ];
}

function lineOfRanks(scale) {
  const step = Math.max(1, Math.ceil(scale.high / 9)), ranks = Array.from({ length: Math.floor((scale.high - 1) / step) + 1 }, (_, place) => 1 + place * step);
  const ticks = ranks.flatMap((rank) => [straight(scale.at(rank), RULER, scale.at(rank), RULER - 6, "ink"), textAt(scale.at(rank), RULER - 10, String(rank), { anchor: "middle" })]);
  return [straight(scale.start, RULER, scale.end, RULER, "ink"), ...ticks];
}

/** The critical difference as a ruler; one that is longer than the line of ranks has no end. */
function rulerOf(scale, difference) {
  const isBeyond = 1 + difference > scale.high, end = scale.at(Math.min(1 + difference, scale.high));
  const ends = (isBeyond ? [scale.start] : [scale.start, end]).map((x) => straight(x, 22, x, 30, "ink"));
  const said = `critical difference ${difference.toFixed(2)}${isBeyond ? ", beyond the scale" : ""}`;
  return [straight(scale.start, 26, end, 26, "ink"), ...ends, textAt((scale.start + scale.end) / 2, 14, said, { anchor: "middle" })];
}
