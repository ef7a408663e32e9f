// The page of a table in the browser: it opens the game of the address, and lets at_table.js (explorer/play.js) talk to the worker that plays it.

import { byId, h } from "../static/dom.js";
import { rowsOf } from "../static/facts.js";
import { json } from "../static/reading.js";
import { address, challenge, challenger, read } from "./deal.js";

const BOX_RULE = /[#&]rule\./;
let worker = null, calls = 0, seat = -1, people = [], names = [], deal = null, rival = null;
const waiting = new Map();

/** Ask the worker of the game; promises its answer. */
function ask(question, transfer = []) {
  return new Promise((resolve, reject) => {
    waiting.set(++calls, { resolve, reject });
    worker.postMessage({ id: calls, ...question }, transfer);
  });
}

function begun() {
  worker = new Worker(new URL("host.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { id, answer, failed } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failed === undefined) resolve(answer);
    else reject(new Error(failed));
  };
  worker.onerror = (event) => {
    const error = new Error(event.message || "a file of this page cannot be reached; go online once and open the page again");
    waiting.forEach(({ reject }) => reject(error));
  };
}

/** Let the thinker work in a worker of its own. */
function withThinker() {
  const { port1, port2 } = new MessageChannel(), thinking = new Worker(new URL("thinking.js", import.meta.url), { type: "module" });
  thinking.postMessage({ port: port2 }, [port2]);
  return ask({ thinking: port1 }, [port1]);
}

/** Return the deal of the address. */
export async function dealOf(text) {
  const info = await json("engine.json"), box = new URLSearchParams(text.slice(1)).get("box") ?? Object.keys(info.boxes)[0];
  const rows = BOX_RULE.test(text) && Object.hasOwn(info.boxes, box) ? rowsOf(await json(`form-${box}.json`)) : [];
  return read(text, info, () => rows);
}

async function answered(path) {
  const found = await ask({ path });
  if (found?.options) handOver(found);
  if (found?.options && found.over && rival) beside();
  if (found?.lost) say(`This browser does not keep the game (${found.lost}); save a copy before you close the page.`);
  return found;
}

const say = (text) => {
  byId("aside").textContent = text;
  byId("aside").hidden = !text;
};

/** Cover the table while it is handed to another person. */
function handOver(view) {
  if (view.over || view.seat === seat) return;
  const first = seat < 0;
  seat = view.seat;
  if (people.length < 2 || first) return;
  byId("hand-words").textContent = `Hand over to seat ${seat + 1}${view.leaders[seat] ? `: ${view.leaders[seat]}` : ""}.`;
  document.querySelectorAll("header, main").forEach((part) => (part.inert = true));
  byId("hand").hidden = false;
  byId("hand-on").focus();
}

byId("hand-on").addEventListener("click", () => {
  byId("hand").hidden = true;
  document.querySelectorAll("header, main").forEach((part) => (part.inert = false));
  byId("question").focus();
});

const ended = ({ leader, won, round, claims }) => `${leader} ${won ? "won" : "did not win"} in ${round} rounds, with ${claims} victory ${claims === 1 ? "card" : "cards"}`;

/** Show the own result beside that of whoever sent the link. */
async function beside() {
  const mine = await ask({ path: "/api/result" });
  if (mine) say(`You: ${ended(mine)}. Who challenged you: ${ended(rival)}.`);
}

/** Copy the link to this deal; after the end it is a challenge, with the own result in it. */
async function copied() {
  const mine = await ask({ path: "/api/result" }), link = new URL(`table.html${address(deal)}${mine ? challenge(mine) : ""}`, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    say(mine ? "The link is copied: whoever opens it plays the same deal, and sees your result beside their own in the end." : "The link is copied: whoever opens it sits down at the same deal.");
  } catch {
    say(`This browser does not let the page copy; the link: ${link}`);
  }
}

/** Ask for the names of people, who may leave them out, and add the game to the log. */
function logging() {
  const named = people.map((place) => [place, h("input", { type: "text", maxlength: 60, autocomplete: "off", "aria-label": `Name of seat ${place + 1}` })]);
  const done = async () => {
    const told = Object.fromEntries(named.map(([place, input]) => [place, input.value.trim()]).filter(([, name]) => name));
    await ask({ people: told }).then(() => say("The game is in the log of this browser; the page Other games saves it as a file."), (error) => say(error.message));
  };
  byId("aside").hidden = false;
  byId("aside").replaceChildren("Names, if they are wanted: ", ...named.flatMap(([place, input]) => [` seat ${place + 1} `, input]), " ", h("button", { type: "button", id: "add-on", click: done }, "Add"));
  named[0][1].focus();
}

async function open() {
  const found = await dealOf(location.hash);
  if (!found.deal || found.wrong.length) throw new Error(found.wrong.join(" "));
  ({ deal } = found);
  ({ names } = deal);
  rival = challenger(location.hash);
  people = names.flatMap((name, place) => (name === "me" ? [place] : []));
  byId("title").textContent = "Setting up the table …";
  byId("film").href = `watch.html#table=${encodeURIComponent(address(deal))}`;
  byId("link").addEventListener("click", copied);
  byId("add").addEventListener("click", logging);
  begun();
  await withThinker();
  const { said } = await ask({ open: { deal, key: address(deal) } });
  say(said);
  globalThis.newdawnTable = answered;
  await globalThis.begin();
  if (navigator.serviceWorker && location.protocol !== "file:") navigator.serviceWorker.register("sw.js").catch(() => null);
}

addEventListener("hashchange", () => location.reload());
open().catch((error) => {
  byId("error").textContent = error.message;
  byId("error").hidden = false;
  byId("title").textContent = "";
});

