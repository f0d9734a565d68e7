// The card of a job: who, where, when; shown beside the pointer, and spoken.

class Card {
  constructor(element) { this.element = element; }

  hide() { this.element.hidden = true; }

  /** Show what was closed at a place of the page. */
  showClosed({ run }, band, place) {
    const [title, rows] = run.closed.describe(band, run);
    this.fill(title, rows, place);
  }

  /** Show a job of a pane at a place of the page; `others` are other runs to compare its wait with. */
  show(pane, job, others, place) {
    const { run } = pane;
    this.fill(`Job ${run.jobName(job)}${run.labels.user ? ` · user ${named(run.labels.user.of(job))}` : ""}`, facts(pane, job, others), place);
  }

  fill(title, rows, { x, y }) {
    const { element } = this;
    element.hidden = false;
    const list = node("dl", {}, ...rows.flatMap(([name, value]) => [node("dt", { textContent: name }), node("dd", { textContent: value })]));
    element.replaceChildren(node("b", { textContent: title }), list);
    const room = document.documentElement.clientWidth - element.offsetWidth - 8;
    element.style.left = `${Math.max(8, Math.min(x + 14, room + scrollX))}px`;
    const below = y + 18 + element.offsetHeight <= scrollY + innerHeight;
    element.style.top = `${Math.max(scrollY + 4, below ? y + 18 : y - element.offsetHeight - 12)}px`;
  }

  get text() { return this.element.innerText.replaceAll("\n", " "); }
}

/** Names and values of what is known of a job. */
function facts({ run, gantt }, job, others) {
  const start = run.start[job], submit = run.submit[job], end = start + run.run[job], pieces = gantt.rectangles.ofJob(job);
  const ran = run.held[job], slowdown = Math.max(1, (end - submit) / Math.max(run.ran?.[job] ?? ran, 10));
  return [
    ...["queue", "partition", "account"].map((name) => run.labels[name] ? [name, named(run.labels[name].of(job))] : null),
    run.labels.dependencies?.of(job) ? ["after jobs", run.labels.dependencies.of(job)] : null,
    ["submitted", moment(submit, run.origin)], ["waited", duration(run.wait[job])],
    ...others.map(([other, same]) => [`under ${other.name}`, duration(other.wait[same]) + (other.labels.site ? ` at ${other.labels.site.of(same)}` : "")]),
    ["started", moment(start, run.origin)], ["ran", duration(ran)], ["ended", moment(end, run.origin)],
    run.requested?.[job] > 0 ? ["requested", duration(run.requested[job])] : null,
    run.labels.status && run.labels.status.of(job) !== "completed" ? ["status", run.labels.status.of(job).replaceAll("_", " ")] : null,
    ...run.tries?.describe(job, run.origin) ?? [],
    ["bounded slowdown", figure(slowdown)],
    ["size", `${number.format(run.size[job])} processor${run.size[job] === 1 ? "" : "s"}`],
    run.labels.site ? ["site", run.labels.site.of(job)] : null, run.labels.home_site ? ["home site", named(run.labels.home_site.of(job))] : null,
    ...run.nodes ? inside(run, gantt.rectangles, job) : onNodes(run, job),
    run.nodes || run.sites?.cores || run.labels.nodes?.of(job) ? null : [run.tries ? "nodes" : "processors", numbers(gantt.rectangles.numbersOf(job, run.stack?.before), run.tries ? 1 : 0) + (run.sites ? ` of ${number.format(run.stack.processors[run.labels.site.codes[job]])}` : "")],
    run.sites?.cores && pieces.length > 1 && !run.sites.parts ? ["copies", number.format(pieces.length)] : null,
    run.sites?.parts && end - start - ran > .001 ? ["interrupted", `for ${duration(end - start - ran)}`] : null,
    pieces.length > 1 && !run.nodes && !run.sites?.cores && !run.sites?.parts ? ["interrupted", `${pieces.length === 2 ? "once" : `${pieces.length - 1} times`}, for ${duration(end - start - ran)}`] : null,
  ].filter(Boolean);
}

/** What is known of a job inside a cluster. */
function inside(run, rectangles, job) {
  const cores = rectangles.coresOf(job), blocked = rectangles.coreTime(job, rectangles.blocked), waking = rectangles.coreTime(job, rectangles.waking);
  if (run.nodes.clusters) return [["nodes", run.stack.placesOf(cores)], ...forecastsOf(run, job)];
  return [
    ["nodes", numbers(run.stack.nodesOf(cores))], ["cores", numbers(cores)],
    ...onNodes(run, job),
    blocked ? ["blocked", `${duration(blocked)} of core time`] : null, waking ? ["waited for nodes to wake up", `${duration(waking)} of core time`] : null,
  ];
}

/** What is known of a job in nodes, wherever these are; nothing of a job in none. */
function onNodes(run, job) {
  return [
    run.labels.nodes?.of(job) ? ["nodes", run.labels.nodes.of(job)] : null,
    run.speed_factor?.[job] >= 0 ? ["speed", `${number.format(100 * run.speed_factor[job])} % of what its cores can`] : null,
    run.energy?.[job] >= 0 ? ["energy", quantity(run.energy[job], "J")] : null,
    run.communication_volume?.[job] >= 0 ? ["sent between nodes", quantity(run.communication_volume[job], "B")] : null,
    run.pairwise_hops?.[job] >= 0 ? ["hops between nodes", `${number.format(run.pairwise_hops[job])} on average${run.diameter ? `, ${number.format(run.diameter[job])} at most` : ""}`] : null,
  ];
}

/** What was said of a job on a multicluster when it was handed to its cluster, and what it takes alone. */
function forecastsOf(run, job) {
  const said = (name) => run[name]?.[job] >= 0 ? duration(run[name][job]) : null;
  return [["delivered", run.delivered_time?.[job] >= 0 && moment(run.delivered_time[job], run.origin)], ["forecast wait", said("forecast_wait")], ["forecast run", said("forecast_run")],
    ["alone on dedicated nodes", said("dedicated_time")]].filter(([, text]) => text);
}

/** Intervals of processor numbers as text: "1-3 5". */
function numbers(intervals, from = 0) {
  const parts = intervals.slice(0, 8).map(([low, high]) => low === high ? low + from : `${low + from}-${high + from}`);
  return intervals.length > 8 ? `${parts.join(" ")} … (${intervals.length} intervals)` : parts.join(" ") || "not drawn";
}
