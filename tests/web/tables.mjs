// Counts two runs as the page would, in two parts, and prints its tables, their cells and what it says of them.

import { speak } from "STATIC/words.js";
import { addUp, nothing, Piece, sumsOf, wonders, victory, rounds, length } from "STATIC/counting.js";
import { compared, noPairs, pairsOf } from "STATIC/comparing.js";
import { outcomes, strengths, turnOrder } from "STATIC/strength.js";
import { judged } from "STATIC/statistics.js";
import { cell } from "STATIC/format.js";
import { comparedFindings, inUnits, leadersFindings, strengthOf } from "STATIC/sentences.js";
import fs from "node:fs";
const { words, names, players, sides } = JSON.parse(fs.readFileSync(0));
speak(words);
const tried = (make) => { try { return make(); } catch (error) { return { untold: error.message }; } };
// Half of the games first, as two workers would have them.
const cut = (tables, low, high) => Object.fromEntries(Object.entries(tables).map(([table, columns]) => {
  const kept = columns.game_id.map((id, i) => [id, i]).filter(([id]) => id >= low && id < high).map(([, i]) => i);
  return [table, Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, kept.map((i) => values[i])]))];
}));
const n = sides[0].games.rounds.length, parts = [[n >> 1, n], [0, n >> 1]];
const sums = nothing(names, words.roundCap), pairs = noPairs(names);
for (const part of parts) {
  const [a, b] = sides.map((side) => new Piece(cut(side, ...part), players));
  addUp(sums, sumsOf(b, names, words.roundCap));
  addUp(pairs, pairsOf(a, b, names));
}
const data = outcomes(sums.tables, players, names.leader);
const found = {
  leaders: tried(() => judged(strengths(data), "points", words.points, sums.games)),
  order: tried(() => judged(turnOrder(data), "points", words.points, sums.games, "STRENGTH", "turn order")),
  wonders: wonders(sums, names, players), agendas: victory(sums, names, players), length: rounds(sums), game: [length(sums)],
  compared: compared(pairs, names),
};
const units = inUnits(found.compared), printed = {};
for (const [key, rows] of Object.entries({ ...found, compared: units })) {
  const columns = key === "compared" ? [...words.tables.compared, ...words.tables.shifts] : words.tables[key]?.columns.filter((column) => column.name !== "good_players");
  if (columns && Array.isArray(rows)) printed[key] = rows.map((row) => columns.map((column) => cell(row, column)));
}
const said = { leaders: Array.isArray(found.leaders) ? leadersFindings(found.leaders) : [], compared: comparedFindings(units) };
const numbers = (key, x) => (x === Infinity ? "inf" : x === -Infinity ? "-inf" : x !== x ? null : x);
console.log(JSON.stringify({ found, printed, said }, numbers));
