// Asks the page's questions of the engine in a folder of `newdawn web build`, and prints answers, house rules and commands.

import fs from "node:fs";
import { pathToFileURL } from "node:url";

const { folder, questions } = JSON.parse(fs.readFileSync(0));
const at = (name) => pathToFileURL(`${folder}/${name}`).href, read = async (name) => new Uint8Array(fs.readFileSync(`${folder}/${name}`));
const [{ openEngine }, { speak, WORDS }, { namesOf, rowsOf }] = await Promise.all(["engine.js", "words.js", "facts.js"].map((name) => import(at(name))));
const [{ addUp, nothing, Piece, sumsOf }, { noPairs, pairsOf }, { answer }, { commands, planOf, yamlOf }] = await Promise.all(
  ["counting.js", "comparing.js", "answers.js", "question.js"].map((name) => import(at(name))));
speak(JSON.parse(fs.readFileSync(`${folder}/words.json`)));
const engine = await openEngine(read), found = [];
for (const question of questions) {
  const names = namesOf(engine.info, question.box), plan = planOf(question), sums = nothing(names, plan.roundCap), pairs = noPairs(names);
  const sides = [await engine.rules(question.box, {}), await engine.rules(question.box, question.changes)];
  for (let first = 0; first < question.games; first += 50) {
    const n = Math.min(50, question.games - first), pieces = [];
    for (const rules of sides) pieces.push(new Piece(await engine.play(plan, rules, first, n), plan.players));
    addUp(sums, sumsOf(pieces[1], names, plan.roundCap));
    addUp(pairs, pairsOf(...pieces, names));
  }
  const rows = rowsOf(await engine.form(question.box));
  found.push({ ...answer(question, names, sums, pairs), yaml: yamlOf(question, rows), commands: commands(question) });
}
console.log(JSON.stringify(found, (_, x) => (Math.abs(x) === Infinity || x !== x ? null : x)));
