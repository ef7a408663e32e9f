// The question as a form: which games, by whom, by which house rules. It changes the question and says so.

import { h } from "./dom.js";
import { boxesOf, strategiesOf } from "./facts.js";
import { counted, fixed } from "./format.js";
import { allowed, changeWords, fits, leadersOf, LETTERS, MOST_GAMES, MOST_VARIANTS, namesIn, SAFE_SEED, several, variantsOf, word } from "./question.js";
import { WORDS } from "./words.js";
import { found, plain } from "./search.js";

const SHOWN = 12; // keys found that are shown at once
const TRY = ["rome", "petra", "trade tokens", "catch-up", "cards needed", "barbarians"];
const BOX_TITLES = { base: "A New Dawn", "terra-incognita": "with Terra Incognita" };
const KINDS = { all: "all, drawn at random", pool: "drawn at random from these", lineup: "exactly these" };

/** The form of a question. `changed()` is called after every change of it. */
export class Form {
  constructor(element, question, info, rowsOf, changed) {
    Object.assign(this, { element, question, info, rowsOf, changed, words: "", all: false, gone: [] });
    this.draw();
  }

  /** Show another question. */
  show(question) {
    this.question = question;
    this.draw();
  }

  get names() {
    return namesIn(this.question, this.info);
  }

  /** Change the question, and draw these parts of the form again. */
  put(change, ...parts) {
    Object.assign(this.question, change);
    if (!leadersOf(this.question, this.names).includes(this.question.leader)) this.question.leader = "";
    const focus = document.activeElement?.id;
    for (const part of parts) {
      const next = this[part]();
      this.parts[part].replaceWith(next);
      this.parts[part] = next;
    }
    if ("leaders" in change && !this.question.pack) this.say();
    if (parts.length && focus) document.getElementById(focus)?.focus();
    this.changed();
  }

  draw(focus = "") {
    this.parts = { games: this.games(), rules: this.rules(), play: this.play() };
    this.element.replaceChildren(h("div", { class: "scrolls" }, this.parts.games, this.parts.rules), this.parts.play);
    if (focus) document.getElementById(focus)?.focus();
  }

  // --- Which games

  games() {
    const { box, players, strategies } = this.question, choices = strategiesOf(this.info, box, players);
    const counts = this.info.boxes[box].players, boxes = this.question.pack ? [box] : boxesOf(this.info);
    const several = strategies.kind !== "all";
    return h("fieldset", {}, h("legend", {}, "Which games?"),
      choose("box", "Box", boxes.map((one) => [one, BOX_TITLES[one] ?? one]), box, (value) => this.otherBox(value)),
      choose("players", "Players", counts.map((n) => [n, String(n)]), players, (value) => this.otherTable({ players: Number(value) })),
      choose("leaders", "Leaders", Object.entries(KINDS), this.question.leaders.kind, (kind) => this.otherLeaders(kind)),
      this.question.leaders.kind === "all" ? null : this.pickLeaders(),
      choose("strategy", "Who plays", [...choices.map((one) => [one.name, one.slow ? `${one.name} (slow)` : one.name]), ["", "several …"]],
        several ? "" : strategies.names[0], (name) => this.put({ strategies: name ? { kind: "all", names: [name] } : { kind: "seats", names: Array(players).fill(strategies.names[0]) } }, "games")),
      several ? this.pickPlayers(choices) : this.about(choices.find((one) => one.name === strategies.names[0])));
  }

  /** Say who plays, and who plays better. */
  about(player) {
    const better = WORDS.better[this.question.box]?.[player?.name] ?? "";
    return h("div", { class: "note", id: "who" }, h("p", {}, `a computer player: ${player?.description ?? ""}`), better ? h("p", {}, better) : null);
  }

  /** Change box, players or file, and whatever does not fit any more. */
  otherTable(change) {
    const question = { ...this.question, ...change }, names = strategiesOf(this.info, question.box, question.players).map((one) => one.name);
    const { strategies } = question, { default: usual } = this.info.boxes[question.box];
    const fits = strategies.names.every((name) => names.includes(name)) && (strategies.kind !== "seats" || strategies.names.length === question.players);
    this.put({ ...change, strategies: fits ? strategies : { kind: "all", names: [names.includes(usual) ? usual : names[0]] }, leaders: this.leadersIn(question) }, "games", ...("box" in change || "pack" in change ? ["rules"] : []));
  }

  /** Return the leaders of a question, or all where too few of them are in its game. */
  leadersIn(question) {
    const { leaders: { kind, names }, players } = question, known = namesIn(question, this.info).leader, kept = names.filter((name) => known.includes(name));
    return (kind === "pool" ? kept.length >= players : kept.length === players && kept.length === names.length) ? { kind, names: kept } : { kind: "all", names: [] };
  }

