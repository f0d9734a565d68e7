// The clusters: how busy they are, and how old the news of them is. Ages count on by themselves.

const UNANSWERED = 15; // seconds without an answer of the service after which everything is stale

class Clusters {
  constructor(service) {
    this.service = service;
    this.items = new Map();
    this.all = [];
    this.answered = -Infinity;
  }

  /** Ask how the clusters are. */
  async load() {
    const { clusters } = await this.service.ask("clusters");
    this.answered = performance.now();
    this.all = clusters;
    const names = clusters.map(({ name }) => name);
    for (const name of [...this.items.keys()]) if (!names.includes(name)) this.items.delete(name);
    for (const cluster of clusters) {
      if (!this.items.has(cluster.name)) this.items.set(cluster.name, new ClusterItem());
      this.items.get(cluster.name).fill(cluster);
    }
    const elements = names.map((name) => this.items.get(name).element), host = byId("clusters");
    if (elements.length !== host.children.length || elements.some((element, at) => element !== host.children[at])) host.replaceChildren(...elements);
    this.tick();
  }

  /** Let the ages grow; call it every second. */
  tick() {
    const since = (performance.now() - this.answered) / 1000;
    for (const cluster of this.all) this.items.get(cluster.name).age(cluster, since);
  }
}

class ClusterItem {
  constructor() {
    this.title = node("h3", {});
    this.kind = node("span", { className: "soft" });
    this.marks = node("span", { className: "marks" });
    this.bar = node("i", {});
    this.room = node("div", { className: "busy" }, this.bar);
    Object.assign(this.room, { role: "meter", ariaValueMin: "0" });
    this.load = node("p", {});
    this.jobs = node("p", {});
    this.news = node("p", { className: "news" });
    this.problem = node("p", { className: "problem" });
    this.element = node("li", {}, node("div", { className: "cluster-head" }, this.title, this.kind, this.marks), this.room, this.load, this.jobs, this.news, this.problem);
  }

  fill({ name, backend, policy, mode, reachable, processors, busy, waiting, running, own_waiting, own_running, problem }) {
    const share = processors ? Math.min(1, busy / processors) : 0;
    write(this.title, name);
    write(this.kind, `${backend}, ${policy}`);
    this.marks.replaceChildren(...[mode === "drained" && "drained", !reachable && "out of reach"].filter(Boolean).map((textContent) => node("b", { textContent })));
    this.bar.style.width = `${100 * share}%`;
    Object.assign(this.room, { ariaLabel: `Busy processors of ${name}`, ariaValueNow: String(busy), ariaValueMax: String(processors) });
    write(this.load, `${number.format(busy)} of ${counted(processors, "processor")} busy (${Math.round(100 * share)} %)`);
    const all = running + waiting, own = own_running + own_waiting;
    const ours = !all ? "" : own === all ? ", all of the service" : `, ${own ? number.format(own) : "none"} of them of the service`;
    write(this.jobs, `${number.format(running)} running, ${number.format(waiting)} waiting${ours}`);
    write(this.problem, problem ? sentence(problem) : "");
    this.problem.hidden = !problem;
  }

  /** Say how old the news is, `since` seconds after the service said so. */
  age({ age, stale }, since) {
    const isStale = stale || since > UNANSWERED;
    this.element.classList.toggle("stale", isStale);
    write(this.news, age === null ? "stale: never seen as a whole" : `${isStale ? "stale: " : ""}news ${span(age + since)} old`);
  }
}
