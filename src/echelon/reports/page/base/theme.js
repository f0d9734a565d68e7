// Colors, read from the style sheet, so that light and dark have one source.

const theme = {};
const darkness = matchMedia("(prefers-color-scheme: dark)");

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["ink", "soft", "line", "grid", "empty", "paper", "accent"]) theme[name] = style.getPropertyValue(`--${name}`).trim();
}

const redraws = [];

/** Call `redraw` whenever light becomes dark or dark light. */
function onTheme(redraw) {
  redraws.push(redraw);
}

function useTheme(name) {
  document.documentElement.dataset.theme = name;
  readTheme();
  for (const redraw of redraws) redraw();
}

/** A button for light and dark; until it is pressed, the page follows the system. Paper is always light. */
function addThemeButton(button) {
  let pressed = false, before = "";
  const current = () => document.documentElement.dataset.theme;
  const use = (name) => {
    useTheme(name);
    button.textContent = name === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Use ${name === "dark" ? "light" : "dark"} colors`);
  };
  button.hidden = false;
  button.onclick = () => { pressed = true; use(current() === "dark" ? "light" : "dark"); };
  darkness.addEventListener("change", () => { if (!pressed) use(darkness.matches ? "dark" : "light"); });
  addEventListener("beforeprint", () => { before = current(); useTheme("light"); });
  addEventListener("afterprint", () => useTheme(before));
  use(current());
}

// After Okabe and Ito (2008), adjusted to be distinguishable on white and on black, also by color-blind people.
const RUN_COLORS = Array.from({ length: 8 }, (_, place) => getComputedStyle(document.documentElement).getPropertyValue(`--run-${place}`).trim());
const runColor = (place) => RUN_COLORS[place % RUN_COLORS.length];

// Viridis at nine points (van der Walt and Smith, 2015): even in lightness, so that more looks like more.
const RAMP_POINTS = [[68, 1, 84], [71, 45, 123], [59, 82, 139], [44, 114, 142], [33, 145, 140], [40, 174, 128], [94, 201, 98], [173, 220, 48], [253, 231, 37]];
const RAMP = Array.from({ length: 256 }, (_, level) => {
  const at = level / 255 * (RAMP_POINTS.length - 1), low = Math.min(Math.floor(at), RAMP_POINTS.length - 2);
  return [0, 1, 2].map((c) => RAMP_POINTS[low][c] + (at - low) * (RAMP_POINTS[low + 1][c] - RAMP_POINTS[low][c]));
});
const RAMP_CSS = `linear-gradient(90deg, ${RAMP_POINTS.map((rgb) => `rgb(${rgb})`).join(", ")})`;

/** The color of a mark on the page's own background, for a level from 0 to 1: the ramp's ends that fade into it are left out. */
const markColor = (level) => `rgb(${markShade(level).map(Math.round)})`;

/** The same as red, green and blue. */
function markShade(level) {
  const [low, high] = document.documentElement.dataset.theme === "dark" ? [.28, 1] : [0, .93];
  return RAMP[Math.round(255 * (low + level * (high - low)))];
}

/** The ramp of such marks, for a legend. */
const markRamp = () => `linear-gradient(90deg, ${[0, .25, .5, .75, 1].map(markColor).join(", ")})`;

/** Black or white, whichever stands out more on a color: by WCAG 2 at least 4.5 to 1, changing over at a luminance of 0.179. */
function inkOn(rgb) {
  const [r, g, b] = rgb.map((part) => part / 255).map((part) => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b > .179 ? "#000" : "#fff";
}
