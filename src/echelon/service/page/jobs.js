// What is known of jobs: listed once, kept up by events. What an event does not say is asked for where it is shown.

const PAGE = 1000; // jobs asked for at once
const MOST_ENDED = 500; // that are kept, of those that ended while this was looked at
const FEW_ASKED = 24; // jobs that are asked for one by one

class Jobs {
  /** `changed` is called whenever something is known that was not. */
  constructor(service, changed) {
    Object.assign(this, { service, changed, known: new Map(), strangers: new Set(), isLoaded: false });
    this.news = 0; // counts events: an answer that was asked for before an event is older than it
    this.at = new Map(); // the last event of each job, by that count
    this.outdated = new Set();
  }

  get(id) { return this.known.get(id); }

  /** All jobs that have not ended, or those that have ended since this page was opened. */
  list(ended) { return [...this.known.values()].filter((job) => isEnded(job.state) === ended); }

  /** Note an event. */
  event({ subject, state, reason, at }) {
    this.at.set(subject, ++this.news);
    const job = this.known.get(subject);
    if (!job) return void (this.strangers.add(subject), this.changed());
    this.keep({ ...job, state, reason, started_at: state === "RUNNING" ? job.started_at ?? at : job.started_at, ended_at: isEnded(state) ? at : null });
    this.outdated.add(subject);
    this.changed();
  }

  /** Ask for all jobs that have not ended. */
  async load() {
    const began = this.news, listed = new Set();
    for (let cursor = ""; cursor !== null;) {
      const before = this.news, page = await this.service.ask(`jobs?state=open&limit=${PAGE}${cursor && `&cursor=${cursor}`}`);
      for (const job of page.jobs) {
        listed.add(job.id);
        this.take(job, before);
      }
      cursor = page.next;
      this.changed();
    }
    // What is not listed any more has ended while the connection was closed.
    for (const [id, job] of this.known)
      if (!isEnded(job.state) && !listed.has(id) && (this.at.get(id) ?? 0) <= began) this.outdated.add(id), this.strangers.add(id);
    this.isLoaded = true;
    this.changed();
  }

  /** Ask for what has changed: jobs never seen, and those shown. */
  async refresh(shown) {
    if (this.strangers.size > FEW_ASKED) {
      this.strangers.clear();
      return this.load();
    }
    const ids = new Set(this.strangers);
    for (const id of shown) if (this.outdated.has(id)) ids.add(id);
    this.strangers.clear();
    await Promise.all([...ids].slice(0, 2 * FEW_ASKED).map((id) => this.ask(id)));
  }

  async ask(id) {
    const before = this.news;
    try {
      this.take(await this.service.ask(`jobs/${id}`), before);
      this.changed();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 404) this.forget(id);
    }
  }

  /** Take an answer that was asked for when there had been `before` events. */
  take(job, before) {
    const isOlder = (this.at.get(job.id) ?? 0) > before, known = this.known.get(job.id);
    if (!isOlder) this.outdated.delete(job.id);
    else if (known) job = { ...job, state: known.state, reason: known.reason, ended_at: known.ended_at };
    this.strangers.delete(job.id);
    this.keep(job);
  }

  keep(job) {
    const ends = isEnded(job.state) && !isEnded(this.known.get(job.id)?.state ?? "");
    if (ends) this.known.delete(job.id); // the last to end is the last to be forgotten
    this.known.set(job.id, job);
    if (!ends) return;
    const ended = this.list(true);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.forget(id);
  }

  forget(id) {
    this.known.delete(id);
    this.outdated.delete(id);
    this.at.delete(id);
  }
}
