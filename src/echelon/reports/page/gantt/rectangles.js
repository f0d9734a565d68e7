// Where jobs ran: rectangles of time and processor numbers, found by time and by job.
//
// A piece is a span of time in which a job held processors; it has a rectangle for each interval of their
// numbers. A job that was never interrupted is one piece; inside a cluster it is one for each moment at which
// it took or gave back cores, and a piece may begin with a node that wakes up and end with cores that are blocked.

class Rectangles {
  constructor(run) {
    const gantt = run.gantt ?? { count: new Uint8Array(run.jobs), first: [], height: [] };
    this.lowest = gantt.first;
    this.count = gantt.height;
    this.total = gantt.first.length;
    this.offset = sums(gantt.count);
    this.jobOf = gantt.job ?? Int32Array.from({ length: run.jobs }, (_, job) => job);
    this.start = gantt.start ?? run.start;
    const [starts, lengths] = gantt.start ? [gantt.start, gantt.run] : [run.start, run.run];
    this.end = Float64Array.from(starts, (start, piece) => start + lengths[piece]); // whole starts come in arrays of whole numbers
    this.waking = gantt.waking;
    this.blocked = gantt.blocked;
    this.sortByLength();
    this.piecesOf = piecesByJob(this.jobOf, run.jobs);
    this.siteOf = run.sites && run.labels.site.codes;
    this.stack(run.stack);
  }

  /** Put each rectangle where the stack of sites has it: `first` and `height` are drawn, `lowest` and `count` are numbers. */
  stack(stack) {
    this.first = this.lowest;
    this.height = this.count;
    if (!stack?.equal) return;
    this.first = new Float64Array(this.total);
    this.height = new Float64Array(this.total);
    for (let piece = 0; piece < this.jobOf.length; piece++) {
      const site = this.siteOf[this.jobOf[piece]], scale = stack.scale(site);
      for (let r = this.offset[piece]; r < this.offset[piece + 1]; r++) {
        this.first[r] = stack.heightOf(site, this.lowest[r] - stack.before[site]);
        this.height[r] = this.count[r] * scale;
      }
    }
  }

  /** When the tasks of a piece began to progress, and when they had ended. */
  runs(piece) {
    return [this.start[piece] + (this.waking?.[piece] ?? 0), this.end[piece] - (this.blocked?.[piece] ?? 0)];
  }

  /** Lowest and highest number of each interval of cores that a job held, at one time or another. */
  coresOf(job) {
    return joined(this.ofJob(job).flatMap(({ intervals }) => intervals));
  }

  /** Sum over a job's pieces of a column of times, each times its cores. */
  coreTime(job, column) {
    const { offset, order } = this.piecesOf;
    let total = 0;
    for (let k = offset[job]; column && k < offset[job + 1]; k++)
      for (let r = this.offset[order[k]]; r < this.offset[order[k] + 1]; r++) total += column[order[k]] * this.count[r];
    return total;
  }

  /** Lowest and highest number of each interval of processors that a job held first, counted within its site. */
  numbersOf(job, before) {
    const piece = this.piecesOf.order[this.piecesOf.offset[job]], below = before ? before[this.siteOf[job]] : 0, found = [];
    for (let r = this.offset[piece]; r < this.offset[piece + 1]; r++) found.push([this.lowest[r] - below, this.lowest[r] + this.count[r] - 1 - below]);
    return found;
  }

  /** Put pieces of like length together, ordered by start: then those within a span of time are near each other. */
  sortByLength() {
    const { start, end } = this, n = end.length;
    const byStart = Uint32Array.from({ length: n }, (_, piece) => piece).sort((a, b) => start[a] - start[b]);
    const level = Uint8Array.from(end, (stop, piece) => Math.max(0, Math.min(63, Math.ceil(Math.log2(stop - start[piece])) + 20)));
    const first = sums(countsOf(level, 64)), next = first.slice();
    this.order = new Uint32Array(n);
    for (const piece of byStart) this.order[next[level[piece]]++] = piece;
    this.starts = Float64Array.from(this.order, (piece) => start[piece]);
    this.levels = [];
    for (let each = 0; each < 64; each++)
      if (first[each + 1] > first[each]) this.levels.push({ from: first[each], to: first[each + 1], longest: 2 ** (each - 20) });
  }

  /** Ranges of `order` that hold every piece between two times, and few others. */
  spans(t0, t1) {
    return this.levels.map(({ from, to, longest }) => [this.firstAfter(t0 - longest, from, to), this.firstAfter(t1, from, to)]);
  }

  firstAfter(time, low, high) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Numbers of the pieces and rectangles within a view, in pairs; null where there are more than `most`. */
  within({ t0, t1, p0, p1 }, most) {
    const { order, start, end, offset, first, height } = this, found = [];
    for (const [from, to] of this.spans(t0, t1))
      for (let k = from; k < to; k++) {
        const piece = order[k];
        if (end[piece] < t0 || start[piece] > t1) continue;
        for (let r = offset[piece]; r < offset[piece + 1]; r++)
          if (first[r] < p1 && first[r] + height[r] > p0) found.push(piece, r);
        if (found.length > 2 * most) return null;
      }
    return found;
  }

  /** The job at a moment on a processor, or -1; the nearest one within `reach` pixels finds what is thinner than a pixel. */
  jobAt(time, processor, { seconds, processors, reach }) {
    const found = this.within({ t0: time - reach * seconds, t1: time + reach * seconds, p0: processor - reach * processors, p1: processor + reach * processors }, Infinity);
    let best = -1, least = Infinity;
    for (let k = 0; k < found.length; k += 2) {
      const piece = found[k], r = found[k + 1];
      const aside = outside(time, this.start[piece], this.end[piece]) / seconds, above = outside(processor, this.first[r], this.first[r] + this.height[r]) / processors;
      const away = Math.hypot(aside, above);
      if (away < least) [best, least] = [this.jobOf[piece], away];
    }
    return best;
  }

  /** The pieces of a job, each with its times and where its intervals of processors are drawn, lowest and highest number. */
  ofJob(job) {
    const pieces = [];
    for (let k = this.piecesOf.offset[job]; k < this.piecesOf.offset[job + 1]; k++) {
      const piece = this.piecesOf.order[k], intervals = [];
      for (let r = this.offset[piece]; r < this.offset[piece + 1]; r++) intervals.push([this.first[r], this.first[r] + this.height[r] - 1]);
      pieces.push({ start: this.start[piece], end: this.end[piece], intervals });
    }
    return pieces;
  }
}

/** How far `value` lies outside of low to high; 0 inside. */
const outside = (value, low, high) => value < low ? low - value : value >= high ? value - high : 0;

/** Running sums of counts, 0 first. */
function sums(counts) {
  const total = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) total[i + 1] = total[i] + counts[i];
  return total;
}

function countsOf(codes, most) {
  const counts = new Int32Array(most);
  for (const code of codes) counts[code]++;
  return counts;
}

function piecesByJob(jobOf, jobs) {
  const offset = sums(countsOf(jobOf, jobs)), next = offset.slice(), order = new Int32Array(jobOf.length);
  for (let piece = 0; piece < jobOf.length; piece++) order[next[jobOf[piece]]++] = piece;
  return { offset, order };
}
