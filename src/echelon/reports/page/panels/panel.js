// Panels: each script below puts a function here that fills its section from its data and the runs.

const panels = {};

/** The figures of a section as rows, by its name, where its tables are not all that it shows. */
const panelRows = {};

/** Let the browser answer and paint in between. */
const breath = () => new Promise((done) => setTimeout(done));

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
