// Looking for a key of the rules by words: the twin of `newdawn rules list` (simulator/rules/edit.py), with the same synonyms.

import { own, WORDS } from "./words.js";

const LONGEST = 5, SHORTEST = 3; // words of a phrase; letters of a word that keeps its last s
const POSSESSIVE = /['’]s?(?![\p{L}\d_])/gu; // "Petra's", "players’"
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Say whether a path fits a pattern with `*`, `?` and `[…]`. */
export function fits(path, pattern) {
  const parts = pattern.replace(/[.+^${}()|\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".").replace(/\[!/g, "[^");
  return new RegExp(`^${parts}$`).test(path);
}

/** Say whether words, or the beginnings of them, stand in path, title or sentence one after the other. */
function has(row, words) {
  row.searched ??= `${row.key} ${row.key.replaceAll("_", " ")} ${row.text ?? row.title}`.toLowerCase().replaceAll("’", "'");
  return new RegExp(`\\b${escaped(words)}`).test(row.searched);
}

function fitsTerm([written, phrase], row) {
  const synonym = own(WORDS.synonyms, phrase);
  if (has(row, written) || has(row, phrase)) return true;
  return Boolean(synonym?.keys.some((word) => (word.includes("*") ? fits(row.key, word) : has(row, word))));
}

function singular(words) {
  for (const [end, other] of [["", ""], ["ies", "y"], ["s", ""]]) {
    if (words.endsWith(end) && own(WORDS.synonyms, words.slice(0, words.length - end.length) + other)) {
      return words.slice(0, words.length - end.length) + other;
    }
  }
  return words.length > SHORTEST ? words.replace(/s$/, "") : words;
}

function termsOf(words) {
  let left = words.toLowerCase().replace(POSSESSIVE, "").replaceAll("’", "'").replace(/[-\s]+/g, " ").trim().split(" ").filter(Boolean);
  const terms = [];
  while (left.length) {
    let found = [1, " "];
    search: for (let n = Math.min(LONGEST, left.length); n > 0; n--) {
      for (const space of [" ", ""]) if (own(WORDS.synonyms, singular(left.slice(0, n).join(space)))) {
        found = [n, space];
        break search;
      }
    }
    const part = left.slice(0, found[0]);
    terms.push([part.join(" "), singular(part.join(found[1]))]);
    left = left.slice(found[0]);
  }
  const counting = terms.filter(([written]) => !WORDS.ignored.includes(written));
  return counting.length ? counting : terms;
}

// What notes and sentences of the lab say of its commands and files, as one says it to those who have this page alone.
const HERE = [
  [/ is an option of the commands: --players\./g, " is chosen at the top, under Players."],
  [/:? ?(?:add )?\(?--box terra-incognita(?: --players 5)?\)?/g, " (choose it at the top, under Box)"],
  [/: --players 2\./g, " (choose it at the top, under Players)."],
  [/: newdawn strategies lists them\./g, ": choose one at the top, under Who plays."],
  [/: everyone: \{.*\} \(docs\/abilities\.md\)\./g, ", in a file made with newdawn web pack."],
  [/ \(`[^`]*`\)|: `[^`]*`| \([BT]\d[\d., BT]*\)| \([a-z]+[._][a-z_.]*(?:: \d+)?\)/g, ""],
  [/`([^`]*)`/g, "“$1”"], [/(?<=\w)_(?=\w)/g, " "],
  [/\bfalse\b/g, "“no”"], [/\btrue\b/g, "“yes”"], [/No key matches/g, "No rule matches"], [/no key stands/g, "no rule here stands"],
];

/** Return a note or sentence of the lab for this page. */
export const plain = (text) => HERE.reduce((said, [words, here]) => said.replace(words, here), text);

/** Return the rows of the form that fit the words, else those that fit most of them, and what is to be said to the search. */
export function found(rows, words, box) {
  if (words.includes("*")) return { rows: rows.filter((row) => fits(row.key.toLowerCase(), words.toLowerCase())), notes: [] };
  const terms = termsOf(words), synonyms = terms.map(([, phrase]) => own(WORDS.synonyms, phrase)).filter(Boolean);
  const notes = [...new Set(synonyms.map((one) => one.note))].filter((note) => note && !note.includes(`--box ${box}`));
  const all = rows.filter((row) => terms.every((term) => fitsTerm(term, row)));
  if (all.length || synonyms.some((one) => !one.keys.length) || terms.length < 2) return { rows: all, notes };
  const sets = terms.map((term) => rows.map((row) => fitsTerm(term, row)));
  const weights = sets.map((set) => 1 + 1 / (1 + set.filter(Boolean).length));
  const scores = rows.map((_, k) => sets.reduce((sum, set, i) => sum + (set[k] ? weights[i] : 0), 0)), most = Math.max(0, ...scores);
  if (!most) return { rows: [], notes };
  const counts = terms.map(([written], i) => `${written}: ${sets[i].filter(Boolean).length || "none"}`).join(", ");
  return { rows: rows.filter((_, k) => scores[k] === most), notes: [...notes, `No key matches all of it (${counts}); these match most.`] };
}
