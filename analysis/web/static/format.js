// Numbers and words as the lab prints them: the twin of simulator/errors.py and of the cells of analysis/pages/cells.py.

import { known } from "./statistics.js";
import { WORDS } from "./words.js";

/** Return a number with so many digits, halves to even as Python rounds them, and commas between thousands. */
export function fixed(x, digits) {
  const scaled = Math.abs(x) * 2 ** (digits + 1); // only multiples of this lie exactly between two numbers of so many digits
  let text;
  if (Number.isInteger(scaled) && scaled % 2 === 1 && digits < 4) {
    const below = Math.floor(Math.abs(x) * 10 ** digits);
    text = ((below % 2 ? below + 1 : below) / 10 ** digits).toFixed(digits);
  } else text = Math.abs(x).toFixed(digits);
  const [whole, part] = text.split(".");
  const sign = x < 0 || Object.is(x, -0) ? "-" : "";
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? `.${part}` : "");
}

/** Return the text of a number as people read it: with a minus sign, where programs write a hyphen. */
export const withMinus = (number) => number.replaceAll("-", "−");

/** Return '1 game', '1,200 games'. */
export const counted = (n, one, many = `${one}s`) => `${fixed(n, 0)} ${n === 1 ? one : many}`;

/** Return 'A', 'A and B' or 'A, B and C'. */
export function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0] ?? "none";
}

/** Return a median of whole numbers: '16', '16.5'. */
export const half = (x) => fixed(x, 1).replace(/\.0$/, "");

const interval = (low, high, text) => (known(low) ? ` [${text(low)}, ${text(high)}]` : "");

/** Return a number with its interval. */
export function number(value, low = NaN, high = NaN, digits = 1) {
  return withMinus(fixed(value, digits) + interval(low, high, (x) => fixed(x, digits)));
}

/** Return a share in per cent with its interval. */
export function rate(value, low = NaN, high = NaN) {
  const inside = (x) => fixed(100 * Math.min(Math.max(x, 0), 1), 1);
  return `${fixed(100 * value, 1)}%${interval(low, high, inside)}`;
}

function signed(x) {
  const text = fixed(x, 1);
  return Number(text.replaceAll(",", "")) ? (x > 0 ? `+${text}` : withMinus(text)) : "0.0";
}

/** Return percentage points with sign and interval. */
export const points = (value, low = NaN, high = NaN) => signed(value) + interval(low, high, signed);

/** Return a row's figure in points with the interval that holds for all rows. */
export const pointsOf = (row, name = "points") => points(row[name], row[`${name}_all_low`], row[`${name}_all_high`]);

/** Return a p value, as exact as it deserves. */
export const pWords = (p) => (!known(p) ? "–" : p < WORDS.strong ? "<0.001" : fixed(p, 3));

/** Return how many games would decide, rounded up to two digits. */
export function gamesWords(fewest, most, what = "games") {
  if (fewest > WORDS.mostGames) return `no number of ${what} that can be played decides`;
  const few = roundUp(fewest);
  if (most > WORDS.mostGames) return `at least ${fixed(few, 0)} ${what}`;
  const many = roundUp(most);
  return few >= many ? `about ${fixed(many, 0)} ${what}` : `${fixed(few, 0)} to ${fixed(many, 0)} ${what}`;
}

/** Return a number of games to two digits, no fewer. */
export function roundUp(games) {
  const unit = 10 ** Math.max(0, fixed(games, 0).replaceAll(",", "").length - 2);
  return Math.ceil(games / unit) * unit;
}

/** Return the verdict of a row, with the games that would decide it. */
export function verdictWords(row) {
  return known(row.games_fewest) ? `${row.verdict} (${gamesWords(row.games_fewest, row.games_most)})` : row.verdict;
}

/** Return the text of a cell, as a column is declared (name, heading, kind). */
export function cell(row, { name, kind }) {
  const value = row[name];
  if (kind === "flag") return value ? "few" : "";
  if (kind === "verdict") return verdictWords(row);
  if (!known(value)) return "–";
  if (typeof value === "string") return value;
  const which = `${name}_all_low` in row ? "_all" : "", low = row[`${name}${which}_low`] ?? NaN, high = row[`${name}${which}_high`] ?? NaN;
  if (kind === "rate") return rate(value, low, high);
  if (kind === "points") return points(value, low, high);
  if (kind === "p") return pWords(value);
  if (kind === "count") return fixed(value, 0);
  if (kind === "rounds") return half(value);
  return number(value, low, high, kind === "ratio" ? 2 : 1);
}
