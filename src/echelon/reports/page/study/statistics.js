// What the table of configurations says: means, paired differences, their intervals and p-values, as `echelon.analysis` has them.

const NOISE = 1e-8; // relative: the page's values have nine digits

/** The mean of numbers; NaN of none. */
const meanOf = (values) => values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : NaN;

/** Half the width of the interval of a mean by Student's t; NaN with fewer than two values or without quantiles. */
function halfWidth(values, quantiles) {
  const n = values.length, mean = meanOf(values), quantile = quantiles[n - 2];
  if (n < 2 || quantile == null) return NaN;
  return quantile * Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n);
}

/**
 * Columns of a level experiment by experiment, where all of them are known: of drawn combinations the mean of each
 * seed over its combinations, of the seeds that lack none that others have.
 */
function experimentsOf(columns, seeds) {
  const known = columns[0].map((_, row) => row).filter((row) => columns.every((column) => column[row] != null));
  if (!seeds.length) return columns.map((column) => known.map((row) => column[row]));
  const groups = new Map();
  for (const row of known) groups.set(seeds[row], [...(groups.get(seeds[row]) ?? []), row]);
  const most = Math.max(0, ...[...groups.values()].map((rows) => rows.length));
  const whole = [...groups].filter(([, rows]) => rows.length === most).sort(([a], [b]) => a - b).map(([, rows]) => rows);
  return columns.map((column) => whole.map((rows) => meanOf(rows.map((row) => column[row]))));
}

/** The values of one column; of one that no chance enters its one value. */
function experimentsAlone(level, values, column) {
  const [found] = experimentsOf([values[column]], level.seeds);
  return level.certain[column] ? found.slice(0, 1) : found;
}

/** A column against another one, pair by pair: difference, its half width, p-value, and how the pairs went. */
function pairedWith(level, values, column, baseline, quantiles) {
  let [mine, theirs] = experimentsOf([values[column], values[baseline]], level.seeds);
  if (level.certain[column] && level.certain[baseline]) [mine, theirs] = [mine.slice(0, 1), theirs.slice(0, 1)];
  const differences = mine.map((value, row) => value - theirs[row]), exact = level.certain[column] && level.certain[baseline];
  if (!differences.length) return null;
  const difference = meanOf(differences), spread = exact ? NaN : halfWidth(differences, quantiles), base = meanOf(theirs);
  const half = spread < NOISE * Math.max(...mine.map(Math.abs), ...theirs.map(Math.abs)) ? 0 : spread;
  const side = (wanted) => differences.filter((value) => Math.sign(value) === wanted).length;
  return { difference, half, exact, n: differences.length, percent: base ? 100 * difference / Math.abs(base) : NaN,
    p: exact || differences.length < 2 ? NaN : pairedChance(differences), below: side(-1), equal: side(0), above: side(1) };
}

/** The two-sided p-value of the paired t. */
function pairedChance(differences) {
  const n = differences.length, mean = meanOf(differences);
  const error = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n);
  if (!(error > 0)) return mean === 0 ? 1 : 0;
  const t = mean / error, freedom = n - 1;
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, .5);
}

/** p-values by Holm's correction; NaN stays. */
function holm(values) {
  const order = values.map((_, place) => place).filter((place) => !Number.isNaN(values[place])).sort((a, b) => values[a] - values[b]);
  const adjusted = values.map(() => NaN);
  let least = 0;
  order.forEach((place, rank) => { least = Math.max(least, Math.min(1, (order.length - rank) * values[place])); adjusted[place] = least; });
  return adjusted;
}

/** The regularized incomplete beta function, by its continued fraction (Lentz's method). */
function incompleteBeta(x, a, b) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a, tiny = 1e-300;
  let c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), found = d;
  for (let m = 1; m < 400; m++) {
    for (const part of [m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))]) {
      d = 1 / (1 + part * d || tiny);
      c = 1 + part / c || tiny;
      found *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return front * found;
}

const logBeta = (a, b) => logGamma(a) + logGamma(b) - logGamma(a + b);

/** The logarithm of the gamma function of a positive number: Stirling's series, from 10 on. */
function logGamma(x) {
  let shift = 0;
  for (; x < 10; x++) shift -= Math.log(x);
  const z = 1 / (x * x);
  return shift + (x - .5) * Math.log(x) - x + .5 * Math.log(2 * Math.PI) + (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z / 1680))) / x;
}
