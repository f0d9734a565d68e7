// A job's card: what was asked for, where it is and why, what was forecast and what happened; and what its owner may wish.

const WITHIN = "80 in 100 within";

class JobCard {
  /** `caller` gives who looks at it. */
  constructor(service, caller) {
    Object.assign(this, { service, caller, id: null, turns: 0, shown: 0 });
    this.dialog = byId("job");
    this.buttons = Object.fromEntries([...byId("job-wishes").querySelectorAll("button")].map((button) => [button.value, button]));
    for (const [wish, button] of Object.entries(this.buttons)) button.onclick = () => this.wish(wish);
    byId("job-close").onclick = () => this.dialog.close();
    this.dialog.addEventListener("close", () => { this.id = null; });
    this.dialog.addEventListener("click", (event) => { if (event.target === this.dialog) this.dialog.close(); });
    this.reload = calmly(() => this.load(), 700);
  }

  /** Show a job, by its id or number; raises a Refusal where that cannot be. */
  async open(id) {
    this.id = String(id);
    this.answer = null;
    this.ask(null);
    this.complain("");
    await this.load(true);
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  /** Note that something happened to a job. */
  event(subject) {
    if (this.answer && this.answer.job.id === subject && this.dialog.open) this.reload();
  }

  async load(isFirst = false) {
    const { id } = this, turn = this.turns += 1;
    if (id === null) return;
    try {
      const [job, history] = await Promise.all([this.service.ask(`jobs/${encodeURIComponent(id)}`), this.service.ask(`jobs/${encodeURIComponent(id)}/decision`)]);
      // Two may be under way at once: what was asked for earlier must not replace what is newer.
      if (id !== this.id || turn < this.shown) return;
      this.shown = turn;
      this.answer = { job, history };
      this.fill();
    } catch (error) {
      if (!(error instanceof Refusal) || isFirst) throw error;
      this.complain(error.message);
    }
  }

  fill() {
    const { job, history } = this.answer, now = this.service.now();
    write(byId("job-title"), `Job ${job.number}${job.name ? ` · ${job.name}` : ""}`);
    byId("job-state").replaceChildren(node("p", {}, node("b", { className: "state", textContent: stateName(job.state) }), ` ${job.reason}`), ...staleText(job, now));
    byId("job-state").firstChild.dataset.state = job.state;
    byId("job-facts").replaceChildren(...factsOf(job, now), ...forecastOf(job, history, now), ...decisionsOf(history, now), ...attemptsOf(history, now), ...eventsOf(history, now));
    this.offer(job);
  }

  /** Offer what the caller may wish of the job. */
  offer({ state, wanted }) {
    const may = this.caller().scopes.includes("submit") && !isEnded(state);
    this.buttons.cancel.hidden = !may || wanted === "cancel";
    this.buttons.hold.hidden = !may || wanted !== "run" || state === "RUNNING";
    this.buttons.release.hidden = !may || wanted !== "hold";
    byId("job-wishes").hidden = Object.values(this.buttons).every((button) => button.hidden);
  }

  /** Tell the service what the owner wants; a cancellation is asked for twice. */
  async wish(wish) {
    if (wish === "cancel" && this.asked !== wish) return this.ask(wish);
    this.ask(null);
    this.complain("");
    for (const button of Object.values(this.buttons)) button.disabled = true;
    try {
      await this.service.ask(`jobs/${this.answer.job.id}:${wish}`, "POST");
      await this.load();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.complain(error.message);
    } finally {
      for (const button of Object.values(this.buttons)) button.disabled = false;
    }
  }

  /** Ask whether that is meant. */
  ask(wish) {
    this.asked = wish;
    write(this.buttons.cancel, wish ? "Cancel it: sure?" : "Cancel the job");
    clearTimeout(this.forgets);
    if (wish) this.forgets = setTimeout(() => this.ask(null), 5000);
  }

  complain(text) {
    byId("job-trouble").hidden = !text;
    write(byId("job-trouble"), text);
  }
}

const staleText = (job, now) => job.stale ? [node("p", { className: "problem", textContent: `This is what was known ${job.as_of === null ? "once" : `${span(now - job.as_of)} ago`}: ${job.cluster} has not been seen since.` })] : [];

const heading = (textContent) => node("h3", { textContent });

function factsOf(job, now) {
  const rows = [
    ["runs", commandOf(job)], ["owner", job.owner], ["processors", number.format(job.processors)],
    ["time limit", job.time_limit === null ? "the service's own" : span(job.time_limit)], ["cluster", job.cluster || "none yet"],
    ["submitted", timeAt(job.submitted_at, now)], job.started_at !== null && ["started", timeAt(job.started_at, now)], job.ended_at !== null && ["ended", timeAt(job.ended_at, now)],
    job.exit_code !== null && ["exit code", String(job.exit_code)], job.signal !== null && ["ended by signal", String(job.signal)],
    job.run > 1 && ["run", `${job.run}, after it was interrupted`], ["id", job.id],
  ].filter(Boolean);
  return [node("dl", {}, ...rows.flatMap(([name, value]) => [node("dt", { textContent: name }), node("dd", { textContent: value })]))];
}

/** What was forecast with the last decision, and what happened. */
function forecastOf(job, { forecasts }, now) {
  const said = forecasts.at(-1);
  if (!said) return [];
  const at = (seconds) => seconds === null ? null : said.at + seconds, start = at(said.wait_time), ran = job.started_at !== null && job.ended_at !== null;
  const end = start === null || said.run_time === null ? null : start + said.run_time;
  const apart = (forecast, actual) => forecast === null || actual === null ? "" : Math.abs(actual - forecast) < .5 ? "as forecast" : `${span(Math.abs(actual - forecast))} ${actual > forecast ? "later" : "earlier"}`;
  const missing = job.started_at === null ? (isEnded(job.state) ? "never" : "not yet") : "not yet";
  const longer = !ran || said.run_time === null ? "" : ((d) => Math.abs(d) < .5 ? "as forecast" : `${span(Math.abs(d))} ${d > 0 ? "longer" : "shorter"}`)(job.ended_at - job.started_at - said.run_time);
  const rows = [
    ["start", start === null ? "not known" : timeAt(start, now), between(at(said.earliest), at(said.latest), now), job.started_at === null ? missing : timeAt(job.started_at, now), apart(start, job.started_at)],
    ["run time", said.run_time === null ? "not known" : span(said.run_time), "", ran ? span(job.ended_at - job.started_at) : missing, longer],
    ["end", end === null ? "not known" : timeAt(end, now), "", job.ended_at === null ? "not yet" : timeAt(job.ended_at, now), apart(end, job.started_at === null ? null : job.ended_at)],
  ];
  return [heading("Forecast against what happened"), table(["", "forecast", WITHIN, "happened", "that is"], rows),
    node("p", { className: "hint", textContent: `Forecast at ${timeAt(said.at, now)}, when the cluster was chosen, with run times by ${said.estimator}.` })];
}

function decisionsOf({ decisions }, now) {
  if (!decisions.length) return [];
  const { at, broker, candidates, chosen, why } = decisions.at(-1), earlier = decisions.slice(0, -1).reverse();
  const rows = candidates.map((one) => [one.cluster + (one.cluster === chosen ? " ✓" : ""), one.why_not || (one.start === null ? "not forecast" : timeAt(one.start, now)), between(one.earliest, one.latest, now),
    one.run_time === null ? "" : span(one.run_time), number.format(one.free), number.format(one.waiting), `${span(one.age)} old`]);
  return [heading("Why this cluster"), node("p", { textContent: why }),
    table(["cluster", "could start", WITHIN, "run time", "free", "waiting", "news"], rows),
    node("p", { className: "hint", textContent: `Decided at ${timeAt(at, now)} by ${broker}.` }),
    ...earlier.map((one) => node("p", { className: "hint", textContent: `Before, at ${timeAt(one.at, now)}: ${one.chosen || "none"}. ${one.why}` }))];
}

function attemptsOf({ attempts }, now) {
  if (!attempts.length) return [];
  const rows = attempts.map((one) => [String(one.number), one.cluster, stateName(one.state), one.native_id, timeAt(one.intended_at, now), one.reason]);
  return [heading("Submissions"), table(["", "cluster", "state", "number there", "intended", "why"], rows)];
}

function eventsOf({ events }, now) {
  if (!events.length) return [];
  const items = [...events].reverse().map((event) => node("li", {}, node("time", { textContent: timeAt(event.at, now), dateTime: new Date(1000 * event.at).toISOString() }),
    node("b", { textContent: ` ${stateName(event.state)} ` }), event.reason));
  return [heading("What happened, the latest first"), node("ol", { className: "events" }, ...items)];
}

/** A table of texts, without the columns in which no row has any. */
function table(names, rows) {
  const used = names.map((_, column) => column).filter((column) => rows.some((row) => row[column] !== ""));
  return node("div", { className: "scroll" }, node("table", {}, tableHead(used.map((column) => names[column])), tableBody(rows.map((row) => used.map((column) => row[column])))));
}
