// Special functions of statistics: the normal, gamma, beta, Student and noncentral chi-squared distributions, and their inverses.
// Names are those of scipy.special, which the lab uses; densities are C. Loader's (2000), which lose no digits where counts are large.

const TINY = 1e-300, EPSILON = 2 ** -52, STEPS = 100_000;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** Return the logarithm of the gamma function of x > 0. */
export function gammaln(x) {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - gammaln(1 - x);
  if (x > 15) return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + stirling(x);
  let sum = LANCZOS[0];
  for (let i = 1; i < 9; i++) sum += LANCZOS[i] / (x - 1 + i);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Return the error of Stirling's formula for the logarithm of x!, less that of x. */
function stirling(x) {
  if (x < 15) return gammaln(x + 1) - (x + 0.5) * Math.log(x) + x - 0.5 * Math.log(2 * Math.PI);
  const s = 1 / (x * x);
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - (1 / 1188 - (691 / 360360) * s) * s) * s) * s) * s) / x;
}

/** Return x log(x / m) + m - x. */
function deviance(x, m) {
  if (Math.abs(x - m) < 0.1 * (x + m)) {
    const v = (x - m) / (x + m);
    let sum = (x - m) * v, term = 2 * x * v;
    for (let j = 1; j < 1000; j++) {
      term *= v * v;
      const next = sum + term / (2 * j + 1);
      if (next === sum) return next;
      sum = next;
    }
  }
  return x * Math.log(x / m) + m - x;
}

/** Return m^x e^-m / Γ(x + 1). */
function poisson(x, m) {
  if (m === 0) return x === 0 ? 1 : 0;
  if (x === 0) return Math.exp(-m);
  if (x < 1) return Math.exp(-m + x * Math.log(m) - gammaln(x + 1));
  return Math.exp(-stirling(x) - deviance(x, m)) / Math.sqrt(2 * Math.PI * x);
}

/** Return the lower and the upper tail of the gamma distribution with shape a, the two of which add up to 1. */
function gammaTails(a, x) {
  if (!(x > 0)) return [0, 1];
  if (x === Infinity) return [1, 0];
  const density = poisson(a, x);
  if (x < a + 1) {
    let sum = 1, term = 1;
    for (let n = 1; n < STEPS && term > EPSILON * 0.1 * sum; n++) sum += (term *= x / (a + n));
    const low = density * sum;
    return [low, 1 - low];
  }
  let b = x + 1 - a, c = 1 / TINY, d = 1 / b, h = d;
  for (let i = 1; i < STEPS; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / nonzero(an * d + b);
    c = nonzero(b + an / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < EPSILON) break;
  }
  const high = density * a * h;
  return [1 - high, high];
}
const nonzero = (x) => (Math.abs(x) < TINY ? TINY : x);

/** Return the chance of less than x of the gamma distribution with shape a. */
export const gammainc = (a, x) => gammaTails(a, x)[0];

/** Return the chance of more than x of it. */
export const gammaincc = (a, x) => gammaTails(a, x)[1];

/** Return the x below which the gamma distribution lies with chance p. */
export function gammaincinv(a, p) {
  if (p <= 0) return 0;
  if (p >= 1) return Infinity;
  const low = p < 0.5;
  return root((x) => (low ? gammainc(a, x) - p : 1 - p - gammaincc(a, x)), 0, a + 10 * Math.sqrt(a) + 10);
}

/** Return the chance of at most x of the beta distribution with a and b. */
export function betainc(a, b, x) {
  if (!(x > 0)) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaLow(b, a, 1 - x, x);
  return betaLow(a, b, x, 1 - x);
}

/** Return the chance of at least x of the beta distribution with a and b, all its digits. */
const betaincc = (a, b, x) => betainc(b, a, 1 - x);

function betaLow(a, b, x, y) {
  // x^a (1 - x)^b / B(a, b), by the binomial density.
  const n = a + b;
  const log = stirling(n) - stirling(a) - stirling(b) - deviance(a, n * x) - deviance(b, n * y);
  const front = Math.exp(log) * Math.sqrt((a * b) / (2 * Math.PI * n));
  let c = 1, d = 1 / nonzero(1 - ((a + b) * x) / (a + 1)), h = d;
  for (let m = 1; m < STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    h *= d * c;
    if (Math.abs(d * c - 1) < EPSILON) break;
  }
  return (front * h) / a;
}

