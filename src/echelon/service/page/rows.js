// Rows of processors for jobs of which only their number of processors is known.

/** The processors of a cluster while jobs are put onto them in the order of their starts. */
class Rows {
  constructor(processors) {
    this.processors = processors;
    this.parts = [{ first: 0, height: processors, until: -Infinity }]; // held until then, ordered, all of them
  }

  /** Intervals [first, height] for a job: those `wanted`, if they are free; else the lowest that hold it as one; else the lowest free
   * ones. Where too few are free, as news of one job may be older than that of another, those that are free first. */
  take(start, end, count, wanted) {
    count = Math.min(count, this.processors);
    const chosen = wanted && this.areFree(wanted, start) ? wanted : this.choose(start, count);
    for (const [first, height] of chosen) this.hold(first, height, end);
    return chosen;
  }

  areFree(intervals, start) {
    return intervals.every(([first, height]) => first + height <= this.processors
      && this.parts.every((part) => part.until <= start || part.first >= first + height || part.first + part.height <= first));
  }

  choose(start, count) {
    const free = united(this.parts.filter((part) => part.until <= start)), whole = free.find(([, height]) => height >= count);
    if (whole) return [[whole[0], count]];
    const chosen = [], late = this.parts.filter((part) => part.until > start).sort((a, b) => a.until - b.until || a.first - b.first);
    for (const [first, height] of [...free, ...late.map((part) => [part.first, part.height])]) {
      if (count === 0) break;
      chosen.push([first, Math.min(height, count)]);
      count -= chosen.at(-1)[1];
    }
    return united(chosen.sort((a, b) => a[0] - b[0]).map(([first, height]) => ({ first, height })));
  }

  /** Let an interval be held until a time. */
  hold(low, height, until) {
    const high = low + height, parts = [];
    const add = (first, last, time) => {
      const before = parts.at(-1);
      if (first >= last) return;
      if (before?.until === time) before.height += last - first;
      else parts.push({ first, height: last - first, until: time });
    };
    for (const part of this.parts) {
      const last = part.first + part.height;
      add(part.first, Math.min(last, low), part.until);
      add(Math.max(part.first, low), Math.min(last, high), Math.max(until, part.until));
      add(Math.max(part.first, high), last, part.until);
    }
    this.parts = parts;
  }
}

/** Parts in order as intervals [first, height], those that touch as one. */
function united(parts) {
  const found = [];
  for (const { first, height } of parts) {
    const before = found.at(-1);
    if (before && before[0] + before[1] === first) before[1] += height;
    else found.push([first, height]);
  }
  return found;
}
