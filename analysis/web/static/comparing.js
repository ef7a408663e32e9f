// Two rulesets on the same seeds: sums over pairs of games, and what the second changes against the first. The twin of the lab's
// analysis/questions/compare.py. Shares of a win are counted in sixtieths until the sums are complete.

import * as matrix from "./matrix.js";
import { chdtr, chndtr, ndtri, root } from "./special.js";
import {
  around, DIFFERENT, judged, newcombe, normalEnds, rareInterval, rareReach, signTest, together, twoSided, unseen, verdictOf,
} from "./statistics.js";
import { WORDS } from "./words.js";

const FIRST_LEADER = 3, LENGTH = "rounds", SPREAD = ["game", "leader spread"];

/** Return group and name of each figure. */
export function figuresOf(names) {
  const of = (group, kind, rate) => names[kind].map((name) => [group, `${rate} rate of ${name}`]);
  return [
    ["game", LENGTH], ["game", "unfinished games"], ["game", "win rate of the first player"],
    ...of("leaders", "leader", "win"), ...of("agendas", "agenda", "claim"), ...of("wonders", "wonder", "build"),
  ];
}

/** Return numerator and denominator of each figure in each game of a piece, one after the other. */
export function gameFigures(piece, names) {
  const agenda = FIRST_LEADER + names.leader.length, wonder = agenda + names.agenda.length, size = wonder + names.wonder.length;
  const { games, seats, wonders, agendas, players, n } = piece, values = new Float64Array(n * size * 2);
  const put = (game, figure, y, m) => {
    values[(game * size + figure) * 2] += y;
    values[(game * size + figure) * 2 + 1] += m;
  };
  const inCard = names.card.map((card) => card.split(WORDS.separator).map((one) => names.agenda.indexOf(one)));
  for (let game = 0; game < n; game++) {
    const decided = piece.decided(game) ? 1 : 0;
    put(game, 0, games.rounds[game], 1);
    put(game, 1, 1 - decided, 1);
    put(game, 2, 0, decided);
    for (let row = game * players; row < (game + 1) * players; row++) {
      put(game, FIRST_LEADER + seats.leader[row], piece.wins[row], decided);
      if (seats.order[row] === 1) put(game, 2, piece.wins[row], 0);
    }
    for (let i = 1; games[`card_${i}`]; i++) {
      const card = games[`card_${i}`][game];
      if (card >= 0) for (const code of inCard[card]) put(game, agenda + code, 0, 1);
    }
  }
  for (let row = 0; row < agendas.agenda.length; row++) {
    values[(piece.game("agendas", row) * size + agenda + agendas.agenda[row]) * 2] = 1;
  }
  for (let row = 0; row < wonders.wonder.length; row++) {
    if (wonders.in_deck[row]) put(piece.game("wonders", row), wonder + wonders.wonder[row], wonders.round_built[row] > 0 ? 1 : 0, 1);
  }
  return values;
}

/** Return the sums of no pairs. */
export function noPairs(names) {
  const figures = figuresOf(names).length, joint = 4 * names.leader.length;
  return {
    pairs: 0, changed: 0, sums: new Float64Array(figures * 4), products: new Float64Array(figures * 16),
    ups: new Float64Array(figures), downs: new Float64Array(figures), joint: new Float64Array(joint * joint),
  };
}

/** Return the sums over pairs of games of two pieces, those of `b` by the second ruleset. */
export function pairsOf(a, b, names) {
  const moments = noPairs(names), one = gameFigures(a, names), two = gameFigures(b, names), figures = moments.ups.length;
  const leaders = names.leader.length, width = 4 * leaders, own = new Float64Array(width), x = new Float64Array(4);
  moments.pairs = a.n;
  for (let game = 0; game < a.n; game++) {
    let moved = false;
    const there = [];
    for (let f = 0; f < figures; f++) {
      const at = (game * figures + f) * 2;
      x.set([one[at], one[at + 1], two[at], two[at + 1]]);
      for (let i = 0; i < 4; i++) if (x[i]) {
        moments.sums[f * 4 + i] += x[i];
        for (let k = 0; k < 4; k++) moments.products[f * 16 + i * 4 + k] += x[i] * x[k];
      }
      moments.ups[f] += x[2] > x[0];
      moments.downs[f] += x[2] < x[0];
      const leader = f - FIRST_LEADER;
      if (leader >= 0 && leader < leaders) {
        moved ||= x[2] !== x[0];
        for (let i = 0; i < 4; i++) if (x[i]) {
          own[leader * 4 + i] = x[i];
          there.push(leader * 4 + i);
        }
      }
    }
    for (const i of there) for (const k of there) moments.joint[i * width + k] += own[i] * own[k];
    moments.changed += moved;
  }
  return moments;
}

