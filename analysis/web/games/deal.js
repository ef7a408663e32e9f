// A deal: box, seats, leaders, seed and house rules. With the answers of people it is a game. It is the address of a table, and what
// a saved game says of itself (`SavedGame` of simulator/replay/interactive_game.py): games begun here go on in the lab, and the other way round.

import { ME } from "./sitting.js";
import { changeWords, fits, repeated } from "../static/question.js";
import { own } from "../static/words.js";
import { digest } from "./sha256.js";

export const PROGRAM = "newdawn-balance-lab play", VERSION = 3, READ = [2, 3];
const PARTS = ["box", "seats", "leaders", "seed", "pack", "rival"], RIVAL = /^([01])\.(\d{1,3})\.(\d{1,2})\.([^<>&]{1,40})$/, MOST_SEED = Number.MAX_SAFE_INTEGER;

/** Return the address of a deal behind #. */
export function address({ box, names, leaders, seed, changes, pack }) {
  const found = new URLSearchParams({ box, seats: names.join(",") });
  if (leaders.kind !== "pool") found.set("leaders", leaders.names.join(","));
  found.set("seed", seed);
  for (const path of Object.keys(changes).sort()) found.set(`rule.${path}`, JSON.stringify(changes[path]));
  if (pack) found.set("pack", pack);
  return `#${found}`;
}

/** Return what a challenge adds to an address: how somebody ended at the same deal. */
export const challenge = ({ won, round, claims, leader }) => `&${new URLSearchParams({ rival: `${Number(won)}.${round}.${claims}.${leader}` })}`;

