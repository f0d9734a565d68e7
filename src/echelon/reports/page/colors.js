// How the Gantt chart colors jobs.

const USER_COLORS = ["4e79a7", "f28e2b", "59a14f", "e15759", "76b7b2", "edc948", "b07aa1", "ff9da7", "9c755f", "6a9bd8", "86bc6a", "d4779b"]
  .map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));

/** How jobs of a run are colored: a code for each job, the colors of the codes, and the ends of the legend. */
function jobColors(run, rule) {
  const code = new Uint8Array(run.jobs);
  if (rule === "user" && run.userCode) {
    for (let job = 0; job < run.jobs; job++) code[job] = (Math.imul(run.userCode[job] + 1, 0x9e3779b1) >>> 0) % USER_COLORS.length;
    return { code, colors: USER_COLORS, legend: null };
  }
  const value = rule === "wait" ? (job) => run.start[job] - run.submit[job] : (job) => run.size[job] - (rule === "size");
  let most = 1;
  for (let job = 0; job < run.jobs; job++) most = Math.max(most, value(job));
  for (let job = 0; job < run.jobs; job++) code[job] = 255 * Math.log1p(Math.max(0, value(job))) / Math.log1p(most);
  return { code, colors: RAMP, legend: rule === "wait" ? ["0 s", duration(most)] : ["1", `${most + 1} processors`] };
}
