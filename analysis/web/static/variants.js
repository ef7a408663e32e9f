// Several rulesets on the same seeds: which could be the best, and what it costs. The twin of the lab's analysis/stats/best.py,
// analysis/tables/variants.py and the sentences of analysis/questions/variants.py. Start with `variants`.

import { compared, leadersRates, noPairs, pairsOf, spreadOf } from "./comparing.js";
import { addUp } from "./counting.js";
import { counted, fixed, listed, pointsOf } from "./format.js";
import { ndtri } from "./special.js";
import { around, DIFFERENT, judged, normalEnds, together, twoSided, verdictOf, weakest } from "./statistics.js";
import { WORDS } from "./words.js";

// --- Sums: of each pair of rulesets; the first one is what the others are compared with

const pairsIn = (rulesets) => Array.from({ length: rulesets }, (_, i) => Array.from({ length: rulesets - i }, (_, k) => [i, i + k])).flat()
  .filter(([i, k]) => i === 0 || i !== k);

/** Return the sums of no games of so many rulesets. */
export const noTally = (names, rulesets) => Object.fromEntries(pairsIn(rulesets).map((pair) => [pair.join(), noPairs(names)]));

/** Return the sums of pieces of the same games by each ruleset. */
export const tallyOf = (pieces, names) => Object.fromEntries(pairsIn(pieces.length).map(([i, k]) => [`${i},${k}`, pairsOf(pieces[i], pieces[k], names)]));

/** Add sums up, into the first. */
export function addTally(total, part) {
  for (const [pair, sums] of Object.entries(part)) addUp(total[pair], sums);
}

// --- Which could be the best

/** Return by `ends(i, k, confidence)` of the difference of two values, the smaller the better, standing and distance at most of each. */
export function withTheBest(ends, number, margin) {
  if (number === 1) return [{ standing: WORDS.standing.BEST, at_most: 0 }];
  const confidence = 1 - WORDS.significant / (Math.max(number - 1, 1) / 2), all = [...Array(number).keys()];
  const between = all.map((i) => all.map((k) => (i === k ? null : ends(i, k, confidence))));
  const possible = all.map((i) => all.every((k) => i === k || between[i][k][0] <= 0)), many = possible.filter(Boolean).length;
  return all.map((i) => {
    const rivals = all.filter((k) => k !== i && possible[k]), reach = Math.max(0, ...rivals.map((k) => between[i][k][1]));
    const standing = !possible[i] ? "NOT_BEST" : many === 1 ? "BEST" : reach <= margin ? "AS_GOOD" : "POSSIBLE";
    return { standing: WORDS.standing[standing], at_most: Number.isFinite(reach) ? reach : NaN };
  });
}

/** Return the ends of |α| - |β| for estimates a and b with half-widths, and the correlation of their errors (MOVER). */
export function distanceDifference(a, reachA, b, reachB, correlation) {
  const [far, near] = [Math.abs(a), Math.abs(b)], [lowA, lowB] = [Math.max(far - reachA, 0), Math.max(near - reachB, 0)];
  const shared = correlation * Math.sign(a) * Math.sign(b), clear = lowA > 0 && lowB > 0;
  const reach = (x, y) => (clear ? Math.sqrt(Math.max(x * x + y * y - 2 * shared * x * y, 0)) : x + y);
  return [far - near - reach(far - lowA, reachB), far - near + reach(reachA, near - lowB)];
}

/** Return the interval of the difference of one leader's distances from its fair share, under the first ruleset less the second. */
const distances = (tally, names, players, leader) => (i, k, confidence) => {
  if (i > k) {
    const [low, high] = distances(tally, names, players, leader)(k, i, confidence);
    return [-high, -low];
  }
  const { seated, rates, covariance } = leadersRates(tally[`${i},${k}`], names), code = names.leader.indexOf(leader);
  if (!seated.every((who) => who.includes(code))) return [-Infinity, Infinity]; // no decided game with this leader
  const at = seated.map((who) => who.indexOf(code)), [one, two] = [at[0], seated[0].length + at[1]];
  const errors = [one, two].map((x) => Math.sqrt(Math.max(covariance[x][x], 1e-300))), quantile = -ndtri((1 - confidence) / 2);
  const [a, b] = at.map((x, side) => rates[side][x] - 1 / players);
  return distanceDifference(a, quantile * errors[0], b, quantile * errors[1], covariance[one][two] / (errors[0] * errors[1]));
};

