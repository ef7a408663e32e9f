// A game that stops at each question to a person (simulator/replay/interactive_game.py), played by the engine in the page.
//
// Compiled code cannot wait. So a turn is a function of the game before it and of the answers in it: where a person has to
// think, the page throws out of the compiled code, puts all memory back, and plays the turn again with one answer more. Rules,
// seats, seed and answers are the whole game.

import { crc32, Fields } from "../static/engine.js";
import { fieldsOfNames, hosted, recordOf } from "./python.js";
import * as lab from "./lab.js";

export const ME = "me", STANDS_FOR_ME = "random"; // the strategy whose weights a person's seat has
const MOST_WORDS = 300; // characters of an answer in words

class Waiting extends Error {}

/** Where games lie in the engine's memory, for one set of rules and seats. */
export class Ground {
  /** `asked`: {box, rules, players, names (by seat, `me` for people), leaders: {kind, names}, seed, roundCap, game}. */
  static async of(engine, asked) {
    const names = asked.names.map((name) => (name === ME ? STANDS_FOR_ME : name)), { box, players, leaders, seed, roundCap, game = 0 } = asked;
    // Line-ups rotate from game to game.
    const turned = names.map((_, place) => names[(((place - game) % players) + players) % players]);
    const plan = { box, players, leaders, seed, roundCap, strategies: { kind: "seats", names: turned } };
    return new Ground(engine, asked, await engine.seated(plan, asked.rules, engine.names(asked.rules)));
  }

  constructor(engine, asked, seating) {
    const { info } = engine, asks = Object.fromEntries(seating.library.map((one) => [one.function, info.asker]));
    Object.assign(this, { engine, asked, seating, info });
    Object.assign(this, engine.laid(seating, asked.rules, { seats: asked.players }, asks));
    const { records, sizes } = info;
    this.at.copy = engine.room("copy", sizes.state);
    this.at.copyWork = engine.room("copyWork", sizes.work);
    this.places = [[this.at.work, sizes.work], [this.at.states, 2 * sizes.state], [this.at.bots, records.bots.size], [this.at.seats, asked.players * records.seats.size]];
    this.rules = recordOf(new Fields(asked.rules, records.rules.fields), records.rules.fields);
  }

  get work() {
    return new Fields(this.engine.bytes(this.at.work, this.info.records.work.size), this.info.records.work.fields);
  }

  get state() {
    return this.engine.bytes(this.at.states, this.info.sizes.state);
  }

  /** Return a game as the lab's functions read it; `bytes` must not change meanwhile. */
  game(bytes) {
    return recordOf(new Fields(bytes, this.info.records.state.fields), this.info.records.state.fields);
  }

  /** Set the game up (`before` null), or play a turn of it; returns whether it goes on. `asked` answers for all seats. */
  play(before, asked, logged) {
    const { engine, at, array, info } = this, { seed, roundCap, players, game = 0 } = this.asked;
    engine.bytes(at.work, info.sizes.work).fill(0);
    engine.exports[info.atTable.forget](at.work);
    this.work.all("log_on")[0] = Number(logged);
    if (before) this.state.set(before);
    engine.asked = asked;
    if (!before) {
      engine.exports[info.open](at.rules, at.work, at.bots, ...array.states, ...array.library, ...array.opinions, at.seating, ...array.seats,
        0n, BigInt(game), BigInt(seed), BigInt(players), BigInt(roundCap));
      return true;
    }
    return engine.exports[info.step](at.rules, at.states, at.work, at.bots) !== 0n;
  }

  /** Return the rows of what has happened since the turn began. */
  rows(name = "log", n = "log_n") {
    const w = this.work, all = w.all(name), width = this.info.records.work.fields[name][2][1];
    return Array.from({ length: w.number(n) }, (_, k) => [...all.subarray(k * width, (k + 1) * width)]);
  }

  // --- Games beside the one that is played

  /** Return a game in which nothing lies on the table. */
  empty(question) {
    const { engine, at, info } = this, { atTable: names } = info, bytes = engine.bytes(at.copy, info.sizes.state).fill(0);
    new Fields(bytes, info.records.state.fields).all("players")[0] = question.game.players;
    engine.exports[names.clearSpaces](at.copy);
    engine.exports[names.clearThings](at.rules, at.copy);
    engine.exports[names.clearSeats](at.copy);
    return this.game(bytes.slice());
  }

  /** Return a copy of a game with one tile more on the map. */
  laid(question, before, tile, place) {
    const { engine, at, info } = this, { atTable: names } = info, bytes = engine.bytes(at.copy, info.sizes.state);
    bytes.set(before.bytes);
    engine.bytes(at.copyWork, info.sizes.work).fill(0);
    engine.exports[names.rebuildGrid](at.copy, at.copyWork);
    engine.exports[names.layAt](at.rules, at.copy, at.copyWork, BigInt(question.seat), BigInt(tile), BigInt(place));
    return this.game(bytes.slice());
  }
}

