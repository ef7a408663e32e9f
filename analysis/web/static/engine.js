// The engine of the lab, for a page, a worker or Node: `openEngine(read)`, where `read(name)` promises the bytes of a file of the
// folder that `newdawn web build` wrote.
//
//   const engine = await openEngine(async name => new Uint8Array(await (await fetch(name)).arrayBuffer()));
//   const rules = await engine.rules("base", {"wonders.petra.cost": 5});     or engine.pack(bytes).rules
//   const tables = await engine.play({box: "base", players: 4, strategies: {kind: "all", names: ["planner"]}, seed: 1}, rules, 0, 100);
//   tables.seats.won                 one number a seat, seat by seat, game by game
//
// `tables` is {games, seats, wonders, agendas}: by column (engine.info.boxes[box].columns) an array of numbers; codes of names stand
// for `tables.names` (leader, strategy, wonder, card, agenda) or for the column's own words. `tables.bytes` has the rows as the
// compiled code wrote them. What is wrong is thrown as an Error that says so in a sentence.

const ARRAYS = {i1: Int8Array, u1: Uint8Array, i2: Int16Array, i4: Int32Array, f4: Float32Array, f8: Float64Array};
const MEMORY = 280 * 2 ** 20; // bytes that a tab may use
const PAGE = 65536, LINE = 64;
const FULL = "the memory of this tab is full: play fewer games at a time, or close other tabs";

export async function openEngine(read) {
  const file = async name => {
    try {
      return await read(name);
    } catch (error) {
      throw new Error(`${name} cannot be loaded: ${error.message}`);
    }
  };
  const json = async name => JSON.parse(new TextDecoder().decode(await file(name)));
  const [info, code] = await Promise.all([json("engine.json"), file("engine.wasm")]);
  let engine = null;
  // Compiled code asks the page where a seat waits (games/sitting.js).
  const {instance} = await WebAssembly.instantiate(code, {env: {asked: (...question) => engine.asked(...question)}});
  engine = new Engine(info, instance.exports, file, json);
  return engine;
}

class Engine {
  constructor(info, exports, file, json) {
    Object.assign(this, {info, exports, file, json});
    this.memory = exports.memory;
    this.top = exports.__heap_base.value;
    this.places = new Map(); // name of what lies in memory: where, and how much room it has
    this.loaded = new Map(); // store of networks: the file whose network lies there
    this.files = new Map();
    this.asked = () => 0n;
  }

  // --- rules

  form(box) {
    return this.once(`form-${this.box(box)}.json`, this.json);
  }

  async rules(box, changes = {}) {
    const printed = await this.once(`rules-${this.box(box)}.bin`, this.file);
    const record = printed.slice();
    if (Object.keys(changes).length) applyChanges(record, await this.form(box), changes, this.info.records.rules.fields);
    return record;
  }

  // What `newdawn web pack` wrote: {box, name, descriptions, changes, notes, rules}; changes are paths, notes what they mean.
  pack(bytes) {
    const text = new TextDecoder().decode(bytes), damaged = new Error("this file is damaged: write it again with `newdawn web pack`");
    let about;
    try {
      about = JSON.parse(text);
    } catch {
      if (text.startsWith('{"newdawn":')) throw damaged;
      about = {};
    }
    if (!about.newdawn || !about.rules) throw new Error("this file is none that `newdawn web pack` wrote");
    if (about.newdawn !== this.info.version) throw new Error("this file was written for another version of the lab: write it again with `newdawn web pack`");
    const end = text.length - text.lastIndexOf(',"sum":');
    if (crc32(bytes.subarray(0, bytes.length - end)) !== about.sum) throw damaged;
    this.box(about.box);
    const rules = Uint8Array.from(atob(about.rules), letter => letter.charCodeAt(0));
    if (rules.length !== this.info.records.rules.size) throw damaged;
    return {...about, rules};
  }

  names(rules) {
    const r = new Fields(rules, this.info.records.rules.fields);
    const agenda = r.texts("agenda_title");
    const [shown, cards] = [r.all("agenda_name"), r.number("n_victory_cards")];
    const card = Array.from({length: cards}, (_, k) =>
      [...new Set([agenda[shown[2 * k]], agenda[shown[2 * k + 1]]])].join(" / "));
    return {leader: r.texts("leader_name"), wonder: r.texts("wonder_name"), agenda, card};
  }

  // --- games

