// Heat maps of the classes of size and length, one a run, all in the same colors.

panels.classes = (data, runs) => {
  const select = byId("classes-statistic"), box = byId("classes-difference"), label = box.closest("label");
  const caption = document.createTextNode("");
  label.hidden = runs.length < 2;
  label.append(caption);
  const draw = () => {
    const shownRuns = chosenRuns.shown, base = chosenRuns.baseline.place;
    caption.data = ` difference to ${chosenRuns.baseline.name}`;
    const values = data.runs.map((run) => run[select.value]);
    const shown = box.checked ? values.map((run) => run.map((value, place) => value === null ? null : value - values[base][place])) : values;
    const scale = classScale(shownRuns.flatMap((run) => shown[run.place]), select.value.endsWith("wait"));
    const paint = box.checked ? differenceColors : levelColors;
    byId("classes-grids").replaceChildren(...shownRuns.map((run) => classGrid(data, run, runs.length > 1, (place) => {
      const value = shown[run.place][place];
      return value === null ? null : { text: `${box.checked && value > 0 ? "+" : ""}${scale.write(value)}`, ...paint(value, scale) };
    })));
    byId("classes-legend").replaceChildren(...(box.checked ? differenceLegend() : scale.high > scale.low ? rampLegend(scale.write(scale.low), scale.write(scale.high)) : []));
  };
  select.onchange = box.onchange = draw;
  onTheme(draw);
  chosenRuns.follow(draw);
  theSchedule.filter.follow(draw);
  draw();
  panelRows.classes = () => [["run", "processors", "run time", "jobs", select.value], ...runs.flatMap((run) => data.runs[run.place].jobs.map((jobs, at) =>
    [run.name, data.sizes[Math.floor(at / data.lengths.length)], data.lengths[at % data.lengths.length], jobs, data.runs[run.place][select.value][at]]))];
  remember(select, "classes");
  remember(box, "classes-difference");
};

/** The jobs of a class, as a filter: more than the edge below, at most the one above. */
function classFilter({ edges, lengths }, at) {
  const within = (values, place, least) => [place ? least(values[place - 1]) : -Infinity, values[place] ?? Infinity];
  return { size: within(edges.size, Math.floor(at / lengths.length), (edge) => edge + 1), run: within(edges.run, at % lengths.length, (edge) => edge + 1e-6) };
}

/** How values become text and a level from 0 to 1, on a logarithmic scale of their sizes. */
function classScale(values, isTime) {
  const sizes = values.filter((value) => value).map(Math.abs);
  const low = sizes.length ? Math.min(...sizes) : 1, high = sizes.length ? Math.max(...sizes) : 1;
  const [length, unit] = isTime ? commonUnit(high) : [1, ""];
  const write = (value) => {
    const size = Math.abs(value) / length, sign = value < 0 ? "−" : "";
    return `${size > 0 && size < .01 ? `< ${sign}0.01` : sign + number.format(+size.toPrecision(3))} ${unit}`.trim();
  };
  const level = (value) => value === 0 ? 0 : high > low ? Math.log(Math.abs(value) / low) / Math.log(high / low) : 1;
  return { low, high, write, level };
}

/** One unit of time for all figures, such that the largest reads well: its length in seconds and its name. */
function commonUnit(largest) {
  return [[1, "s", 300], [MINUTE, "min", 300], [HOUR, "h", 1000]].find(([length, , most]) => largest < most * length) ?? [DAY, "d"];
}

/** Background and text of a cell by its level. */
function levelColors(value, { level }) {
  const rgb = RAMP[Math.round(255 * level(value))];
  return { background: `rgb(${rgb.map(Math.round)})`, color: inkOn(rgb) };
}

const [BETTER, WORSE] = [2, 1].map((place) => RUN_COLORS[place]); // green and orange, apart for color-blind people, too

const mixed = (color, level) => `color-mix(in srgb, ${color} ${Math.round(10 + 50 * level)}%, ${theme.paper})`;

/** Green where it is less than under the first run, orange where it is more. */
function differenceColors(value, { level }) {
  return { background: value === 0 ? theme.empty : mixed(value < 0 ? BETTER : WORSE, level(value)), color: theme.ink };
}

function differenceLegend() {
  return ["less", node("i", { style: `background:linear-gradient(90deg, ${mixed(BETTER, 1)}, ${theme.paper}, ${mixed(WORSE, 1)})` }), "more"];
}

/** One run's classes as a table; `cell(place)` gives text, background and color of a class, or null without jobs. */
function classGrid(data, run, named, cell) {
  const { sizes, lengths, runs } = data, { filter } = theSchedule;
  const jobs = runs[run.place].jobs;
  const row = (size, place) => node("tr", {}, node("th", { scope: "row", textContent: size }), ...lengths.map((_, column) => {
    const at = place * lengths.length + column, found = cell(at);
    if (!found) return node("td", { className: "none", textContent: "–" });
    const made = node("td", { style: `background:${found.background};color:${found.color}` },
      found.text, node("small", { textContent: `${number.format(jobs[at])} job${jobs[at] === 1 ? "" : "s"}` }));
    made.onclick = () => filter.toggle(classFilter(data, at));
    made.onkeydown = (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); made.click(); } };
    made.classList.add("answers");
    made.classList.toggle("chosen", filter.has(classFilter(data, at)));
    made.title = "Filter these jobs";
    return made;
  }));
  const table = node("table", { className: "heat" },
    node("caption", { textContent: named ? run.name : "processors by run time" }),
    tableHead(["", ...lengths]),
    node("tbody", {}, ...sizes.map(row).reverse()));
  rovingFocus(table, [...table.querySelectorAll("td.answers")], lengths.length);
  return table;
}
