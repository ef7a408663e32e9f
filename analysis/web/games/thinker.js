// The thinker on a game at the table (`Thinker` of analysis/explorer/play.py): what it would do, every seat's chance to win, and
// what a choice costs. It plays turns again in an engine of its own, so it knows no more than a player and disturbs no game.

import { Fields } from "../static/engine.js";
import { mixed } from "./deal.js";
import { Ground } from "./sitting.js";
import * as lab from "./lab.js";

export const THINKER = "thinker";

export class Thinker {
  static async of(engine, asked) {
    const ground = await Ground.of(engine, asked), { info } = engine, one = info.boxes[asked.box].strategies.find(({ name }) => name === THINKER);
    if (!one.weights[asked.players]) throw new Error(`the thinker does not know games of ${asked.players} players`);
    for (const [store, name] of Object.entries(one.networks?.[asked.players] ?? {})) await engine.load(store, name, asked.players);
    return new Thinker(ground, one);
  }

  constructor(ground, one) {
    const { engine, asked, info } = ground, { all, leaders } = one.weights[asked.players];
    Object.assign(this, { ground, engine, plan: null, choose: engine.strategy(one.function), way: engine.strategy(info.atTable.chooseWay) });
    this.weights = (leader) => {
      const row = Int32Array.from(all);
      for (const [column, value] of Object.entries(leaders[leader] ?? {})) row[Number(column)] = value;
      return row;
    };
    this.evaluation = engine.room("evaluation", info.records.evaluation.size);
    engine.bytes(this.evaluation, info.records.evaluation.size).fill(0);
  }

  get state() {
    return new Fields(this.ground.state, this.ground.info.records.state.fields);
  }

  /** Let a seat of the game that is played have the thinker's weights. */
  weigh(seat) {
    const row = this.weights(this.state.all("leader")[seat]);
    this.state.all("weights").set(row, seat * row.length);
  }

  notes(seat) {
    const all = this.state.all("notes"), width = this.ground.info.records.state.fields.notes[2][1];
    return all.subarray(seat * width, (seat + 1) * width);
  }

  /** Return every seat's chance to win between two turns, in the game that lies in memory. */
  chances() {
    const { engine, ground, evaluation, state } = this, { exports, info } = engine, { players } = ground.asked;
    if (state.number("ending") !== 0) exports[info.atTable.readShares](ground.at.states, evaluation);
    else {
      for (let seat = 0; seat < players; seat++) this.weigh(seat);
      exports[info.atTable.forgetScores](evaluation);
      exports[info.atTable.readChances](ground.at.rules, ground.at.states, ground.at.work, 0n, evaluation);
    }
    return [...new Fields(engine.bytes(evaluation, info.records.evaluation.size), info.records.evaluation.fields).all("chances").subarray(0, players)];
  }

  /** Return the chances in a game that stands between two turns. */
  chancesOf(bytes) {
    const { engine, ground } = this;
    engine.bytes(ground.at.work, engine.info.sizes.work).fill(0);
    ground.state.set(bytes);
    return this.chances();
  }

  /** Play a turn again up to a question, answer it as `decide(call)` says, and play the turn to its end. */
  branch({ before, answers }, decide) {
    let k = 0;
    this.ground.play(before, (...call) => {
      const at = k++;
      if (at < answers.length) return BigInt(answers[at]);
      return at === answers.length ? BigInt(decide(call, Number(call[3]))) : this.way(...call);
    }, false);
  }

  /** Return the thinker's answer to a question, and its notes. */
  look(turn) {
    let picked = 0, notes = null;
    this.branch(turn, (call, seat) => {
      if (!turn.before) return (picked = Number(this.way(...call))); // there is no turn to try yet
      this.weigh(seat);
      if (this.plan && this.plan.turn === turn.number && this.plan.seat === seat) this.notes(seat).set(this.plan.notes);
      picked = Number(this.choose(...call));
      notes = this.notes(seat).slice();
      return picked;
    });
    return { picked, notes };
  }

  /** Return the chance to win at the end of the turn after an answer, as a mean over dice. */
  value(turn, chosen, notes = null) {
    const found = [];
    for (let k = 0; k < lab.THROWS; k++) {
      let who = 0;
      this.branch(turn, (call, seat) => {
        who = seat;
        this.weigh(seat);
        this.engine.exports[this.engine.info.atTable.prepare](this.ground.at.rules, this.ground.at.states, BigInt(seat), mixed(BigInt.asUintN(64, call[6]) + BigInt(k)) >> 1n);
        if (notes) this.notes(seat).set(notes);
        return chosen;
      });
      found.push(this.chances()[who]);
    }
    return added(found) / lab.THROWS;
  }

  /** Return {picked, before, chances}: what the thinker would do, and chances to win by option, as many as fit into the time. */
  hint(turn, options, milliseconds) {
    const until = performance.now() + milliseconds, { picked, notes } = this.look(turn);
    if (!turn.before) return { picked, before: null, chances: {} };
    const before = this.chancesOf(turn.before)[turn.seat], chances = {};
    for (const k of [picked, ...Array(options <= lab.MOST_OPTIONS ? options : 0).keys()]) {
      if (k in chances || (k !== picked && performance.now() > until)) continue;
      chances[k] = this.value(turn, k, k === picked ? notes : null);
    }
    return { picked, before, chances };
  }

  /** Return the chance after a choice, and after what the thinker would have done. */
  cost(turn, chosen) {
    const { picked, notes } = this.look(turn), best = this.value(turn, picked, notes), chance = chosen === picked ? best : this.value(turn, chosen);
    this.plan = chosen === picked ? { turn: turn.number, seat: turn.seat, notes } : null;
    return { picked, best, chance };
  }
}

/** Return a sum in NumPy's order, by halves, so that the last digit is the lab's, too. */
const added = (all) => (all.length < 2 ? all[0] : added(all.slice(0, all.length >> 1)) + added(all.slice(all.length >> 1)));
