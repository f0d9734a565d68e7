// Colors, read from the style sheet, so that light and dark have one source.

const theme = {};
const darkness = matchMedia("(prefers-color-scheme: dark)");

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "soft", "line", "grid", "empty", "paper"]) theme[name] = style.getPropertyValue(`--${name}`).trim();
}

/** Call `redraw` whenever light becomes dark or dark light. */
function onTheme(redraw) {
  darkness.addEventListener("change", () => { readTheme(); redraw(); });
}

// After Okabe and Ito (2008), adjusted to be told apart on white and on black, also by color-blind people.
const RUN_COLORS = ["#2f7fd1", "#e07b00", "#13a078", "#cc5fa0", "#8a6fd8", "#b59a00", "#d1495b", "#5aa9c9"];
const runColor = (place) => RUN_COLORS[place % RUN_COLORS.length];

const USER_COLORS = ["4e79a7", "f28e2b", "59a14f", "e15759", "76b7b2", "edc948", "b07aa1", "ff9da7", "9c755f", "6a9bd8", "86bc6a", "d4779b"]
  .map((hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)));

// Viridis at nine points (van der Walt and Smith, 2015): even in lightness, so that more looks like more.
const RAMP_POINTS = [[68, 1, 84], [71, 45, 123], [59, 82, 139], [44, 114, 142], [33, 145, 140], [40, 174, 128], [94, 201, 98], [173, 220, 48], [253, 231, 37]];
const RAMP = Array.from({ length: 256 }, (_, level) => {
  const at = level / 255 * (RAMP_POINTS.length - 1), low = Math.min(Math.floor(at), RAMP_POINTS.length - 2);
  return [0, 1, 2].map((c) => RAMP_POINTS[low][c] + (at - low) * (RAMP_POINTS[low + 1][c] - RAMP_POINTS[low][c]));
});
const RAMP_CSS = `linear-gradient(90deg, ${RAMP_POINTS.map((rgb) => `rgb(${rgb})`).join(", ")})`;

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
