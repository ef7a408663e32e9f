// A question: which games are played, by which rules. It is the address of the page, a plan for the engine, house rules as YAML,
// and commands of the lab.

import { boxesOf, namesOf, strategiesOf } from "./facts.js";
import { withMinus } from "./format.js";
import { own, WORDS } from "./words.js";

export const MOST_GAMES = 1_000_000, SAFE_SEED = Number.MAX_SAFE_INTEGER;

/** Return the question that the page begins with. */
export const first = () => ({
  box: WORDS.boxes[0], players: 4, leaders: { kind: "all", names: [] }, strategies: { kind: "all", names: ["planner"] }, games: 4000,
  seed: 1, changes: {}, others: [], leader: "", pack: null, compare: true,
});

export const MOST_VARIANTS = 4, LETTERS = "ABCD";

/** Return the changes of each variant that is asked about: one, or up to MOST_VARIANTS. */
export const variantsOf = ({ changes, others = [] }) => [changes, ...others];

/** Say whether several variants are compared with each other. */
export const several = ({ others = [] }) => others.length > 0;

/** Return the leader whom the best of several variants brings nearest to its fair share; '' if all leaders count. */
export const aboutLeader = (question) => (several(question) ? question.leader ?? "" : "");

export const slug = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "_");

/** Return the plan for the engine; a pool of no names is all leaders that the rules deal. */
export function planOf({ box, players, leaders, strategies, seed }) {
  return { box, players, seed, roundCap: WORDS.roundCap, strategies, leaders: leaders.kind === "all" ? { kind: "pool", names: [] } : leaders };
}

/** Return whether both the printed rules and the house rules are played. */
export const comparing = (question) => several(question) || (question.compare && (question.pack ? question.pack.alike : Object.keys(question.changes).length > 0));

/** Return the names of what is in the game, own content of a file included. */
export const namesIn = (question, info) => question.pack?.names ?? namesOf(info, question.box);

/** Return the leaders that may be in the games of a question. */
export const leadersOf = ({ leaders }, names) => (leaders.kind === "all" ? names.leader : leaders.names);

/** Return the paths that the house rules change; those of a file end in what they change. */
export const pathsOf = ({ pack, ...question }) => [...variantsOf(question).flatMap(Object.keys), ...(pack?.changes ?? [])];

/** Say whether partners win together. */
export const hasTeams = (question) => pathsOf(question).some((path) => path.startsWith("teams."));

/** Return the slugs of the leaders, or of the `wonders`, whose own rules are changed. */
export function touched({ changes, pack }, section = "leaders") {
  const keys = Object.keys(changes).filter((path) => path.startsWith(`${section}.`)).map((path) => path.split(".")[1]);
  return [...new Set([...keys, ...(pack?.touched[section] ?? [])])];
}

/** Return what tells a question from others whose games are not the same; how many are asked for, and for which leader, does not. */
export const identity = (question, info) => `${info.version} ${address({ ...question, games: 0, leader: "" })}`;

