// A game of the run, played again by the engine in the page, and what happened in it in the lab's own words.

import { openEngine } from "../static/engine.js";

export async function replay(run, desk, id, read) {
  return [];
}
