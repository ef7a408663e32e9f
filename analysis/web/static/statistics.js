// Rates, intervals that hold together, and verdicts: the twin of the lab's analysis/stats (rates.py, inference.py, answer.py).
// Tables are lists of rows with the columns of the lab's tables. tests/web compares every figure with the lab's.

import { betainc, betaincinv, binomialQuantile, bdtr, gammaincinv, ndtr, ndtri, studentAbove } from "./special.js";
import { WORDS } from "./words.js";

export const known = (x) => x !== null && x !== undefined && x === x;
const clip = (x, low, high) => Math.min(Math.max(x, low), high);

// --- Rates

/** Return the ends of Wilson's interval. */
export function wilson(wins, n, confidence = WORDS.confidence) {
  if (!(n > 0)) return [NaN, NaN];
  const z = ndtri(0.5 + confidence / 2), p = wins / n, middle = p + (z * z) / (2 * n);
  const spread = z * Math.sqrt(Math.max(p * (1 - p), 0) / n + (z * z) / (4 * n * n)), scale = 1 + (z * z) / n;
  return [wins <= 0 ? 0 : clip((middle - spread) / scale, 0, 1), wins >= n ? 1 : clip((middle + spread) / scale, 0, 1)];
}

/** Return the columns of a rate. */
export function rateColumns(wins, n, name) {
  const [low, high] = wilson(wins, n);
  return { [name]: n > 0 ? wins / n : NaN, [`${name}_low`]: low, [`${name}_high`]: high };
}

/** Return wins and number of independent cases that vary as these do; `squares` is Σ (y - rate · m)² over the games they are of. */
export function asCases(wins, n, squares) {
  const alone = (wins * (n - wins)) / n, few = Math.min(wins, n - wins) < WORDS.clustered;
  const effect = Math.max(alone > 0 ? squares / alone : 1, few ? 1 : 1e-9);
  return [wins / effect, n / effect];
}

/** Return the columns of a rate whose cases come in games (`asCases`). */
export function clusteredRateColumns(wins, n, squares, name) {
  const [low, high] = wilson(...asCases(wins, n, squares));
  return { [name]: n > 0 ? wins / n : NaN, [`${name}_low`]: low, [`${name}_high`]: high };
}

/** Say whether there are too few wins, or losses, for a model's intervals. */
export const hardlyAny = (wins, n) => Math.min(wins, n - wins) < WORDS.fewCases;

/** Return the median of the places of counts, by how often each occurs. */
export function medianOfCounts(counts) {
  const total = counts.reduce((a, b) => a + b, 0);
  if (!total) return NaN;
  return (placeOf(counts, Math.floor((total + 1) / 2)) + placeOf(counts, Math.floor(total / 2) + 1)) / 2;
}

/** Return the smallest place that at least this share of counts does not exceed. */
export function quantileOfCounts(counts, share) {
  if (share === 0.5) return medianOfCounts(counts);
  const total = counts.reduce((a, b) => a + b, 0);
  return total ? placeOf(counts, Math.max(1, Math.ceil(share * total))) : NaN;
}
function placeOf(counts, rank) {
  let reached = 0;
  return counts.findIndex((n) => (reached += n) >= rank);
}

/** Return the order statistics that hold the median of counts with at least 95%. */
export function medianInterval(counts) {
  const n = counts.reduce((a, b) => a + b, 0), k = binomialQuantile((1 - WORDS.confidence) / 2, n);
  return k ? [placeOf(counts, k), placeOf(counts, n - k + 1)] : [NaN, NaN];
}

/** Return how far Student's interval of a mean reaches on either side. */
export function studentReach(error, n) {
  return studentAbove((1 - WORDS.confidence) / 2, Math.max(n - 1, 1)) * error;
}

// --- Statements about many figures at once

/** Return the two-sided p value of a normal estimate against zero. */
export function twoSided(estimate, error) {
  return 2 * ndtr(-(estimate === 0 && error === 0 ? 0 : Math.abs(estimate) / error));
}

