// From games to sums, and from sums to tables: the twin of the lab's analysis/tables/win_rates.py and game.py.
//
// Sums are whole numbers (shares of a win in sixtieths), so they come to the same whatever the order in which parts of the games
// are counted. `names` are those of a box: lists by code of leader, agenda, card, wonder, and `facts` (type, era) of wonders.

import { tableKey } from "./strength.js";
import {
  asCases, clusteredRateColumns, distinct, medianInterval, medianOfCounts, quantileOfCounts, rateColumns, studentReach, together, twoSided, wilson,
} from "./statistics.js";
import { WORDS } from "./words.js";

const grid = (rows, columns) => Array.from({ length: rows }, () => new Float64Array(columns));

/** Return the sums of no games. */
export function nothing(names, roundCap) {
  const rounds = roundCap + 1, wonders = names.wonder.length, agendas = names.agenda.length;
  return {
    games: 0, tables: new Map(), victories: new Float64Array(rounds), unfinished: new Float64Array(rounds),
    deck: new Float64Array(wonders), deckUnfinished: new Float64Array(wonders), revealed: grid(wonders, rounds),
    built: grid(wonders, rounds), builderWins: new Float64Array(wonders), captures: new Float64Array(wonders),
    cards: new Float64Array(names.card.length), cardsUnfinished: new Float64Array(names.card.length),
    claims: grid(agendas, rounds), claimantWins: new Float64Array(agendas), claimed: new Float64Array(agendas),
    yy: new Float64Array(agendas), ym: new Float64Array(agendas), mm: new Float64Array(agendas),
  };
}

/** Add sums up, into the first. */
export function addUp(total, part) {
  for (const [name, values] of Object.entries(part)) {
    if (values instanceof Map) for (const [key, n] of values) total[name].set(key, (total[name].get(key) ?? 0) + n);
    else if (Array.isArray(values)) values.forEach((row, i) => row.forEach((x, k) => (total[name][i][k] += x)));
    else if (typeof values === "number") total[name] += values;
    else values.forEach((x, k) => (total[name][k] += x));
  }
  return total;
}

/** The games of a piece as the engine returns them: its columns, and where the rows of each game are. */
export class Piece {
  constructor(tables, players) {
    Object.assign(this, tables, { players });
    this.n = tables.games.rounds.length;
    this.first = Number(tables.games.game_id[0] ?? 0);
    this.victory = WORDS.endings.indexOf("victory");
  }

  decided(game) {
    return this.games.ending[game] === this.victory;
  }

  /** Return the game that a row of a table belongs to, from 0. */
  game(table, row) {
    return Number(this[table].game_id[row]) - this.first;
  }

  /** Return the share of the win of each row of `seats`, in sixtieths. */
  get wins() {
    return (this.shares ??= Float64Array.from(this.seats.won, (won) => Math.round(won * WORDS.whole)));
  }
}

/**
 * Return the sums of a piece. `kept` says which seats count (`seats`, one a row of the table) and which games have such a seat
 * (`games`): what others built and claimed is not counted then.
 */
