// A worker that plays a game with people at the table. It answers what the server of `newdawn play` answers (at_table.js asks both
// alike), and keeps the game in the browser after every choice.

import { openEngine } from "../static/engine.js";
import { fetched, json } from "../static/reading.js";
import { rowsOf } from "../static/facts.js";
import { canonical, fileOf, Saved, Unplayable } from "./deal.js";
import { factsOf } from "./facts_of.js";
import { entryOf, lineOf } from "./log.js";
import { plain } from "./python.js";
import { digest } from "./sha256.js";
import { addToLog, gameOf, keepGame } from "./shelf.js";
import { cardsOf, Sitting } from "./sitting.js";
import * as lab from "./lab.js";

const AT_MOST = 3; // choices that cost most
let table = null, port = null, tasks = 0;
const waiting = new Map();

/** Ask the thinker. */
function thinker(task, given = {}) {
  return new Promise((resolve, reject) => {
    waiting.set(++tasks, { resolve, reject });
    port.postMessage({ id: tasks, task, ...given });
  });
}

function connect(thinking) {
  port = thinking;
  port.onmessage = ({ data: { id, answer, failed } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (failed === undefined) resolve(answer);
    else reject(new Error(failed));
  };
}

class Table {
  static async open({ deal, key }) {
    const engine = await openEngine(fetched), { about, pack, asked } = await factsOf(engine, deal);
    const made = new Table(engine, deal, key, { about, pack, asked }, await Sitting.open(engine, asked, about.fields));
    await made.recall();
    return made;
  }

  constructor(engine, deal, key, facts, sitting) {
    Object.assign(this, { engine, deal, key, ...facts, sitting, own: [], costs: new Map(), said: "" });
    sitting.onOwn = (at, question, chosen, turn) => {
      this.own[at] = { at, question, chosen, turn };
      if (this.live) this.reckon(this.own[at]);
    };
  }

  /** Go on where this game was left in this browser, as far as its answers stay legal. */
  async recall() {
    const kept = await gameOf(this.key).catch(() => null), { sitting, engine } = this;
    const other = kept && kept.version !== engine.info.version;
    try {
      sitting.goOn(kept ? new Saved(kept.choices, kept.answered, other ? [] : kept.notes) : null);
      if (other) this.said = "This game was begun with another version of this page; its players may now choose differently.";
    } catch (error) {
      if (!(error instanceof Unplayable)) throw error;
      this.said = `This game was begun with another version of this page, whose rules part here: it goes on from its choice number ${error.at + 1}.`;
      sitting.goOn();
    }
    this.cards = cardsOf(sitting.ground.rules, this.about.printed[this.deal.box]);
    if (kept) this.deal.version = kept.version;
    this.live = true;
  }

  // --- What the page asks

  table() {
    const { deal, sitting } = this;
    return plain(lab.about_table(`Seed ${deal.seed}`, deal.names, sitting.own, this.cards, sitting.ground.rules)) ;
  }

  view() {
    return plain(this.sitting.view(this.cards));
  }

  async answer(stamp, index) {
    this.check(stamp);
    this.sitting.answer(index);
    return this.changed();
  }

  async undo(stamp) {
    this.check(stamp);
    this.sitting.undo();
    const n = this.sitting.choices.length;
    this.own.length = Math.min(this.own.length, n);
    for (const at of this.costs.keys()) if (at >= n) this.costs.delete(at);
    if (port) thinker("forget");
    return this.changed();
  }

  async changed() {
    const { choices, answered, notes } = this.sitting, { version } = this.engine.info;
    const lost = await keepGame(this.key, { deal: this.deal, version: this.deal.version ?? version, choices, answered, notes, line: lineOf(this.sitting, this.deal) }).then(() => "", (error) => error.message);
    return { ...this.view(), lost };
  }

  tile(stamp, index) {
    const { question } = this.sitting, current = question && stamp === this.sitting.stamp && index < question.size;
    return { svg: current ? lab.lying(question, index) : "" };
  }

  async hint(stamp) {
    this.check(stamp);
    const { question } = this.sitting;
    if (!question) throw new Error("hint: the game is over");
    const { picked, before, chances } = await thinker("hint", { turn: this.sitting.turnOf(question), options: question.size });
    return { picked, words: question.word(picked), before, chances };
  }

  async end() {
    const { sitting } = this;
    if (!sitting.over) throw new Error("end: the game is not over");
    const curve = [];
    for (const { after } of sitting.turns) {
      const game = sitting.ground.game(after);
      curve.push({ turn: game.turn, round: game.round_number, chances: await thinker("chances", { bytes: after }) });
    }
    for (const one of this.own.filter(Boolean)) await this.reckon(one);
    const costs = (await Promise.all([...this.costs.values()])).filter(Boolean);
    return {
      seats: plain(lab.seats_at_end(sitting.now)), curve,
      costs: sitting.own.map((seat) => ({ seat, choices: plain(lab.worst(costs, seat, AT_MOST)), n: costs.filter((cost) => cost.seat === seat).length })),
    };
  }

  /** Work out what a choice cost; nothing before the map is laid. */
  reckon({ at, question, chosen, turn }) {
    if (!turn.before || !port) return null;
    if (!this.costs.has(at)) this.costs.set(at, thinker("cost", { turn, chosen }).then(({ picked, best, chance }) => ({
      at, seat: question.seat, round: question.game.round_number, question: question.text, done: question.word(chosen), better: question.word(picked), chance, best, lost: Math.max(0, best - chance),
    })).catch(() => null));
    return this.costs.get(at);
  }

  /** Return the game as a file. */
  async file() {
    const { deal, sitting, engine, asked, about, pack } = this, rows = rowsOf(await engine.form(deal.box));
    const r = sitting.ground.rules, leaders = engine.names(asked.rules).leader.filter((_, code) => r.leader_available[code]);
    return fileOf(deal, sitting, { info: { ...engine.info, me: about.me }, printed: await json(`data-${deal.box}.json`), rows, pack, leaders, roundCap: asked.roundCap });
  }

  /** Return how the first person ended, for a challenge; null before the end. */
  result() {
    const { sitting } = this, seat = sitting.own[0];
    if (!sitting.over) return null;
    const { leader, won, claims } = plain(lab.seats_at_end(sitting.now))[seat];
    return { leader, won, round: sitting.now.state.round_number, claims: claims.length };
  }

  /** Put the game into the log, with the names of people by seat, where they want that. */
  async add(people) {
    const { deal } = this, entry = entryOf(await this.file(), lineOf(this.sitting, this.deal), deal.pack ? null : deal.changes, people);
    await addToLog(digest(canonical(entry.game)), entry);
    return null;
  }

  check(stamp) {
    if (stamp !== this.sitting.stamp) throw new Error("the game has gone on, or choices were taken back, since this page was shown; reload it");
  }
}

const DEEDS = { table: "table", view: "view", file: "file", end: "end", answer: "answer", undo: "undo", hint: "hint", tile: "tile", result: "result" };

async function carriedOut({ open, thinking, path, people }) {
  if (thinking) return connect(thinking);
  if (open) {
    table = await Table.open(open);
    const { asked, sitting, said } = table;
    if (port) thinker("begin", { asked: { ...asked } }).catch(() => null);
    return { said, over: sitting.over };
  }
  if (people) return table.add(people);
  const [, name, ...numbers] = path.split("/").filter(Boolean), deed = Object.hasOwn(DEEDS, name) && DEEDS[name];
  if (!deed) throw new Error("no such page");
  return table[deed](...numbers.map(Number));
}

self.onmessage = async ({ data: { id, ...asked } }) => {
  try {
    self.postMessage({ id, answer: (await carriedOut(asked)) ?? null });
  } catch (error) {
    self.postMessage({ id, failed: String(error?.message ?? error) });
  }
};