/** Return the interval of the difference of the leader spreads of two rulesets, the first less the second. */
const spreads = (tally, names) => (i, k, confidence) => {
  const [low, high] = spreadOf(tally[i < k ? `${i},${k}` : `${k},${i}`], names).ends(confidence);
  if (low !== low) return [-Infinity, Infinity];
  return i < k ? [-high, -low] : [low, high];
};

// --- The table

/** Return the leaders of a ruleset against their fair share, judged so that all of so many tables hold. */
function standing(sums, names, players, tables) {
  const { seated, rates, covariance } = leadersRates(sums, names), first = seated[0].length, n = sums.pairs;
  const points = rates[1].map((rate) => 100 * (rate - 1 / players)), errors = points.map((_, k) => 100 * Math.sqrt(Math.max(covariance[first + k][first + k], 0)));
  const all = together(points.map((x, k) => twoSided(x, errors[k])), (k, confidence) => normalEnds(points[k], errors[k], confidence), tables * points.length);
  return judged(points.map((x, k) => ({
    leader: names.leader[seated[1][k]], ...around("points", x, errors[k]), points_all_low: all[k].low, points_all_high: all[k].high, p: all[k].p,
    p_adjusted: all[k].p_adjusted, small_sample: decided(sums, seated[1][k]) < WORDS.smallSample,
  })), "points", WORDS.points, n);
}

const FIRST_LEADER = 3;
const decided = (sums, leader) => sums.sums[(FIRST_LEADER + leader) * 4 + 3];

/** Return the spread of a ruleset's leaders, in points, and its change; the changes of all variants hold together. */
function spreadColumns(sums, names, first, changes) {
  const { b, difference, p, ends } = spreadOf(sums, names), [low, high] = ends(1 - WORDS.significant / changes);
  const row = { difference: 100 * difference, difference_all_low: 100 * low, difference_all_high: 100 * high, p };
  return { spread: 100 * b, ...changeOf("spread", judged([row], "difference", WORDS.points, sums.pairs, "CHANGE", "", changes)[0], first) };
}

function changeOf(name, row, first) {
  const ends = ["", "_all_low", "_all_high"], change = Object.fromEntries(ends.map((end) => [`${name}_change${end}`, first ? NaN : row[`difference${end}`]]));
  const told = first ? { verdict: WORDS.verdicts.CHANGE.NOT_COMPARED, verdict_key: "NOT_COMPARED", certainty: "untested" } : row;
  return { ...change, ...Object.fromEntries(["verdict", "verdict_key", "certainty"].map((column) => [`${name}_${column}`, told[column]])) };
}

/** Return the rows of agendas and world wonders in use under the first ruleset and dead under the other. */
function dying(rows) {
  return rows.filter((row) => ["agendas", "wonders"].includes(row.group) && row.a > WORDS.dead && row.a + row.difference_all_high < WORDS.dead);
}

/** Return what the table says of the leader that counts; no numbers where no game of it is decided. */
function leaderColumns(leaders, leader) {
  const row = leaders.find((one) => one.leader === leader), ends = ["", "_all_low", "_all_high"];
  const points = Object.fromEntries(ends.map((end) => [`leader_points${end}`, row?.[`points${end}`] ?? NaN]));
  const told = row ?? { verdict: WORDS.verdicts.STRENGTH.NOT_COMPARED, verdict_key: "NOT_COMPARED", certainty: "untested" };
  return { ...points, ...Object.fromEntries(["verdict", "verdict_key", "certainty"].map((column) => [`leader_${column}`, told[column]])) };
}

/** Return a row a ruleset, the first one first: `labels` are their names; `leader` is the one that counts, '' for all together. */
export function variants(tally, names, labels, players, leader = "") {
  const ends = leader ? distances(tally, names, players, leader) : spreads(tally, names);
  const places = withTheBest(ends, labels.length, WORDS.points / 100), changes = Math.max(1, labels.length - 1), same = ["WITHIN", "UNDECIDED", "NOT_COMPARED"];
  return labels.map((variant, at) => {
    const sums = tally[`0,${at}`], rows = compared(sums, names, changes), leaders = standing(sums, names, players, labels.length);
    const dead = at ? dying(rows) : [], length = rows.find((row) => row.figure === "rounds");
    const many = (...verdicts) => leaders.filter((row) => verdicts.includes(verdictOf(row))).length;
    return {
      players, variant, n: sums.pairs, ...spreadColumns(sums, names, !at, changes), rounds: length.b, ...changeOf("rounds", length, !at),
      too_strong: many("FAR_ABOVE"), too_weak: many("FAR_BELOW"), open_leaders: leaders.length - many("FAR_ABOVE", "FAR_BELOW", "WITHIN"),
      ...(leader ? leaderColumns(leaders, leader) : {}),
      dead: dead.map((row) => row.figure.split(" rate of ")[1]).join(", ") || "none",
      dead_certainty: dead.length ? weakest(dead.map((row) => row.certainty)) : "untested", figures: at ? rows.filter((row) => !same.includes(verdictOf(row))).length : 0,
      standing: places[at].standing, at_most: 100 * places[at].at_most,
    };
  });
}

