// Marks of charts: SVG elements that tell their numbers, and that can be chosen, by pointer and by keyboard.

const WIDE = 480, SVG = "http://www.w3.org/2000/svg", COLORS = 8;
const DASHES = ["", "6 4", "2 3", "10 3 2 3", "14 4"]; // of lines, one for each time that the colors begin again

/** An SVG element; children may be elements and texts. */
function drawnNode(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value != null) made.setAttribute(key, value);
  made.append(...children.filter((child) => child != null));
  return made;
}

const colorAt = (place) => place == null ? "var(--soft)" : `var(--run-${place % COLORS})`;
const fillOf = (place, opacity = 1) => `fill:${colorAt(place)}${opacity < 1 ? `;fill-opacity:${opacity}` : ""}`;
const dashOf = (place) => place == null ? "" : DASHES[Math.floor(place / COLORS) % DASHES.length];
const strokeOf = (place, width = 2) => `fill:none;stroke:${colorAt(place)};stroke-width:${width}${dashOf(place) && `;stroke-dasharray:${dashOf(place)}`}`;
const lineThrough = (points, style) => drawnNode("polyline", { points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "), style });
const areaOf = (points, style) => drawnNode("polygon", { points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" "), style });
const dotAt = (x, y, { place, size = 4, kind }) => drawnNode("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: size, style: fillOf(place), class: kind });
const textAt = (x, y, said, { anchor = "start", kind } = {}) => drawnNode("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, class: kind }, said);
const straight = (x1, y1, x2, y2, kind = "grid") => drawnNode("line", { x1, y1, x2, y2, class: kind });

/** A name of at most so many letters: of a longer one both ends, where names differ. */
function clippedName(name, letters) {
  if (name.length <= letters) return name;
  const half = Math.floor((letters - 1) / 2);
  return `${name.slice(0, letters - 1 - half)}…${name.slice(-half)}`;
}

/** The marks of a scale from left to right, with lines through the chart and its title below. */
function across(scale, top, bottom, title) {
  const marks = scale.ticks.flatMap((tick) => [straight(scale.at(tick), top, scale.at(tick), bottom), textAt(scale.at(tick), bottom + 15, tickText(tick), { anchor: "middle" })]);
  return [...marks, textAt((scale.start + scale.end) / 2, bottom + 31, title + (scale.isLog ? " (logarithmic)" : ""), { anchor: "middle" })];
}

/** The marks of a scale from the bottom up, with lines through the chart and its title above. */
function upwards(scale, left, right, title) {
  const marks = scale.ticks.flatMap((tick) => [straight(left, scale.at(tick), right, scale.at(tick)), textAt(left - 6, scale.at(tick) + 4, tickText(tick), { anchor: "end" })]);
  return [...marks, textAt(left - 40, scale.end - 10, title + (scale.isLog ? " (logarithmic)" : ""))];
}

/** A mark of a chart: its elements, what it tells, and the values of axes that it stands for. */
function mark(labels, facts, ...elements) {
  const made = drawnNode("g", { class: "mark", "aria-label": facts.join(", ") }, ...elements);
  Object.assign(made, { labels, facts });
  return made;
}

/** A whole chart; `label` says what it shows. */
function wholeChart(height, label, parts, width = WIDE) {
  return drawnNode("svg", { class: width > WIDE ? "plot broad" : "plot", viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`, role: "group", tabindex: 0, "aria-label": `${label}. Arrow keys go from mark to mark, Enter highlights.` }, ...parts);
}

/** The card that tells a mark's numbers. */
function markCard() {
  const found = byId("mark-card");
  if (found) return found;
  const card = node("div", { id: "mark-card", className: "card", hidden: true });
  document.body.append(card, node("div", { id: "mark-spoken", className: "spoken", role: "status" }));
  addEventListener("keydown", (event) => { if (event.key === "Escape") card.hidden = true; });
  return card;
}

function tell(facts, x, y) {
  const card = markCard(), [first, ...rest] = facts;
  card.replaceChildren(node("b", { textContent: first }), ...rest.map((line) => node("div", { textContent: line })));
  card.hidden = false;
  const room = document.documentElement.clientWidth - card.offsetWidth - 8;
  card.style.left = `${Math.max(8, Math.min(x + 14, room)) + scrollX}px`;
  card.style.top = `${(y + 18 + card.offsetHeight > innerHeight ? y - card.offsetHeight - 10 : y + 18) + scrollY}px`;
}

/** Let the marks of a chart tell their numbers and be chosen. */
function answerMarks(chart, onChoose) {
  const marks = [...chart.querySelectorAll(".mark")];
  let at = -1;
  const under = (event) => event.target.closest(".mark");
  chart.addEventListener("pointermove", (event) => { const found = under(event); if (found) tell(found.facts, event.clientX, event.clientY); else markCard().hidden = true; });
  chart.addEventListener("pointerleave", () => { markCard().hidden = true; });
  chart.addEventListener("click", (event) => { const found = under(event); if (found) onChoose(found.labels); });
  chart.addEventListener("blur", () => { markCard().hidden = true; marks[at]?.classList.remove("pointed"); });
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !marks.length) return;
    if (step) {
      marks[at]?.classList.remove("pointed");
      at = at < 0 ? (step > 0 ? 0 : marks.length - 1) : (at + step + marks.length) % marks.length;
      const box = marks[at].getBoundingClientRect();
      marks[at].classList.add("pointed");
      tell(marks[at].facts, box.left + box.width / 2, box.top + box.height / 2);
      byId("mark-spoken").textContent = marks[at].facts.join(", ");
    } else if ((event.key === "Enter" || event.key === " ") && at >= 0) onChoose(marks[at].labels);
    else return;
    event.preventDefault();
  });
}