  async play(plan, rules, first, n) {
    const names = this.names(rules), seating = await this.seated(plan, rules, names);
    return this.run(seating, rules, {...names, strategy: seating.library.map(one => one.name)}, first, n);
  }

  async seated(plan, rules, names) {
    const seating = seated(plan, new Fields(rules, this.info.records.rules.fields), names, this.info);
    for (const [store, name] of Object.entries(seating.networks)) await this.load(store, name, plan.players);
    return seating;
  }

  // Play one game turn by turn: after the set-up and after each turn yields {state, log, asked}, the game as a record, the rows of
  // what has happened since, and what the players thought of their options. The engine has to know these records
  // (info.records.state and work).
  async *turns(plan, rules, game) {
    const seating = await this.seated(plan, rules, this.names(rules)), {at, array} = this.laid(seating, rules, {seats: plan.players}, this.info.told);
    const {records} = this.info, counts = ["log_n", "asked_n", "asked_options_n"];
    const work = () => new Fields(this.bytes(at.work, records.work.size), records.work.fields);
    const forget = w => counts.forEach(name => (w.all(name)[0] = 0));
    work().all("log_on")[0] = 1;
    forget(work());
    const seen = () => {
      const w = work(), rows = (name, n) => {
        const all = w.all(name), width = records.work.fields[name][2][1];
        return Array.from({length: n}, (_, k) => [...all.subarray(k * width, (k + 1) * width)]);
      };
      if (w.number("fault_n") !== 0) throw new Error(`game ${game}: a player gave an answer that is no option`);
      const [log, asked] = [rows("log", w.number("log_n")), rows("asked", w.number("asked_n"))], options = [...w.all("asked_options").subarray(0, w.number("asked_options_n"))];
      forget(w);
      return {state: this.bytes(at.states, records.state.size).slice(), log, asked: {rows: asked, options}};
    };
    try {
      this.exports[this.info.open](at.rules, at.work, at.bots, ...array.states, ...array.library, ...array.opinions, at.seating, ...array.seats,
        0n, BigInt(game), BigInt(seating.plan.seed), BigInt(seating.plan.players), BigInt(seating.plan.roundCap));
      yield seen();
      while (this.exports[this.info.step](at.rules, at.states, at.work, at.bots) !== 0n) yield seen();
      yield seen();
    } finally {
      work().all("log_on")[0] = 0;
    }
  }

  run(seating, rules, names, first, n) {
    const {records, boxes} = this.info, {plan} = seating, {players} = plan;
    const r = new Fields(rules, records.rules.fields);
    const wonders = r.all("wonder_available").subarray(0, r.number("n_wonders")).reduce((sum, there) => sum + (there !== 0), 0);
    const counts = {
      games: n, seats: n * players, wonders: n * wonders, agendas: n * players * r.number("victory_in_play") + 1,
    };
    const {at, array} = this.laid(seating, rules, counts);
    let used;
    try {
      used = Number(this.exports[this.info.play](
        at.rules, at.work, at.bots, ...array.states, ...array.library, ...array.opinions, at.seating,
        ...Object.keys(counts).flatMap(name => array[name]),
        BigInt(plan.seed), BigInt(first), BigInt(n), BigInt(players), BigInt(plan.roundCap)));
    } catch (error) {
      throw new Error(`the engine stopped in games ${first} to ${first + n - 1}: ${error.message}`);
    }
    if (used < 0) throw new Error(`game ${first - 1 - used}: a player gave an answer that is no option`);
    counts.agendas = used;
    const tables = {names, bytes: {}};
    for (const name in counts) {
      const size = records[name].size;
      tables.bytes[name] = this.bytes(at[name], counts[name] * size);
      tables[name] = {};
      for (const column of boxes[plan.box].columns[name]) {
        tables[name][column.name] = this.column(at[name], size, counts[name], column);
      }
      tables.bytes[name] = tables.bytes[name].slice();
    }
    return tables;
  }

