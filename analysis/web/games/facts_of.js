// What is fixed for a deal: its rules, and the texts and names of its box.

import { unpacked } from "../static/packs.js";
import { json } from "../static/reading.js";
import { speak } from "../static/words.js";
import { packOf } from "./shelf.js";

/** Return what is fixed for a deal: rules, names, texts. */
export async function factsOf(engine, deal) {
  const [about, words] = await Promise.all([json("table.json"), json("words.json")]);
  speak(words);
  let pack = null, rules;
  if (deal.pack) {
    const bytes = await packOf(deal.pack);
    if (!bytes) throw new Error("the house rules of this table are a file; open it on the page where people sit down");
    pack = { ...unpacked(engine, bytes).pack, data: engine.pack(bytes).data };
    rules = pack.rules;
  } else rules = await engine.rules(deal.box, deal.changes);
  const asked = { ...deal, rules, roundCap: deal.roundCap ?? engine.info.roundCap };
  return { about, pack, asked };
}
