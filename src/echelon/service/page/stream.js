// Events as they happen. An EventSource cannot send a token, so the stream is read here; and read again when it ends.

const SILENCE = 40_000; // milliseconds without a sign of life, of which there is one every 15 s
const PAUSES = [500, 1000, 2000, 5000, 10_000, 20_000];

class Stream {
  /** `event` is called with each event; `opened` when the stream opens, `closed` with a Refusal when it ends. */
  constructor(service, { event, opened, closed }) {
    Object.assign(this, { service, event, opened, closed, last: null, isOpen: false, stopped: false });
  }

  /** Follow until `stop`. */
  async follow() {
    for (let failures = 0; !this.stopped; failures++) {
      let problem = new Refusal(0, "The service has ended the stream of events.");
      try {
        await this.read();
      } catch (error) {
        if (!(error instanceof Refusal) && error.name !== "AbortError" && !(error instanceof TypeError)) throw error;
        if (error instanceof Refusal) problem = error;
      }
      if (this.isOpen) failures = 0;
      this.isOpen = false;
      if (this.stopped) return;
      this.closed(problem);
      await new Promise((done) => setTimeout(done, PAUSES[Math.min(failures, PAUSES.length - 1)]));
    }
  }

  stop() {
    this.stopped = true;
    this.abort?.abort();
  }

  /** Read one stream to its end. */
  async read() {
    this.abort = new AbortController();
    const answer = await this.service.fetch(`events${this.last === null ? "" : `?after=${this.last}`}`, { signal: this.abort.signal });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = "", timer; ;) {
      timer = setTimeout(() => this.abort.abort(), SILENCE);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      if (!this.isOpen) {
        this.isOpen = true;
        this.opened();
      }
      const parts = (text + value).split("\n\n");
      text = parts.pop();
      for (const part of parts) this.take(part);
    }
  }

  /** Take the lines of one event; comments are signs of life. */
  take(part) {
    const data = part.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
    if (!data) return;
    const event = JSON.parse(data);
    this.last = event.number;
    this.event(event);
  }
}