/** Return the identity of the question that an address asks, as `address` wrote it. */
export function identityOf(info, text) {
  const given = new URLSearchParams(text.replace(/^#/, ""));
  given.delete("games");
  return `${info.version} #${given}`;
}

// --- The address

/** Return the question as the part of the address behind #. */
export function address(question) {
  const { box, players, leaders, strategies, games, seed, pack, compare } = question, found = new URLSearchParams({ box, players });
  const named = ({ kind, names }) => `${kind}:${names.join(",")}`;
  if (leaders.kind !== "all") found.set("leaders", named(leaders));
  found.set("play", strategies.kind === "all" ? strategies.names[0] : named(strategies));
  if (games) found.set("games", games);
  found.set("seed", seed);
  for (const [at, changes] of variantsOf(question).entries()) {
    for (const path of Object.keys(changes).sort()) found.set(`${at ? `${LETTERS[at]}.` : ""}rule.${path}`, JSON.stringify(changes[path]));
  }
  if (aboutLeader(question)) found.set("leader", question.leader);
  if (pack) found.set("pack", pack.digest.slice(0, 16));
  if (!compare && !several(question)) found.set("compare", "no");
  return `#${found}`;
}

/** Return a sentence for each name that an address has more than once: what it asks is not known then. */
export function repeated(given) {
  const names = [...given.keys()];
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map((name) => `The address has ${name.slice(0, 80)} more than once; expected it once, and the first one stands.`);
}

const PARTS = ["box", "players", "games", "seed", "leaders", "play", "leader", "pack", "compare"];
const whole = (text, low, high) => (/^\d+$/.test(text) && +text >= low && +text <= high ? +text : null);

/**
 * Return the question that an address asks, and a sentence for each part of it that cannot be understood (what stands there
 * instead is as on the first page). `info` are the engine's facts, `form(box)` the rows that can be changed.
 */
export function read(text, info, form) {
  const question = first(), given = new URLSearchParams(text.replace(/^#/, "")), wrong = repeated(given);
  const say = (key, expected) => wrong.push(`The address has ${key}=${(given.get(key) ?? "").slice(0, 40)}; expected ${expected}.`);
  const number = (key, low, high) => {
    if (!given.has(key)) return;
    const found = whole(given.get(key), low, high);
    if (found === null) say(key, `a whole number from ${low} to ${high}`);
    else question[key] = found;
  };
  if (given.has("box")) {
    if (own(info.boxes, given.get("box"))) question.box = given.get("box");
    else say("box", boxesOf(info).join(" or "));
  }
  number("players", WORDS.fewestPlayers, WORDS.mostPlayers[question.box]);
  number("games", 2, MOST_GAMES);
  number("seed", 0, SAFE_SEED);
  const names = namesOf(info, question.box);
  if (given.has("leaders")) {
    const [kind, list = ""] = given.get("leaders").split(":"), asked = list.split(",").filter(Boolean);
    const right = kind === "lineup" ? asked.length === question.players : kind === "pool" && asked.length >= question.players;
    const unknown = asked.find((name) => !names.leader.includes(name));
    if (right && !unknown && new Set(asked).size === asked.length) question.leaders = { kind, names: asked };
    else say("leaders", unknown ? `leaders of the box, such as ${names.leader[0]}` : "pool: or lineup: and different leaders, enough for the players");
  }
  if (given.has("play")) {
    const [kind, list] = given.get("play").includes(":") ? given.get("play").split(":") : ["all", given.get("play")];
    const asked = list.split(",").filter(Boolean), known = strategiesOf(info, question.box, question.players).map((one) => one.name);
    const count = own({ all: asked.length === 1, pool: asked.length > 0, seats: asked.length === question.players }, kind);
    if (count && asked.every((name) => known.includes(name))) question.strategies = { kind, names: asked };
    else say("play", `one of ${known.join(", ")}, or pool: or seats: and several of them`);
  }
  if (given.has("pack")) wrong.push("This link is about a file of house rules, which an address cannot hold: open the file below.");
  if (given.get("compare") === "no") question.compare = false;
  const columns = [{}]; // the changes of each variant, by its letter
  for (const key of new Set(given.keys())) {
    const value = given.get(key), [, letter = "A", path] = /^(?:([B-D])\.)?rule\.(.*)$/.exec(key) ?? [], at = LETTERS.indexOf(letter);
    if (path === undefined) {
      if (!PARTS.includes(key)) wrong.push(`The address has ${key.slice(0, 40)}, which this page does not know.`);
      continue;
    }
    const row = form(question.box).find((one) => one.key === path), found = row && valueOf(row, value);
    if (!row) wrong.push(`The address changes ${path.slice(0, 75)}, which this page cannot change; the rule is left as printed.`);
    else if (found === undefined) say(key, allowed(row));
    else if (found !== row.value) (columns[at] ??= {})[row.key] = found;
  }
  [question.changes, ...question.others] = Array.from(columns).filter((one, at) => one || !at);
  if (given.has("leader")) {
    if (!several(question)) wrong.push("The address has leader, which is for several variants; expected at least two.");
    else if (leadersOf(question, names).includes(given.get("leader"))) question.leader = given.get("leader");
    else say("leader", `a leader of these games, such as ${leadersOf(question, names)[0]}`);
  }
  return { question, wrong };
}

/** Say whether a row of the form may have a value. */
export const fits = (row, value) => (row.values ? row.values.includes(value) : Number.isInteger(value) && value >= row.range[0] && value <= row.range[1]);

function valueOf(row, text) {
  try {
    const value = JSON.parse(text);
    return fits(row, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Return in words what a row of the form may be. */
export const allowed = (row) => (row.values ? row.values.map(word).join(" or ") : withMinus(`${row.range[0]} to ${row.range[1]}`));

/** Return a value of the form as a word. */
export const word = (value) => (value === true ? "yes" : value === false ? "no" : typeof value === "number" ? withMinus(String(value)) : String(value).replaceAll("_", " "));

/** Return the change of a row in words: 'Petra: cost 7 → 5'. */
export const changeWords = (row, value) => `${row.title} ${word(row.value)} → ${word(value)}`;

// --- What the lab takes

export const RULES_FILE = "house_rules.yaml";

/** Return the name of the file of a variant. */
export const fileOf = (question, at) => (several(question) ? RULES_FILE.replace(".", `_${LETTERS[at].toLowerCase()}.`) : RULES_FILE);

/** Return the name of a variant, which its file has, too. */
export const nameOf = (changes, rows) => Object.keys(changes).map((path) => changeWords(rows.find((row) => row.key === path), changes[path])).join("; ").slice(0, 200);

const scalar = (value) => (typeof value === "string" ? JSON.stringify(value) : String(value));

/** Return the changes of a variant as a file of house rules. */
export function yamlOf(question, rows, changes = question.changes) {
  const paths = Object.keys(changes), tree = {}, lines = [`name: ${JSON.stringify(nameOf(changes, rows))}`];
  if (question.box !== WORDS.boxes[0]) lines.push(`box: ${question.box}`);
  for (const path of paths) {
    const steps = path.split("."), last = steps.pop();
    steps.reduce((at, step) => (at[step] ??= {}), tree)[last] = changes[path];
  }
  const write = (node, depth) => {
    for (const [key, value] of Object.entries(node)) {
      const start = `${"  ".repeat(depth)}${/^[a-z_][\w-]*$/i.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key) ? key : JSON.stringify(key)}:`;
      if (typeof value === "object") {
        lines.push(start);
        write(value, depth + 1);
      } else lines.push(`${start} ${scalar(value)}`);
    }
  };
  write(tree, 0);
  return `${lines.join("\n")}\n`;
}

/** Return the commands that play the same games in the lab, and ask them the same. */
export function commands(question) {
  const { box, players, leaders, strategies, games, seed, changes, pack } = question, rules = pack || Object.keys(changes).length > 0;
  const list = (names) => (names.some((name) => /[^\w,-]/.test(name)) ? `'${names.join(",")}'` : names.join(","));
  const common = [
    ...(box === WORDS.boxes[0] ? [] : [`--box ${box}`]), `--players ${players}`, `--games ${games}`, `--seed ${seed}`,
    ...(leaders.kind === "all" ? [] : [`${leaders.kind === "pool" ? "--leader-pool" : "--leaders"} ${list(leaders.names)}`]),
    `${strategies.kind === "pool" ? "--strategy-pool" : "--strategies"} ${list(strategies.names)}`,
  ].join(" ");
  if (several(question)) return [`newdawn compare printed ${variantsOf(question).map((_, at) => fileOf(question, at)).join(" ")} ${common}${aboutLeader(question) ? ` --leader ${list([question.leader])}` : ""}`];
  const run = `newdawn run ${common}${rules ? ` --rules ${RULES_FILE}` : ""} --out results/page`;
  const found = [run, "newdawn leaders results/page"];
  if (rules) found.unshift(`newdawn compare printed ${RULES_FILE} ${common}`);
  return found;
}
