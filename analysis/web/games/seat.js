// The page where people sit down: box, seats, leaders and house rules of a new game; games of this browser; games from files.

import { byId, download, h } from "../static/dom.js";
import { openEngine } from "../static/engine.js";
import { boxesOf, rowsOf, strategiesOf } from "../static/facts.js";
import { Form } from "../static/form.js";
import { counted } from "../static/format.js";
import { namesIn, SAFE_SEED } from "../static/question.js";
import { unpacked } from "../static/packs.js";
import { fetched, json } from "../static/reading.js";
import { speak, WORDS } from "../static/words.js";
import { address, lineUp, opened } from "./deal.js";
import { logOf } from "./log.js";
import { clearLog, dropGame, gameOf, games, keepGame, keepPack, logged, packOf } from "./shelf.js";
import { ME } from "./sitting.js";

const YOU = "a person", BOX_TITLES = { base: "A New Dawn", "terra-incognita": "with Terra Incognita" };

/** The form of a table. */
class TableForm extends Form {
  games() {
    const { box, players, seats } = this.question, choices = strategiesOf(this.info, box, players), boxes = this.question.pack ? [box] : boxesOf(this.info);
    const options = [[ME, YOU], ...choices.map((one) => [one.name, one.slow ? `${one.name} (slow)` : one.name])];
    const leaders = [["", "drawn by lot"], ...this.names.leader.map((name) => [name, name])];
    const rows = seats.flatMap((name, seat) => [
      choose(`seat-${seat}`, `Seat ${seat + 1}`, options, name, (value) => this.sit(seat, value)),
      ...(name === ME ? [choose(`leader-${seat}`, "plays", leaders, this.question.chosen[seat] ?? "", (value) => this.lead(seat, value))] : []),
    ]);
    return h("fieldset", {}, h("legend", {}, "Who sits at the table?"),
      choose("box", "Box", boxes.map((one) => [one, BOX_TITLES[one] ?? one]), box, (value) => this.otherBox(value)),
      choose("players", "Players", this.info.boxes[box].players.map((n) => [n, String(n)]), players, (value) => this.otherTable({ players: Number(value) })),
      rows, h("p", { class: "note" }, "quick plays well and answers at once; thinker plays better and takes its time. Who begins is drawn by lot."));
  }

  sit(seat, value) {
    this.put({ seats: this.question.seats.map((name, k) => (k === seat ? value : name)) }, "games");
  }

  lead(seat, value) {
    this.put({ chosen: this.question.seats.map((_, k) => (k === seat ? value : this.question.chosen[k] ?? "")) }, "games");
  }

  /** Change box, players or file, and whatever does not fit any more. */
  otherTable(change) {
    const question = { ...this.question, ...change }, known = strategiesOf(this.info, question.box, question.players).map((one) => one.name);
    const usual = this.info.boxes[question.box].default, fits = (name) => name === ME || known.includes(name);
    const seats = Array.from({ length: question.players }, (_, seat) => (fits(question.seats[seat]) ? question.seats[seat] : usual));
    const leaders = namesIn(question, this.info).leader;
    this.put({ ...change, seats, chosen: seats.map((_, seat) => (leaders.includes(question.chosen[seat]) ? question.chosen[seat] : "")) }, "games", ...("box" in change || "pack" in change ? ["rules"] : []));
  }

  comparison() {
    return null;
  }

  play() {
    const input = h("input", {
      id: "seed", type: "number", min: 0, max: SAFE_SEED, step: 1, value: this.question.seed, inputmode: "numeric", required: true,
      change: (event) => {
        const value = Number(event.target.value), right = event.target.value !== "" && Number.isSafeInteger(value) && value >= 0;
        event.target.setCustomValidity(right ? "" : `expected a whole number from 0 to ${SAFE_SEED}.`);
        if (right) this.put({ seed: value });
      },
    });
    return h("fieldset", { class: "play" }, h("legend", {}, "Which deal?"), h("label", { class: "field", for: "seed" }, h("span", {}, "Seed"), input),
      h("p", { class: "note" }, "The same seed deals the same map, cards and dice again."),
      h("div", { class: "buttons" }, h("button", { type: "submit", id: "play", class: "main" }, "Sit down")));
  }

  wrong() {
    const { seats, chosen } = this.question, field = this.element.querySelector(":invalid:not(fieldset)");
    if (field) return `${this.element.querySelector(`label[for="${CSS.escape(field.id)}"]`).textContent}: ${field.validationMessage}`;
    if (!seats.includes(ME)) return `Nobody sits at this table: let ${YOU} take a seat.`;
    const picked = chosen.filter((name, seat) => name && seats[seat] === ME), twice = picked.find((name, k) => picked.indexOf(name) !== k);
    return twice ? `${twice} is chosen twice; two players cannot have the same leader.` : "";
  }
}

function choose(id, label, options, value, changed) {
  return h("label", { class: "field", for: id }, h("span", {}, label), h("select", { id, change: (event) => changed(event.target.value) },
    options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text))));
}