const ASK = "ask_";

/** A decision of a seat among options; `game` is the game as it stands. */
export class Question {
  constructor(ground, seat, code, n, bits, bytes) {
    const { work, info } = ground;
    Object.assign(this, { rules: ground.rules, seat, code, bits, game: ground.game(bytes), size: n, kind: lab.DECISIONS[code] });
    this.options = Array.from(work.all("option").subarray(0, n), Number);
    this.about = new Map(Object.keys(info.records.work.fields).filter((name) => name.startsWith(ASK)).map((name) => [name.slice(ASK.length), Number(work.number(name))]));
  }

  get wording() {
    return (this.said ??= lab.LogSentences(this.rules, this.game));
  }

  get text() {
    return lab.sentence(this.wording, this.seat, this.code, this.about);
  }

  get words() {
    return this.options.map((_, index) => this.word(index));
  }

  word(index) {
    return lab.option(this.wording, this.seat, this.code, this.options[index], this.about);
  }
}

/** One game: `question` is the open question to a person, null when the game is over; `choices` are all answers. */
export class Sitting {
  /** `instead`: functions that answer in the place of strategies' own, such as those that also say why. */
  static async open(engine, asked, fields, instead = {}) {
    fieldsOfNames(fields);
    return new Sitting(await Ground.of(engine, asked), instead);
  }

  constructor(ground, instead) {
    const { asked } = ground;
    Object.assign(this, { ground, asked, instead, choices: [], answered: [], who: [], notes: [], lines: [], turns: [], question: null, over: false, saved: null });
    this.own = asked.names.flatMap((name, seat) => (name === ME ? [seat] : []));
    hosted({ empty: (question) => ground.empty(question), laid: (...given) => ground.laid(...given) });
    this.bots = ground.seating.strategies.codes.map((_, seat) => this.strategyOf(seat));
  }

  strategyOf(seat) {
    const { asked: { names }, ground: { engine, seating } } = this, one = seating.library.find(({ name }) => name === names[seat]);
    return names[seat] === ME ? null : engine.strategy(this.instead[one.function] ?? one.function);
  }

  get before() {
    return this.turns.at(-1)?.after ?? null;
  }

  /** The game as it stands. */
  get bytes() {
    return this.question ? this.question.bytes : this.before;
  }

  get laid() {
    return this.turns.length > 0;
  }

  /** A number that tells the choices so far from others. */
  get stamp() {
    return crc32(new TextEncoder().encode(`[${this.choices.join(", ")}]`)) >>> 3;
  }

  /** Play on to the next question to a person, or to the end. `saved`: choices of a game that was kept, answered first. */
  goOn(saved = null) {
    this.saved = saved;
    this.question = null;
    while (!this.question && !this.over) this.step();
    this.saved = null;
    return this.question;
  }

  /** Answer the question. */
  answer(chosen) {
    const { question } = this;
    if (!question) throw new Error("answer: the game is over; expected none");
    if (!Number.isInteger(chosen) || chosen < 0 || chosen >= question.size) throw new Error(`answer: ${chosen} is not valid; expected a whole number from 0 to ${question.size - 1}`);
    this.note(question, chosen, new Uint8Array(question.notes));
    return this.goOn();
  }

  /** Go back to the last choice of a person. */
  undo() {
    const mine = this.who.findLastIndex((seat) => this.own.includes(seat));
    if (mine < 0) throw new Error("undo: there is no choice of yours to take back");
    this.cut(mine);
    return this.goOn();
  }

  /** Forget all choices from one on. */
  cut(from) {
    for (const list of [this.choices, this.answered, this.who, this.notes]) list.length = from;
    const whole = this.turns.findIndex((turn) => turn.until > from); // turns that the answers left do not finish
    if (whole >= 0) {
      this.lines.length = this.turns[whole].lines;
      Object.assign(this.words ?? {}, this.turns[whole].said);
      this.turns.length = whole;
    }
    if (!this.turns.length) this.words = null;
    this.over = false;
  }

  /** Play the set-up or a turn to its end, or to a question to a person. */
  step() {
    const { ground } = this, { engine } = ground, from = this.turns.at(-1)?.until ?? 0, back = engine.kept(ground.places), before = this.before;
    let at = from, going;
    try {
      going = ground.play(before, (...call) => BigInt(this.chosen(at++, call)), true);
    } catch (error) {
      this.soFar = error instanceof Waiting ? ground.rows() : [];
      back();
      if (!(error instanceof Waiting)) throw error;
      return;
    }
    if (ground.work.number("fault_n") !== 0) throw new Error("a player gave an answer that is no option");
    this.finish(from, at, going);
  }

