// Answers to the explorer (analysis/explorer/explorer.js) from the games in its own file, in the words of the lab's server
// (analysis/explorer/views.py, server.py): the views of a run, the list of games, the sheet of one. Figures are those of
// counting.js and strength.js; columns, notes and titles come from the lab in `run`.

import { leaders, length, Piece, sumsOf, victory, wonders } from "../static/counting.js";
import { fixed, withMinus } from "../static/format.js";
import { judged, known, quantileOfCounts } from "../static/statistics.js";
import { outcomes, strengths, Untold } from "../static/strength.js";
import { WORDS } from "../static/words.js";

const PAGE = 50, SHOWN = 0.998, MOST_VALUES = 20;
const PER_CENT = /(_rate|^share|^fair_share)$/, WHOLE = new Set(["n", "decided", "built", "revealed", "claims", "unfinished", "captures", "games", "seats", "rounds", "order", "seat"]);
const COLUMNS = { table: "leader", leader: "leader", card: "card", deck: "wonder", built: "wonder", claimed: "agenda", strategy: "strategy" };

export class Desk {
  /** `tables` and `ids`: the games, as `unpacked` has them; `run` says what they are. */
  constructor(run, tables) {
    Object.assign(this, { run, names: run.names, ids: tables.ids });
    this.piece = new Piece(tables, run.players);
    this.at = new Map(Array.from(tables.ids, (id, at) => [id, at]));
    this.decks = new Map(run.names.wonder.map((name, code) => [name, tables.wonders.in_deck.subarray(code * this.piece.n, (code + 1) * this.piece.n)]));
  }

  /** Return what the explorer asks by an address of the server; throw an error of one sentence. */
  answer(path) {
    const [where, query = ""] = path.split("?"), parts = where.split("/").slice(2);
    if (parts[0] === "about") return this.about();
    const asked = this.read(query), [view, ...rest] = parts.slice(1);
    for (const name of ["run", "beside"]) {
      const given = asked.own.get(name);
      if (given !== undefined && given !== "0") throw new Error(`${name}: there is one run in this file; expected 0`);
    }
    if (view === "games" && !rest.length) return this.listing(asked.filter, whole("from", asked.own.get("from") ?? "0"));
    if (view === "game" && rest.length === 2) return this.sheet(whole("game", rest[1]));
    if (asked.own.has("from")) throw new Error("from: only the view 'games' has it");
    return this.view([view, ...rest].join("/"), asked.filter, asked.own.get("by") ?? null);
  }

  about() {
    const { run, names } = this, sorted = (kind) => [...names[kind]].sort();
    const { title, players, planned, rules, seed } = run;
    const one = { title, games: this.piece.n, planned, players, rules, seed, expansion: false, focus: false };
    return { runs: [one], seats: players, leaders: sorted("leader"), strategies: sorted("strategy"), cards: sorted("card"), wonders: sorted("wonder"), agendas: sorted("agenda") };
  }

  // --- The filter

  /** Return the conditions of an address by name, and its other words. */
  read(query) {
    const filter = {}, own = new Map();
    for (const [name, value] of new URLSearchParams(query)) {
      if (["run", "beside", "by", "from"].includes(name)) {
        if (own.has(name)) throw new Error(`${name}: given twice; expected once`);
        own.set(name, value);
        continue;
      }
      if (!this.run.filter.includes(name)) throw unknown("condition", name, this.run.filter);
      const allowed = this.values(name);
      if (allowed === null) span(value);
      else if (!allowed.includes(value)) throw unknown(name, value, allowed);
      filter[name] = [...new Set([...(filter[name] ?? []), value])];
      if (filter[name].length > MOST_VALUES) throw new Error(`${name}: ${filter[name].length} values; expected at most ${MOST_VALUES}`);
    }
    if (filter.rounds?.length > 1) throw new Error("rounds: appears twice; expected one round, or a range such as 13-23");
    return { filter, own };
  }

  values(name) {
    if (name === "rounds") return null;
    if (name === "won") return ["yes"];
    if (name === "winner") return [...this.names.leader, "nobody"];
    if (name === "seat" || name === "order") return Array.from({ length: this.run.players }, (_, seat) => String(seat + 1));
    return name === "players" ? [2, 3, 4, 5].map(String) : this.names[COLUMNS[name]];
  }

