// From values to places in a chart, with round values.

const LOG_FROM = 12; // ratio of the largest value to the smallest from which an automatic scale is logarithmic

class Scale {
  constructor(low, high, start, end, isLog) { Object.assign(this, { low, high, start, end, isLog }); }

  /**
   * A scale on which all finite values have a place. `way` is auto, linear or log; on a logarithmic one that is asked
   * for, values of 0 and below are at its beginning. `logarithmic` says whether an automatic one may be logarithmic.
   */
  static around(values, start, end, way = "auto", logarithmic = true) {
    const known = values.filter((value) => value != null && Number.isFinite(value)), positive = known.filter((value) => value > 0);
    const finite = way === "log" && positive.length ? positive : known.length ? known : [0, 1], low = Math.min(...finite), high = Math.max(...finite);
    if (low > 0 && (way === "log" || (way === "auto" && logarithmic && high / low > LOG_FROM))) return new Scale(low / 1.15, high * 1.15, start, end, true);
    const first = low >= 0 && low < .5 * high ? 0 : low, room = (high - first) * .06 || Math.abs(high) * .06 || 1;
    return new Scale(first === 0 && high > 0 ? 0 : first - room, high + room, start, end, false);
  }

  at(value) {
    const share = this.isLog ? Math.log(Math.max(value, this.low) / this.low) / Math.log(this.high / this.low) : (value - this.low) / (this.high - this.low);
    return this.start + Math.min(1, Math.max(0, share)) * (this.end - this.start);
  }

  get ticks() { return this.isLog ? this.decades(5) : this.steps(5); }

  steps(most) {
    const power = 10 ** Math.floor(Math.log10((this.high - this.low) / most)), rough = (this.high - this.low) / most;
    const step = power * [1, 2, 5, 10].find((digit) => digit * power >= rough * .999), first = Math.ceil(this.low / step - 1e-9);
    return Array.from({ length: Math.max(0, Math.floor(this.high / step + 1e-9) - first + 1) }, (_, place) => +((first + place) * step).toPrecision(12));
  }

  decades(most) {
    const first = Math.floor(Math.log10(this.low)), last = Math.ceil(Math.log10(this.high));
    let inside = [];
    for (const digits of [[1, 2, 5], [1, 3], [1]]) {
      inside = Array.from({ length: last - first + 1 }, (_, place) => digits.map((digit) => digit * 10 ** (first + place))).flat().filter((value) => value >= this.low && value <= this.high);
      if (inside.length <= most) break;
    }
    return inside.filter((_, place) => place % Math.max(1, Math.ceil(inside.length / most)) === 0);
  }
}

/** A round value as short as it can be: "1,000", "0.7". */
const tickText = (value) => Math.abs(value) >= 1e-6 || !value ? value.toLocaleString("en-US", { maximumFractionDigits: 6 }) : value.toExponential();

/** The level of an interval as text. */
const levelText = (level) => `${+(100 * level).toPrecision(6)} %`;

/** A p-value as text. */
const chanceText = (value) => Number.isNaN(value) ? "–" : value < 1e-4 ? "< 0.0001" : figure(value, 2);

/** A measure in the unit that the page has for it. */
class Measure {
  constructor(name, facts) { Object.assign(this, { name, ...facts }); }
  get title() { return this.unit ? `${this.label}, ${this.unit}` : this.label; }
  /** The nearest value that the metric can have. */
  within(value) { return Math.min(Math.max(value, this.least ?? -Infinity), this.most ?? Infinity); }
  /** Whether an interval leaves the range of the metric. */
  isCut(mean, half) { return [mean - half, mean + half].some((bound) => Number.isFinite(bound) && this.within(bound) !== bound); }
  /** An interval by half its width, or by its bounds within the range of the metric: "0.13", "[0 to 4.700]". */
  intervalSaid(mean, half, byBounds) {
    if (!byBounds || !Number.isFinite(half)) return this.said(half, 2);
    return `[${this.said(this.within(mean - half))} to ${this.said(this.within(mean + half))}]`;
  }
  scaled(value) { return value == null ? NaN : value * this.factor; }
  said(value, digits = 4) { return figure(this.scaled(value), digits); }
  exactly(value) { return `${(+this.scaled(value).toPrecision(8)).toLocaleString("en-US", { maximumSignificantDigits: 8 })} ${this.unit}`.trim(); }
}
