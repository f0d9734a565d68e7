// Panels: each script below puts a function here that fills its section from its data and the runs.

const panels = {};

/** The figures of a section as rows, by its name, where its tables are not all that it shows. */
const panelRows = {};

/** Let the browser answer and paint in between. */
const breath = () => new Promise((done) => setTimeout(done));

/** Let the columns, bars and rows that say of which jobs they are filter these. */
function addPicks(filter) {
  for (const figure of document.querySelectorAll("figure[data-field]")) pickedRanges(figure, figure.dataset.field, filter);
  for (const table of document.querySelectorAll("table[data-picks]")) pickedRows(table, table.dataset.picks, filter);
  for (const table of document.querySelectorAll("table[data-run]"))
    for (const row of table.querySelectorAll("tr[data-job]")) answering(row, () => theSchedule.goTo(theSchedule.runs[+table.dataset.run], +row.dataset.job), false);
  for (const list of document.querySelectorAll("ul.bars:has([data-site])"))
    rovingFocus(list, [...list.querySelectorAll("[data-site]")].map((bar) => picked(bar, `Filter the jobs of site ${bar.dataset.site}`, () => filter.toggle({ site: [bar.dataset.site] }))));
}

/** Let each row of a table filter the jobs whose label is that of the row. */
function pickedRows(table, label, filter) {
  if (!filter.labels.includes(label)) return;
  const rows = [...table.tBodies[0].rows], describe = (row) => ({ [label]: [row.cells[0].textContent] });
  for (const row of rows) answering(row, () => filter.toggle(describe(row)), false);
  const draw = () => { for (const row of rows) { row.classList.toggle("chosen", filter.has(describe(row))); row.querySelector(".pick").setAttribute("aria-pressed", String(filter.has(describe(row)))); } };
  filter.follow(draw);
  draw();
}

/** Let each column of a figure filter the jobs that it counts. */
function pickedRanges(figure, field, filter) {
  const columns = [...figure.querySelectorAll("li[data-range]")];
  rovingFocus(figure, columns.map((column) => picked(column, "Filter these jobs", () => filter.toggle({ [field]: readRange(column.dataset.range) }))));
  markChosen(filter, () => columns.map((column) => [column, filter.has({ [field]: readRange(column.dataset.range) })]));
}

/** Mark what is filtered by, now and whenever the filter changes; `marks()` gives elements and whether they are. */
function markChosen(filter, marks) {
  const draw = () => { for (const [element, chosen] of marks()) { element.classList.toggle("chosen", chosen); element.setAttribute("aria-pressed", String(chosen)); } };
  filter.follow(draw);
  draw();
}

/** Fill the panels from the top down. */
async function fillPanels(data, runs) {
  for (const [name, fill] of Object.entries(panels)) {
    if (data[name] == null) continue;
    await breath();
    await fill(data[name], runs);
  }
  document.documentElement.dataset.filled = "true";
}

/** Keep a chart as wide as its host and in the page's colors. `make(width)` draws it; returns how to make it again. */
function fitted(host, make) {
  let chart = drawable(make(host.clientWidth));
  onTheme(() => chart.redraw());
  new ResizeObserver(() => {
    const width = host.clientWidth;
    if (width && width !== chart.width) chart.setSize({ width, height: chart.height });
  }).observe(host);
  return () => {
    chart.destroy();
    chart = drawable(make(host.clientWidth));
  };
}
