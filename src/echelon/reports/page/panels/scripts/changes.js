// Job by job: the starts of two runs of the same jobs.

const MOST_CHANGED = 20;

panels.changes = ({ edges, users }, runs) => {
  const selects = { from: byId("changes-from"), to: byId("changes-to") };
  const draw = () => {
    const from = runs[selects.from.value], to = runs[selects.to.value];
    const found = startDifferences(from, to), { filter } = theSchedule;
    startsMoved = found.seconds;
    if (filter.get("moved")) filter.changed();
    byId("changes-summary").textContent = changeText(found, from, to);
    drawHistogram(byId("changes-histogram"), edges, countDifferences(found.seconds, edges), to);
    pickedRanges(byId("changes-histogram"), "moved", filter);
    drawChanges(byId("changes-table"), found, [from, to], users);
  };
  runSelect(selects.from, runs, runs[0], draw);
  runSelect(selects.to, runs, runs[1], draw);
  byId("changes-swap").onclick = () => {
    [selects.from.value, selects.to.value] = [selects.to.value, selects.from.value];
    for (const select of Object.values(selects)) select.dispatchEvent(new Event("change"));
  };
  chosenRuns.follow(() => {
    if (selects.from.value === String(chosenRuns.baseline.place) || selects.to.value === String(chosenRuns.baseline.place)) return;
    selects.from.value = chosenRuns.baseline.place;
    selects.from.dispatchEvent(new Event("change"));
  });
  draw();
  remember(selects.from, "from");
  remember(selects.to, "to");
};

function startDifferences(from, to) {
  const seconds = Float64Array.from(from.start, (start, job) => to.start[job] - start);
  const earlier = seconds.filter((s) => s < 0), later = seconds.filter((s) => s > 0);
  return { seconds, earlier: earlier.map(Math.abs).sort(), later: later.sort(), equal: seconds.length - earlier.length - later.length };
}

/** Jobs in each bin; one on an edge belongs to the bin nearer to 0, as in echelon.metrics.difference_histogram. */
function countDifferences(seconds, edges) {
  const half = edges.length / 2, counts = new Array(edges.length - 1).fill(0);
  for (const s of seconds) {
    let low = half, high = edges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edges[middle] < Math.abs(s)) low = middle + 1; else high = middle;
    }
    counts[half - 1 + (s < 0 ? half - low : low - half)]++;
  }
  return counts;
}

function changeText({ earlier, later, equal, seconds }, from, to) {
  if (from === to) return "Choose two different policies.";
  const n = seconds.length, part = (count) => `${number.format(count)} job${count === 1 ? "" : "s"} (${(100 * count / n).toFixed(1)} %)`;
  const median = (sorted) => sorted.length ? `, half of them by ${duration(sorted[Math.floor(sorted.length / 2)])} or more` : "";
  const mean = to.wait.reduce((sum, wait, job) => sum + wait - from.wait[job], 0) / n;
  const trend = mean === 0 ? "The mean wait stays as it is." : `The mean wait ${mean < 0 ? "falls" : "rises"} by ${duration(Math.abs(mean))}.`;
  return `Under ${to.name}, ${part(earlier.length)} start earlier than under ${from.name}${median(earlier)}; ` +
    `${part(later.length)} start later${median(later)}; ${part(equal)} start at the same time. ${trend}`;
}

function drawHistogram(figure, edges, counts, to) {
  const most = Math.max(1, ...counts), half = edges.length / 2, moved = `under ${to.name}`;
  const span = (place) => {
    const [low, high] = [edges[place], edges[place + 1]];
    if (place === half - 1) return `within ${duration(high)} of each other`;
    return high <= 0 ? `${duration(-high)} to ${duration(-low)} earlier ${moved}` : `${duration(low)} to ${duration(high)} later ${moved}`;
  };
  const marks = logTicks(ROUND_TIMES.slice(1), edges[half], edges.at(-1), Math.min(5, half / 4, figure.clientWidth / 110));
  const label = (place) => {
    if (place === half - 1) return "0";
    const [low, high] = [edges[place], edges[place + 1]], later = low > 0;
    const mark = marks.find((tick) => later ? low < tick && tick <= high : low <= -tick && -tick < high);
    return mark ? `${later ? "+" : "−"}${shortTime(mark)}` : "";
  };
  const column = (count, place) => {
    const text = `${number.format(count)} jobs start ${span(place)}`;
    const made = node("li", { title: text, className: place === half - 1 ? "same" : place < half ? "earlier" : "later" },
      node("div", {}, node("i", { style: `height:${(100 * count / most).toFixed(2)}%` })), node("b", { textContent: label(place), ariaHidden: "true" }),
      ...(count ? [node("span", { className: "spoken", textContent: text })] : []));
    Object.assign(made.dataset, { label: span(place), value: count, range: rangeOfBin(edges, place) });
    return made;
  };
  figure.replaceChildren(
    node("figcaption", { textContent: "Jobs by how much earlier (left) or later (right) they start" }),
    node("div", { className: "columns-top", textContent: `${number.format(most)} jobs` }),
    node("ol", {}, ...counts.map(column)));
}

/** The differences of a bin as text; one on an edge belongs to the bin nearer to 0. */
function rangeOfBin(edges, place) {
  const [low, high] = [edges[place], edges[place + 1]], half = edges.length / 2;
  if (place === half - 1) return writeRange([low, high]);
  return writeRange(place < half - 1 ? [low, high - 1e-6 * Math.abs(high)] : [low + 1e-6 * Math.abs(low), high]);
}

/** Positions of the jobs whose start moved most, the most moved first. */
function mostMoved(seconds) {
  const moved = Array.from(seconds, (_, job) => job).filter((job) => seconds[job] !== 0);
  return moved.sort((a, b) => Math.abs(seconds[b]) - Math.abs(seconds[a]) || a - b).slice(0, MOST_CHANGED);
}

function drawChanges(table, { seconds }, [from, to], users) {
  const head = ["Job", "Start", `Wait, ${from.name}`, `Wait, ${to.name}`, "Processors", "Run time", from.origin == null ? "Submitted" : `Submitted (${zone.name})`, ...(users ? ["User"] : [])];
  const jobs = mostMoved(seconds), rows = jobs.map((job) => [
    from.jobName(job), `${duration(Math.abs(seconds[job]))} ${seconds[job] < 0 ? "earlier" : "later"}`,
    duration(from.start[job] - from.submit[job]), duration(to.start[job] - to.submit[job]),
    number.format(from.size[job]), duration(from.run[job]), moment(from.submit[job], from.origin), ...(users ? [from.labels.user.of(job)] : []),
  ]);
  if (rows.length) {
    const body = tableBody(rows);
    jobs.forEach((job, place) => [, seconds[job], from.start[job] - from.submit[job], to.start[job] - to.submit[job], from.size[job], from.run[job], from.submit[job]].forEach((value, column) => { body.rows[place].cells[column].dataset.value = value; }));
    jobs.forEach((job, place) => answering(body.rows[place], () => theSchedule.goTo(to, job), false));
    table.replaceChildren(tableHead(head), body);
  }
  else table.replaceChildren(tableBody([["No job moved."]]));
}
