// Charts in a plane: curves along an axis, Pareto fronts, performance profiles.

const TOP = 28, LEFT = 58, MOST_JOINED = 24, MOST_NAMED = 12, MOST_LINEAR = 3;
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

/** Lines with their bands over a numeric axis. */
function drawCurves({ items, along }, { measures: [measure], way, level }) {
  const bottom = 250, xs = items.flatMap(({ x }) => x), room = (Math.max(...xs) - Math.min(...xs)) * .03 || 1;
  let across_ = Scale.around(xs, LEFT, RIGHT, "auto");
  if (!across_.isLog) across_ = new Scale(Math.min(...xs) - room, Math.max(...xs) + room, LEFT, RIGHT, false);
  const up = Scale.around(items.flatMap(({ y, low, high }) => [...y, ...low, ...high]).filter((value) => value != null).map((value) => measure.scaled(value)), bottom, TOP, way);
  const at = (x, value) => [across_.at(x), up.at(measure.scaled(value))];
  const lines = items.map((item) => {
    const place = item.place, known = item.x.map((_, point) => point).filter((point) => item.y[point] != null), banded = known.filter((point) => item.low[point] != null);
    const band = [...banded.map((point) => at(item.x[point], item.high[point])), ...banded.toReversed().map((point) => at(item.x[point], item.low[point]))];
    const parts = banded.length > 1 ? [areaOf(band, fillOf(place, .15))] : banded.map((point) => lineThrough([at(item.x[point], item.low[point]), at(item.x[point], item.high[point])], strokeOf(place)));
    if (known.length <= MOST_JOINED) parts.push(lineThrough(known.map((point) => at(item.x[point], item.y[point])), strokeOf(place)));
    const line = mark(item.labels, [item.name, `${measure.label} along ${along}`], ...parts);
    const dots = known.map((point) => {
      const [x, y] = at(item.x[point], item.y[point]), facts = { name: `${item.name}, ${along} ${tickText(item.x[point])}`, mean: item.y[point], low: item.low[point], high: item.high[point], n: item.n[point] };
      return mark(item.labels, meanText(measure, facts, level), drawnNode("circle", { cx: x, cy: y, r: 9, class: "room" }), dotAt(x, y, { place, size: 3.5 }));
    });
    return [line, ...dots];
  });
  return wholeChart(bottom + 40, `${measure.label} along ${along}`, [...across(across_, TOP, bottom, along), ...upwards(up, LEFT, RIGHT, measure.title), ...lines.flat()]);
}

/** Choices in the plane of two measures; of three the color of each is the third one. */
function drawFront({ items, places }, { measures, way }) {
  const bottom = 290, [right, up] = places.map((place) => measures[place]), third = measures.findIndex((_, place) => !places.includes(place));
  const toward = (measure) => `${measure.title} (${measure.better === "high" ? "higher" : "lower"} is better)`;
  const x = Scale.around(items.map(({ values }) => right.scaled(values[places[0]])), LEFT, RIGHT, way), y = Scale.around(items.map(({ values }) => up.scaled(values[places[1]])), bottom, TOP, way);
  const at = items.map(({ values }) => [x.at(right.scaled(values[places[0]])), y.at(up.scaled(values[places[1]]))]);
  const ahead = at.filter((_, place) => items[place].front).sort(([a], [b]) => a - b);
  const thirds = third < 0 ? [] : items.map(({ values }) => values[third]), low = Math.min(...thirds), high = Math.max(...thirds);
  const marks = items.map((item, place) => place).sort((a, b) => items[a].front - items[b].front).map((place) => {
    const item = items[place], facts = [item.name, ...measures.map((measure, of) => `${measure.label}: ${measure.exactly(item.values[of])}`), item.front ? "on the front" : "behind the front"];
    const dot = dotAt(...at[place], { place: item.front ? 0 : null, size: item.front ? 5.5 : 4, kind: item.front ? "ahead" : null });
    if (third >= 0) dot.setAttribute("style", `fill:${viridis(high > low ? (item.values[third] - low) / (high - low) : .5)}`);
    return mark(item.labels, facts, drawnNode("circle", { cx: at[place][0], cy: at[place][1], r: 9, class: "room" }), dot);
  });
  const named = items.map((_, place) => place).filter((place) => items[place].front || items.length <= MOST_NAMED);
  const names = named.length > MOST_NAMED ? [] : namesBeside(named.map((place) => [items[place], at[place]]));
  return wholeChart(bottom + 40, `${right.label} and ${up.label} of ${items.length} choices`,
    [...across(x, TOP, bottom, toward(right)), ...upwards(y, LEFT, RIGHT, toward(up)), third < 0 ? lineThrough(ahead, strokeOf(0, 1.5)) : null, ...marks, ...names]);
}

function viridis(share) {
  const at = share * (VIRIDIS.length - 1), low = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return `rgb(${[0, 1, 2].map((part) => Math.round(VIRIDIS[low][part] + (at - low) * (VIRIDIS[low + 1][part] - VIRIDIS[low][part]))).join(" ")})`;
}

/** Names beside their points, on the side with room, none upon another. */
function namesBeside(points) {
  const taken = [];
  return points.toSorted(([, [, a]], [, [, b]]) => a - b).map(([item, [x, y]]) => {
    const isRight = x < WIDE * .6;
    let height = y - 8;
    while (taken.some(([other, side]) => Math.abs(height - other) < 13 && isRight === side)) height += 13;
    taken.push([height, isRight]);
    return mark(item.labels, [item.name], textAt(x + (isRight ? 8 : -8), height, clippedName(item.name, 34), { anchor: isRight ? "start" : "end", kind: "name" }));
  });
}

/** The share of experiments in which each is within a factor of the best. */
function drawProfile({ items, x, n }, { measures: [measure], way }) {
  const bottom = 250, last = x.at(-1), across_ = new Scale(1, last, LEFT, RIGHT, way === "log" || (way === "auto" && last > MOST_LINEAR)), up = new Scale(0, 100, bottom, TOP, false);
  const lines = items.map((item) => {
    const steps = item.y.flatMap((share, place) => [...(place ? [[x[place], item.y[place - 1]]] : []), [x[place], share]]);
    const points = steps.map(([factor, share]) => [across_.at(factor), up.at(100 * share)]);
    const within = x.filter((_, place) => item.y[place] >= 1)[0];
    const facts = [item.name, `the best in ${figure(100 * item.y[0], 3)} % of the experiments`, within ? `within a factor of ${figure(within, 3)} in all` : `within a factor of ${figure(last, 3)} in ${figure(100 * item.y.at(-1), 3)} %`, `n = ${number.format(n)}`];
    return mark(item.labels, facts, lineThrough(points, `${strokeOf(item.place, 12)};stroke-opacity:0;stroke-dasharray:none`), lineThrough(points, strokeOf(item.place)));
  });
  return wholeChart(bottom + 40, `Performance profile of ${measure.label}`, [...across(across_, TOP, bottom, "factor of the best"), ...upwards(up, LEFT, RIGHT, "experiments, %"), ...lines]);
}