/**
 * Return for each row `p`, `p_adjusted` and the ends of the interval that hold for all rows together.
 * `ends(row, confidence)` gives the ends of a row's interval; of a `family` of the lab's report each question counts for more.
 */
export function together(p, ends, questions = null, nulls = null, family = "") {
  const number = weightOf(family) * Math.max(1, questions ?? p.filter(known).length), tail = WORDS.significant / number;
  return p.map((given, row) => {
    const none = nulls ? nulls[row] : 0;
    let own = given, [low, high] = ends(row, 1 - tail);
    if (known(own) && known(low)) {
      if (low <= none && none <= high && own <= tail) own = touching(row, ends, tail, none);
      if (!(number * own <= WORDS.significant)) [low, high] = [Math.min(low, none), Math.max(high, none)];
    }
    return { p: own, p_adjusted: Math.min(1, number * own), low, high };
  });
}

const weightOf = (family) => (family ? WORDS.weights[family] : 1);

/** Return the tail with which an end of a row's interval lies at the value that it is compared with. */
function touching(row, ends, tail, none) {
  let [below, above] = [tail, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (below + above) / 2, [low, high] = ends(row, 1 - middle);
    if (low <= none && none <= high) below = middle;
    else above = middle;
  }
  return above;
}

/** Return the ends of a normal interval. */
export function normalEnds(estimate, error, confidence) {
  const reach = -ndtri((1 - confidence) / 2) * error;
  return [estimate - reach, estimate + reach];
}

/** Return how many different questions there are among the rows that are tested: two that mirror each other are one. */
export function distinct(estimate, p) {
  const rows = p.map((_, i) => i).filter((i) => known(p[i])), total = rows.reduce((sum, i) => sum + (estimate[i] || 0), 0);
  return rows.length - (rows.length === 2 && Math.abs(total) < 1e-9 ? 1 : 0);
}

/** Return the columns of a normal estimate with its 95% interval. */
export function around(name, estimate, error) {
  const reach = WORDS.quantile * error;
  return { [name]: estimate, [`${name}_low`]: estimate - reach, [`${name}_high`]: estimate + reach };
}

/** Return the ends of the interval of a difference of two rates of separate games (Newcombe), as shares. */
export function newcombe(wins, n, otherWins, otherN, confidence) {
  const a = wins / n, b = otherWins / otherN, [lowA, highA] = wilson(wins, n, confidence);
  const [lowB, highB] = wilson(otherWins, otherN, confidence);
  return [a - b - Math.hypot(a - lowA, highB - b), a - b + Math.hypot(highA - a, b - lowB)];
}

const cases = (rate, error) => (error > 0 ? Math.max(rate * (1 - rate), 1e-12) / error ** 2 : 1);
const scored = (rate, error) => error > 0 && rate > 0 && rate < 1;

/** Return the ends of Wilson's interval of a rate by its standard error. */
export function scoreEnds(rate, error, confidence) {
  const n = cases(rate, error);
  return scored(rate, error) ? wilson(rate * n, n, confidence) : normalEnds(rate, error, confidence);
}

/** Return the p value of a rate against a share that belongs to `scoreEnds`. */
export function scoreAgainstShare(rate, error, share) {
  const there = Math.sqrt((share * (1 - share)) / cases(rate, error));
  return twoSided(rate - share, scored(rate, error) ? there : error);
}

/** Return the exact two-sided p value of a rate against a share. */
export function exactAgainstShare(wins, n, share) {
  const atLeast = (own, rest, part) => (own > 0 ? betainc(Math.max(own, 1e-9), rest + 1, part) : 1);
  return Math.min(1, 2 * Math.min(atLeast(wins, n - wins, share), atLeast(n - wins, wins, 1 - share)));
}

/** Return the ends of the exact interval of a rate (Clopper and Pearson). */
export function exactEnds(wins, n, confidence) {
  const tail = (1 - confidence) / 2, lost = n - wins;
  return [
    wins > 0 ? betaincinv(Math.max(wins, 1e-9), lost + 1, tail) : 0,
    lost > 0 ? betaincinv(wins + 1, Math.max(lost, 1e-9), 1 - tail) : 1,
  ];
}

// --- Pairs of games that hardly ever differ