  finish(from, until, going) {
    const { ground } = this, rows = ground.rows(), after = ground.state.slice(), first = !this.laid, lines = this.lines.length;
    const said = first ? {} : { current: this.words.current, part: this.words.part, acting_slot: this.words.acting_slot, spent: this.words.spent, cards: this.words.cards.map((row) => [...row]), attack: this.words.attack };
    this.now = this.stepper(ground.game(after));
    this.words ??= lab.LogSentences(ground.rules, this.now.state);
    this.words.g = this.now.state;
    this.now.words = this.words;
    const told = this.words.lines(rows);
    if (first) this.lines.push(...lab.heading(this.now));
    this.lines.push(...told);
    const asked = { rows: ground.rows("asked", "asked_n"), options: [...ground.work.all("asked_options").subarray(0, ground.work.number("asked_options_n"))] };
    this.turns.push({ from, until, after, lines, said, over: !going, told, rows, asked });
    this.soFar = [];
    if (going) return;
    this.over = true;
    this.lines.push(lab.closing(this.now));
  }

  /** Return what the lab's functions ask of a game that stands between turns. */
  stepper(state) {
    const { asked, ground } = this, now = {
      rules: ground.rules, state, game: asked.game ?? 0, plan: { players: asked.players, seed: asked.seed, round_cap: asked.roundCap }, strategies: asked.names, words: this.words,
      scores: () => lab.scores(now), when: () => lab.when(now),
    };
    return now;
  }

  /** Return the answer to a question of compiled code: the recorded one, a strategy's, or none yet. */
  chosen(at, call) {
    const [, , , seat, kind, n, bits] = call, who = Number(seat), { ground } = this, memory = ground.state;
    const notes = () => new Fields(ground.state, ground.info.records.state.fields).all("notes").subarray(who * NOTES(ground), (who + 1) * NOTES(ground));
    if (at < this.choices.length) {
      notes().set(new Int32Array(this.notes[at].buffer));
      return this.choices[at];
    }
    const strategy = this.bots[who], saved = this.saved?.choices.length > at ? this.saved : null;
    if (!strategy && !saved) {
      const bytes = memory.slice();
      this.question = Object.assign(new Question(ground, who, Number(kind), Number(n), BigInt.asUintN(64, bits), bytes), { bytes, notes: bytesOf(notes()) });
      throw new Waiting();
    }
    const question = new Question(ground, who, Number(kind), Number(n), BigInt.asUintN(64, bits), this.own.includes(who) ? memory.slice() : memory);
    const picked = saved ? saved.chosen(at, question) : null;
    // Of a saved game the choices count; strategies are asked again for what they note, unless that was saved, too.
    if (saved?.notes?.[at]) notes().set(new Int32Array(saved.notes[at].slice().buffer));
    else if (strategy) this.put = Number(strategy(...call));
    this.note(question, picked ?? this.put, bytesOf(notes()));
    return picked ?? this.put;
  }

  /** Return the turn up to a question, for the thinker: the game before it, and the answers in it. */
  turnOf(question) {
    return { before: this.before, answers: this.choices.slice(this.turns.at(-1)?.until ?? 0), number: question.game.turn, seat: question.seat };
  }

  note(question, chosen, notes) {
    if (this.own.includes(question.seat)) this.onOwn?.(this.choices.length, question, chosen, this.turnOf(question));
    this.choices.push(chosen);
    this.answered.push([question.kind, question.word(chosen).slice(0, MOST_WORDS)]);
    this.who.push(question.seat);
    this.notes.push(notes);
  }

  // --- What the page shows (`view` of analysis/explorer/play.py)

  /** Return the game as the lab's `view` takes it. */
  played(cards) {
    const { ground, question, over, laid } = this, state = question ? question.game : this.now.state, soFar = this.wordsSoFar(state);
    const sitting = { rules: ground.rules, state, laid, over, lines: this.lines, so_far: soFar, table: { ...this.now, when: () => lab.when({ ...this.now, state }) } };
    if (over) sitting.table = this.now;
    return { sitting, question, who: this.who, stamp: this.stamp, kept: { own: this.own, choices: this.choices }, cards };
  }

  /** Return the lines of the turn that is not over. */
  wordsSoFar(state) {
    if (!this.soFar?.length) return [];
    const words = lab.LogSentences(this.ground.rules, state);
    if (this.laid) Object.assign(words, { current: this.words.current, part: this.words.part });
    return words.lines(this.soFar);
  }

  view(cards) {
    return lab.view(this.played(cards));
  }
}

const NOTES = (ground) => ground.info.records.state.fields.notes[2][1];
const bytesOf = (numbers) => new Uint8Array(numbers.slice().buffer);

/** Return what each focus card does, by name. */
export const cardsOf = (rules, printed) => lab.on_cards(rules, new Map(Object.entries(printed)));
