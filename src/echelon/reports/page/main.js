// Puts everything on the page.

function addWaits(runs, waits) {
  byId("waits-section").hidden = false;
  const host = byId("waits"), chart = waitsChart(host, runs, waits, byId("waits-value"));
  byId("waits-legend").append(...(runs.length > 1 ? runs : []).map((run) => node("li", {}, swatch(run), ` ${run.name}`)));
  onTheme(() => chart.redraw());
  new ResizeObserver(() => { if (host.clientWidth) chart.setSize({ width: host.clientWidth, height: 260 }); }).observe(host);
}

async function begin() {
  if (!globalThis.DecompressionStream) throw new Error("this browser is too old: it lacks DecompressionStream");
  const page = JSON.parse(byId("report-data").textContent);
  const runs = await loadRuns(page);
  readTheme();
  new ScheduleOverTime(runs);
  addWaits(runs, page.waits);
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "true"; }));
}

begin().catch((error) => {
  byId("trouble").hidden = false;
  byId("trouble").textContent = `The charts could not be drawn: ${error.message}.`;
  throw error;
});
