// How strong leaders are once turn order and opponents are taken out: the conditional logit of who wins a table, the twin of the
// lab's analysis/tables/logit.py and strength.py for games in which one strategy plays every seat.

import { counted } from "./format.js";
import * as matrix from "./matrix.js";
import {
  clusteredRateColumns, distinct, exactAgainstShare, exactEnds, hardlyAny, normalEnds, rateColumns, scoreAgainstShare, scoreEnds,
  together,
} from "./statistics.js";
import { WORDS } from "./words.js";

const MOST_STEPS = 50, SMALLEST_STEP = 1e-8, ENDS = ["", "_low", "_high", "_all_low", "_all_high"];

/** What the games cannot tell; the message says why. */
export class Untold extends Error {}

// --- Who sat where and who won

/** Return the number that stands for a table and its end: leaders in turn order, and the seats that won, one bit each. */
export function tableKey(leaders, winners) {
  return leaders.reduce((key, leader) => key * 64 + leader, 0) * 32 + winners;
}

/** Return the different tables of games counted by `tableKey`: the leaders by name, and what is known of each table. */
export function outcomes(counts, players, names) {
  const keys = [...counts.keys()].sort((a, b) => a - b), tables = [];
  let last = null;
  for (const key of keys) {
    const line = Math.floor(key / 32), winners = key % 32, games = counts.get(key);
    if (last?.line !== line) {
      const codes = Array.from({ length: players }, (_, i) => Math.floor(line / 64 ** (players - 1 - i)) % 64);
      last = { line, codes, games: 0, finished: 0, wins: new Float64Array(players), products: matrix.zeros(players, players) };
      tables.push(last);
    }
    const won = last.wins.map((_, seat) => (winners >> seat) & 1), share = 1 / won.reduce((a, b) => a + b, 0);
    last.games += games;
    if (!winners) continue;
    last.finished += games;
    for (let s = 0; s < players; s++) {
      last.wins[s] += games * share * won[s];
      for (let t = 0; t < players; t++) last.products[s][t] += games * share * share * won[s] * won[t];
    }
  }
  const seen = [...new Set(tables.flatMap((t) => t.codes))].sort((a, b) => (names[a] < names[b] ? -1 : 1));
  for (const t of tables) t.codes = t.codes.map((code) => seen.indexOf(code));
  const total = (name) => tables.reduce((sum, t) => sum + t[name], 0);
  return { players, leaders: seen.map((code) => names[code]), tables, games: total("games"), finished: total("finished") };
}

/** Return games, decided games, wins and squares of each leader, or each place in the turn order. */
function observed(data, factor) {
  const size = factor === "leader" ? data.leaders.length : data.players;
  const rows = Array.from({ length: size }, () => ({ n: 0, decided: 0, wins: 0, squares: 0 }));
  for (const t of data.tables) for (let s = 0; s < data.players; s++) {
    const row = rows[factor === "leader" ? t.codes[s] : s];
    row.n += t.games;
    row.decided += t.finished;
    row.wins += t.wins[s];
    row.squares += t.products[s][s];
  }
  return rows;
}

// --- The model
//
// Parameters are the log odds of all levels but the last of each factor, whose levels sum to zero. Sums over tables are made by
// level (leaders, then places), and folded to parameters afterwards.

/** Return the levels' log odds by the parameters: a matrix of (levels, parameters). */
function basisOf(leaders, players) {
  const size = leaders - 1 + players - 1, rows = matrix.zeros(leaders + players, size);
  for (const [first, at, many] of [[0, 0, leaders], [leaders, leaders - 1, players]]) {
    for (let k = 0; k < many - 1; k++) {
      rows[first + k][at + k] = 1;
      rows[first + many - 1][at + k] = -1;
    }
  }
  return rows;
}

function chances(codes, effects, leaders) {
  const u = codes.map((code, seat) => effects[code] + effects[leaders + seat]), most = Math.max(...u);
  const raised = u.map((x) => Math.exp(x - most)), sum = raised.reduce((a, b) => a + b, 0);
  return raised.map((x) => x / sum);
}

/** Add a seat-by-seat matrix of a table to sums by level. */
function spreadOut(into, codes, leaders, value) {
  const levels = codes.map((code, seat) => [code, leaders + seat]);
  for (let s = 0; s < codes.length; s++) for (let t = 0; t < codes.length; t++) {
    const x = value(s, t);
    for (const a of levels[s]) for (const b of levels[t]) into[a][b] += x;
  }
}

