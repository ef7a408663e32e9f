// House rules in a file of `newdawn web pack`: own leaders, wonders and abilities, which no form has.

import { namesOf } from "./facts.js";
import { slug } from "./question.js";
import { own as ofOwn } from "./words.js";

/** Return what such a file holds, as a question has it; throw an error of one sentence if it is none of ours. */
export function unpacked(engine, bytes) {
  const { box, name, changes, notes, digest, rules, data } = engine.pack(bytes), own = engine.names(rules), printed = namesOf(engine.info, box);
  const facts = Object.fromEntries(own.wonder.map((one) => [one, ofOwn(printed.facts, one) ?? ["own", "own"]]));
  // Games by both rules are counted by the same codes, so what is printed has to come first.
  const alike = ["leader", "agenda", "card", "wonder"].every((kind) => printed[kind].every((one, code) => own[kind][code] === one));
  const keysOf = (section) => new Set(changes.filter((path) => path.startsWith(`${section}.`)).map((path) => path.split(/[.:]/)[1]));
  const called = (section, key) => data?.[section]?.[key]?.[section === "leaders" ? "civ" : "name"] ?? key;
  const touched = Object.fromEntries(["leaders", "wonders"].map((section) => [section, [...keysOf(section)].map((key) => slug(called(section, key)))]));
  return { box, pack: { name, digest, changes, notes, rules, names: { ...own, facts }, alike, touched } };
}