  // Lay what games need into memory, with room for so many rows of tables. Returns where each lies, and how compiled code takes
  // those that are arrays. `instead`: functions in the place of players' own.
  laid({library, opinions, leaders, strategies}, rules, counts, instead = {}) {
    const {records, sizes, rows} = this.info, at = {};
    at.rules = this.put("rules", rules);
    at.work = this.room("work", sizes.work);
    at.bots = this.room("bots", records.bots.size);
    at.states = this.room("states", 2 * sizes.state);
    at.library = this.room("library", 8 * this.info.limits.strategies);
    at.seating = this.put("seating", seatingRecord(records.seating, leaders, strategies));
    at.opinions = this.put("opinions", new Uint8Array(opinions.buffer));
    for (const name in counts) at[name] = this.room(name, counts[name] * records[name].size);
    this.bytes(at.states, 2 * sizes.state).fill(0);
    for (const name in counts) this.bytes(at[name], counts[name] * records[name].size).fill(0);
    const addresses = new BigInt64Array(this.memory.buffer, at.library, library.length);
    library.forEach((one, k) => (addresses[k] = BigInt(this.exports[instead[one.function] ?? one.function]())));
    const bots = new Fields(this.bytes(at.bots, records.bots.size), records.bots.fields);
    bots.all("address").fill(addresses[0]);
    bots.all("observer").fill(-1n);
    const of = (name, size, ...shape) => [at[name], ...shape.map(BigInt), BigInt(size)];
    const array = {
      states: of("states", sizes.state, 2), library: of("library", 8, library.length),
      opinions: of("opinions", 4, library.length, rows.leaders, rows.weights),
    };
    for (const name in counts) array[name] = of(name, records[name].size, counts[name]);
    return {at, array};
  }

  column(at, size, n, {offset, kind}) {
    if (kind === "i8") { // numbers of games: far below 2 ** 53
      const all = new BigInt64Array(this.memory.buffer, at, n * size / 8);
      return Float64Array.from({length: n}, (_, k) => Number(all[(k * size + offset) / 8]));
    }
    const Kind = ARRAYS[kind], width = Kind.BYTES_PER_ELEMENT, step = size / width;
    const all = new Kind(this.memory.buffer, at, n * step), found = new Kind(n);
    for (let k = 0, from = offset / width; k < n; k++, from += step) found[k] = all[from];
    return found;
  }

  async load(store, name, players) {
    if (this.loaded.get(store) === `${name} ${players}`) return;
    const bytes = await this.once(name, this.file);
    const {place, rows, sizes} = this.info;
    const at = this.put(store, bytes);
    // Compiled code counts from the beginning of all networks: by place, then by number of players.
    const start = BigInt(at) - BigInt(sizes[store]) * BigInt(place * (rows.players + 1) + players);
    new BigInt64Array(this.memory.buffer, this.exports[store].value, 1)[0] = start;
    this.loaded.set(store, `${name} ${players}`);
  }

  // --- memory and files

  room(name, size) {
    const had = this.places.get(name);
    if (had && had.size >= size) return had.at;
    const at = (this.top + LINE - 1) & -LINE, space = had ? size + (size >> 1) : size;
    const need = Math.ceil((at + space - this.memory.buffer.byteLength) / PAGE);
    if (at + space > MEMORY) throw new Error(FULL);
    try {
      if (need > 0) this.memory.grow(need);
    } catch {
      throw new Error(FULL);
    }
    this.top = at + space;
    this.places.set(name, {at, size: space});
    return at;
  }

  put(name, bytes) {
    const at = this.room(name, bytes.length);
    this.bytes(at, bytes.length).set(bytes);
    return at;
  }

  // Return the function of a strategy: (rules, game, work, seat, kind, n, bits), the first three as places in memory.
  strategy(name) {
    return this.exports.__indirect_function_table.get(this.exports[name]());
  }

  // Copy what compiled code writes to beside `places` ([where, how long]) and its stack; returns what puts all of it back.
  kept(places) {
    const {__global_base: low, __data_end: high, __stack_pointer: stack} = this.exports;
    const copies = [[low.value, high.value - low.value], ...places].map(([at, size]) => [at, this.bytes(at, size).slice()]);
    const pointer = stack.value;
    return () => {
      for (const [at, copy] of copies) this.bytes(at, copy.length).set(copy);
      stack.value = pointer;
    };
  }

  bytes(at, size) {
    return new Uint8Array(this.memory.buffer, at, size);
  }

  once(name, how) {
    if (!this.files.has(name)) {
      const promise = how(name);
      promise.catch(() => this.files.delete(name)); // the next call tries again
      this.files.set(name, promise);
    }
    return this.files.get(name);
  }

  box(box) {
    if (!Object.hasOwn(this.info.boxes, box)) throw new Error(`there is no box '${box}' here; expected ${Object.keys(this.info.boxes).join(" or ")}`);
    return box;
  }
}