function derivatives(data, basis, parameters, shared) {
  const leaders = data.leaders.length, levels = basis.length, effects = basis.map((row) => matrix.dot(row, parameters));
  const gradient = new Float64Array(levels), information = matrix.zeros(levels, levels);
  let value = 0;
  for (const t of data.tables) {
    const p = chances(t.codes, effects, leaders), n = t.finished * (1 + shared);
    t.codes.forEach((code, s) => {
      const wins = t.wins[s] + (t.finished * shared) / data.players;
      value += wins * Math.log(Math.max(p[s], 1e-300));
      gradient[code] += wins - n * p[s];
      gradient[leaders + s] += wins - n * p[s];
    });
    spreadOut(information, t.codes, leaders, (s, u) => n * ((s === u ? p[s] : 0) - p[s] * p[u]));
  }
  const folded = matrix.transposed(basis);
  return { value, gradient: folded.map((row) => matrix.dot(row, gradient)), information: matrix.around(folded, information) };
}

function scatter(data, basis, parameters) {
  const leaders = data.leaders.length, effects = basis.map((row) => matrix.dot(row, parameters));
  const total = matrix.zeros(basis.length, basis.length);
  for (const t of data.tables) {
    const p = chances(t.codes, effects, leaders), n = t.finished;
    spreadOut(total, t.codes, leaders, (s, u) => t.products[s][u] - t.wins[s] * p[u] - p[s] * t.wins[u] + n * p[s] * p[u]);
  }
  return matrix.around(matrix.transposed(basis), total);
}

/** Return the model fitted to the outcomes; throw Untold where the games cannot tell its parts apart. */
export function fitted(data) {
  const basis = basisOf(data.leaders.length, data.players), size = basis[0].length, { finished } = data;
  if (finished <= size) throw new Untold(`${counted(finished, "game")} with a winner ${finished === 1 ? "is" : "are"} too few to estimate ${size} effects; play more games`);
  const shared = size / finished;
  let parameters = new Float64Array(size), now = derivatives(data, basis, parameters, shared);
  const values = matrix.eigenvalues(now.information);
  if (!(values[0] > 1e-8 * values[size - 1])) throw new Untold("leaders cannot be distinguished from their places in the turn order");
  for (let i = 0; i < MOST_STEPS; i++) {
    let step = matrix.solved(now.information, now.gradient.map((x) => [x])).map((row) => row[0]), trial, next;
    const small = () => Math.max(...step.map(Math.abs)) < SMALLEST_STEP;
    for (;;) {
      trial = parameters.map((x, k) => x + step[k]);
      next = derivatives(data, basis, trial, shared);
      if (next.value >= now.value - 1e-9 * Math.abs(now.value) || small()) break;
      step = step.map((x) => x / 2);
    }
    [parameters, now] = [trial, next];
    if (small()) break;
  }
  const inverse = matrix.inverse(now.information), scale = finished / (finished - size);
  const covariance = matrix.around(inverse, scatter(data, basis, parameters)).map((row) => row.map((x) => x * scale));
  return { basis, parameters, covariance };
}

// --- Chances at balanced tables

/** Return numbers as numpy's default generator draws them with seed 0 (PCG64: M. O'Neill, 2014). */
function* drawn() {
  const whole = (1n << 128n) - 1n, low = (1n << 64n) - 1n;
  let state = BigInt(WORDS.random.state);
  const step = BigInt(WORDS.random.inc), times = 0x2360ed051fc65da44385df649fccf645n;
  for (;;) {
    state = (state * times + step) & whole;
    const mixed = (state >> 64n) ^ (state & low), turn = state >> 122n;
    const turned = ((mixed >> turn) | (mixed << (64n - turn))) & low;
    yield Number(turned >> 11n) / 2 ** 53;
  }
}

const LINE_UPS = new Map();

/** Return all line-ups of different leaders, or the lab's random sample of them if they are too many. */
function lineUps(leaders, players) {
  const key = `${leaders} ${players}`;
  if (!LINE_UPS.has(key)) LINE_UPS.set(key, made(leaders, players));
  return LINE_UPS.get(key);
}
function made(leaders, players) {
  let count = 1;
  for (let i = 0; i < players; i++) count *= leaders - i;
  if (count > WORDS.mostLineUps) {
    const numbers = drawn();
    return Array.from({ length: WORDS.mostLineUps }, () => {
      const row = Array.from({ length: leaders }, () => numbers.next().value);
      return row.map((_, i) => i).sort((a, b) => row[a] - row[b]).slice(0, players);
    });
  }
  let found = [[]];
  for (let i = 0; i < players; i++) {
    found = found.flatMap((line) => [...Array(leaders).keys()].filter((l) => !line.includes(l)).map((l) => [...line, l]));
  }
  return found;
}