  /** Return the filter with one more condition. */
  narrowed(filter, name, value) {
    const before = this.run.any.includes(name) ? [] : filter[name] ?? [];
    return { ...filter, [name]: [...new Set([...before, value])] };
  }

  query = (filter) => this.run.filter.flatMap((name) => (filter[name] ?? []).map((value) => [name, value]));

  /** Return which seats count (one a row of `seats`), in which games, and whether that is every seat of these. */
  kept(filter) {
    const { piece, run } = this, { n } = piece, { players } = run, seats = new Uint8Array(n * players).fill(1), games = new Uint8Array(n);
    const ofGames = this.gameTests(filter), ofSeats = this.seatTests(filter);
    let [chosen, counted] = [0, 0];
    for (let game = 0; game < n; game++) {
      const good = ofGames.every((test) => test(game));
      for (let seat = 0; seat < players; seat++) {
        const at = game * players + seat;
        if (!good || !ofSeats.every((test) => test(at))) seats[at] = 0;
        else games[game] = 1;
        counted += seats[at];
      }
      chosen += games[game];
    }
    return { seats, games, chosen, counted, all: counted === chosen * players };
  }

  gameTests(filter) {
    const { piece, names } = this, { seats, games } = piece, { players } = this.run, tests = [];
    const some = (game, test) => { for (let seat = 0; seat < players; seat++) if (test(game * players + seat)) return true; return false; };
    for (const name of filter.table ?? []) { const code = names.leader.indexOf(name); tests.push((game) => some(game, (at) => seats.leader[at] === code)); }
    for (const name of filter.card ?? []) { const code = names.card.indexOf(name); tests.push((game) => this.cards(game).includes(code)); }
    for (const name of filter.deck ?? []) tests.push((game) => this.decks.get(name)[game]);
    if (filter.players) tests.push(() => filter.players.includes(String(players)));
    if (filter.winner) {
      const codes = filter.winner.map((name) => names.leader.indexOf(name)), nobody = filter.winner.includes("nobody");
      tests.push((game) => (nobody && !piece.decided(game)) || some(game, (at) => piece.wins[at] && codes.includes(seats.leader[at])));
    }
    for (const text of filter.rounds ?? []) { const [low, high] = span(text); tests.push((game) => games.rounds[game] >= low && games.rounds[game] <= high); }
    return tests;
  }

  seatTests(filter) {
    const { piece, names } = this, { seats } = piece, { players } = this.run, tests = [];
    const among = (column, codes) => tests.push((at) => codes.includes(column[at]));
    if (filter.leader) among(seats.leader, filter.leader.map((name) => names.leader.indexOf(name)));
    if (filter.seat) tests.push((at) => filter.seat.includes(String((at % players) + 1)));
    if (filter.order) among(seats.order, filter.order.map(Number));
    if (filter.strategy) among(seats.strategy, filter.strategy.map((name) => names.strategy.indexOf(name)));
    if (filter.won) tests.push((at) => piece.wins[at] > 0);
    for (const name of filter.built ?? []) tests.push(this.did("wonders", "wonder", names.wonder.indexOf(name), (row) => (piece.wonders.round_built[row] ? piece.wonders.builder[row] : -1)));
    for (const name of filter.claimed ?? []) tests.push(this.did("agendas", "agenda", names.agenda.indexOf(name), (row) => piece.agendas.seat[row]));
    return tests;
  }

  /** Return a test whether a seat did something: of the rows of a name, those whose `seat` is one. */
  did(table, kind, code, seat) {
    const { piece } = this, found = new Uint8Array(piece.n * this.run.players), rows = piece[table][kind];
    for (let row = 0; row < rows.length; row++) if (rows[row] === code && seat(row) >= 0) found[piece.game(table, row) * this.run.players + seat(row)] = 1;
    return (at) => found[at];
  }

  cards(game) {
    const found = [];
    for (let place = 1; this.piece.games[`card_${place}`]; place++) found.push(this.piece.games[`card_${place}`][game]);
    return found.filter((code) => code >= 0);
  }