/** Return how the challenger of an address ended; null without one. */
export function challenger(text) {
  const [, won, round, claims, leader] = RIVAL.exec(new URLSearchParams(text.replace(/^#/, "")).get("rival") ?? "") ?? [];
  return leader ? { won: won === "1", round: Number(round), claims: Number(claims), leader } : null;
}

/** Return the deal of an address, and sentences on what cannot be understood in it. `info`: of the engine; `rows(box)`: of its form. */
export function read(text, info, rows) {
  const given = new URLSearchParams(text.replace(/^#/, "")), wrong = repeated(given), boxes = Object.keys(info.boxes);
  const say = (key, expected) => wrong.push(`The address has ${key}=${(given.get(key) ?? "").slice(0, 40)}; expected ${expected}.`);
  const box = given.get("box") ?? boxes[0], about = own(info.boxes, box);
  if (!about) {
    say("box", boxes.join(" or "));
    return { deal: null, wrong };
  }
  const names = (given.get("seats") ?? "").split(","), strategies = about.strategies.map((one) => one.name);
  if (!about.players.includes(names.length)) say("seats", `${about.players[0]} to ${about.players.at(-1)} seats`);
  else if (names.some((name) => name !== ME && !strategies.includes(name))) say("seats", `${ME} for people, or ${strategies.join(", ")}`);
  else if (!names.includes(ME)) say("seats", `at least one '${ME}', a person`);
  const seed = Number(given.get("seed") ?? 1);
  if (!Number.isSafeInteger(seed) || seed < 0 || seed > MOST_SEED) say("seed", `a whole number from 0 to ${MOST_SEED}`);
  const changes = {}, known = new Map(rows(box).map((row) => [row.key, row]));
  for (const [key, value] of given) {
    if (!key.startsWith("rule.")) {
      if (!PARTS.includes(key)) wrong.push(`The address has ${key.slice(0, 40)}, which this page does not know.`);
      continue;
    }
    const row = known.get(key.slice(5)), found = valueOf(row, value);
    if (found === undefined) say(key, row ? "a value that the rule may have" : "a rule that this page can change");
    else changes[row.key] = found;
  }
  const chosen = given.get("leaders")?.split(",");
  const leaders = chosen ? { kind: "lineup", names: chosen } : { kind: "pool", names: [] };
  return { deal: { box, names, players: names.length, leaders, seed, changes, pack: given.get("pack") ?? "", game: 0 }, wrong };
}

function valueOf(row, text) {
  try {
    const value = JSON.parse(text);
    return row && fits(row, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Return a line-up in which people have the leaders they chose, and the others are drawn by the seed. */
export function lineUp(names, chosen, available, seed) {
  const rest = available.filter((name) => !chosen.includes(name));
  let state = BigInt(seed);
  const drawn = () => Number(mixed((state += 0x9e3779b97f4a7c15n)) % BigInt(rest.length));
  return { kind: "lineup", names: names.map((_, seat) => chosen[seat] || rest.splice(drawn(), 1)[0]) };
}

/** Return the output of SplitMix64 (`mix` of simulator/engine/choosing.py). */
export function mixed(u) {
  const word = (x) => BigInt.asUintN(64, x);
  let z = word(u);
  z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

// --- As a file

/** Return the text of JSON as the lab's digests take it: keys in order, no spaces, nothing but ASCII. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") return `{${Object.keys(value).sort().map((key) => `${quoted(key)}:${canonical(value[key])}`).join(",")}}`;
  return typeof value === "string" ? quoted(value) : JSON.stringify(value);
}

const quoted = (text) => JSON.stringify(text).replace(/[\u007f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Return the data of the rules: those printed with the changes, or those of a pack. */
export function dataOf({ changes }, printed, pack) {
  if (pack) return pack.data;
  const data = structuredClone(printed);
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split("."), last = steps.pop();
    steps.reduce((at, step) => (at[step] ??= {}), data)[last] = value;
  }
  return data;
}

/** Return a game as the lab saves it. `facts`: {info, printed (data of the box), rows (of its form), pack, leaders (available)}. */
export function fileOf(deal, { choices, answered }, { info, printed, rows, pack, leaders, roundCap }) {
  const data = dataOf(deal, printed, pack), drawn = deal.leaders.kind === "pool", { players, game } = deal;
  const turned = (list) => list.map((_, place) => list[(((place - game) % players) + players) % players]);
  const name = pack?.name ?? (Object.entries(deal.changes).map(([path, value]) => changeWords(rows.find((row) => row.key === path), value)).join("; ") || "printed");
  const content = {
    program: PROGRAM, version: VERSION, engine: deal.version ?? info.version, seats: deal.names, game,
    plan: {
      players, games: game + 1, seed: deal.seed, round_cap: roundCap, leaders: drawn ? leaders : turned(deal.leaders.names), leaders_drawn: drawn,
      strategies: turned(deal.names), strategies_drawn: false, own: [info.me],
    },
    ruleset: { name, box: deal.box, digest: digest(canonical(data)), data },
    choices: [...choices], answered: answered.map((pair) => [...pair]),
  };
  return { ...content, digest: digest(canonical(content)) };
}

/** Return the deal and the answers of a saved game; throw an error of one sentence for what is none or cannot be played here. */
export async function opened(text, { info, printedOf, rowsOf, packOf }) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error("this file is no JSON; expected a game that was saved at a table");
  }
  if (content?.program !== PROGRAM) throw new Error("this file is no game that was saved at a table");
  if (!READ.includes(content.version)) throw new Error(`this game is of version ${content.version}, which this page cannot read; expected ${VERSION}`);
  const { digest: sum, ...rest } = content;
  if (digest(canonical(rest)) !== sum) throw new Error("this file has changed since it was written (its digest differs); take back the change, or a copy of the file");
  const { plan, ruleset, seats, game, choices } = content, { box } = ruleset, about = own(info.boxes, box);
  if (!about) throw new Error(`this game is of the box ${box}, which this page does not have`);
  const { changes, pack } = await rulesOf(ruleset, await printedOf(box), rowsOf(box), packOf);
  const strategies = about.strategies.map((one) => one.name), unknown = seats.find((name) => name !== ME && !strategies.includes(name));
  if (unknown) throw new Error(`this game has the player ${unknown}, whom no page can run; newdawn play --continue goes on with it`);
  const turned = (list) => list.map((_, seat) => list[(seat + game) % list.length]);
  const leaders = plan.leaders_drawn ? { kind: "pool", names: plan.leaders } : { kind: "lineup", names: turned(plan.leaders) };
  const deal = { box, names: seats, players: plan.players, leaders, seed: plan.seed, changes, pack, game, version: content.engine, roundCap: plan.round_cap };
  return { deal, choices, answered: content.version === VERSION ? content.answered : [] };
}

async function rulesOf({ data, digest: sum }, printed, rows, packOf) {
  if (digest(canonical(data)) !== sum) throw new Error("the rules in this file do not match their digest; it was edited or damaged");
  const known = new Map(rows.map((row) => [row.key, row])), changes = {}, beyond = [];
  for (const [path, value] of differences(printed, data)) {
    if (valueOf(known.get(path), JSON.stringify(value)) === undefined) beyond.push(path);
    else changes[path] = value;
  }
  if (!beyond.length) return { changes, pack: "" };
  if (await packOf(sum)) return { changes: {}, pack: sum };
  throw new Error(`this game has house rules that no form has (${beyond[0]}); open their file, made with newdawn web pack, before it`);
}

function* differences(a, b, path = []) {
  const node = (x) => x && typeof x === "object" && !Array.isArray(x);
  if (node(a) && node(b)) for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) yield* differences(a[key], b[key], [...path, key]);
  else if (canonical(a ?? null) !== canonical(b ?? null)) yield [path.join("."), b];
}

/** Answers of a saved game, matched by their words: another version may offer other options beside them. */
export class Saved {
  constructor(choices, answered, notes = []) {
    Object.assign(this, { choices, answered, notes });
  }

  /** Return the index of the option chosen at a place; throw an error that says where it is no answer any more. */
  chosen(at, question) {
    let index = this.choices[at];
    if (at < this.answered.length) {
      const [kind, text] = this.answered[at];
      if (question.kind !== kind) throw new Unplayable(at, `answered '${kind}' (${text}), but this version asks '${question.kind}' here`);
      const word = (k) => question.word(k).slice(0, 300);
      if (!(index < question.size && word(index) === text)) index = question.options.findIndex((_, k) => word(k) === text);
      if (index < 0) throw new Unplayable(at, `'${text}' (${kind}) is not among the options that this version offers here`);
    }
    if (index >= question.size) throw new Unplayable(at, `${index} is not valid; expected a whole number from 0 to ${question.size - 1}`);
    return index;
  }
}

/** An answer that the game does not offer. */
export class Unplayable extends Error {
  constructor(at, words) {
    super(`choices[${at}]: ${words}`);
    this.at = at;
  }
}