export function sumsOf(piece, names, roundCap, kept = null) {
  const sums = nothing(names, roundCap), { games, seats, wonders, agendas, players, n } = piece;
  const chosen = (game) => !kept || kept.games[game], counts = (seat) => !kept || kept.seats[seat];
  for (let game = 0; game < n; game++) {
    if (!chosen(game)) continue;
    sums.games += 1;
    const decided = piece.decided(game), first = game * players, line = new Array(players);
    (decided ? sums.victories : sums.unfinished)[games.rounds[game]] += 1;
    let winners = 0;
    for (let seat = 0; seat < players; seat++) {
      const place = seats.order[first + seat] - 1;
      line[place] = seats.leader[first + seat];
      if (piece.wins[first + seat]) winners |= 1 << place;
    }
    const key = tableKey(line, winners);
    sums.tables.set(key, (sums.tables.get(key) ?? 0) + 1);
    for (let i = 1; games[`card_${i}`]; i++) {
      const card = games[`card_${i}`][game];
      if (card < 0) continue;
      sums.cards[card] += 1;
      sums.cardsUnfinished[card] += !decided;
    }
  }
  for (let row = 0; row < wonders.wonder.length; row++) {
    const code = wonders.wonder[row], game = piece.game("wonders", row);
    if (!chosen(game)) continue;
    if (wonders.in_deck[row]) {
      sums.deck[code] += 1;
      sums.deckUnfinished[code] += !piece.decided(game);
    }
    if (wonders.round_revealed[row] > 0) sums.revealed[code][wonders.round_revealed[row]] += 1;
    if (wonders.round_built[row] > 0 && counts(game * players + wonders.builder[row])) {
      sums.built[code][wonders.round_built[row]] += 1;
      sums.builderWins[code] += piece.wins[game * players + wonders.builder[row]];
    }
    sums.captures[code] += wonders.captures[row];
  }
  const claimants = new Map(); // (game, agenda): claims and the shares of the win of those who made them
  for (let row = 0; row < agendas.agenda.length; row++) {
    const code = agendas.agenda[row], game = piece.game("agendas", row), key = game * names.agenda.length + code;
    if (!counts(game * players + agendas.seat[row])) continue;
    sums.claims[code][agendas.round[row]] += 1;
    const found = claimants.get(key) ?? [0, 0];
    claimants.set(key, [found[0] + 1, found[1] + piece.wins[game * players + agendas.seat[row]]]);
  }
  for (const [key, [m, y]] of claimants) {
    const code = key % names.agenda.length;
    sums.claimed[code] += 1;
    sums.claimantWins[code] += y;
    sums.yy[code] += y * y;
    sums.ym[code] += y * m;
    sums.mm[code] += m * m;
  }
  return sums;
}

const total = (values) => values.reduce((a, b) => a + b, 0);
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Return the leaders by their plain win rates, in groups (`by`: a column of seats, or `seat`) or all together: the lab's `leaders`. */
export function leaders(piece, names, kept, by = null) {
  const found = new Map(), { seats, players } = piece;
  const group = { null: () => 0, seat: (at) => at % players, order: (at) => seats.order[at], players: () => players, strategy: (at) => names.strategy[seats.strategy[at]] }[by];
  for (let at = 0; at < piece.n * players; at++) {
    if (kept && !kept.seats[at]) continue;
    const key = `${group(at)} ${seats.leader[at]}`, won = piece.wins[at] / WORDS.whole;
    if (!found.has(key)) found.set(key, { ...(by ? { [by]: group(at) } : {}), leader: names.leader[seats.leader[at]], n: 0, wins: 0, all: 0, unfinished: 0 });
    const row = found.get(key);
    row.n += 1;
    row.wins += won;
    row.all += won * won;
    row.unfinished += !piece.decided(Math.floor(at / players));
  }
  const tail = (1 - WORDS.confidence) / found.size, rows = [...found.values()].map(({ all, unfinished, ...row }) => {
    const { n, wins } = row, squares = all - wins ** 2 / n, fair = 1 / players, [low, high] = wilson(...asCases(wins, n, squares), 1 - tail);
    return {
      ...row, ...clusteredRateColumns(wins, n, squares, "win_rate"), fair_share: fair, difference: wins / n - fair,
      difference_all_low: low - fair, difference_all_high: high - fair, unfinished, small_sample: n < WORDS.smallSample,
    };
  });
  const order = (x, y) => (by ? compare(x[by], y[by]) : y.win_rate - x.win_rate) || compare(x.leader, y.leader);
  return rows.sort(order);
}

