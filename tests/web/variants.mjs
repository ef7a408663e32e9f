// Counts runs by several rulesets as the page would, in two parts, and prints the table of variants and what it says.

import { speak } from "STATIC/words.js";
import { Piece } from "STATIC/counting.js";
import { cell } from "STATIC/format.js";
import { addTally, noTally, tallyOf, variants, variantsFindings } from "STATIC/variants.js";
import fs from "node:fs";
const { words, names, players, sides, labels, leader } = JSON.parse(fs.readFileSync(0));
speak(words);
const cut = (tables, low, high) => Object.fromEntries(Object.entries(tables).map(([table, columns]) => {
  const kept = columns.game_id.map((id, i) => [id, i]).filter(([id]) => id >= low && id < high).map(([, i]) => i);
  return [table, Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, kept.map((i) => values[i])]))];
}));
const n = sides[0].games.rounds.length, tally = noTally(names, sides.length);
for (const part of [[n >> 1, n], [0, n >> 1]]) addTally(tally, tallyOf(sides.map((side) => new Piece(cut(side, ...part), players)), names));
const rows = variants(tally, names, labels, players, leader), shown = words.tables.variants.columns.filter(({ name, optional }) => !optional || name in rows[0]);
const printed = rows.map((row) => shown.map((column) => cell(row, column)));
console.log(JSON.stringify({ rows, printed, said: variantsFindings(rows, leader) }, (_, x) => (x === Infinity ? "inf" : x !== x ? null : x)));