  // --- Views

  view(name, filter, by) {
    if (by !== null && (name !== "leaders" || !this.run.groupings.includes(by))) throw unknown("grouping of the leaders", by, this.run.groupings);
    if (!Object.hasOwn(this.run.views, name)) throw unknown("view", name, [...Object.keys(this.run.views), "games"]);
    const kept = this.kept(filter), sums = sumsOf(this.piece, this.names, this.run.roundCap, kept), made = { leaders: "leadersView", wonders: "wondersView", victory: "victoryView", length: "lengthView" }[name];
    const outcome = this.run.outcomes.filter((one) => filter[one]), warnings = [];
    if (outcome.length) warnings.push(`Games chosen by what happened in them (${outcome.join(", ")}): every rate below is an association among these.`);
    if (!kept.all) warnings.push("Only seats that the filter names are counted: what others at their tables built and claimed is not.");
    return { title: this.run.views[name], summary: [this.overview(sums, kept)], warnings, sections: kept.chosen ? [this[made](filter, kept, sums, by)] : [], contrast: null };
  }

  overview(sums, kept) {
    const found = length(sums), facts = {
      games: kept.chosen, seats: kept.counted, unfinished: found.unfinished, unfinished_rate: found.unfinished_rate, unfinished_rate_low: found.unfinished_rate_low,
      unfinished_rate_high: found.unfinished_rate_high, rounds_mean: found.mean, rounds_mean_low: found.mean_low, rounds_mean_high: found.mean_high,
      rounds_p25: found.p25, rounds_median: found.median, rounds_p75: found.p75, small_sample: kept.chosen < WORDS.smallSample,
    };
    const shown = Object.keys(facts).filter((name) => !/_(low|high)$|small_sample/.test(name));
    return { title: this.run.title, text: Object.fromEntries(shown.map((name) => [name.replaceAll("_", " "), text(facts, name)])), ...plain(facts) };
  }

  leadersView(filter, kept, sums, by) {
    const { shapes } = this.run, links = (row) => {
      let here = this.narrowed(filter, "leader", row.leader);
      if (by) here = this.narrowed(here, by, String(row[by]));
      return { n: here, wins: this.narrowed(here, "won", "yes"), unfinished: this.narrowed(here, "winner", "nobody") };
    };
    const [rows, why] = by ? [null, ""] : this.judged(kept, sums);
    if (rows) {
      const tiers = this.run.tiers.map(([verdict, title]) => ({ title, rows: [...rows.keys()].filter((at) => rows[at].verdict_key === verdict) }));
      return { ...this.table(shapes.judged, rows, links), tiers: tiers.filter((tier) => tier.rows.length) };
    }
    const shape = by ? shapes[`leaders_${by}`] : shapes.leaders;
    return this.table({ ...shape, note: shape.note + (why && `. ${why}`) }, leaders(this.piece, this.names, kept, by).map(called), links);
  }

  /** Return the leaders with the verdicts on them; null, and why, where the model cannot be asked of these seats. */
  judged(kept, sums) {
    if (!kept.all) return [null, this.run.without];
    if (this.run.unjudged) return [null, this.run.unjudged];
    const data = outcomes(sums.tables, this.run.players, this.names.leader);
    if (!data.finished || data.leaders.length < 2) return [null, this.run.without];
    try {
      return [judged(strengths(data), "points", WORDS.points, sums.games), ""];
    } catch (error) {
      if (!(error instanceof Untold)) throw error;
      return [null, `No verdicts in this file: ${error.message}.`];
    }
  }

  wondersView(filter, kept, sums) {
    return this.table(this.run.shapes.wonders, wonders(sums, this.names, this.run.players), (row) => {
      const here = this.narrowed(filter, "deck", row.wonder);
      return { n: here, unfinished: this.narrowed(here, "winner", "nobody"), built: this.narrowed(filter, "built", row.wonder) };
    });
  }