// --- Sentences

const FEW = 2; // named in a sentence

/** Return what the table says: which is the best, or could be; whether that is better than the first ruleset; what it costs. */
export function variantsFindings(rows, leader = "") {
  const leading = rows.filter((row) => row.standing !== WORDS.standing.NOT_BEST);
  return [verdict(leading, rows, leader), ...againstFirst(leading, rows[0], leader), ...costs(leading)];
}

const named = (rows) => listed(rows.map((row) => row.variant));

/** Say that the others are not the best. */
function rest(rows, of) {
  if (!rows.length) return "";
  return `; ${rows.length <= FEW ? named(rows) : `${rows.length === of ? "all" : "the"} other ${rows.length}`} ${rows.length === 1 ? "is" : "are"} not`;
}

function verdict(leading, rows, leader) {
  const what = leader ? `${leader}'s distance from its fair share` : "leader spread";
  if (leading.length === 1) return { text: `${named(leading)} is the best of ${rows.length}: none of the others has so small a ${what}.`, certainty: "shown" };
  const chosen = leading.filter((row) => row.standing !== WORDS.standing.POSSIBLE), possible = leading.filter((row) => !chosen.includes(row));
  const end = rest(rows.filter((row) => !leading.includes(row)), rows.length);
  if (!chosen.length) return { text: `${named(leading)} could be the best (${what}); which of them is open${end}.`, certainty: "open" };
  const reach = fixed(Math.max(...chosen.map((row) => row.at_most)), 1);
  if (!possible.length && chosen.length > 1) {
    const alike = `each is at most ${reach} points worse than the best, which is within the margin`;
    return { text: `${named(chosen)} are as good as each other (${what}): ${alike}${end}.`, certainty: "shown" };
  }
  const start = `${named(chosen)} ${chosen.length === 1 ? "is" : "are"} the best of ${rows.length}, or at most ${reach} points worse (${what})`;
  return { text: `${start}: that is within the margin${possible.length ? `; ${named(possible)} could be as good` : ""}${end}.`, certainty: "shown" };
}

function againstFirst(leading, first, leader) {
  const told = leading.filter((row) => row !== first).slice(0, FEW).flatMap((row) => [...(leader ? [ofLeader(row, leader)] : []), ...ofSpread(row, first)]);
  if (leading.includes(first) && leading.length > 1) told.push({ text: `No variant is shown to be better than ${first.variant}.`, certainty: "open" });
  return told;
}

function ofLeader(row, leader) {
  if (row.leader_verdict_key === "NOT_COMPARED") return { text: `Under ${row.variant} no game with ${leader} has a winner: its win rate is unknown.`, certainty: "untested" };
  const text = `Under ${row.variant} ${leader} lies ${pointsOf(row, "leader_points")} points from its fair share: ${row.leader_verdict}.`;
  return { text, certainty: row.leader_certainty };
}

function ofSpread(row, first) {
  if (row.spread_verdict_key === "NOT_COMPARED") return [];
  const start = `Under ${row.variant} the leader spread is ${fixed(row.spread, 1)} points instead of ${fixed(first.spread, 1)}`;
  const end = DIFFERENT.includes(row.spread_verdict_key) ? "" : `; that is ${row.spread_verdict}`;
  return [{ text: `${start} (${pointsOf(row, "spread_change")}, n = ${counted(row.n, "game")})${end}.`, certainty: row.spread_certainty }];
}

function costs(leading) {
  return leading.slice(0, FEW).flatMap((row) => {
    const told = [];
    if (DIFFERENT.includes(row.rounds_verdict_key)) {
      const way = row.rounds_change > 0 ? "longer" : "shorter";
      told.push({ text: `Under ${row.variant} games are ${way}: ${pointsOf(row, "rounds_change")} rounds.`, certainty: row.rounds_certainty });
    }
    if (row.dead !== "none") told.push({ text: `Under ${row.variant} hardly anybody uses ${row.dead} any more.`, certainty: row.dead_certainty });
    return told;
  });
}
