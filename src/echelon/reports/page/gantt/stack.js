// What a Gantt chart shows one above the other: the sites of a grid with their processors, or the nodes of a machine with their cores.

// Pixels, of a site with a name, and of one with lines around it; lines close to each other are faint, so that jobs stay visible.
const LABEL_HEIGHT = 15, LEAST_BAND = 4, FAINT = .25;

/** The sites of a grid: which processors are whose, and how high each site is drawn. */
class Stack {
  constructor({ name, processors, cores }, total) {
    Object.assign(this, { name, processors, cores, total, length: name.length, one: "site", nameRoom: LABEL_HEIGHT });
    this.before = sums(processors); // of each site, the processors of those below
    this.equalize(false);
  }

  /** Draw all sites equally high, or each as high as it has processors. */
  equalize(equal) {
    this.equal = equal;
    this.bottom = equal ? Float64Array.from(this.before, (_, site) => site * this.total / this.length) : this.before;
  }

  /** Whether drawn equally high most sites have room for a name, and to scale most have none. */
  isClearerEqual(pixels) {
    const low = this.processors.filter((size) => size / this.total * pixels < LABEL_HEIGHT).length;
    return low > this.length / 2 && pixels / this.length >= LABEL_HEIGHT;
  }

  top(site) { return this.bottom[site + 1]; }

  /** Height in the chart of a processor, counted within its site. */
  heightOf(site, processor) {
    return this.bottom[site] + processor * this.scale(site);
  }

  /** Height in the chart of one processor of a site. */
  scale(site) { return (this.top(site) - this.bottom[site]) / this.processors[site]; }