  otherBox(box) {
    const most = Math.max(...this.info.boxes[box].players), given = variantsOf(this.question).map(Object.entries), before = this.rowsOf(this.question.box);
    const rows = new Map(this.rowsOf(box).map((row) => [row.key, row])), there = ([path, value]) => rows.has(path) && fits(rows.get(path), value);
    this.gone = given.flat().filter((one) => !there(one)).map(([path, value]) => changeWords(before.find((row) => row.key === path), value));
    const [changes, ...others] = given.map((some) => Object.fromEntries(some.filter((one) => there(one) && rows.get(one[0]).value !== one[1])));
    this.otherTable({ box, players: Math.min(this.question.players, most), changes, others, pack: null });
  }

  otherLeaders(kind) {
    const { players } = this.question, names = { all: [], pool: this.names.leader, lineup: this.names.leader.slice(0, players) }[kind];
    this.put({ leaders: { kind, names: [...names] } }, "games");
  }

  pickLeaders() {
    const { leaders: { kind, names }, players } = this.question, need = kind === "lineup" ? `exactly ${players}` : `${players} or more`;
    const right = kind === "lineup" ? names.length === players : names.length >= players;
    const toggle = (name, on) => this.put({ leaders: { kind, names: on ? [...names, name] : names.filter((one) => one !== name) } }, "games");
    return h("div", { class: "ticks", role: "group", "aria-label": `Leaders: ${need}` },
      this.names.leader.map((name) => h("label", {}, h("input", {
        type: "checkbox", id: `leader-${name}`, checked: names.includes(name), change: (event) => toggle(name, event.target.checked),
      }), name)),
      h("p", { class: right ? "note" : "note bad" }, right ? `${names.length} chosen.` : `${names.length} chosen; expected ${need}.`));
  }

  pickPlayers(choices) {
    const { strategies: { kind, names }, players } = this.question, options = choices.map((one) => [one.name, one.name]);
    const other = (at, name) => this.put({ strategies: { kind, names: names.map((one, i) => (i === at ? name : one)) } }, "games");
    const rows = kind === "seats"
      ? names.map((name, i) => choose(`seat-${i}`, `Seat ${i + 1}`, options, name, (value) => other(i, value)))
      : [h("div", { class: "ticks", role: "group", "aria-label": "Strategies to draw from" }, choices.map((one) => h("label", {}, h("input", {
        type: "checkbox", id: `pool-${one.name}`, checked: names.includes(one.name),
        change: (event) => this.put({ strategies: { kind, names: event.target.checked ? [...names, one.name] : names.filter((name) => name !== one.name) } }, "games"),
      }), one.name)))];
    return h("div", { class: "several" },
      choose("several", "How", [["seats", "one a seat"], ["pool", "drawn for each seat from these"]], kind,
        (value) => this.put({ strategies: { kind: value, names: value === "seats" ? Array(players).fill(names[0] ?? choices[0].name) : [...new Set(names)] } }, "games")), rows);
  }

  // --- House rules

  rules() {
    if (this.question.pack) return this.ofFile(this.question.pack);
    this.results = h("div", { id: "results" });
    this.said = h("div", { id: "said" });
    const look = h("input", {
      type: "search", id: "look", placeholder: "a card, leader, wonder, agenda …", "aria-describedby": "look-note", value: this.words, spellcheck: "false",
      input: (event) => {
        [this.words, this.all] = [event.target.value, false];
        this.search();
      },
      keydown: (event) => event.key === "Enter" && event.preventDefault(),
    });
    this.say();
    this.search();
    return h("fieldset", {}, h("legend", {}, "House rules"), this.said, h("label", { class: "field", for: "look" }, h("span", {}, "What to change?"), look), this.results,
      h("label", { class: "file note" }, "Or open house rules, or drop them anywhere here: YAML, or own leaders and abilities in a file made with newdawn web pack ", h("input", { type: "file", id: "pack", accept: ".yaml,.yml,.newdawn,*" })));
  }

  /** Play by the rules of a file: `changes` of the form, or a `pack`. */
  open(box, rules) {
    this.otherBox(box);
    this.gone = [];
    this.words = "";
    this.put(rules, "games", "rules");
  }

