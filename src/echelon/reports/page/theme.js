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

// Viridis at nine points (van der Walt and Smith, 2015): even in lightness, so that more looks like more.
const RAMP_POINTS = [[68, 1, 84], [71, 45, 123], [59, 82, 139], [44, 114, 142], [33, 145, 140], [40, 174, 128], [94, 201, 98], [173, 220, 48], [253, 231, 37]];
const RAMP = Array.from({ length: 256 }, (_, level) => {
  const at = level / 255 * (RAMP_POINTS.length - 1), low = Math.min(Math.floor(at), RAMP_POINTS.length - 2);
  return [0, 1, 2].map((c) => RAMP_POINTS[low][c] + (at - low) * (RAMP_POINTS[low + 1][c] - RAMP_POINTS[low][c]));
});
const RAMP_CSS = `linear-gradient(90deg, ${RAMP_POINTS.map((rgb) => `rgb(${rgb})`).join(", ")})`;