/** Return the world wonders, most often built first, and what their builders won against the average seat: the lab's `wonders`. */
export function wonders(sums, names, players) {
  const decided = total(sums.victories), rows = names.wonder.map((wonder, code) => {
    const n = sums.deck[code], built = total(sums.built[code]), fair = built ? 1 / players : NaN;
    return {
      wonder, type: names.facts[wonder][0], era: names.facts[wonder][1], n, revealed: total(sums.revealed[code]),
      median_seen: medianOfCounts(sums.revealed[code]), built, ...rateColumns(built, n, "build_rate"),
      median_round: medianOfCounts(sums.built[code]), ...rateColumns(sums.builderWins[code] / WORDS.whole, built, "builder_win_rate"),
      fair_share: fair, average_share: (fair * decided) / Math.max(sums.games, 1), captures: sums.captures[code],
      unfinished: sums.deckUnfinished[code], small_sample: built < WORDS.smallSample,
    };
  });
  const share = (row) => row.average_share, gap = rows.map((row) => row.builder_win_rate - share(row));
  const p = rows.map((row, k) => (row.small_sample ? NaN : twoSided(gap[k], Math.sqrt((share(row) * (1 - share(row))) / row.built))));
  const ends = (k, confidence) => wilson(rows[k].builder_win_rate * rows[k].built, rows[k].built, confidence);
  const tested = together(p, ends, distinct(gap, p), rows.map(share), "world wonders").map((one) => ({
    p: one.p, p_adjusted: one.p_adjusted, builder_win_rate_all_low: one.low, builder_win_rate_all_high: one.high,
  }));
  return rows.map((row, k) => ({ ...row, ...tested[k] })).sort((x, y) => y.build_rate - x.build_rate || compare(x.wonder, y.wonder));
}

/** Return the victory cards by agenda: the lab's `victory`. */
export function victory(sums, names, players) {
  const cards = names.card.map((card, code) => ({ card, n: sums.cards[code], unfinished: sums.cardsUnfinished[code] }));
  const kept = cards.filter((row) => row.n > 0).sort((a, b) => compare(a.card, b.card));
  return kept.flatMap(({ card, n, unfinished }) => card.split(WORDS.separator).map((agenda) => {
    const code = names.agenda.indexOf(agenda), rounds = sums.claims[code], claims = total(rounds);
    const won = sums.claimantWins[code] / WORDS.whole, share = claims ? won / claims : NaN;
    const squares = sums.yy[code] / WORDS.whole ** 2 - (2 * share * sums.ym[code]) / WORDS.whole + share ** 2 * sums.mm[code];
    return {
      card, agenda, n, claims, ...rateColumns(sums.claimed[code], n, "claim_rate"), median_round: medianOfCounts(rounds),
      round_p25: quantileOfCounts(rounds, 0.25), round_p75: quantileOfCounts(rounds, 0.75),
      ...clusteredRateColumns(won, claims, squares, "claimant_win_rate"), fair_share: claims ? 1 / players : NaN,
      ...rateColumns(won, n - unfinished, "winner_share"), unfinished, small_sample: claims < WORDS.smallSample,
    };
  }));
}

/** Return by round how many games ended in it: the lab's `rounds`. */
export function rounds(sums) {
  let reached = 0;
  const rows = [...sums.victories.keys()].map((round) => ({ rounds: round, victories: sums.victories[round], unfinished: sums.unfinished[round] }));
  return rows.filter((row) => row.victories + row.unfinished).map((row) => {
    const share = (row.victories + row.unfinished) / sums.games;
    return { ...row, share, share_so_far: (reached += share) };
  });
}

/** Return the length of the games in one row: the lab's `length`. */
export function length(sums) {
  const number = sums.victories.map((n, round) => n + sums.unfinished[round]), n = sums.games, unfinished = total(sums.unfinished);
  const mean = total(number.map((k, round) => k * round)) / n, squares = total(number.map((k, round) => k * round ** 2));
  const reach = studentReach(Math.sqrt(Math.max(squares / n - mean ** 2, 0) / (n - 1)), n), found = {};
  for (const [name, share] of [["p5", 0.05], ["p25", 0.25], ["median", 0.5], ["p75", 0.75], ["p95", 0.95]]) {
    found[name] = quantileOfCounts(number, share);
  }
  const middle = total(number.map((k, round) => (round >= found.p5 && round <= found.p95 ? k : 0))) / n;
  const [low, high] = medianInterval(number), [least, most] = wilson(unfinished, n);
  return {
    n, mean, mean_low: mean - reach, mean_high: mean + reach, ...found, middle, median_low: low, median_high: high, unfinished,
    unfinished_rate: unfinished / n, unfinished_rate_low: least, unfinished_rate_high: most,
  };
}