  /** Return what is said of a file of house rules that is open. */
  ofFile({ name, notes, alike }) {
    const shown = notes.slice(0, SHOWN), more = notes.length - shown.length;
    return h("fieldset", {}, h("legend", {}, "House rules"), h("p", {}, h("strong", {}, name)), h("ul", { class: "note" }, shown.map((one) => h("li", {}, one))),
      more ? h("p", { class: "note" }, `… and ${more} more`) : null,
      alike ? this.comparison() : h("p", { class: "note" }, "Not compared with the printed rules: leaders, wonders or victory cards of the box are missing or in another order. The command newdawn compare can do it."),
      h("button", { type: "button", click: () => this.otherTable({ pack: null }) }, "Close the file"));
  }

  comparison() {
    return h("label", { class: "tick" }, h("input", { type: "checkbox", id: "compare", checked: this.question.compare, change: (event) => this.put({ compare: event.target.checked }) }),
      "compare with the printed rules");
  }

  /** Say what is changed, and ask whether it is to be compared. */
  say() {
    const rows = this.rowsOf(this.question.box), columns = variantsOf(this.question), many = columns.length > 1;
    const lists = columns.map((changes, at) => h("ul", { class: "changes", id: at ? `changes-${LETTERS[at]}` : "changes", "aria-label": many ? `Variant ${LETTERS[at]}` : "Changed rules" },
      Object.keys(changes).map((path) => {
        const row = rows.find((one) => one.key === path), words = changeWords(row, changes[path]);
        return h("li", {}, h("button", { type: "button", class: "chip", "aria-label": `Take back: ${words}`, click: () => this.takeBack(row, at) }, words));
      })));
    const gone = this.gone.length ? [h("p", { class: "note", id: "gone" }, `Not in this box: ${this.gone.join("; ")}.`)] : [];
    const more = columns.length < MOST_VARIANTS && columns.every((one) => Object.keys(one).length)
      ? h("button", { type: "button", class: "try", id: "another", click: () => this.columns([...columns, {}]) }, many ? "Another variant" : "Another variant: which is best?") : null;
    const headed = lists.map((list, at) => h("div", { class: "variant" }, h("h3", {}, LETTERS[at]), list,
      h("button", { type: "button", class: "try", "aria-label": `Remove variant ${LETTERS[at]}`, click: () => this.columns(columns.filter((_, k) => k !== at)) }, "Remove")));
    const changed = many ? headed : Object.keys(columns[0]).length ? [lists[0], this.comparison()] : [];
    this.said.replaceChildren(...gone, ...changed, ...(more ? [more] : []), ...(many ? [this.best()] : []));
  }

  /** Ask what makes a variant the best: that all leaders are alike, or that one is nearest to its fair share. */
  best() {
    const whom = leadersOf(this.question, this.names).map((name) => [name, `${name} at its fair share`]);
    return choose("best", "Best has", [["", "all leaders alike"], ...whom], this.question.leader, (leader) => this.put({ leader }));
  }

  /** Ask about these variants: their changes, one a column of the form. */
  columns([changes, ...others]) {
    this.put({ changes, others });
    this.say();
    this.search();
    document.getElementById("look").focus();
  }

  takeBack(row, at) {
    this.change(row, row.value, null, at);
    this.search();
    document.getElementById("look").focus();
  }

  /** Show what the words of the search find. */
  search() {
    const rows = this.rowsOf(this.question.box), words = this.words.trim();
    if (!words) {
      const tries = TRY.map((one) => h("button", { type: "button", class: "try", click: () => this.try(one) }, one));
      this.results.replaceChildren(h("p", { class: "note", id: "look-note" }, `${counted(rows.length, "number and switch", "numbers and switches")} can be changed. Try `, tries));
      return;
    }
    const { rows: fit, notes } = found(rows, words, this.question.box), shown = this.all ? fit : fit.slice(0, SHOWN), more = fit.length - shown.length;
    this.results.replaceChildren(
      h("p", { class: "note", id: "look-note", role: "status" }, fit.length ? `${counted(fit.length, "rule")} found.` : `Nothing found for “${words}”; try ${TRY[0]} or ${TRY[2]}.`),
      ...notes.map((note) => h("p", { class: "note" }, plain(note))),
      h("ul", { class: "keys", "aria-label": "Rules found" }, shown.map((row, i) => this.key(row, row.text !== shown[i + 1]?.text))),
      ...(more ? [h("button", { type: "button", id: "more-keys", click: () => { this.all = true; this.search(); } }, `Show ${more} more`)] : []));
  }

  try(words) {
    [this.words, this.all] = [words, false];
    this.draw("look");
  }