/** Return the moments with shares of a win as shares, figures and leaders as rows. */
function scaled(moments, names) {
  const leaders = names.leader.length, figures = moments.ups.length, width = 4 * leaders;
  const parts = (figure) => (figure === 2 || (figure >= FIRST_LEADER && figure < FIRST_LEADER + leaders) ? 1 / WORDS.whole : 1);
  const scale = (figure, i) => (i % 2 ? 1 : parts(figure)), index = [0, 1, 2, 3];
  return {
    n: moments.pairs, changed: moments.changed, ups: moments.ups, downs: moments.downs, leaders,
    sums: Array.from({ length: figures }, (_, f) => index.map((i) => moments.sums[f * 4 + i] * scale(f, i))),
    products: Array.from({ length: figures }, (_, f) => index.map((i) => index.map((k) => (
      moments.products[f * 16 + i * 4 + k] * scale(f, i) * scale(f, k))))),
    joint: Array.from({ length: width }, (_, i) => Float64Array.from({ length: width }, (_, k) => (
      moments.joint[i * width + k] * scale(FIRST_LEADER, i) * scale(FIRST_LEADER, k)))),
  };
}

const quadratic = (weights, c) => Math.max(weights.reduce((sum, w, i) => sum + weights.reduce((s, v, k) => s + w * v * c[i][k], 0), 0), 0);

/** Return the leaders at the tables of both rulesets, their win rates, and the covariance of all these. */
export const leadersRates = (sums, names) => ratesOfLeaders(scaled(sums, names));

/** Return the leaders' spread under both rulesets (a, b), the difference, its p, and `ends` by a confidence. */
export const spreadOf = (sums, names) => spreadRow(scaled(sums, names));

/** Return one row a figure, as the lab's `compared` does but for the precision wanted; intervals hold for so many tables. */
export function compared(sums, names, tables = 1) {
  const moments = scaled(sums, names), figures = figuresOf(names), { n } = moments;
  const rows = figures.map(([group, figure], f) => {
    const mean = moments.sums[f].map((x) => x / n), [ya, ma, yb, mb] = mean, a = ya / ma, b = yb / mb;
    const c = moments.products[f].map((row, i) => row.map((x, k) => ((x / n - mean[i] * mean[k]) * n) / (n - 1)));
    const weights = [-1 / ma, a / ma, 1 / mb, -b / mb], paired = quadratic(weights, c);
    const alone = (at) => quadratic(weights.slice(at, at + 2), c.slice(at, at + 2).map((row) => row.slice(at, at + 2)));
    const changed = moments.ups[f] + moments.downs[f], equal = changed === 0 && Math.abs(b - a) < 1e-12;
    const gap = equal ? 0 : b - a, error = equal ? 0 : Math.sqrt(paired / n);
    const exact = changed > 0 && changed < WORDS.rareFew ? signTest(moments.ups[f], changed) : 0;
    return {
      group, figure, a, b, difference: gap, p: gap !== gap ? NaN : Math.max(twoSided(gap, error), exact), n_a: moments.sums[f][1],
      n_b: moments.sums[f][3], changed, pairing: equal ? NaN : (alone(0) + alone(2)) / paired, few: changed < WORDS.rareFew,
      ends: endsOf(moments, f, figure, gap, error, changed, c),
    };
  });
  rows.splice(rows.filter((row) => row.group === SPREAD[0]).length, 0, spreadRow(moments));
  const tested = rows.filter((row) => row.p === row.p).length, all = together(rows.map((row) => row.p), (row, confidence) => rows[row].ends(confidence), tables * tested);
  const found = rows.map(({ ends, ...row }, k) => {
    const [low, high] = ends(WORDS.confidence), { p, p_adjusted } = all[k], fewer = Math.min(row.n_a, row.n_b);
    const margin = row.figure === LENGTH ? WORDS.rounds : WORDS.points / 100;
    return {
      ...row, difference_low: low, difference_high: high, half_width: Math.max(row.difference - low, high - row.difference), p,
      p_adjusted, difference_all_low: all[k].low, difference_all_high: all[k].high, pairs: n, n: fewer,
      small_sample: fewer < WORDS.smallSample, margin,
    };
  }).filter((row) => row.n_a > 0 || row.n_b > 0);
  return withShifts(judged(found, "difference", (row) => row.margin, n, "CHANGE"), moments);
}

