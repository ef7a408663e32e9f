// A worker in which the thinker gives hints. It is told the table once, then asked through a port by the worker of the game.

import { openEngine } from "../static/engine.js";
import { fetched } from "../static/reading.js";
import { Thinker } from "./thinker.js";

const HINT = 8000; // milliseconds that the chances of options may take
let thinker = null;

const TASKS = {
  begin: async ({ asked }) => {
    thinker = await Thinker.of(await openEngine(fetched), asked);
    return null;
  },
  hint: ({ turn, options }) => thinker.hint(turn, options, HINT),
  cost: ({ turn, chosen }) => thinker.cost(turn, chosen),
  chances: ({ bytes }) => thinker.chancesOf(bytes),
  forget: () => (thinker.plan = null),
};

self.onmessage = ({ data: { port } }) => {
  let last = Promise.resolve(); // one after the other, for the thinker remembers what it planned
  port.onmessage = ({ data: { id, task, ...given } }) => {
    last = last.then(async () => {
      try {
        port.postMessage({ id, answer: await TASKS[task](given) });
      } catch (error) {
        port.postMessage({ id, failed: error.message });
      }
    });
  };
};