  /** Return a key with what changes it; `told`: with its sentence, which the keys before it may share. */
  key(row, told) {
    const first = `key-${row.key}`, about = `${first}-about`, columns = variantsOf(this.question), many = columns.length > 1;
    const control = (changes, at) => {
      const id = at ? `key-${LETTERS[at]}-${row.key}` : first, now = changes[row.key] ?? row.value, label = many ? `${LETTERS[at]}: ${row.title}` : null;
      return row.values
        ? h("select", { id, "aria-label": label, "aria-describedby": about, change: (event) => this.change(row, row.values[event.target.selectedIndex], item, at) },
          row.values.map((value) => h("option", { selected: value === now }, word(value))))
        : h("input", {
          id, type: "number", min: row.range[0], max: row.range[1], step: 1, value: now, inputmode: "numeric", "aria-label": label, "aria-describedby": about,
          input: (event) => this.number(row, event.target, item, at),
        });
    };
    const changed = columns.some((changes) => row.key in changes), controls = columns.map(control);
    const shown = many ? h("div", { class: "columns" }, controls.map((one, at) => h("span", {}, h("b", {}, LETTERS[at]), one))) : controls[0];
    const item = h("li", { class: changed ? "changed" : null }, h("label", { for: first }, row.title), shown,
      h("p", { class: "note", id: about }, `printed: ${word(row.value)}${row.range ? `; may be ${allowed(row)}` : ""}${told && row.text ? `. ${plain(row.text)}` : ""}`));
    return item;
  }

  /** Take a number while it is typed; what is none, or out of its limits, changes nothing. */
  number(row, input, item, at) {
    const value = Number(input.value), right = input.value !== "" && fits(row, value);
    input.setCustomValidity(right ? "" : `expected a whole number from ${allowed(row)}.`);
    if (right) this.change(row, value, item, at);
  }

  /** Change a rule of a variant. */
  change(row, value, item, at = 0) {
    const columns = variantsOf(this.question).map((one, k) => (k === at ? { ...one } : one)), [changes, ...others] = columns;
    if (value === row.value) delete columns[at][row.key];
    else columns[at][row.key] = value;
    this.gone = [];
    item?.classList.toggle("changed", columns.some((one) => row.key in one));
    this.put({ changes, others });
    this.say();
  }

  // --- How many

  play() {
    const number = (id, label, low, high) => {
      const input = h("input", {
        id, type: "number", min: low, max: high, step: 1, value: this.question[id], inputmode: "numeric", required: true,
        change: (event) => {
          const value = Number(event.target.value), right = event.target.value !== "" && Number.isInteger(value) && value >= low && value <= high;
          event.target.setCustomValidity(right ? "" : `expected a whole number from ${low} to ${fixed(high, 0)}.`);
          if (right) this.put({ [id]: value });
        },
      });
      return h("label", { class: "field", for: id }, h("span", {}, label), input);
    };
    return h("fieldset", { class: "play" }, h("legend", {}, "How many?"), h("div", { class: "pair" }, number("games", "Games", 2, MOST_GAMES), number("seed", "Seed", 0, SAFE_SEED)),
      h("p", { class: "note" }, "The same seed plays the same games again."),
      h("div", { class: "buttons" }, h("button", { type: "submit", id: "play", class: "main" }, "Play"), h("button", { type: "button", id: "stop", hidden: true }, "Stop")));
  }

  /** Return what keeps the question from being played; '' if nothing does. */
  wrong() {
    const { leaders: { kind, names }, players, strategies } = this.question, field = this.element.querySelector(":invalid:not(fieldset)");
    if (field) return `${this.element.querySelector(`label[for="${CSS.escape(field.id)}"]`).textContent}: ${field.validationMessage}`;
    if (kind === "lineup" && names.length !== players) return `Choose ${players} leaders, one a player; ${names.length} are chosen.`;
    if (kind === "pool" && names.length < players) return `Choose at least ${players} leaders; ${names.length} are chosen.`;
    if (!strategies.names.length) return "Choose at least one strategy to draw from.";
    const written = variantsOf(this.question).map((one) => JSON.stringify(Object.entries(one).sort())), many = several(this.question);
    const empty = many ? variantsOf(this.question).findIndex((one) => !Object.keys(one).length) : -1, twin = written.findIndex((one, at) => written.indexOf(one) !== at);
    if (empty >= 0) return `Variant ${LETTERS[empty]} changes nothing; change a rule in its column, or remove it.`;
    if (twin >= 0) return `Variants ${LETTERS[written.indexOf(written[twin])]} and ${LETTERS[twin]} are the same rules; change one of them, or remove it.`;
    if (kind === "all" && this.names.leader.length < players) return `The box has fewer than ${players} leaders.`;
    return "";
  }
}

function choose(id, label, options, value, changed) {
  return h("label", { class: "field", for: id }, h("span", {}, label), h("select", { id, change: (event) => changed(event.target.value) },
    options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text))));
}