class Page {
  async open() {
    const [words, engine] = await Promise.all([json("words.json"), openEngine(fetched)]);
    speak(words);
    const boxes = boxesOf(engine.info), forms = await Promise.all(boxes.map(async (box) => rowsOf(await engine.form(box))));
    Object.assign(this, { engine, rows: new Map(boxes.map((box, i) => [box, forms[i]])) });
    const box = WORDS.boxes.find((one) => boxes.includes(one)), usual = engine.info.boxes[box].default;
    this.question = { box, players: 4, seats: [ME, usual, usual, usual], chosen: ["", "", "", ""], seed: 1 + Math.floor(Math.random() * 1e6), changes: {}, pack: null, compare: false };
    this.form = new TableForm(byId("question"), this.question, engine.info, (one) => this.rows.get(one), () => this.say([]));
    byId("question").addEventListener("submit", (event) => {
      event.preventDefault();
      this.sitDown();
    });
    byId("question").addEventListener("change", (event) => event.target.id === "pack" && this.unpack(event.target.files[0]));
    await this.list();
  }

  say(sentences) {
    byId("wrong").replaceChildren(...sentences.map((text) => h("p", { class: "warning" }, text)));
  }

  async unpack(file) {
    try {
      this.bytes = new Uint8Array(await file.arrayBuffer());
      const { box, pack } = unpacked(this.engine, this.bytes);
      await keepPack(pack.digest, this.bytes);
      this.form.open(box, pack);
    } catch (error) {
      this.say([`${file.name}: ${error.message}.`]);
    }
  }

  /** Go to the table of the form. */
  async sitDown() {
    const wrong = this.form.wrong();
    this.say(wrong ? [wrong] : []);
    if (wrong) return;
    try {
      const { box, seats, seed, changes, pack } = this.question, rules = pack?.rules ?? (await this.engine.rules(box, changes)), chosen = seats.map((name, seat) => (name === ME ? this.question.chosen[seat] : ""));
      const names = this.engine.names(rules), leaders = chosen.some(Boolean) ? lineUp(seats, chosen, names.leader, seed) : { kind: "pool", names: [] };
      const deal = { box, names: seats, players: seats.length, leaders, seed, changes, pack: pack?.digest ?? "", game: 0 };
      // What the rules do not allow is said here, before the table opens.
      await this.engine.seated({ box, players: seats.length, leaders, seed, strategies: { kind: "seats", names: seats.map((name) => (name === ME ? "random" : name)) } }, rules, names);
      location.href = `table.html${address(deal)}`;
    } catch (error) {
      this.say([`${error.message}.`]);
    }
  }

  // --- Games of this browser, and from files

  async list() {
    const kept = await games().catch(() => []), rows = kept.map(([key, game]) => this.row(key, game)), log = await logged().catch(() => []);
    byId("games").replaceChildren(h("h2", {}, "Your games"),
      kept.length ? h("ul", { class: "kept" }, rows) : h("p", {}, "None yet in this browser. Games are kept here after every choice; a closed tab loses nothing."),
      h("label", { class: "file note" }, "Go on with a game that was saved as a file, here or by newdawn play ", h("input", { type: "file", id: "saved", accept: ".json,application/json", change: (event) => this.load(event.target.files[0]) })),
      h("h2", {}, "The log"), log.length ? h("p", {}, `${counted(log.length, "game")} in the log of this browser. `,
        h("button", { type: "button", id: "save-log", click: () => download("newdawn-log.json", logOf(log), "application/json") }, "Save the log"), " ",
        h("button", { type: "button", id: "clear-log", click: () => confirm("Empty the log? Save it first if you want to keep it.") && clearLog().then(() => this.list()) }, "Empty it"))
        : h("p", {}, "No game yet: Add to the log at a table notes one. A log holds who won, with which leader, by which agendas, and every choice; the lab reads it (newdawn plays import)."));
  }

  row(key, { deal, line, at }) {
    const who = line.leaders.map((leader, seat) => `${leader || `seat ${seat + 1}`}${line.people.includes(seat) ? " (you)" : ""}`).join(", ");
    const stands = line.over ? line.headline : `Round ${line.round}, not over.`;
    return h("li", {}, h("a", { href: `table.html${key}` }, `${BOX_TITLES[deal.box] ?? deal.box}, ${counted(deal.players, "player")}, seed ${deal.seed}`), ` ${who}. ${stands} `,
      h("span", { class: "note" }, `${new Date(at).toLocaleDateString()} `),
      h("a", { href: `watch.html#table=${encodeURIComponent(key)}` }, "Watch"), " ",
      h("button", { type: "button", class: "try", "aria-label": `Remove the game of seed ${deal.seed}`, click: () => dropGame(key).then(() => this.list()) }, "Remove"));
  }

  /** Open a game from a file. */
  async load(file) {
    try {
      const { deal, choices, answered } = await opened(await file.text(), {
        info: this.engine.info, printedOf: (box) => json(`data-${box}.json`), rowsOf: (box) => this.rows.get(box), packOf: (digest) => packOf(digest).catch(() => null),
      });
      const key = address(deal), there = await gameOf(key).catch(() => null);
      if (there && there.choices.length > choices.length && !confirm(`This browser has this game with ${there.choices.length} choices; the file has ${choices.length}. Go back to the file?`)) return;
      await keepGame(key, { deal, version: deal.version, choices, answered, notes: [], line: { over: false, round: 0, people: [], leaders: [], won: [], headline: "" } });
      location.href = `table.html${key}`;
    } catch (error) {
      this.say([`${file.name}: ${error.message}.`]);
    }
  }
}

const page = new Page();
page.open().catch((error) => {
  byId("question").replaceChildren();
  page.say([error.message]);
});
