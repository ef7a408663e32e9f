// A file of house rules that somebody opens: YAML whose every number and switch is in the form, or what `newdawn web pack` wrote.

import { boxesOf } from "./facts.js";
import { unpacked } from "./packs.js";
import { allowed, fits } from "./question.js";
import { leaves, yaml } from "./yaml.js";

const HEADER = ["name", "description", "box"];

/**
 * Return the box of a file and what it changes: `changes` of the form, or a `pack`. Throw an error of one sentence for what is neither.
 * `now` is the box that is chosen: YAML that names none is for it, or else for the box that has all of its numbers.
 */
export async function opened(engine, file, now, rowsOf) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!/\.ya?ml$/i.test(file.name)) return unpacked(engine, bytes);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("is not text in UTF-8");
  }
  const all = yaml(text), asked = all.get("box"), boxes = boxesOf(engine.info);
  if (asked !== undefined && !boxes.includes(asked)) throw new Error(`box: expected ${boxes.join(" or ")}`);
  const found = leaves(new Map([...all].filter(([name]) => !HEADER.includes(name))));
  if (!found.length) throw new Error("changes nothing; expected house rules, such as wonders: {petra: {cost: 5}}");
  const missing = (box) => found.filter(([path]) => !rowsOf(box).some((row) => row.key === path));
  const box = asked ?? [now, ...boxes].find((one) => !missing(one).length) ?? now, [unknown] = missing(box);
  if (unknown) throw new Error(`${unknown[0]} is not among the numbers and switches of this page; newdawn web pack ${file.name} makes a file that it opens`);
  const changes = {};
  for (const [path, value] of found) {
    const row = rowsOf(box).find((one) => one.key === path);
    if (!fits(row, value)) throw new Error(`${path}: expected ${allowed(row)}`);
    if (value !== row.value) changes[path] = value;
  }
  return { box, changes };
}