  victoryView(filter, kept, sums) {
    return this.table(this.run.shapes.victory, victory(sums, this.names, this.run.players), (row) => {
      const here = this.narrowed(filter, "card", row.card);
      return { n: here, claims: this.narrowed(filter, "claimed", row.agenda), unfinished: this.narrowed(here, "winner", "nobody") };
    });
  }

  lengthView(filter, kept, sums) {
    const counts = sums.victories.map((n, round) => n + sums.unfinished[round]), there = [...counts.keys()].filter((round) => counts[round]);
    const longest = counts.length - 1, last = Math.min(there.at(-1), quantileOfCounts(counts, SHOWN) + 1), total = kept.chosen, bars = [];
    for (let round = there[0]; round <= last; round++) {
      const rest = round === last, n = counts.slice(round, rest ? undefined : round + 1).reduce((a, b) => a + b, 0);
      const games = this.query(this.narrowed(filter, "rounds", rest ? `${round}-${longest}` : String(round)));
      bars.push({ at: rest && longest > round ? `${round}+` : String(round), n: [n], share: [n / total], games });
    }
    return { kind: "chart", name: "length", title: "Rounds in which games ended", note: "", unit: "games", bars, n: [total] };
  }

  /** Return a section with a table: its rows as cells with text, interval and the games behind them. */
  table(shape, rows, links) {
    const dropped = ["unfinished", "captures", "revealed"].filter((name) => rows.every((row) => !row[name]));
    const columns = shape.columns.filter(({ name }) => !dropped.includes(name));
    const cells = (row) => {
      const found = links(row);
      return columns.map(({ name }, at) => {
        if (at < shape.keys) return { text: String(row[name]), value: row[name], ...this.link(found[name], null) };
        const cell = { text: text(row, name), value: plain(row)[name] };
        for (const end of ["low", "high"]) if (`${name}_${end}` in row) cell[end] = plain(row)[`${name}_${end}`];
        if (name === shape.rate && ["win_rate", "adjusted_rate"].includes(name) && known(row.fair_share)) cell.fair = row.fair_share;
        if (name === shape.rate && name === "adjusted_rate" && known(row.adjusted_rate_all_low)) cell.all = [row.adjusted_rate_all_low, row.adjusted_rate_all_high];
        return { ...cell, ...this.link(found[name], 0) };
      });
    };
    const made = rows.map((row) => ({ few: Boolean(row.small_sample), cells: cells(row) }));
    const told = columns.map((column, at) => ({ ...column, text: column.text || made.some((row) => typeof row.cells[at].value === "string") }));
    return { kind: "table", tiers: [], name: shape.name, title: shape.title, note: shape.note, rate: shape.rate, keys: shape.keys, columns: told, rows: made };
  }

  link(found, side) {
    if (!found) return {};
    return typeof found === "string" ? { page: found } : { games: this.query(found), side };
  }

  // --- The games behind a figure

  listing(filter, start) {
    const kept = this.kept(filter), { players } = this.run, rows = [];
    for (let game = 0, before = 0; game < this.piece.n && rows.length < PAGE; game++) {
      if (!kept.games[game] || before++ < start) continue;
      const seats = [...Array(players).keys()].filter((seat) => kept.seats[game * players + seat]);
      rows.push({ game: fixed(this.ids[game], 0), id: this.ids[game], ...this.facts(game), counted: seats.length === players ? "all" : seats.map((seat) => seat + 1).join(", ") });
    }
    const shown = this.table(this.run.shapes.games, rows, (row) => ({ game: `game/0/${row.id}` }));
    return { title: "Games", games: kept.chosen, seats: kept.counted, from: start, page: PAGE, summary: [], warnings: [], sections: [shown] };
  }

  facts(game) {
    const { piece, names } = this, { players } = this.run, leader = (seat) => names.leader[piece.seats.leader[game * players + seat]];
    const seats = [...Array(players).keys()], winners = seats.filter((seat) => piece.wins[game * players + seat]).map(leader);
    return {
      rounds: piece.games.rounds[game], ending: winners.length ? `won by ${winners.join(" and ")}` : "unfinished", line_up: seats.map(leader).join(", "),
      cards: this.cards(game).map((code) => names.card[code]).sort().join(", "),
    };
  }

