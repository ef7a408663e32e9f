// A game of the run, played again by the engine in the page, as the film that `newdawn replay --html` makes of it.

import { Fields, openEngine } from "../static/engine.js";
import { filmOf } from "./film.js";

let engine = null;

/** Return the seed and the number of a game of the run. */
export function located(segments, id) {
  for (const [seed, first, games] of segments) {
    if (id < games) return [seed, first + id];
    id -= games;
  }
  throw new Error(`game: ${id} is not in the plan of the run`);
}

/** Return the page of a game, and its rows as the engine wrote them (`tables.bytes`). */
export async function film(run, id, read) {
  engine ??= await openEngine(read);
  const [seed, game] = located(run.replay.segments, id), plan = { ...run.replay.plan, seed }, rules = await engine.rules(plan.box, {});
  const tables = await engine.play(plan, rules, game, 1), strategies = Array.from(tables.seats.strategy, (code) => tables.names.strategy[code]);
  const asked = { plan, game, strategies, rules, layouts: engine.info.records, fields: run.replay.fields, Fields };
  return { tables, page: await filmOf(asked, engine.turns(plan, rules, game)) };
}