/** Return the x below which the beta distribution lies with chance p. */
export function betaincinv(a, b, p) {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  return root((x) => (p < 0.5 ? betainc(a, b, x) - p : 1 - p - betaincc(a, b, x)), 0, 1);
}

/** Return the chance of at most k of n with probability p each. */
export function bdtr(k, n, p) {
  return k >= n ? 1 : k < 0 ? 0 : betainc(n - k, k + 1, 1 - p);
}

/** Return the smallest k of n with probability a half each that is not exceeded with a chance of at least `chance`. */
export function binomialQuantile(chance, n) {
  let low = -1, high = n;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (bdtr(middle, n, 0.5) >= chance) high = middle;
    else low = middle;
  }
  return high;
}

/** Return the chance that a standard normal number is at most z. */
export function ndtr(z) {
  if (z !== z) return NaN;
  const [inside, outside] = gammaTails(0.5, (z * z) / 2);
  if (z * z < 1) return 0.5 + (z < 0 ? -0.5 : 0.5) * inside;
  return z < 0 ? outside / 2 : 1 - outside / 2;
}

/** Return the z that a standard normal number does not exceed with chance p. */
export function ndtri(p) {
  if (p <= 0) return -Infinity;
  if (p >= 1) return Infinity;
  if (p > 0.5) return -lowQuantile(1 - p);
  return lowQuantile(p);
}
function lowQuantile(p) {
  if (p === 0.5) return 0;
  const t = Math.sqrt(-2 * Math.log(p)); // a start within 5e-4 (C. Hastings, 1955), then Halley's steps
  let z = -(t - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t ** 3));
  for (let i = 0; i < 4; i++) {
    const step = (ndtr(z) - p) / (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI));
    z -= step / (1 + (z * step) / 2);
    if (Math.abs(step) < 1e-15 * Math.abs(z)) break;
  }
  return z;
}

/** Return the t that Student's distribution exceeds with this chance, below a half. */
export function studentAbove(chance, freedom) {
  const x = betaincinv(freedom / 2, 0.5, 2 * chance);
  return Math.sqrt((freedom * (1 - x)) / x);
}

/** Return the chance of at most x of chi-squared. */
export const chdtr = (freedom, x) => gammainc(freedom / 2, x / 2);

/** Return the chance of at most x of noncentral chi-squared: a sum over Poisson's weights, from the largest outwards. */
export function chndtr(x, freedom, noncentrality) {
  const half = noncentrality / 2, y = x / 2, middle = Math.floor(half);
  let a = freedom / 2 + middle, weight = poisson(middle, half), below = gammainc(a, y), density = poisson(a, y), sum = 0;
  const start = { a, weight, below, density };
  for (let j = middle; weight * Math.max(below, 0) > 1e-18 && j < middle + STEPS; ) {
    sum += weight * below;
    below -= density;
    density *= y / (a + 1);
    a += 1;
    j += 1;
    weight *= half / j;
  }
  ({ a, weight, below, density } = start);
  for (let j = middle; j > 0; ) {
    density *= a / y;
    below = Math.min(1, below + density);
    weight *= j / half;
    a -= 1;
    j -= 1;
    if (weight < 1e-18) break;
    sum += weight * below;
  }
  return Math.min(sum, 1);
}

/** Return where an increasing function is 0, between two ends (the upper one grows where it is too low). */
export function root(f, low, high) {
  for (let i = 0; f(high) < 0 && i < 200; i++) high *= 2;
  let [a, b] = [low, high], [fa, fb] = [f(a), f(b)];
  if (fa >= 0) return a;
  for (let i = 0; i < 300; i++) { // false position, halved where it does not close in
    const between = i % 3 === 2 ? (a + b) / 2 : a - (fa * (b - a)) / (fb - fa);
    const x = between > a && between < b ? between : (a + b) / 2;
    if (!(x > a && x < b)) break;
    const fx = f(x);
    if (fx === 0) return x;
    if (fx < 0) [a, fa] = [x, fx];
    else [b, fb] = [x, fx];
    if (b - a <= 1e-15 * Math.abs(b)) break;
  }
  return (a + b) / 2;
}