  sheet(id) {
    const game = this.at.get(id), { piece, names } = this, { players } = this.run;
    if (game === undefined) throw new Error(`game: ${id} is not among the ${fixed(piece.n, 0)} finished games of the run`);
    const rows = Array.from({ length: players }, (_, seat) => {
      const at = game * players + seat;
      return {
        seat: seat + 1, leader: names.leader[piece.seats.leader[at]], strategy: names.strategy[piece.seats.strategy[at]], order: piece.seats.order[at], share: piece.seats.won[at],
        claims: this.events("agendas", "agenda", "round", game, (row) => piece.agendas.seat[row] === seat) || "none",
        built: this.events("wonders", "wonder", "round_built", game, (row) => piece.wonders.round_built[row] && piece.wonders.builder[row] === seat) || "none",
      };
    });
    const { ending, rounds, cards } = this.facts(game);
    return {
      title: `Game ${fixed(id, 0)}`, summary: [], warnings: [], replay: { run: 0, game: id },
      facts: [`${ending} in round ${rounds}`, `victory cards in play: ${cards || "none"}`], sections: [this.table(this.run.shapes.seats, rows, () => ({}))],
    };
  }

  /** Say whether tables of the engine are those of a game of the run: how long it was, who sat where and who won. */
  isGame(id, { games, seats, names }) {
    const game = this.at.get(id), { piece } = this, { players } = this.run;
    const same = (seat) => piece.seats.won[game * players + seat].toFixed(4) === seats.won[seat].toFixed(4) && this.names.leader[piece.seats.leader[game * players + seat]] === names.leader[seats.leader[seat]];
    return games.rounds[0] === piece.games.rounds[game] && [...Array(players).keys()].every(same);
  }

  /** Return what happened at a seat of a game, with the round, as words. */
  events(table, kind, when, game, counts) {
    const { piece, names } = this, found = [];
    for (let row = 0; row < piece[table][kind].length; row++) {
      if (piece[table].game_id[row] === game && counts(row)) found.push([piece[table][when][row], names[kind][piece[table][kind][row]]]);
    }
    return found.sort((a, b) => a[0] - b[0]).map(([round, name]) => `${name} (${round})`).join(", ");
  }
}

function whole(name, given) {
  if (!/^\d{1,12}$/.test(given)) throw new Error(`${name}: '${given.slice(0, 40)}': expected a whole number`);
  return Number(given);
}

/** Return the first and the last round of "17" or "13-23". */
function span(given) {
  const found = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(given), [first, last] = found ? [Number(found[1]), Number(found[2] ?? found[1])] : [1, 0];
  if (first > last) throw new Error(`rounds: '${given.slice(0, 40)}': expected a round, or a range such as 13-23`);
  return [first, last];
}

const unknown = (what, given, allowed) => new Error(`unknown ${what} '${given.slice(0, 40)}': expected one of ${allowed.join(", ")}`);

/** Return a row with its seat by the number that people call it by. */
const called = (row) => ("seat" in row ? { ...row, seat: row.seat + 1 } : row);

/** Return a row as JSON has it: nothing where there is no number. */
const plain = (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === "number" && !Number.isFinite(value) ? null : value]));

/** Return a value as the lab's tables print it, with its interval (analysis/tables/rendering.py). */
function text(row, name) {
  const value = row[name];
  if (typeof value === "string") return value;
  if (!known(value)) return "-";
  const kind = `${name}_all_low` in row ? "_all" : "", [low, high] = ["low", "high"].map((end) => row[`${name}${kind}_${end}`]);
  return number(name, value) + (known(low) ? ` [${number(name, low)}, ${number(name, high)}]` : "");
}

const number = (name, value) => withMinus(plainNumber(name, value));

function plainNumber(name, value) {
  const signed = (x) => (x >= 0 && !Object.is(x, -0) ? "+" : "") + fixed(x, 1).replaceAll(",", "");
  if (PER_CENT.test(name)) return `${fixed(100 * value, 1).replaceAll(",", "")}%`;
  if (name === "difference") return signed(100 * value);
  if (name === "points") return signed(value);
  return fixed(value, WHOLE.has(name) ? 0 : 1);
}
