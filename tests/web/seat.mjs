// Plays games with people in Node: the answers are chosen by the question's own random bits. Reads {folder, task, …} as JSON.
import fs from "node:fs";

const { folder, task, ...given } = JSON.parse(fs.readFileSync(0));
const bytes = (name) => new Uint8Array(fs.readFileSync(`${folder}/${name}`)), json = (name) => JSON.parse(fs.readFileSync(`${folder}/${name}`, "utf8"));
const load = (name) => import(`file://${folder}/${name}`);
const [{ openEngine, Fields }, { Sitting, cardsOf }, { plain, recordOf }, deals, { Thinker }, lab, { rowsOf }] = await Promise.all(["engine.js", "sitting.js", "python.js", "deal.js", "thinker.js", "lab.js", "facts.js"].map(load));
(await load("words.js")).speak(json("words.json"));
const engine = await openEngine(async (name) => bytes(name)), about = json("table.json");

async function opened({ box, names, seed, changes = {}, pack = null, leaders = { kind: "pool", names: [] } }) {
  const rules = pack ? engine.pack(new Uint8Array(fs.readFileSync(pack))).rules : await engine.rules(box, changes);
  return Sitting.open(engine, { box, names, players: names.length, leaders, seed, rules, roundCap: engine.info.roundCap }, about.fields);
}
const byLot = ({ bits, size }) => Number(bits % BigInt(size));

