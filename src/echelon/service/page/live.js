// Puts everything on the page, and keeps it up: by events as they happen, and without them by asking now and then.

const EVERY = { clusters: 5000, outlook: 30_000, errors: 60_000, jobs: 60_000, unheard: 10_000, hidden: 60_000 }; // milliseconds
const CALM = { table: 250, asked: 600, outlook: 4000, errors: 15_000 };

class LivePage {
  constructor() {
    const open = (id) => this.open(id).catch((error) => this.trouble(error.message));
    this.service = new Interface();
    this.caller = { user: "", scopes: [] };
    this.jobs = new Jobs(this.service, () => this.changed());
    this.table = new JobTable(this.jobs, this.service, { open, turned: () => this.refresh() });
    this.clusters = new Clusters(this.service);
    this.outlook = new Outlook(this.service, { open, submitted: (bar) => this.jobs.get(bar.job)?.submitted_at });
    this.card = new JobCard(this.service, () => this.caller);
    this.errors = new ForecastErrors(this.service);
    this.refresh = calmly(() => this.heeding(() => this.jobs.refresh(this.table.shown)), CALM.asked);
    this.changed = calmly(() => { this.table.draw(); this.titled(); this.refresh(); }, CALM.table);
    this.ask = {
      clusters: calmly(() => this.heeding(() => this.clusters.load()), 1000),
      outlook: calmly(() => this.heeding(() => this.outlook.load()), CALM.outlook),
      errors: calmly(() => this.heeding(() => this.errors.load()), CALM.errors),
      jobs: calmly(() => this.heeding(() => this.jobs.load()), 2000),
    };
    this.addForms();
  }

  addForms() {
    addThemeButton(byId("theme"));
    byId("token-form").onsubmit = (event) => {
      event.preventDefault();
      this.service.use(byId("token").value.trim());
      this.begin();
    };
    byId("find").onsubmit = async (event) => {
      event.preventDefault();
      write(byId("find-answer"), "");
      const name = byId("find-job").value.trim();
      if (name) await this.open(name).catch((error) => write(byId("find-answer"), error.message));
    };
  }

  /** Find out who looks at this, and show what there is. */
  async begin() {
    try {
      this.caller = await this.service.ask("caller");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.refused(error);
    }
    this.trouble("");
    byId("token-section").hidden = true;
    byId("live").hidden = false;
    write(byId("caller"), this.caller.user ? `as ${this.caller.user}` : "");
    write(byId("zone"), `times in ${zoneText(this.service.now())}`);
    this.follow();
    await Promise.allSettled([this.clusters.load(), this.jobs.load(), this.outlook.load(), this.errors.load()]);
    this.table.draw();
    this.keepUp();
    requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.ready = "true"; }));
  }

  /** Follow events from now on. */
  follow() {
    this.stream?.stop();
    this.stream = new Stream(this.service, { event: (event) => this.event(event), opened: () => this.opened(), closed: (problem) => this.closed(problem) });
    this.stream.follow();
  }

  /** Follow nothing while the page is hidden: a browser has six connections to a service, for all its tabs. */
  rest() {
    clearTimeout(this.resting);
    if (document.hidden) this.resting = setTimeout(() => this.stream.stop(), EVERY.hidden);
    else if (this.stream.stopped) this.follow();
    else for (const ask of Object.values(this.ask)) ask();
  }

  /** Ask for a token where one is needed, else try again. */
  refused(problem) {
    this.link("closed", "Not connected");
    if (problem.status === 401 || problem.status === 403) {
      this.stream?.stop();
      byId("live").hidden = true;
      byId("token-section").hidden = false;
      this.trouble(this.service.token || problem.status === 403 ? problem.message : "");
      byId("token").focus();
      document.documentElement.dataset.ready = "token";
    } else {
      this.trouble(`${problem.message} It is asked again every few seconds.`);
      setTimeout(() => this.begin(), 3000);
    }
  }

  /** Ask now and then for what no event tells. */
  keepUp() {
    if (this.timers) return;
    this.timers = ["clusters", "outlook", "errors", "jobs"].map((name) => setInterval(() => { if (!document.hidden) this.ask[name](); }, EVERY[name]));
    this.timers.push(setInterval(() => { if (!document.hidden && !this.stream.isOpen) { this.ask.jobs(); this.ask.outlook(); } }, EVERY.unheard));
    this.timers.push(setInterval(() => { this.clusters.tick(); if (!document.hidden) this.outlook.view?.again(); }, 1000));
    document.addEventListener("visibilitychange", () => this.rest());
    addEventListener("pagehide", () => this.stream.stop());
    addEventListener("pageshow", (event) => { if (event.persisted) this.follow(); });
  }

  // What the stream says

  event(event) {
    if (event.kind === "job") {
      this.jobs.event(event);
      this.card.event(event.subject);
      this.ask.outlook();
      if (isEnded(event.state)) this.ask.errors();
    }
    if (event.kind === "attempt") this.card.event(event.subject);
    if (event.kind !== "attempt") this.ask.clusters();
  }

  opened() {
    this.link("open", "Live");
    this.trouble("");
    // What happened before the stream was open is not in it.
    if (this.jobs.isLoaded) for (const ask of Object.values(this.ask)) ask();
  }

  closed(problem) {
    if (problem.status === 401 || problem.status === 403) return this.refused(problem);
    this.link("closed", "Connecting again");
    this.trouble(problem.status ? problem.message : `${problem.message} What is shown may be old.`);
  }

  // What the page says

  /** Do what asks the service; where it refuses, say so. */
  async heeding(act) {
    try {
      await act();
      if (this.stream?.isOpen) this.trouble("");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.trouble(error.message);
    }
  }

  /** Show the card of a job, by its id or number. */
  open(id) { return this.card.open(id); }

  link(state, text) {
    byId("link").dataset.state = state;
    write(byId("link"), text);
  }

  trouble(text) {
    byId("trouble").hidden = !text;
    write(byId("trouble"), text);
  }

  titled() {
    const open = this.jobs.list(false), running = open.filter(({ state }) => state === "RUNNING").length;
    document.title = open.length ? `${running} running, ${open.length - running} to come · Echelon` : "Echelon";
  }
}

readTheme();
new LivePage().begin().catch((error) => {
  byId("trouble").hidden = false;
  byId("trouble").textContent = `The page could not be drawn: ${error.message}.`;
  throw error;
});
