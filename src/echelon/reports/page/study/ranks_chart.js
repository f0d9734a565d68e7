// Critical-difference diagrams: names by mean rank on one line, and bars over those that do not differ significantly.

const RULER = 46, SIDE = 150;

function drawRanks({ items, difference, cliques, n, count: all }, { measures: [measure] }) {
  const count = items.length, scale = new Scale(1, all, SIDE, WIDE - SIDE, false);
  const order = items.map((_, place) => place).sort((a, b) => items[a].rank - items[b].rank), half = Math.ceil(count / 2);
  const joined = cliques.map((clique) => clique.filter((place) => items.some((item) => item.place === place)).map((place) => items.find((item) => item.place === place).rank)).filter((ranks) => ranks.length > 1);
  const first = RULER + 20 + 7 * joined.length, end = scale.at(Math.min(1 + difference, scale.high));
  const step = Math.max(1, Math.ceil(scale.high / 9)), ticks = Array.from({ length: Math.floor((scale.high - 1) / step) + 1 }, (_, place) => 1 + place * step);
  const names = order.map((place, column) => {
    const item = items[place], isLeft = column < half, y = first + 18 * (isLeft ? column : count - 1 - column), x = scale.at(item.rank);
    const edge = isLeft ? scale.start - 6 : scale.end + 6, said = clippedName(item.name, 15), rank = item.rank.toFixed(2);
    return mark(item.labels, [item.name, `mean rank ${item.rank.toFixed(3)} of ${measure.label}`, `n = ${number.format(n)} blocks`],
      drawnNode("polyline", { class: "leader", points: `${x},${RULER} ${x},${y} ${edge},${y}` }),
      words(isLeft ? edge - 4 : edge + 4, y + 4, isLeft ? `${said}  ${rank}` : `${rank}  ${said}`, { anchor: isLeft ? "end" : "start", kind: "name" }));
  });
  const bars = joined.map((ranks, place) => lineThrough([[scale.at(Math.min(...ranks)) - 3, RULER + 8 + 7 * place], [scale.at(Math.max(...ranks)) + 3, RULER + 8 + 7 * place]], strokeOf(1, 4)));
  return wholeChart(first + 18 * half + 4, `Mean ranks of ${measure.label}`, [
    straight(scale.start, RULER, scale.end, RULER, "ink"), ...ticks.flatMap((rank) => [straight(scale.at(rank), RULER, scale.at(rank), RULER - 6, "ink"), words(scale.at(rank), RULER - 10, String(rank), { anchor: "middle" })]),
    straight(scale.start, 14, end, 14, "ink"), ...[scale.start, end].map((x) => straight(x, 10, x, 18, "ink")), words(scale.start - 8, 18, `critical difference ${difference.toFixed(2)}`, { anchor: "end" }),
    ...names, ...bars]);
}