const TASKS = {
  // A whole game; views at some of the questions, and at the end.
  async play({ deal, looks }) {
    const sitting = await opened(deal), cards = cardsOf(sitting.ground.rules, about.printed[deal.box]), views = [];
    const look = (at) => views.push([at, plain(sitting.view(cards))]);
    sitting.goOn();
    for (let at = 0; sitting.question; at++) {
      if (looks.includes(at)) look(at);
      sitting.answer(byLot(sitting.question));
    }
    look(-1);
    const { choices, answered, lines } = sitting;
    return { choices, answered, lines, views };
  },

  // Questions that are interrupted; says whether memory was put back each time, and how many there were.
  async interrupt({ deal, n }) {
    const sitting = await opened(deal), { ground } = sitting, places = ground.places, { __global_base: low, __data_end: high, __stack_pointer: stack, memory } = engine.exports;
    const sum = () => { let a = 0; for (const [at, size] of [[low.value, high.value - low.value], ...places]) for (const word of new Uint32Array(memory.buffer, at, size >> 2)) a = (Math.imul(a, 31) + word) | 0; return a; };
    let asked = 0, changed = 0;
    const step = sitting.step.bind(sitting);
    sitting.step = () => {
      const before = [sum(), stack.value, memory.buffer.byteLength], at = sitting.turns.length;
      step();
      if (!sitting.question) return;
      asked++;
      const after = [sum(), stack.value, memory.buffer.byteLength];
      changed += Number(sitting.turns.length !== at || before.some((one, k) => one !== after[k]));
    };
    sitting.goOn();
    while (asked < n) {
      if (!sitting.question) {
        sitting.cut(0);
        sitting.turns.length = 0;
        sitting.words = null;
        sitting.goOn();
      }
      sitting.answer((byLot(sitting.question) + asked) % sitting.question.size);
    }
    return { asked, changed };
  },

  // A game whose answers are taken back as many times as given, each time some, and made again.
  async back({ deal, times }) {
    const sitting = await opened(deal);
    sitting.goOn();
    for (let k = 0; sitting.question && k < 60; k++) sitting.answer(byLot(sitting.question));
    const kept = { choices: [...sitting.choices], lines: [...sitting.lines], state: Buffer.from(sitting.bytes).toString("base64") };
    for (let time = 1; time <= times; time++) {
      for (let k = 0; k < time && sitting.who.some((seat) => sitting.own.includes(seat)); k++) sitting.undo();
      while (sitting.choices.length < kept.choices.length) sitting.answer(kept.choices[sitting.choices.length]);
    }
    const now = { choices: sitting.choices, lines: sitting.lines, state: Buffer.from(sitting.bytes).toString("base64") };
    return Object.keys(kept).filter((name) => JSON.stringify(kept[name]) !== JSON.stringify(now[name]));
  },

  // A game as a file after some answers; `people`: to its end, in a log.
  async file({ deal, n, people }) {
    const sitting = await opened(deal), rows = rowsOf(await engine.form(deal.box)), packed = deal.pack ? engine.pack(new Uint8Array(fs.readFileSync(deal.pack))) : null;
    sitting.goOn();
    for (let k = 0; k < n && sitting.question; k++) sitting.answer(byLot(sitting.question));
    const r = sitting.ground.rules, leaders = engine.names(sitting.asked.rules).leader.filter((_, code) => r.leader_available[code]);
    const full = { changes: {}, game: 0, players: deal.names.length, leaders: { kind: "pool", names: [] }, ...deal };
    const file = deals.fileOf(full, sitting, { info: { ...engine.info, me: about.me }, printed: json(`data-${deal.box}.json`), rows, pack: packed, leaders, roundCap: engine.info.roundCap });
    if (!people) return file;
    const { entryOf, lineOf, logOf } = await load("log.js");
    return JSON.parse(logOf([entryOf(file, lineOf(sitting, full), packed ? null : full.changes, people)]));
  },

  // A file that the lab wrote, opened and gone on with to the end.
  async go({ text }) {
    const found = await deals.opened(text, { info: engine.info, printedOf: async (box) => json(`data-${box}.json`), rowsOf: (box) => given.rows[box] ?? [], packOf: async () => null });
    const sitting = await opened(found.deal);
    sitting.goOn(new deals.Saved(found.choices, found.answered));
    const at = sitting.choices.length;
    while (sitting.question) sitting.answer(byLot(sitting.question));
    return { deal: found.deal, at, choices: sitting.choices, lines: sitting.lines };
  },

  // A deal as an address, and what an address says.
  async address({ deal, result, text }) {
    const rows = Object.fromEntries(await Promise.all(Object.keys(engine.info.boxes).map(async (box) => [box, rowsOf(await engine.form(box))])));
    const written = text ?? deals.address({ pack: "", ...deal }) + deals.challenge(result);
    return { ...deals.read(written, engine.info, (box) => rows[box]), rival: deals.challenger(written) };
  },

  // What the thinker says of some questions, and what choices by lot cost.
  async think({ deal, at }) {
    const sitting = await opened(deal), other = await openEngine(async (name) => bytes(name)), thinker = await Thinker.of(other, sitting.asked), hints = [], costs = [];
    sitting.goOn();
    for (let k = 0; sitting.question && k <= Math.max(...at); k++) {
      const { question } = sitting, turn = sitting.turnOf(question), chosen = byLot(question);
      if (at.includes(k)) hints.push(thinker.hint(turn, question.size, 1e9));
      if (turn.before && at.includes(k)) costs.push(thinker.cost(turn, chosen));
      sitting.answer(chosen);
    }
    return { hints, costs };
  },

  // Positions in which the view, and the thinker's hint, differ once what the seat does not know is hidden.
  async hidden({ deal, n, hints }) {
    const sitting = await opened(deal), { ground } = sitting, { info } = engine, cards = cardsOf(ground.rules, about.printed[deal.box]), told = [];
    const thinker = hints ? await Thinker.of(await openEngine(async (name) => bytes(name)), sitting.asked) : null;
    sitting.goOn();
    for (let k = 0; sitting.question && k < n; k++) {
      const { question } = sitting, before = JSON.stringify(plain(sitting.view(cards)));
      const known = (state) => {
        engine.bytes(ground.at.copy, info.sizes.state).set(state);
        engine.exports[info.atTable.hideUnknown](ground.at.rules, ground.at.copy, BigInt(question.seat));
        return engine.bytes(ground.at.copy, info.sizes.state).slice();
      };
      const open = question.game;
      question.game = ground.game(known(question.bytes));
      question.said = null;
      if (JSON.stringify(plain(sitting.view(cards))) !== before) told.push([k, question.kind]);
      question.game = open;
      question.said = null;
      sitting.answer(byLot(question));
    }
    return told;
  },
};

console.log(JSON.stringify(await TASKS[task](given)));
