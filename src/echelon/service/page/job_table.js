// The jobs as a table: filtered, sorted, a page of them at a time. Rows stay the same elements while jobs change.

const ROWS = 50;
const PLACE = Object.fromEntries([...OPEN, ...ENDED].map((state, place) => [state, place]));

const startOf = (job) => job.started_at ?? job.forecast?.start ?? null;

/** What a job is to run, in one line. */
const commandOf = (job) => job.application ?? job.command?.join(" ") ?? "a script";

const JOB_COLUMNS = [
  { name: "Job", value: (job) => job.number, text: (job) => String(job.number) },
  { name: "Name", kind: "name", value: (job) => job.name || commandOf(job), text: (job) => job.name || commandOf(job) },
  { name: "State", kind: "state", value: (job) => PLACE[job.state], text: (job) => stateName(job.state) + (job.wanted === "cancel" && !isEnded(job.state) ? ", to be canceled" : "") },
  { name: "Cluster", kind: "cluster", value: (job) => job.cluster, text: (job) => job.cluster + (job.stale ? " (stale)" : "") },
  { name: "Start", kind: "start", value: (job) => startOf(job) ?? Infinity, text: (job, now) => startText(job, now) },
  { name: "Why", kind: "why", value: (job) => job.reason, text: (job) => job.reason },
  { name: "Owner", kind: "minor", value: (job) => job.owner, text: (job) => job.owner },
  { name: "Processors", kind: "minor number", value: (job) => job.processors, text: (job) => number.format(job.processors) },
  { name: "Submitted", kind: "minor", value: (job) => job.submitted_at, text: (job, now) => timeAt(job.submitted_at, now) },
];

/** When a job started or will, in short. */
function startText(job, now) {
  if (job.started_at !== null) return timeAt(job.started_at, now);
  const start = job.forecast?.start;
  if (start == null || isEnded(job.state)) return "";
  return start < now ? "forecast: by now" : `forecast ${timeAt(start, now)}`;
}

class JobTable {
  /** `open` is called with the id of a job to be shown; `turned` when other rows are shown. */
  constructor(jobs, service, { open, turned }) {
    Object.assign(this, { jobs, service, open, turned, page: 0, column: 0, descending: false, rows: new Map() });
    this.table = byId("jobs");
    this.addHead();
    byId("state").append(...[["", "not ended"], ...OPEN.map((state) => [state, stateName(state)]), ["ended", "ended since this page was opened"]]
      .map(([value, textContent]) => node("option", { value, textContent })));
    for (const [id, event] of [["state", "change"], ["filter", "input"]]) byId(id).addEventListener(event, () => this.turn(0));
    byId("earlier").onclick = () => this.turn(this.page - 1);
    byId("later").onclick = () => this.turn(this.page + 1);
  }

  addHead() {
    this.heads = JOB_COLUMNS.map(({ name, kind }, column) => {
      const button = node("button", { type: "button", textContent: name });
      button.onclick = () => {
        this.descending = this.column === column && !this.descending;
        this.column = column;
        this.turn(0);
      };
      return node("th", { scope: "col", className: kind ?? "" }, button);
    });
    this.table.tHead.append(node("tr", {}, ...this.heads));
  }

  turn(page) {
    this.page = page;
    this.draw();
    this.turned();
  }

  /** The jobs that are to be shown, in order, on all pages. */
  chosen() {
    const state = byId("state").value, terms = byId("filter").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const { value } = JOB_COLUMNS[this.column], sign = this.descending ? -1 : 1;
    const found = this.jobs.list(state === "ended").filter((job) => (!OPEN.includes(state) || job.state === state) && contains(job, terms));
    const keyed = found.map((job) => [value(job), job]);
    const compare = ([x], [y]) => typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x === y ? 0 : x - y;
    return keyed.sort((a, b) => sign * compare(a, b) || a[1].number - b[1].number).map(([, job]) => job);
  }

  /** Ids of the jobs on the page shown. */
  get shown() { return [...this.rows.keys()]; }

  draw() {
    const chosen = this.chosen(), pages = Math.max(1, Math.ceil(chosen.length / ROWS));
    this.page = Math.max(0, Math.min(this.page, pages - 1));
    const part = chosen.slice(this.page * ROWS, (this.page + 1) * ROWS), now = this.service.now();
    const rows = new Map(part.map((job) => [job.id, this.rows.get(job.id) ?? this.row(job)]));
    for (const job of part) this.fill(rows.get(job.id), job, now);
    this.rows = rows;
    this.place([...rows.values()]);
    this.heads.forEach((head, column) => { head.ariaSort = column !== this.column ? "none" : this.descending ? "descending" : "ascending"; });
    this.say(chosen.length, pages);
  }

  /** Put rows on the page; what has the focus keeps it. */
  place(rows) {
    const [body] = this.table.tBodies, { activeElement } = document;
    if (rows.length === body.rows.length && rows.every((row, at) => row === body.rows[at])) return;
    body.replaceChildren(...rows);
    if (activeElement?.closest("tbody") && body.contains(activeElement)) activeElement.focus({ preventScroll: true });
  }

  row(job) {
    const button = node("button", { type: "button", className: "job" });
    button.onclick = () => this.open(job.id);
    return node("tr", {}, node("th", { scope: "row" }, button), ...JOB_COLUMNS.slice(1).map(({ kind }) => node("td", { className: kind })));
  }

  fill(row, job, now) {
    const [first] = row.cells;
    write(first.firstChild, String(job.number));
    first.firstChild.ariaLabel = `Show job ${job.number}`;
    JOB_COLUMNS.slice(1).forEach(({ text }, at) => write(row.cells[at + 1], text(job, now)));
    row.dataset.state = job.state;
  }

  say(count, pages) {
    const all = this.jobs.list(false), counts = OPEN.map((state) => [state, all.filter((job) => job.state === state).length]).filter(([, jobs]) => jobs);
    write(byId("count"), all.length ? `${counted(all.length, "job")}: ${counts.map(([state, jobs]) => `${number.format(jobs)} ${stateName(state)}`).join(", ")}.` : "");
    byId("pager").hidden = pages < 2;
    byId("earlier").disabled = this.page === 0;
    byId("later").disabled = this.page === pages - 1;
    write(byId("page-of"), `${number.format(this.page * ROWS + 1)} to ${number.format(Math.min(count, (this.page + 1) * ROWS))} of ${number.format(count)}`);
    this.table.hidden = !count;
    byId("jobs-empty").hidden = !!count;
    const isFiltered = byId("filter").value.trim() || byId("state").value;
    write(byId("jobs-empty"), !this.jobs.isLoaded ? "Asking for the jobs." : isFiltered ? "No job is like this."
      : "No job waits or runs. Submit one: echelon submit -n 1 -t 1:00 -- sleep 20");
  }
}

/** Whether a job has all of some terms somewhere. */
function contains(job, terms) {
  if (!terms.length) return true;
  const text = `${job.number} ${job.name} ${job.owner} ${job.cluster} ${stateName(job.state)} ${job.reason} ${commandOf(job)}`.toLowerCase();
  return terms.every((term) => text.includes(term));
}