// The check sum of bytes that zlib.crc32 of Python returns.
export function crc32(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

// The fields of a record, by their names.
export class Fields {
  constructor(bytes, fields) {
    Object.assign(this, {bytes, fields});
  }

  all(name) {
    const [offset, kind, shape = []] = this.fields[name], Kind = kind === "i8" ? BigInt64Array : ARRAYS[kind];
    const start = this.bytes.byteOffset + offset;
    return new Kind(this.bytes.buffer, start, shape.reduce((product, size) => product * size, 1));
  }

  number(name) {
    return this.all(name)[0];
  }

  // Names by their codes: those that are empty are left out, unless there may be `gaps`.
  texts(name, gaps = false) {
    const [, , [rows, width]] = this.fields[name], all = this.all(name), decoder = new TextDecoder();
    const found = Array.from({length: rows}, (_, k) => decoder.decode(all.subarray(k * width, (k + 1) * width)).replace(/\0+$/, ""));
    return gaps ? found : found.filter(text => text);
  }
}

// --- who sits where: what `newdawn run` allows, in its words

function seated(asked, r, names, info) {
  const plan = {seed: 1, roundCap: info.roundCap, leaders: {}, strategies: {}, ...asked};
  const box = info.boxes[plan.box], {players} = plan;
  if (!box || info.names.boxes.indexOf(plan.box) !== r.number("box")) throw new Error("these rules are not for the box of the plan");
  const whole = (what, value, low, high) => {
    if (!Number.isSafeInteger(value) || value < low || value > high) {
      throw new Error(`${what}: ${value} is not valid; expected a whole number from ${low} to ${high}`);
    }
  };
  whole("players", players, box.players[0], box.players.at(-1));
  whole("seed", plan.seed, 0, Number.MAX_SAFE_INTEGER);
  whole("round cap", plan.roundCap, ...info.limits.roundCap);
  if (r.number("map_mode") !== 0 && !onMap(r, players)) throw new Error(`players: the map is not for ${players}`);
  if (info.names.partners[r.number("partners")] !== info.names.partners[0] && players !== info.names.teamPlayers) {
    throw new Error(`players: teams of two (teams.partners) need ${info.names.teamPlayers} players, got ${players}`);
  }
  const leaders = leadersOf(plan, r, names.leader);
  const {library, strategies} = strategiesOf(plan, box, info);
  const opinions = new Int32Array(library.length * info.rows.leaders * info.rows.weights);
  library.forEach((one, k) => weigh(opinions, k, one.weights[players], info.rows));
  const networks = Object.assign({}, ...library.map(one => one.networks?.[players] ?? {}));
  return {plan, library, opinions, leaders, strategies, networks};
}

function onMap(r, players) {
  const [, , [, counts]] = r.fields.fixed_players, lies = r.all("fixed_players");
  return Array.from({length: r.number("fixed_tiles")}, (_, tile) => lies[tile * counts + players]).some(Boolean);
}

function leadersOf({players, leaders: {kind = "pool", names: chosen = []}}, r, known) {
  const there = r.all("leader_available"), available = known.filter((_, code) => there[code]);
  const drawn = kind === "pool";
  const named = drawn && !chosen.length ? available : chosen;
  for (const [k, name] of named.entries()) {
    if (!known.includes(name)) throw new Error(`unknown leader '${name}'`);
    if (!available.includes(name)) throw new Error(`the house rules take the leader ${name} out of the game, so that nobody can play it`);
    if (named.indexOf(name) !== k) throw new Error(`leaders: '${name}' is named twice; two players cannot have the same leader (B2.1)`);
  }
  if (!drawn && named.length !== players) throw new Error(`leaders: ${named.length} named for ${players} players; expected one a player`);
  const each = r.number("leaders_dealt") + r.number("leader_bans");
  if (drawn && named.length < players * each) {
    throw new Error(`leader pool: the rules need ${players * each} leaders for ${players} players; there are ${named.length}`);
  }
  return {drawn, codes: named.map(name => known.indexOf(name))};
}

function strategiesOf({players, strategies: {kind = "all", names: chosen = []}}, box, info) {
  const named = chosen.length ? chosen : [box.default];
  const found = named.map(name => {
    const one = box.strategies.find(one => one.name === name);
    if (!one) throw new Error(`unknown strategy '${name}'`);
    if (!one.weights[players]) throw new Error(`strategy ${name}: its value network does not know games of ${players} players`);
    return one;
  });
  if (kind !== "pool" && ![1, players].includes(named.length)) {
    throw new Error(`strategies: ${named.length} named for ${players} players; expected one for all or one a player`);
  }
  if (named.length > info.limits.strategies) throw new Error(`strategies: ${named.length} named; a run has at most ${info.limits.strategies}`);
  const library = [...new Set(found)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const line = kind !== "pool" && named.length === 1 ? Array(players).fill(found[0]) : found;
  return {library, strategies: {drawn: kind === "pool", codes: line.map(one => library.indexOf(one))}};
}

function weigh(opinions, k, {all, leaders}, {leaders: rows, weights}) {
  for (let row = 0; row < rows; row++) {
    const at = (k * rows + row) * weights;
    opinions.set(all, at);
    for (const [column, value] of Object.entries(leaders[row] ?? {})) opinions[at + Number(column)] = value;
  }
}

function seatingRecord({size, fields}, leaders, strategies) {
  const record = new Fields(new Uint8Array(size), fields);
  for (const [name, {drawn, codes}] of Object.entries({leaders, strategies})) {
    record.all(`${name}_drawn`)[0] = drawn ? 1 : 0;
    record.all(`n_${name}`)[0] = codes.length;
    record.all(name).set(codes);
  }
  return record.bytes;
}

// --- house rules by form: what simulator/rules/compile.py would make of them (analysis/web/house_rules_form.py says how)

export function applyChanges(record, form, changes, fields) {
  const rows = new Map(form.rows.map(row => [row.key, row]));
  const value = key => (key in changes ? changes[key] : rows.get(key)?.value);
  for (const [key, given] of Object.entries(changes)) check(rows.get(key), key, given);
  for (const [key, given] of Object.entries(changes)) {
    for (const other of rows.get(key).unread?.[given] ?? []) {
      if (other in changes) throw new Error(`${other}: changes nothing while ${key} is ${given}`);
    }
  }
  for (const limit of form.limits) checkLimit(limit, value);
  const r = new Fields(record, fields);
  const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
  const abilities = taken(view, form.abilities.columns, form.abilities.rows.length);
  const agendas = agendasOf(view, form.victory);
  // By how much: where several values come to the same cell, they add up there.
  const write = (cells, numbers, before) => cells.forEach(([what, ...at], k) => {
    const more = numbers[k] - before[k];
    if (what === "r") put(view, at[0], at[1], view[GET[at[1]]](at[0], true) + more);
    else if (what === "a") abilities[at[0]][at[1]] += more;
    else agendas[at[0]][at[1]][at[2]] += more;
  });
  for (const key of Object.keys(changes)) {
    const {cells, line, table, value: printed} = rows.get(key);
    const numbers = given => (line ? line.map(([factor, summand]) => factor * given + summand) : table[given]);
    if (cells) write(cells, numbers(changes[key]), numbers(printed));
  }
  for (const {keys, cells, table} of form.joined) {
    if (!keys.some(key => key in changes)) continue;
    const numbers = table[keys.map(value).join("|")];
    if (!numbers) throw new Error(`${keys.join(", ")}: these values do not go together`);
    write(cells, numbers, table[keys.map(key => rows.get(key).value).join("|")]);
  }
  putAbilities(view, form.abilities, abilities, r, value);
  putVictory(view, form.victory, agendas, r, value);
  follow(form.following, r, value);
}

function check(row, key, given) {
  if (!row) throw new Error(`unknown key '${key}' in the form`);
  const {values, least, most} = row;
  if (values ? !values.includes(given) : !Number.isInteger(given) || given < least || given > most) {
    throw new Error(`${key}: ${JSON.stringify(given)} is not valid; expected ${values ? values.join(" or ") : `${least} to ${most}`}`);
  }
}

// A sum of values must not be beyond a bound, if others are as it says.
function checkLimit({text, terms, most, if: only}, value) {
  const counted = term => {
    if (!Array.isArray(term)) return Number(value(term)) || 0; // what is no number counts nothing
    const [key, wanted] = term;
    return Number(wanted === null ? value(key) !== 0 : value(key) === wanted);
  };
  if (only.every(counted) && terms.reduce((sum, [factor, term]) => sum + factor * counted(term), 0) > most) throw new Error(text);
}

const GET = {i1: "getInt8", u1: "getUint8", i2: "getInt16", i4: "getInt32"};
const SET = {i1: "setInt8", u1: "setUint8", i2: "setInt16", i4: "setInt32"};
const WIDTH = {i1: 1, u1: 1, i2: 2, i4: 4};

function put(view, at, kind, number) {
  view[SET[kind]](at, number, true);
}

function taken(view, columns, rows) {
  return Array.from({length: rows}, (_, row) => columns.map(([at, kind]) => view[GET[kind]](at + row * WIDTH[kind], true)));
}

function putAbilities(view, {rows, holders, columns, timed}, abilities, r, value) {
  const counts = holders.map(() => 0), there = [];
  rows.forEach(({holder, switches}, k) => {
    if (!switches.every(value)) return;
    counts[holder]++;
    there.push(abilities[k]);
  });
  columns.forEach(([at, kind], c) => rows.forEach((_, k) => put(view, at + k * WIDTH[kind], kind, there[k]?.[c] ?? 0)));
  let first = 0;
  holders.forEach(({first: where, n}, k) => {
    put(view, where[0], where[1], first);
    put(view, n[0], n[1], counts[k]);
    first += counts[k];
  });
  r.all("n_abilities")[0] = there.length;
  r.all("timed_abilities")[0] = Number(there.some(row => timed.some(column => row[column] !== 0)));
}

function agendasOf(view, {cards, columns}) {
  return cards.map(({agendas}, card) => agendas.map(({half}) =>
    columns.map(([at, kind]) => view[GET[kind]](at + (2 * card + half) * WIDTH[kind], true))));
}

// A card whose one agenda is out of the game shows the other one twice; so does a fort card, which has one.
function putVictory(view, {cards, columns, beyond, metrics}, agendas, r, value) {
  const always = r.all("victory_always").slice(); // by printed card, as its switch says
  const there = cards.map((card, k) => ({...card, k})).filter(card => value(card.switch) !== false);
  let asks = 0;
  cards.forEach((_, code) => {
    const card = there[code];
    let stays = false;
    for (const half of [0, 1]) {
      let row = columns.map(column => column[2]);
      if (card) {
        const open = half < card.agendas.length && value(card.agendas[half].switch) !== false;
        const place = Math.min(open ? half : 1 - half, card.agendas.length - 1);
        row = agendas[card.k][place];
        stays = card.agendas[place].stays;
        if (metrics.some(column => beyond.includes(row[column]))) asks = 1;
      }
      columns.forEach(([at, kind], c) => put(view, at + (2 * code + half) * WIDTH[kind], kind, row[c]));
    }
    r.all("victory_must_stay")[code] = Number(stays);
    r.all("victory_fort")[code] = card ? card.fort : 0;
    r.all("victory_always")[code] = card ? always[card.k] : 0;
  });
  r.all("n_victory_cards")[0] = there.length;
  r.all("agendas_beyond")[0] = asks;
}

// Fields that follow from others.
function follow({needed, printed, all, lead}, r, value) {
  const asked = value(needed) ?? printed, inPlay = r.number("victory_in_play");
  r.all("claims_spared")[0] = asked === all ? 0 : inPlay - asked;
  const decks = r.all("deck_count"), eras = r.fields.deck_count[2][1];
  const sizes = Array.from({length: decks.length / eras}, (_, k) => decks.slice(k * eras, (k + 1) * eras).reduce((a, b) => a + b));
  r.all("deck_size_max")[0] = Math.max(...sizes);
  r.all("scored")[0] = Number(r.number("points_round") !== 0 || r.number("points_to_win") !== 0);
  r.all("win_percent").set(winPercent(r.number("die_sides"), r.number("dice"), r.number("attacker_wins_ties"), lead));
  const types = r.all("wonder_type").subarray(0, r.number("n_wonders")), counts = r.all("wonders_of_type_n"), of = r.all("wonders_of_type");
  const width = r.fields.wonders_of_type[2][1];
  counts.fill(0);
  of.fill(0);
  types.forEach((type, code) => (of[type * width + counts[type]++] = code));
}

// The chances that the attacker wins, by its lead before both sides roll and add `dice` dice.
function winPercent(sides, dice, ties, lead) {
  let throws = [1]; // ways to roll each sum
  for (let die = 0; die < dice; die++) {
    const next = Array(throws.length + sides - 1).fill(0);
    throws.forEach((ways, sum) => { for (let side = 0; side < sides; side++) next[sum + side] += ways; });
    throws = next;
  }
  const total = throws.reduce((a, b) => a + b) ** 2;
  return Array.from({length: 2 * lead + 1}, (_, k) => {
    let won = 0;
    throws.forEach((mine, a) => throws.forEach((other, b) => { if (a - b + ties + k - lead > 0) won += mine * other; }));
    return Math.floor(won * 100 / total);
  });
}
