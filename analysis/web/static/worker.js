// A worker that plays: one a processor. It is told the question once, then ranges of games, and returns their sums.

import { pairsOf } from "./comparing.js";
import { Piece, sumsOf } from "./counting.js";
import { openEngine } from "./engine.js";
import { comparing, namesIn, planOf, several, variantsOf } from "./question.js";
import { fetched } from "./reading.js";
import { tallyOf } from "./variants.js";
import { speak, WORDS } from "./words.js";

let engine = null, asked = null;

async function begin({ question, words }) {
  speak(words);
  engine ??= await openEngine(fetched);
  const sides = comparing(question) ? [await engine.rules(question.box, {})] : [];
  if (question.pack) sides.push(question.pack.rules);
  else for (const changes of variantsOf(question)) sides.push(await engine.rules(question.box, changes));
  asked = { names: namesIn(question, engine.info), plan: planOf(question), sides, several: several(question) };
}

async function play({ first, n }) {
  const start = performance.now(), { names, plan, sides, several: tallied } = asked, pieces = [];
  for (const rules of sides) pieces.push(new Piece(await engine.play(plan, rules, first, n), plan.players));
  const sums = sumsOf(pieces.at(-1), names, WORDS.roundCap), pairs = tallied ? tallyOf(pieces, names) : pieces.length > 1 ? pairsOf(pieces[0], pieces[1], names) : null;
  return { first, n, sums, pairs, seconds: (performance.now() - start) / 1000 };
}

self.onmessage = async ({ data }) => {
  try {
    if (data.question) {
      await begin(data);
      self.postMessage({ ready: true });
    } else self.postMessage(await play(data));
  } catch (error) {
    self.postMessage({ failed: String(error?.message ?? error), ours: error?.name === "Error" });
  }
};