/** Return each level's win rate at balanced tables, and the derivatives by the parameters. */
export function balanced(fit, data, factor) {
  const leaders = data.leaders.length, levels = fit.basis.length, size = factor === "leader" ? leaders : data.players;
  const effects = fit.basis.map((row) => matrix.dot(row, fit.parameters));
  const mean = new Float64Array(size), seated = new Float64Array(size), slope = matrix.zeros(size, levels);
  const places = [...Array(data.players).keys()];
  if (factor === "order") { // all leaders at their average
    const p = chances(places.map(() => 0), [0, ...effects.slice(leaders)], 1);
    for (const s of places) {
      mean[s] = p[s];
      seated[s] = 1;
      for (const t of places) slope[s][leaders + t] = p[s] * ((s === t) - p[t]);
    }
  } else {
    for (const line of lineUps(leaders, data.players)) {
      const p = chances(line, effects, leaders);
      for (const s of places) {
        const row = slope[line[s]];
        mean[line[s]] += p[s];
        seated[line[s]] += 1;
        row[line[s]] += p[s];
        row[leaders + s] += p[s];
        for (const t of places) {
          row[line[t]] -= p[s] * p[t];
          row[leaders + t] -= p[s] * p[t];
        }
      }
    }
  }
  const jacobian = matrix.product(slope, fit.basis).map((row, k) => row.map((x) => x / seated[k]));
  return { rate: mean.map((x, k) => x / seated[k]), covariance: matrix.around(jacobian, fit.covariance) };
}

// --- Tables

/** Return the rows with `points` and rates, their tests, and intervals of their own and for all rows together. */
function pointsTogether(rows, fair, rate, covariance, family = "") {
  const errors = rate.map((_, k) => Math.sqrt(covariance[k][k])), few = rows.map((row) => row.small_sample);
  const points = rows.map((row, k) => 100 * ((few[k] ? (row.decided > 0 ? row.wins / row.decided : fair) : rate[k]) - fair));
  const exact = rows.map((row, k) => (few[k] ? exactAgainstShare(row.wins, row.decided, fair) : scoreAgainstShare(rate[k], errors[k], fair)));
  const ends = (k, confidence) => {
    const row = rows[k], found = few[k] ? exactEnds(row.wins, row.decided, confidence) : scoreEnds(rate[k], errors[k], confidence);
    return found.map((end) => 100 * (end - fair));
  };
  const all = together(exact, ends, distinct(points, exact), null, family);
  return rows.map((row, k) => {
    const [low, high] = few[k] ? ends(k, WORDS.confidence) : normalEnds(100 * (rate[k] - fair), 100 * errors[k], WORDS.confidence);
    const { p, p_adjusted } = all[k];
    const made = { ...row, points: points[k], points_low: low, points_high: high, fair_share: fair, p, p_adjusted };
    Object.assign(made, { points_all_low: all[k].low, points_all_high: all[k].high });
    for (const end of ENDS) made[`adjusted_rate${end}`] = fair + made[`points${end}`] / 100;
    return made;
  });
}

/** Return the leaders by strength, corrected for turn order and opponents: the lab's `strengths` but for places and odds. */
export function strengths(data) {
  if (data.leaders.length < 2) throw new Untold(`only ${data.leaders[0]} played, so there is nothing to compare`);
  const fit = fitted(data), { rate, covariance } = balanced(fit, data, "leader"), leaders = data.leaders.length;
  const seen = observed(data, "leader"), odds = fit.basis.slice(0, leaders).map((row) => matrix.dot(row, fit.parameters));
  const rows = data.leaders.map((leader, k) => {
    const { n, decided, wins, squares } = seen[k];
    const few = decided < WORDS.smallSample || hardlyAny(wins, decided), won = clusteredRateColumns(wins, n, squares - wins ** 2 / n, "win_rate");
    return { leader, decided, n, wins, ...won, small_sample: few, log_odds: odds[k] };
  });
  const found = pointsTogether(rows, 1 / data.players, rate, covariance);
  return found.sort((a, b) => b.log_odds - a.log_odds).map((row, k) => ({ rank: k + 1, ...row }));
}

/** Return what each place in the turn order is worth, corrected for leaders: the lab's `turn_order`. */
export function turnOrder(data) {
  const fit = fitted(data), { rate, covariance } = balanced(fit, data, "order"), levels = fit.basis.slice(data.leaders.length), spread = matrix.around(levels, fit.covariance);
  const rows = observed(data, "order").map(({ n, decided, wins }, k) => {
    const few = data.finished < WORDS.smallSample || hardlyAny(wins, data.finished), odds = matrix.dot(levels[k], fit.parameters), error = Math.sqrt(spread[k][k]);
    const [low, high] = normalEnds(odds, error, WORDS.confidence).map(Math.exp);
    return {
      players: data.players, order: k + 1, n, wins, ...rateColumns(wins, n, "win_rate"), decided, small_sample: few,
      log_odds: odds, error, odds_ratio: Math.exp(odds), odds_ratio_low: low, odds_ratio_high: high,
    };
  });
  return pointsTogether(rows, 1 / data.players, rate, covariance, "turn order");
}