/** Return the exact p value of so many pairs up among those that differ. */
export const signTest = (ups, changed) => Math.min(1, 2 * bdtr(Math.min(ups, changed - ups), changed, 0.5));

/** Return the interval of a difference of rates in which few of n pairs differ. */
export function rareInterval(ups, downs, n, confidence) {
  const tail = (1 - confidence) / 2;
  const [least, most] = [(k) => (k > 0 ? gammaincinv(k, tail) : 0), (k) => gammaincinv(k + 1, 1 - tail)];
  const below = Math.hypot(ups - least(ups), most(downs) - downs), above = Math.hypot(most(ups) - ups, downs - least(downs));
  return [Math.max((ups - downs - below) / n, -1), Math.min((ups - downs + above) / n, 1)];
}

/** Return how far below and above its estimate a difference of means may be, where few of n pairs differ, each by `size`. */
export function rareReach(ups, downs, n, size, confidence) {
  const [low, high] = rareInterval(ups, downs, n, confidence), middle = (ups - downs) / n;
  return [size * (middle - low), size * (high - middle)];
}

/** Return what share of pairs may be changed beyond those that are seen to be, all of it in one direction. */
export function unseen(changed, n, confidence) {
  const most = gammaincinv(changed + 1, 1 - (1 - confidence) / 2);
  return (most - changed) / n / Math.sqrt(Math.max(changed, 1));
}

// --- Verdicts

const HIGHER = ["FAR_ABOVE", "ABOVE"], LOWER = ["FAR_BELOW", "BELOW"], DECIDED = ["FAR_ABOVE", "WITHIN", "FAR_BELOW"];
export const FAR = ["FAR_ABOVE", "FAR_BELOW"], DIFFERENT = [...HIGHER, ...LOWER];

/** Return the verdict of a row: its name, which stands beside its words. */
export const verdictOf = (row) => row.verdict_key ?? null;

/** Return the rows of a judged table that have one of these verdicts. */
export const having = (rows, wanted) => rows.filter((row) => wanted.includes(verdictOf(row)));

/** Return what an interval says against zero and a margin around it. */
export function read(low, high, margin) {
  if (!known(low) || !known(high)) return "NOT_COMPARED";
  if (low > margin) return "FAR_ABOVE";
  if (high < -margin) return "FAR_BELOW";
  if (-margin <= low && high <= margin) return "WITHIN";
  return low > 0 ? "ABOVE" : high < 0 ? "BELOW" : "UNDECIDED";
}

/** Return the normal quantile of intervals that hold together for so many questions. */
export const quantileFor = (questions) => -ndtri(WORDS.significant / 2 / questions);

function adjustedP(verdict, value, low, high, margin, questions) {
  const below = value - low, above = high - value;
  let clear, reach;
  if (HIGHER.includes(verdict)) [clear, reach] = [value - (verdict === "FAR_ABOVE" ? margin : 0), below];
  else if (LOWER.includes(verdict)) [clear, reach] = [-value - (verdict === "FAR_BELOW" ? margin : 0), above];
  else if (verdict === "WITHIN") {
    const ways = [[margin - value, above], [margin + value, below]], size = ([a, b]) => a / Math.max(b, 1e-300);
    [clear, reach] = size(ways[0]) <= size(ways[1]) ? ways[0] : ways[1];
  } else return NaN;
  return reach <= 0 ? 0 : Math.min(1, 2 * questions * ndtr((-quantileFor(questions) * clear) / reach));
}

/** Return how sure a finding with this adjusted p value is. */
export const certaintyOf = (p) => (p < WORDS.strong ? "strong" : p <= WORDS.significant ? "shown" : "open");

/** Return the certainty of a sentence that names several figures: that of the least sure. */
export const weakest = (certainties) => WORDS.order[Math.max(...certainties.map((one) => WORDS.order.indexOf(one)))];