/** Return what gives the ends of a figure's interval by its confidence: normal, or exact where few pairs differ. */
function endsOf(moments, f, figure, gap, error, changed, c) {
  const { n } = moments, [ya, ma, yb, mb] = moments.sums[f], products = moments.products[f], ups = moments.ups[f], downs = moments.downs[f];
  const rare = changed < WORDS.rareFew && gap === gap, apart = products[1][1] + products[3][3] - 2 * products[1][3] > 0.5;
  const within = (y, m) => Math.min(y, m - y) < WORDS.rareFew, wider = (x, y) => [Math.min(x[0], y[0]), Math.max(x[1], y[1])];
  if (figure === LENGTH) {
    if (!rare) return (confidence) => normalEnds(gap, error, confidence);
    const squares = products[0][0] + products[2][2] - 2 * products[0][2];
    const size = Math.sqrt(Math.max(squares / Math.max(changed, 1), c[0][0] + c[2][2]));
    return (confidence) => {
      const [below, above] = rareReach(ups, downs, n, size, confidence);
      return wider(normalEnds(gap, error, confidence), [gap - below, gap + above]);
    };
  }
  if (rare) return (confidence) => {
    const exactly = rareInterval(ups, downs, (ma + mb) / 2, confidence);
    return apart ? wider(normalEnds(gap, error, confidence), exactly) : exactly;
  };
  if (apart && within(ya, ma) && within(yb, mb)) {
    return (confidence) => wider(normalEnds(gap, error, confidence), newcombe(yb, mb, ya, ma, confidence));
  }
  return (confidence) => normalEnds(gap, error, confidence);
}

// --- The leaders' spread, and what of their changes is shared

/** Return for each ruleset which leaders sat at its tables and their win rates, and the covariance of all these rates. */
function ratesOfLeaders({ n, leaders, sums, joint }) {
  const mean = sums.slice(FIRST_LEADER, FIRST_LEADER + leaders).map((row) => row.map((x) => x / n)), flat = mean.flat();
  const products = joint.map((row, i) => row.map((x, k) => (x / n - flat[i] * flat[k]) / (n - 1)));
  const seated = [], rates = [], slopes = [];
  for (const side of [0, 2]) {
    const there = [...Array(leaders).keys()].filter((k) => mean[k][side + 1] > 0);
    seated.push(there);
    rates.push(there.map((k) => mean[k][side] / mean[k][side + 1]));
    there.forEach((k, i) => {
      const row = new Float64Array(4 * leaders);
      row[4 * k + side] = 1 / mean[k][side + 1];
      row[4 * k + side + 1] = -rates.at(-1)[i] / mean[k][side + 1];
      slopes.push(row);
    });
  }
  return { seated, rates, covariance: matrix.around(slopes, products) };
}

const centring = (n) => Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (_, k) => (i === k ? 1 : 0) - 1 / n));
const trace = (a) => a.reduce((sum, row, i) => sum + row[i], 0);
const dots = (a, b) => a.reduce((sum, row, i) => sum + matrix.dot(row, b[i]), 0);
const form = (x, a, y) => matrix.dot(x, a.map((row) => matrix.dot(row, y)));

/** Return the spread of the true rates and its interval. */
export function rateSpread(rate, covariance, confidence) {
  const df = rate.length - 1;
  if (df < 1) return [NaN, NaN, NaN];
  const c = centring(rate.length), noise = matrix.around(c, covariance), found = form(rate, c, rate);
  const mean = trace(noise), square = dots(noise, noise), value = Math.sqrt(Math.max(found - mean, 0) / df);
  if (mean <= 0) return [value, value, value];
  const scale = square / mean, freedom = mean ** 2 / square, tail = (1 - confidence) / 2;
  const low = noncentrality(found / scale, freedom, 1 - tail), high = noncentrality(Math.max(found / scale, freedom), freedom, tail);
  return [value, Math.sqrt((scale * low) / df), Math.max(value, Math.sqrt((scale * high) / df))];
}
function noncentrality(found, freedom, chance) {
  if (chdtr(freedom, found) <= chance) return 0;
  if (found > WORDS.normalFrom) return Math.max(Math.sqrt(found) - ndtri(chance), 0) ** 2 - freedom + 1;
  return root((value) => chance - chndtr(found, freedom, value), 1e-12, found + 10 * Math.sqrt(found) + 50);
}

/** Return both spreads, the second less the first, the ends of its interval, and its p value. */
function spreadDifference(one, two, covariance, confidence) {
  const n = one.length, part = (rows, columns) => covariance.slice(...rows).map((row) => row.slice(...columns));
  const [first, second] = [[0, n], [n, n + two.length]];
  const [a, lowA, highA] = rateSpread(one, part(first, first), confidence), [b, lowB, highB] = rateSpread(two, part(second, second), confidence);
  const sides = [[0, n, -1], [n, two.length, 1]], whole = matrix.zeros(n + two.length, n + two.length);
  for (const [at, size, sign] of sides) centring(size).forEach((row, i) => row.forEach((x, k) => (whole[at + i][at + k] = (sign * x) / (size - 1))));
  const rates = [...one, ...two], spread = matrix.product(whole, covariance), gap = form(rates, whole, rates) - trace(spread);
  const least = 2 * dots(spread, matrix.transposed(spread));
  const error = Math.sqrt(Math.max(4 * form(rates, matrix.product(spread, whole), rates) - least, least, 0));
  const less = (x) => x.map((value) => value - x.reduce((s, v) => s + v, 0) / x.length), x = less(one), y = less(two);
  const own = form(x, part(first, first), x) * form(y, part(second, second), y);
  const shared = own > 0 ? Math.min(Math.max(form(x, part(first, second), y) / Math.sqrt(own), -1), 1) : 0;
  const reach = (p, q, clear) => (clear ? Math.sqrt(Math.max(p ** 2 + q ** 2 - 2 * shared * p * q, 0)) : p + q);
  const below = reach(b - lowB, highA - a, lowB > 0), above = reach(highB - b, a - lowA, lowA > 0);
  return { a, b, difference: b - a, low: b - a - below, high: b - a + above, p: twoSided(gap, error) };
}

