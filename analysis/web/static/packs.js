// House rules in a file of `newdawn web pack`: own leaders, wonders and abilities, which no form has.

import { namesOf } from "./facts.js";

/** Return what such a file holds, as a question has it; throw an error of one sentence if it is none of ours. */
export function unpacked(engine, bytes) {
  const { box, name, changes, notes, digest, rules } = engine.pack(bytes), own = engine.names(rules), printed = namesOf(engine.info, box);
  const facts = Object.fromEntries(own.wonder.map((one) => [one, printed.facts[one] ?? ["own", "own"]]));
  // Games by both rules are counted by the same codes, so what is printed has to come first.
  const alike = ["leader", "agenda", "card", "wonder"].every((kind) => printed[kind].every((one, code) => own[kind][code] === one));
  return { box, pack: { name, digest, changes, notes, rules, names: { ...own, facts }, alike } };
}