/** Return for how many questions together the intervals of the table hold. */
export function questionsOf(rows, family = "") {
  if (!rows.length || !("p" in rows[0])) return weightOf(family) * Math.max(1, rows.length);
  const sure = rows.filter((row) => row.p > 0 && row.p_adjusted < 1);
  const most = Math.max(...sure.map((row) => row.p_adjusted / row.p));
  return Math.max(1, sure.length ? evenly(most) : weightOf(family) * rows.filter((row) => known(row.p)).length);
}
const evenly = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));

/** Return the chance that an estimate leads to a verdict, for a true effect and a standard error. */
function chance(wanted, effect, error, margin, quantile) {
  const reach = quantile * error, inner = Math.max(margin - reach, 0), outer = Math.max(reach, inner);
  const above = (bound) => {
    const z = (effect - bound) / error;
    return ndtr(z !== z ? 0 : z);
  };
  const found = { FAR_ABOVE: above(margin + reach), FAR_BELOW: 1 - above(-margin - reach) };
  found.WITHIN = margin >= reach ? above(-inner) - above(inner) : 0;
  if (wanted.includes("ABOVE")) found.ABOVE = above(outer) - found.FAR_ABOVE;
  if (wanted.includes("BELOW")) found.BELOW = 1 - above(-outer) - found.FAR_BELOW;
  return wanted.reduce((sum, one) => sum + found[one], 0);
}

/** Return the largest standard error with which a decision comes with the lab's power; 0 where none is small enough. */
function errorThatDecides(effect, margin, quantile) {
  const size = Math.max(Math.abs(effect) + margin, 1e-12), likely = (error) => chance(DECIDED, effect, error, margin, quantile) >= WORDS.power;
  let [least, most] = [size * 1e-7, size * 10];
  if (!likely(least)) return 0;
  for (let i = 0; i < 60; i++) {
    const error = Math.sqrt(least * most);
    if (likely(error)) least = error;
    else most = error;
  }
  return least;
}

/** Return the fewest and the most games in all that decide with the lab's power. */
export function gamesToDecide(low, high, error, games, margin, quantile) {
  const effects = [low, high, clip(0, low, high), clip(margin, low, high), clip(-margin, low, high)];
  const needed = [...new Set(effects)].map((effect) => {
    const enough = errorThatDecides(effect, margin, quantile), n = games * (error / enough) ** 2;
    return enough <= 0 || n > 1e12 ? Infinity : Math.ceil(n);
  });
  return [Math.max(Math.min(...needed), games + 1), Math.max(...needed, games + 1)];
}

/** Return the table with `verdict`, `verdict_key`, `certainty`, `games_fewest` and `games_most` (null where nothing is open). */
export function judged(rows, name, margin, games, kind = "STRENGTH", family = "", questions = questionsOf(rows, family)) {
  const number = questions, quantile = quantileFor(number), words = WORDS.verdicts[kind];
  return rows.map((row) => {
    const own = typeof margin === "function" ? margin(row) : margin;
    const [value, low, high] = [row[name], row[`${name}_all_low`], row[`${name}_all_high`]];
    const tested = !row.small_sample && known(low) && (!("p" in row) || known(row.p));
    const verdict = tested ? read(low, high, own) : "NOT_COMPARED";
    let p = adjustedP(verdict, value, low, high, own, number);
    if ("p_adjusted" in row && DIFFERENT.includes(verdict)) p = known(row.p_adjusted) ? Math.max(p, row.p_adjusted) : p;
    const open = !DECIDED.includes(verdict) && verdict !== "NOT_COMPARED", kept = `${name}_low` in row ? "" : "_all";
    const [fewest, most] = open
      ? gamesToDecide(row[`${name}${kept}_low`], row[`${name}${kept}_high`], (high - low) / 2 / quantile, games, own, quantile)
      : [null, null];
    const certainty = verdict === "NOT_COMPARED" ? "untested" : certaintyOf(p);
    return { ...row, verdict: words[verdict], verdict_key: verdict, certainty, games_fewest: fewest, games_most: most };
  });
}

/** Return the fewest and the most games in all that decide every open row; null if none is open. */
export function stillNeeded(rows) {
  const open = rows.filter((row) => known(row.games_fewest));
  return open.length ? ["games_fewest", "games_most"].map((name) => Math.max(...open.map((row) => row[name]))) : null;
}
