// The sites of a grid, one above the other in the Gantt chart: which processors are whose, and how high each site is drawn.

// Pixels, of a site with a name, and of one with lines around it; lines close to each other are faint, so that jobs stay visible.
const LABEL_HEIGHT = 15, LEAST_BAND = 4, FAINT = .25;

class Stack {
  constructor({ sites: { name, processors }, processors: total }) {
    Object.assign(this, { name, processors, total, length: name.length });
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
      if (bottom - top >= LABEL_HEIGHT * ratio) this.label(context, area, this.name[site], top);
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
    const wide = Math.min(context.measureText(name).width, width / 3), tall = (LABEL_HEIGHT - 2) * ratio;
    context.globalAlpha = .85;
    context.fillStyle = theme.paper;
    context.fillRect(left + ratio, top + ratio, wide + 8 * ratio, tall);
    context.globalAlpha = 1;
    context.fillStyle = theme.ink;
    context.fillText(name, left + 5 * ratio, top + ratio + tall / 2, wide);
  }
}
