// Heat maps of the classes of size and length, one a run, all in the same colors.

panels.classes = (data, runs) => {
  const select = byId("classes-statistic"), host = byId("classes-grids");
  const draw = () => {
    const statistic = select.value, isTime = statistic.endsWith("wait");
    const values = data.runs.flatMap((run) => run[statistic]).filter((value) => value > 0);
    const low = values.length ? Math.min(...values) : 1, high = values.length ? Math.max(...values) : 1;
    const [length, unit] = isTime ? commonUnit(high) : [1, ""];
    const write = (value) => `${value > 0 && value < .01 * length ? "< 0.01" : number.format(+(value / length).toPrecision(3))} ${unit}`.trim();
    const level = (value) => value <= 0 ? 0 : high > low ? Math.log(value / low) / Math.log(high / low) : 1;
    host.replaceChildren(...runs.map((run) => classGrid(data, run, runs.length > 1, (place) => {
      const value = data.runs[run.place][statistic][place];
      return value == null ? null : { text: write(value), level: level(value) };
    })));
    byId("classes-legend").replaceChildren(...(high > low ? rampLegend(write(low), write(high)) : []));
  };
  select.onchange = draw;
  draw();
};

/** One unit of time for all figures, such that the largest reads well: its length in seconds and its name. */
function commonUnit(largest) {
  return [[1, "s", 300], [MINUTE, "min", 300], [HOUR, "h", 1000]].find(([length, , most]) => largest < most * length) ?? [DAY, "d"];
}

/** One run's classes as a table; `cell(place)` gives text and level, 0 to 1, of a class, or null without jobs. */
function classGrid({ sizes, lengths, runs }, run, named, cell) {
  const jobs = runs[run.place].jobs;
  const row = (size, place) => node("tr", {}, node("th", { scope: "row", textContent: size }), ...lengths.map((_, column) => {
    const at = place * lengths.length + column, found = cell(at);
    if (!found) return node("td", { className: "none", textContent: "–" });
    const rgb = RAMP[Math.round(255 * found.level)];
    // Black or white, whichever stands out more: relative luminance after the sRGB weights.
    const light = (.2126 * rgb[0] + .7152 * rgb[1] + .0722 * rgb[2]) > 118;
    return node("td", { style: `background:rgb(${rgb.map(Math.round)});color:${light ? "#000" : "#fff"}` },
      found.text, node("small", { textContent: `${number.format(jobs[at])} job${jobs[at] === 1 ? "" : "s"}` }));
  }));
  return node("table", { className: "heat" },
    node("caption", { textContent: named ? run.name : "processors by run time" }),
    tableHead(["", ...lengths]),
    node("tbody", {}, ...sizes.map(row).reverse()));
}
