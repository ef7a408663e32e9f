// A worker that plays games again to watch: one of a question of the page, or one of people at a table. It finds games, makes their
// films, and says where a seat lost.

import { Fields, openEngine } from "../static/engine.js";
import { rowsOf } from "../static/facts.js";
import { namesIn, planOf, read as questionOf } from "../static/question.js";
import { fetched, json } from "../static/reading.js";
import { speak } from "../static/words.js";
import { Saved, Unplayable } from "./deal.js";
import { factsOf } from "./facts_of.js";
import { filmOf } from "./film.js";
import { gameOf, packOf } from "./shelf.js";
import { Sitting } from "./sitting.js";
import { Thinker } from "./thinker.js";
import { unpacked } from "../static/packs.js";

const LOOKED = 60, PIECE = 10, LEAST = 0.005, DEAREST = 3; // games looked through, and at once; a chance that counts; decisions shown
let engine = null, now = null;

/** Open a question of the page, by its address, or a game of people, by its key. */
async function open({ question, table }) {
  speak(await json("words.json"));
  engine ??= await openEngine(fetched);
  if (table) {
    const kept = await gameOf(table);
    if (!kept) throw new Error("this browser does not have that game");
    now = { kept, deal: kept.deal };
    return { title: `Seed ${kept.deal.seed}`, choose: null };
  }
  const rows = Object.fromEntries(await Promise.all(Object.keys(engine.info.boxes).map(async (box) => [box, rowsOf(await engine.form(box))])));
  const { question: asked } = questionOf(question, engine.info, (box) => rows[box]), given = new URLSearchParams(question.slice(1)).get("pack");
  const bytes = given && (await packOf(given));
  if (bytes) asked.pack = unpacked(engine, bytes).pack;
  const rules = asked.pack?.rules ?? (await engine.rules(asked.box, asked.changes)), names = namesIn(asked, engine.info);
  now = { question: asked, rules, names, tables: [] };
  return { title: `seed ${asked.seed}`, choose: { leaders: names.leader, wonders: names.wonder, agendas: names.agenda } };
}

/** Play pieces of the question's games until one fits; return its number, -1 if none of those looked at does. */
async function find({ kind, name }) {
  const { question, rules, tables } = now, plan = planOf(question);
  const all = async (k) => (tables[k] ??= await engine.play(plan, rules, k * PIECE, PIECE)), code = (list) => list.indexOf(name);
  if (kind === "number") return Number(name);
  if (kind === "typical") {
    const rounds = [];
    for (let k = 0; k < LOOKED / PIECE; k++) rounds.push(...(await all(k)).games.rounds);
    const median = [...rounds].sort((a, b) => a - b)[rounds.length >> 1];
    return rounds.indexOf(median);
  }
  for (let k = 0; k < LOOKED / PIECE; k++) {
    const { seats, wonders, agendas, names } = await all(k), players = question.players;
    let at = -1;
    if (kind === "won") at = seats.won.findIndex((won, row) => won > 0 && seats.leader[row] === code(names.leader)) / players;
    if (kind === "built") at = wonders.game_id[wonders.wonder.findIndex((one, row) => one === code(names.wonder) && wonders.round_built[row] > 0)] ?? -1;
    if (kind === "claimed") at = agendas.game_id[agendas.agenda.findIndex((one) => one === code(names.agenda))] ?? -1;
    if (kind === "won" && at >= 0) return k * PIECE + Math.floor(at);
    if (at >= 0) return at;
  }
  return -1;
}

/** Return what is asked of a game: of people as it was kept, of a question by its number. */
async function sat(game) {
  const about = await json("table.json");
  if (now.kept) {
    const { asked } = await factsOf(engine, now.deal), { choices, answered } = now.kept;
    return { asked, about, saved: new Saved(choices, answered) };
  }
  const { question, rules } = now, { players, box, seed } = question, plan = planOf(question);
  const tables = await engine.play(plan, rules, game, 1), names = Array.from(tables.seats.strategy, (code) => tables.names.strategy[code]);
  return { asked: { box, players, names, leaders: plan.leaders, seed, game, rules, roundCap: plan.roundCap, changes: question.changes }, about, saved: null };
}

/** Play a game to its end, or as far as it was played. */
async function played({ asked, about, saved }, instead, own = null) {
  const sitting = await Sitting.open(engine, asked, about.fields, instead);
  if (own) Object.assign(sitting, own);
  try {
    sitting.goOn(saved);
  } catch (error) {
    if (!(error instanceof Unplayable)) throw error; // of another version: as far as its answers are legal
  }
  return sitting;
}

/** Return the film of a game, and how each seat ended. */
async function film({ game }) {
  const given = await sat(game), sitting = await played(given, engine.info.told), { asked } = given;
  const steps = sitting.turns.map(({ after, rows, asked: reasons }) => ({ state: after, log: rows, asked: reasons }));
  if (!steps.length) throw new Error("the map is not laid yet; there is nothing to watch");
  if (sitting.question && sitting.soFar.length) steps.push({ state: sitting.question.bytes, log: sitting.soFar, asked: { rows: [], options: [] } });
  const plan = { players: asked.players, seed: asked.seed, roundCap: asked.roundCap };
  const page = await filmOf({ plan, game: asked.game ?? 0, strategies: asked.names, rules: asked.rules, layouts: engine.info.records, fields: given.about.fields, Fields }, steps);
  const { state, rules } = sitting.now, seats = asked.names.map((name, seat) => ({ leader: rules.texts("leader_name")[state.leader[seat]], name, won: state.winner[seat] > 0 }));
  now.given = given;
  return { page, seats, over: sitting.over };
}

/** Return where a seat lost: the turn at which its chance fell most and for good, and the decisions that cost most. */
async function why({ seat }) {
  const thinking = (now.thinking ??= await openEngine(fetched)), thinker = await Thinker.of(thinking, now.given.asked), own = [];
  const sitting = await played(now.given, {}, { own: [seat], onOwn: (at, question, chosen, turn) => own.push({ at, question, chosen, turn }) });
  const curve = sitting.turns.map(({ after }) => thinker.chancesOf(after)[seat]), states = sitting.turns.map(({ after }) => sitting.ground.game(after));
  const costs = [];
  for (const [k, { question, chosen, turn }] of own.entries()) {
    if (turn.before) {
      const { picked, best, chance } = thinker.cost(turn, chosen);
      costs.push({ round: question.game.round_number, question: question.text, done: question.word(chosen), better: question.word(picked), chance, best, lost: Math.max(0, best - chance) });
    }
    self.postMessage({ done: (k + 1) / own.length });
  }
  const dear = costs.filter((cost) => cost.lost >= LEAST).sort((a, b) => b.lost - a.lost).slice(0, DEAREST);
  return { turning: turningPoint(curve, states, sitting), dear, n: costs.length, first: curve[0] };
}

/** Return the turn before which the seat last had its fair share of the chances and after which it never had again; null if none. */
function turningPoint(curve, states, sitting) {
  const fair = 1 / sitting.asked.players, last = curve.findLastIndex((chance) => chance >= fair), k = last + 1;
  if (last < 0 || k >= curve.length) return null;
  const title = sitting.turns[k].told.find((line) => line.trim().startsWith("Turn "))?.trim() ?? "";
  return { round: states[k].round_number, title, before: curve[last], after: curve[k], lines: sitting.turns[k].told.map((line) => line.trim()).filter((line) => line !== title) };
}

const TASKS = { open, find, film, why };

self.onmessage = async ({ data: { id, task, ...given } }) => {
  try {
    self.postMessage({ id, answer: await TASKS[task](given) });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
};