  /** The site at a height of the chart. */
  at(height) {
    let low = 0, high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.bottom[middle] <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The processor of its site at a height of the chart. */
  processorAt(height) {
    const site = this.at(height);
    return (height - this.bottom[site]) / this.scale(site);
  }

  /** What is at a height of the chart, as a text. */
  describe(height) {
    const site = this.at(height);
    if (this.cores) return `${this.name[site]}, which shares ${number.format(this.cores[site])} processor${this.cores[site] === 1 ? "" : "s"}`;
    return `${this.name[site]}, processor ${number.format(Math.floor(this.processorAt(height)))} of ${number.format(this.processors[site])}`;
  }

  /** Sites within a view, from the lowest to the highest. */
  within({ p0, p1 }) {
    const found = [];
    for (let site = this.at(p0); site < this.length && this.bottom[site] < p1; site++) found.push(site);
    return found;
  }

  /** Heights at which an axis is marked: round numbers of processors in each site that has room for them. */
  ticks(low, high, pixels) {
    return this.within({ p0: low, p1: high }).flatMap((site) => {
      const size = this.processors[site], pixel = this.scale(site) * pixels / (high - low), step = WHOLE_STEPS.find((each) => each * pixel >= 28), marks = [];
      for (let mark = step; step && mark <= size - .4 * step; mark += step) marks.push(this.heightOf(site, mark));
      return marks.filter((mark) => mark >= low && mark <= high);
    });
  }

  /** Draw lines between the sites and the name of each that is high enough. */
  draw(context, area, view) {
    const { ratio } = area, y = (height) => area.top + (view.p1 - height) * area.height / (view.p1 - view.p0);
    context.font = `600 ${11 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const site of this.within(view)) {
      const top = Math.max(area.top, y(this.top(site))), bottom = Math.min(area.top + area.height, y(this.bottom[site]));
      context.globalAlpha = bottom - top >= LABEL_HEIGHT * ratio ? 1 : FAINT;
      if (bottom - top >= LEAST_BAND * ratio) this.line(context, area, y(this.bottom[site]));
      if (bottom - top >= this.nameRoom * ratio) this.label(context, area, this.name[site], top);
    }
    context.globalAlpha = 1;
  }

  line(context, area, y) {
    if (y >= area.top + area.height) return;
    context.fillStyle = theme.soft;
    context.fillRect(area.left, Math.round(y), area.width, Math.round(area.ratio));
  }

  /** A name on a plate, so that it can be read above jobs of any color. */
  label(context, { left, ratio, width }, name, top) {
    if (name.includes("/")) name = shortened(context, name, width / 3);
    const wide = Math.min(context.measureText(name).width, width / 3), tall = (LABEL_HEIGHT - 2) * ratio;
    context.globalAlpha = .85;
    context.fillStyle = theme.paper;
    context.fillRect(left + ratio, top + ratio, wide + 8 * ratio, tall);
    context.globalAlpha = 1;
    context.fillStyle = theme.ink;
    context.fillText(name, left + 5 * ratio, top + ratio + tall / 2, wide);
  }
}

/** The nodes of a machine: cores are numbered through all of them, and lie as high as they are many. */
class NodeStack extends Stack {
  constructor({ cores, processor, type, types }, total, name = Array.from(cores, (_, node) => `node ${node}`)) {
    super({ name, processors: Array.from(cores) }, total);
    Object.assign(this, { one: "node", part: "core", cuts: sums(processor), type: (node) => types[type[node]] });
  }

  isClearerEqual() { return false; }

  describe(height) {
    const node = this.at(height), type = this.type(node);
    return `${this.name[node]}${type ? ` (${type})` : ""}, core ${number.format(Math.floor(height))}`;
  }

  /** Numbers of the nodes that hold some of these intervals of cores, as intervals. */
  nodesOf(intervals) {
    return joined(intervals.map(([low, high]) => [this.at(low), this.at(high)]));
  }

  /** Lines between processors, where there is room for them, then nodes. */
  draw(context, area, view) {
    const pixel = area.height / (view.p1 - view.p0);
    context.globalAlpha = FAINT;
    for (let k = 1; k < this.cuts.length - 1; k++) {
      const cut = this.cuts[k];
      if (cut > view.p0 && cut < view.p1 && (cut - this.cuts[k - 1]) * pixel >= LABEL_HEIGHT * area.ratio) this.line(context, area, area.top + (view.p1 - cut) * pixel);
    }
    super.draw(context, area, view);
  }
}

/** The nodes of a multicluster: a node is as high as it may hold tasks at once. */
class SlotStack extends NodeStack {
  constructor(nodes, total) {
    const { clusters } = nodes, first = sums(clusters.nodes), name = [];
    clusters.name.forEach((site, place) => { for (let node = 0; node < clusters.nodes[place]; node++) name.push(`${site} node ${node}`); });
    super(nodes, total, name);
    Object.assign(this, { part: "task slot", clusters, firstNode: first, nameRoom: 2 * LABEL_HEIGHT }); // a name hides few of a node's tasks
  }

  describe(height) {
    const node = this.at(height), type = this.type(node);
    return `${this.name[node]}${type ? ` (${type})` : ""}, task slot ${number.format(Math.floor(this.processorAt(height)))} of ${number.format(this.processors[node])}`;
  }

  /** Nodes that hold some of these intervals of slots, by cluster, as a text. */
  placesOf(intervals) {
    const found = new Map();
    for (const [low, high] of this.nodesOf(intervals))
      for (let node = low; node <= high; node++) {
        const site = this.firstNode.findLastIndex((first) => first <= node), here = node - this.firstNode[site];
        found.set(site, [...found.get(site) ?? [], [here, here]]);
      }
    return [...found].map(([site, nodes]) => `${this.clusters.name[site]}: ${numbers(joined(nodes))}`).join("; ");
  }

  /** Thicker lines between clusters that are high enough, and their names where nodes are too low for theirs. */
  draw(context, area, view) {
    super.draw(context, area, view);
    const pixel = area.height / (view.p1 - view.p0), y = (node) => area.top + (view.p1 - this.bottom[node]) * pixel, room = LABEL_HEIGHT * area.ratio;
    this.clusters.name.forEach((name, site) => {
      const [low, high] = [this.firstNode[site], this.firstNode[site + 1]], bottom = Math.min(area.top + area.height, y(low)), top = Math.max(area.top, y(high));
      if (bottom <= top) return;
      context.globalAlpha = bottom - top >= 2 * room ? 1 : FAINT;
      if (site && y(low) < area.top + area.height) for (const shift of bottom - top >= 2 * room ? [-1, 0, 1] : [0]) this.line(context, area, y(low) + shift * area.ratio);
      if (this.processors[low] * pixel < this.nameRoom * area.ratio && bottom - top >= room) this.label(context, area, name, top);
    });
    context.globalAlpha = 1;
  }
}

/** Intervals in order, those that touch as one. */
function joined(intervals) {
  const found = [];
  for (const [low, high] of [...intervals].sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else found.push([low, high]);
  }
  return found;
}

function stackOf({ sites, nodes, processors }) {
  if (sites) return new Stack(sites, processors);
  return nodes ? new (nodes.clusters ? SlotStack : NodeStack)(nodes, processors) : null;
}
