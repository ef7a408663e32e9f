// The page to watch a game: it lets one choose which, shows the film, and asks why a seat lost.

import { byId, h } from "../static/dom.js";
import { counted } from "../static/format.js";

const KINDS = [["typical", "a typical one"], ["won", "one that a leader won"], ["built", "one with a world wonder built"], ["claimed", "one with an agenda claimed"], ["number", "by its number"]];
const worker = new Worker(new URL("watching.js", import.meta.url), { type: "module" }), waiting = new Map();
const percent = (chance) => `${(100 * chance).toFixed(1)}%`;
let calls = 0, names = null, chosen = { kind: "typical", name: "" };

worker.onmessage = ({ data: { id, answer, failed, done } }) => {
  if (done !== undefined) {
    byId("pace").textContent = `The thinker goes through the decisions: ${Math.round(100 * done)}%`;
    return;
  }
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (failed === undefined) resolve(answer);
  else reject(new Error(failed));
};

function ask(task, given = {}) {
  return new Promise((resolve, reject) => {
    waiting.set(++calls, { resolve, reject });
    worker.postMessage({ id: calls, task, ...given });
  });
}

const say = (text) => byId("wrong").replaceChildren(...(text ? [h("p", { class: "warning" }, text)] : []));

/** Do something that takes a while, and say so. */
async function busy(words, deed) {
  byId("pace").textContent = words;
  say("");
  try {
    await deed();
  } catch (error) {
    say(`${error.message}.`);
  }
  byId("pace").textContent = "";
}

function draw() {
  const field = (id, label, options, value, changed) => h("label", { class: "field", for: id }, h("span", {}, label),
    h("select", { id, change: (event) => changed(event.target.value) }, options.map(([key, text]) => h("option", { value: key, selected: key === value }, text))));
  const list = { won: names.leaders, built: names.wonders, claimed: names.agendas }[chosen.kind];
  const which = list ? [field("name", "Which?", list.map((name) => [name, name]), chosen.name, (name) => (chosen.name = name))]
    : chosen.kind === "number" ? [h("label", { class: "field", for: "name" }, h("span", {}, "Number"), h("input", { id: "name", type: "number", min: 0, max: 999999, value: chosen.name || 0, input: (event) => (chosen.name = event.target.value) }))] : [];
  byId("choose").replaceChildren(field("kind", "Watch", KINDS, chosen.kind, (kind) => {
    chosen = { kind, name: { won: names.leaders, built: names.wonders, claimed: names.agendas }[kind]?.[0] ?? "0" };
    draw();
    byId("kind").focus();
  }), ...which, h("button", { type: "submit", class: "main", id: "watch" }, "Watch"));
}

function look() {
  return busy("Looking for a game …", async () => {
    const game = chosen.kind === "number" ? Number(chosen.name) : await ask("find", chosen);
    if (!Number.isSafeInteger(game) || game > 999999) throw new Error("which game? expected a whole number from 0 to 999,999");
    if (game < 0) throw new Error("none of the first 60 games of this question is one; choose another");
    await show(game);
  });
}

async function show(game) {
  const { page, seats, over } = await ask("film", { game });
  const frame = h("iframe", { title: "The game, turn by turn", sandbox: "allow-scripts allow-popups", class: "film" });
  frame.srcdoc = page;
  byId("film").replaceChildren(frame);
  byId("why").hidden = !over;
  const lost = seats.map((seat, k) => ({ ...seat, k })).filter((seat) => !seat.won);
  byId("why").replaceChildren(h("h2", {}, "Why did this seat lose?"),
    h("p", { class: "examples" }, lost.map(({ leader, name, k }) => h("button", { type: "button", id: `why-${k}`, click: () => because(k, leader) }, `${leader} (seat ${k + 1}, ${name === "me" ? "you" : name})`))),
    h("div", { id: "because", "aria-live": "polite" }));
}

function because(seat, leader) {
  return busy("The thinker goes through the decisions …", async () => byId("because").replaceChildren(...told(leader, await ask("why", { seat }))));
}

/** Return why a seat lost, in words. */
function told(leader, { turning, dear, n, first }) {
  const turn = turning ? [h("p", {}, h("strong", {}, `The turning point is in round ${turning.round}. `), `${turning.title}: the chance of ${leader} to win falls from ${percent(turning.before)} to ${percent(turning.after)}, and never again reaches a fair share.`),
    h("details", {}, h("summary", {}, "What happened then"), turning.lines.map((line) => h("p", {}, line)))]
    : [h("p", {}, h("strong", {}, "There is no turning point. "), `${leader} never had a fair share of the chances to win, or had it to the end (${percent(first)} when the map was laid).`)];
  const rows = dear.map(({ round, question, done, better, chance, best }) => h("tr", {}, h("td", {}, String(round)), h("td", { class: "text" }, `${percent(chance)} instead of ${percent(best)}`), h("td", { class: "text" }, h("span", { class: "note" }, question), " ", done), h("td", { class: "text" }, better)));
  const costs = dear.length ? [h("h3", {}, "The decisions that cost most"), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Decisions" }, h("table", {}, h("thead", {}, h("tr", {}, ["round", "chance to win", "decision", "the thinker's"].map((word) => h("th", { class: "text" }, word)))), h("tbody", {}, rows)))]
    : [h("p", {}, `None of ${counted(n, "decision")} cost half a percentage point or more.`)];
  return [...turn, ...costs, h("p", { class: "note" }, "By the thinker's value network, after every turn; the chances of a decision are means over 8 throws of the dice.")];
}

async function open() {
  const given = new URLSearchParams(location.hash.slice(1)), table = given.get("table");
  const { title, choose } = await ask("open", table ? { table } : { question: location.hash });
  byId("which").textContent = title;
  if (!choose) return busy("Playing the game again …", () => show(0));
  names = choose;
  draw();
  byId("choose").hidden = false;
  byId("choose").addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  return look();
}

addEventListener("hashchange", () => location.reload());
open().catch((error) => {
  byId("pace").textContent = "";
  say(`${error.message}.`);
});
