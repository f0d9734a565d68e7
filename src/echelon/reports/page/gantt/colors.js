// How the Gantt chart colors jobs: a color for each of a few classes of users, queues, sizes or waits.

// After Tol's qualitative scheme "muted" (2021), made for color-blind people; its darkest are lighter on black.
const CLASS_COLORS = {
  light: ["cc6677", "332288", "ddaa33", "117733", "55b4e0", "882255", "44aa99", "999933", "aa4499"],
  dark: ["e07a8b", "7d74e0", "e8cf7a", "4cae6b", "7cc8f0", "c25b90", "5cc9b5", "b5b54a", "cf6fc0"],
};
const OTHERS = { light: "b3bac2", dark: "5f6872" };
const DIM = { light: "d9dee4", dark: "2b323a" };
const HIGHLIGHT = { light: "d1495b", dark: "ff8a80" };
const WAIT_EDGES = [[0, "0 s"], [1, "1 s"], [10, "10 s"], [MINUTE, "1 min"], [10 * MINUTE, "10 min"], [HOUR, "1 h"], [6 * HOUR, "6 h"], [DAY, "1 d"],
  [3 * DAY, "3 d"], [7 * DAY, "7 d"], [30 * DAY, "30 d"], [365 * DAY, "1 year"]];
const MOST_CLASSES = 9;
const FOUND = 60; // votes of a highlighted job in a pixel, so that it is found among many

const LABELED = { user: "user", queue: "queue", home_site: "home site" }; // rules that color by a name

/** What a rule is called. */
const ruleName = (rule) => LABELED[rule] ?? rule;

const rgbOf = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
const scheme = () => document.documentElement.dataset.theme;

/** The classes of a rule over all runs: their titles, those that any job has, and the class of each job of a run. */
function jobClasses(runs, rule) {
  const { count, title, classOf, untold } = { wait: waitClasses, size: sizeClasses, job: jobsInTurn }[rule]?.(runs) ?? labelClasses(runs, rule);
  const codes = new Map(runs.map((run) => [run, Uint8Array.from({ length: run.jobs }, classOf(run))]));
  const used = new Set(untold ? [] : [...codes.values()].flatMap((each) => [...new Set(each)]));
  return { rule, count, title, used, codes: (run) => codes.get(run) };
}

/** The colors of classes: different hues where they have no order, else from faint to strong. */
function classColors({ rule, count }) {
  if (rule === "job") return CLASS_COLORS[scheme()].slice(0, count).map(rgbOf);
  if (LABELED[rule])
    return [...CLASS_COLORS[scheme()].slice(0, count - 1), OTHERS[scheme()]].map(rgbOf).slice(-count);
  const [first, last] = scheme() === "dark" ? [40, 255] : [235, 0];
  return Array.from({ length: count }, (_, place) => RAMP[Math.round(first + (last - first) * (count < 2 ? 0 : place / (count - 1)))]);
}

/** Classes of users or queues: those with the most processor-seconds in the first run, and all others. */
function labelClasses(runs, rule) {
  const [area, label] = areaByLabel(runs[0], rule);
  const first = [...area].sort((a, b) => b[1] - a[1]).slice(0, CLASS_COLORS.light.length).map(([code]) => label(code));
  const place = new Map(first.map((name, at) => [String(name), at]));
  return {
    count: first.length + 1,
    title: (at) => at < first.length ? `${ruleName(rule)} ${named(first[at])}` : `other ${ruleName(rule)}s`,
    classOf: (run) => (_, job) => place.get(String(run.labels[rule]?.of(job))) ?? first.length,
  };
}

const named = (label) => label === "" || label === -1 ? "unknown" : label;

function areaByLabel(run, rule) {
  const area = new Map(), of = new Map(), { of: label, codes } = run.labels[rule];
  for (let job = 0; job < run.jobs; job++) {
    if (!area.has(codes[job])) of.set(codes[job], label(job));
    area.set(codes[job], (area.get(codes[job]) ?? 0) + run.held[job] * run.size[job]);
  }
  return [area, (code) => of.get(code)];
}

/** Each job in a color of its own, the same again after some: a legend tells them only where none comes again. */
function jobsInTurn([run]) {
  const count = Math.min(run.jobs, CLASS_COLORS.light.length);
  return { count, title: (at) => `job ${run.jobName(at)}`, classOf: () => (_, job) => job % count, untold: run.jobs > count };
}

/** Classes of waits, about logarithmic; seconds are distinguished only if no job waits for hours. */
function waitClasses(runs) {
  let most = 0;
  for (const run of runs) for (let job = 0; job < run.jobs; job++) most = Math.max(most, run.wait[job]);
  const kept = WAIT_EDGES.filter(([edge]) => edge < most);
  if (most > HOUR) kept.splice(1, 2);
  while (kept.length > MOST_CLASSES - 1) kept.splice(1, 1);
  const edges = kept.map(([edge]) => edge), label = (at) => kept[at][1];
  return {
    count: edges.length + 1,
    title: (at) => at === 0 ? "no wait" : at === edges.length ? `wait > ${label(at - 1)}` : `wait ≤ ${label(at)}`,
    classOf: (run) => (_, job) => classAt(edges, run.wait[job]),
  };
}

function sizeClasses(runs) {
  let most = 1;
  for (const run of runs) for (const size of run.size) most = Math.max(most, size);
  const doublings = Math.ceil(Math.log2(most)), step = Math.max(1, Math.ceil(doublings / (MOST_CLASSES - 1))), edges = [];
  for (let power = 0; power < doublings; power += step) edges.push(2 ** power);
  const range = (low, high) => low === high ? brief(low) : `${brief(low)}–${brief(high)}`;
  return {
    count: edges.length + 1,
    title: (at) => `${range(at === 0 ? 1 : edges[at - 1] + 1, at === edges.length ? most : edges[at])} processor${at === 0 ? "" : "s"}`,
    classOf: (run) => (_, job) => classAt(edges, run.size[job]),
  };
}

/** How many of the ascending edges a value is above. */
function classAt(edges, value) {
  let at = 0;
  while (at < edges.length && value > edges[at]) at++;
  return at;
}

/** What a Gantt chart paints a run with: a code for each job, the colors of the codes, and the weights of their votes. */
function paintOf(run, classes, lit) {
  const codes = classes.codes(run), colors = classColors(classes);
  if (!lit) return { code: codes, colors, weights: colors.map(() => 1) };
  const dim = colors.length, own = dim + 1, others = colors.length - 1;
  const plain = LABELED[classes.rule];
  const code = codes.map((each, job) => !lit.test(run, job) ? dim : plain && each === others && !lit.legend ? own : each);
  return { code, colors: [...colors, rgbOf(DIM[scheme()]), rgbOf(HIGHLIGHT[scheme()])], weights: [...colors.map(() => FOUND), 1, FOUND] };
}
