// The service's interface: requests with the token, if there is one, and the service's clock.

const TOKEN = "echelon-token";
const PATIENCE = 20_000; // milliseconds until a request counts as not answered

/** Why a request was not answered as asked, as a sentence; status 0: there was no answer. */
class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

class Interface {
  constructor() {
    this.token = sessionStorage.getItem(TOKEN) ?? "";
    this.ahead = 0; // seconds by which the service's clock is ahead of the browser's
  }

  /** Use a token from now on, or for "" none. */
  use(token) {
    this.token = token;
    if (token) sessionStorage.setItem(TOKEN, token);
    else sessionStorage.removeItem(TOKEN);
  }

  get headers() { return this.token ? { Authorization: `Bearer ${this.token}` } : {}; }

  /** Unix time in seconds, by the service's clock. */
  now() { return Date.now() / 1000 + this.ahead; }

  /** Note what the service's clock says. */
  setClock(unix) { this.ahead = unix - Date.now() / 1000; }

  /** The answer to a request below v1/, as JSON. */
  async ask(path, method = "GET") {
    const answer = await this.fetch(path, { method, signal: AbortSignal.timeout(PATIENCE) });
    try {
      return await answer.json();
    } catch {
      throw new Refusal(0, "The service's answer broke off.");
    }
  }

  async fetch(path, options) {
    let answer;
    try {
      answer = await fetch(`v1/${path}`, { headers: this.headers, cache: "no-store", ...options });
    } catch {
      throw new Refusal(0, "The service does not answer.");
    }
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  }
}

async function refusalOf(answer) {
  let detail = "";
  try { ({ detail } = await answer.json()); } catch { /* not from the service: a proxy says something else */ }
  return new Refusal(answer.status, sentence(detail || `the answer has the status ${answer.status}`));
}

/** A text as a sentence, with a capital and a full stop. */
const sentence = (text) => `${capital(text)}${/[.!?]$/.test(text) ? "" : "."}`;