function spreadRow(moments) {
  const { n, changed } = moments, { rates, covariance } = ratesOfLeaders(moments), k = rates[0].length, few = changed < WORDS.rareFew;
  const row = { group: SPREAD[0], figure: SPREAD[1], n_a: n, n_b: n, changed, few, pairing: NaN };
  if (Math.min(...rates.map((rate) => rate.length)) < 2) {
    return { ...row, a: NaN, b: NaN, difference: NaN, p: NaN, ends: () => [NaN, NaN] };
  }
  // A win that goes from one leader to another moves two rates; were all unseen ones to go so, the spread would by this.
  const seats = moments.sums.slice(FIRST_LEADER, FIRST_LEADER + moments.leaders).map((one) => one[1]);
  const lever = (Math.sqrt(2 / (k - 1)) * n) / (seats.reduce((x, y) => x + y, 0) / seats.length);
  const at = (confidence) => {
    const found = spreadDifference(rates[0], rates[1], covariance, confidence), reach = few ? lever * unseen(changed, n, confidence) : 0;
    return few ? { ...found, low: Math.min(found.low, found.difference - reach), high: Math.max(found.high, found.difference + reach) } : found;
  };
  const { a, b, difference, p, low, high } = at(WORDS.confidence), ends = (confidence) => [at(confidence).low, at(confidence).high];
  if (changed === 0 && a === b) return { ...row, a, b, difference: 0, p: 1, ends };
  const alone = covariance.map((line, i) => line.map((x, j) => (i < k === j < k ? x : 0)));
  const wide = spreadDifference(rates[0], rates[1], alone, WORDS.confidence);
  return { ...row, a, b, difference, p, ends, pairing: ((wide.high - wide.low) / (high - low)) ** 2 };
}

/** Return the table with what the leaders besides the one that changes most share of their changes, and what is left of each. */
function withShifts(rows, moments) {
  const { seated, rates, covariance } = ratesOfLeaders(moments), at = rows.filter((row) => row.group === "leaders" && row.difference === row.difference);
  const moved = at.map((row) => DIFFERENT.includes(verdictOf(row))), k = at.length;
  if (k < 3 || k !== seated[0].length || seated[0].join() !== seated[1].join() || !moved.some(Boolean)) return rows;
  const gap = rates[1].map((x, i) => x - rates[0][i]);
  const size = gap.map((x, i) => (moved[i] ? Math.abs(x) : 0)), most = size.indexOf(Math.max(...size));
  const others = [...Array(k).keys()].filter((i) => i !== most);
  const contrast = others.map((i) => Float64Array.from({ length: k }, (_, j) => (j === most ? 0 : (i === j ? 1 : 0) - 1 / (k - 1))));
  const spread = matrix.around(contrast.map((row) => [...row.map((x) => -x), ...row]), covariance);
  const own = contrast.map((row) => matrix.dot(row, gap)), error = spread.map((row, i) => Math.sqrt(Math.max(row[i], 0)));
  const all = together(own.map((x, i) => twoSided(x, error[i])), (i, confidence) => normalEnds(own[i], error[i], confidence), k - 1);
  const part = judged(others.map((i, j) => ({
    ...around("own", own[j], error[j]), own_all_low: all[j].low, own_all_high: all[j].high, p: all[j].p,
    p_adjusted: all[j].p_adjusted, margin: at[i].margin, small_sample: at[i].small_sample,
  })), "own", (row) => row.margin, moments.n, "CHANGE");
  const shared = others.reduce((sum, i) => sum + gap[i], 0) / others.length;
  others.forEach((i, j) => {
    const { own, own_low, own_high, own_all_low, own_all_high, verdict, verdict_key, certainty } = part[j];
    Object.assign(at[i], { shared, own, own_low, own_high, own_all_low, own_all_high, own_verdict: verdict, own_verdict_key: verdict_key, own_certainty: certainty });
  });
  return rows;
}
