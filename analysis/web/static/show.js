// What is found, as it stands on the page: headline, verdicts, pictures, tables, and what to take along.

import { intervals, rounds } from "./chart.js";
import { byId, coded, download, h } from "./dom.js";
import { counted, fixed, gamesWords, half, rate, roundUp } from "./format.js";
import { aboutLeader, address, changeWords, commands, fileOf, LETTERS, MOST_GAMES, RULES_FILE, several, slug, touched, variantsOf, yamlOf } from "./question.js";
import { having, stillNeeded } from "./statistics.js";
import { csv, table, verdict } from "./table.js";
import { WORDS } from "./words.js";

const BY_HAND = "Stopped early by hand: the results are biased if you stopped because of them.";
const MARKS = "Bars: intervals that hold for all rows together (95%). Filled: beyond the margin; half-filled: size unclear; square: within it; open: undecided.";
const FURTHER = 4, NEAR = 10; // times the games played: what is offered next, and what still may be
const SECTIONS = ["variants", "compared", "leaders", "wonders", "agendas", "length", "order"];

export class Answer {
  constructor(rowsOf, more) {
    Object.assign(this, { rowsOf, more, open: new Set(["leaders", "compared", "variants"]) });
    let wait = 0;
    addEventListener("resize", () => {
      clearTimeout(wait);
      wait = setTimeout(() => this.answer && this.pictures(), 100);
    });
  }

  /** Show an answer. `told`: all games are played, or no more will be, so that verdicts are given. */
  show(question, answer, { told, stopped, done }) {
    Object.assign(this, { question, answer, told, stopped, done, about: [...touched(question), ...touched(question, "wonders")] });
    byId("first").replaceChildren(...this.first());
    this.pictures();
    byId("along").replaceChildren(...(told ? this.along() : []));
  }

  /** Draw what depends on the width of the window. */
  pictures() {
    const limits = this.told ? this.answer.findings.filter((one) => one.certainty === "limit") : [];
    byId("charts").replaceChildren(...this.charts(), ...limits.map((one) => h("p", { class: "note wide" }, one.text)));
    this.tables();
  }

  marked = (row) => this.about.includes(slug(row.leader ?? row.whom ?? row.wonder ?? ""));

  // --- The first screen

  first() {
    const { question, answer, told, stopped } = this, rules = changesOf(question, this.rowsOf), { tables } = answer;
    const [headline, ...rest] = answer.findings.filter((one) => one.certainty !== "limit");
    const found = [h("p", { class: "asked" }, rules.length ? h("strong", {}, rules.join("; ")) : "The printed rules", ` · ${tableWords(question)}`)];
    if (!told) found.push(h("h2", {}, "So far: the verdict comes when all games are played"));
    else if (answer.untold) found.push(h("h2", {}, `Leaders ${WORDS.verdicts.STRENGTH.NOT_COMPARED}: ${answer.untold}.`), answer.elsewhere ? h("p", {}, "The lab can tell: ", code(commands(question).slice(-2).join(" && "))) : "", ...rest.length || headline ? sentences([headline, ...rest]) : []);
    else found.push(h("h2", {}, whole(headline?.text ?? "No verdict")), ...sentences(rest));
    if (told && stopped) found.push(h("p", { class: "warning" }, BY_HAND));
    if (told && tables.leaders && !answer.untold) found.push(this.verdicts(tables.leaders));
    const needed = told && stillNeeded(tables.leaders ?? []);
    if (needed) found.push(this.further(needed));
    else if (told) found.push(this.enough(tables.leaders ?? []));
    return found;
  }

  /** Return the leaders by verdict. */
  verdicts(rows) {
    const kept = WORDS.told.map((key) => [key, having(rows, [key]).map((row) => row.leader)]).filter(([, who]) => who.length);
    return h("dl", { class: "verdicts" }, kept.flatMap(([key, who]) => [h("dt", {}, verdict(key, WORDS.verdicts.STRENGTH[key])), h("dd", {}, who.join(", "))]));
  }

  /** Offer the games that give each leader a verdict. */
  enough(rows) {
    const fewest = Math.min(...rows.map((row) => row.decided)), next = Math.min(MOST_GAMES, roundUp((1.2 * WORDS.smallSample * this.done) / Math.max(fewest, 1)));
    if (!(fewest < WORDS.smallSample) || next <= this.done) return "";
    return h("p", { class: "further" }, `A verdict needs ${WORDS.smallSample} decided games of a leader. `, this.goOn(next));
  }

  goOn(next, words = "") {
    return h("button", { type: "button", id: "more", click: () => this.more(next) }, `Go on to ${counted(next, "game")}${words}`);
  }

  /** Offer the games that would decide what is open. */
  further([fewest, most]) {
    const { next, near } = further(this.done, fewest, most);
    const words = `${gamesWords(fewest, most)} would decide every leader.`;
    if (fewest > WORDS.mostGames || next <= this.done) return h("p", { class: "note" }, words);
    return h("p", { class: "further" }, `${words[0].toUpperCase()}${words.slice(1)} `, this.goOn(next, near ? "" : ", which halves the intervals"));
  }

  // --- Pictures

  charts() {
    const { answer: { tables }, told, question } = this, room = byId("answer").clientWidth, found = [];
    const width = Math.max(300, Math.min(680, room / (room > 930 && tables.compared && tables.leaders ? 2 : 1) - 24)); // two fit side by side
    if (tables.compared) {
      const rows = tables.compared.filter((row) => row.group === "leaders").sort((a, b) => b.difference - a.difference);
      found.push(figure("What the house rules change in leaders' win rates", intervals(rows.map((row) => ({
        name: row.whom, value: row.difference, low: row.difference_all_low, high: row.difference_all_high, verdict_key: row.verdict_key, marked: this.marked(row),
      })), { against: 0, margin: WORDS.points, unit: "", label: "change of the win rate, percentage points", width, told })));
    }
    if (tables.variants) {
      const leader = aboutLeader(question), name = leader ? "leader_points" : "spread_change", verdicts = leader ? "leader_verdict_key" : "spread_verdict_key";
      const rows = tables.variants.map((row, at) => ({
        name: at ? LETTERS[at - 1] : row.variant, value: row[name], low: row[`${name}_all_low`], high: row[`${name}_all_high`], verdict_key: row[verdicts],
      })).filter((row) => row.value === row.value).sort((a, b) => a.value - b.value);
      const title = leader ? `${leader}: win rate against the fair share` : "Leader spread against the printed rules";
      const label = leader ? "points above the fair share" : "change of the leaders' standard deviation, percentage points";
      if (rows.length) found.push(figure(title, intervals(rows, { against: 0, margin: WORDS.points, unit: "", label, width, told })));
    }
    if (tables.leaders) {
      const share = 100 / question.players, title = tables.compared ? "Leaders under the house rules: win rate against the fair share" : "Leaders: win rate against the fair share";
      found.push(figure(title, intervals(tables.leaders.map((row) => ({
        name: row.leader, value: 100 * row.adjusted_rate, low: 100 * row.adjusted_rate_all_low, high: 100 * row.adjusted_rate_all_high, verdict_key: row.verdict_key, marked: this.marked(row),
      })), { against: share, margin: WORDS.points, unit: "%", label: "win rate at balanced tables", width, told })));
    }
    return found.length ? [...found, h("p", { class: "note wide" }, `${MARKS} Shaded: within ${WORDS.points} points.`)] : [];
  }

  // --- Tables

  tables() {
    const { answer, told } = this, boxes = byId("tables");
    for (const key of SECTIONS) {
      const rows = answer.tables[key];
      let box = byId(`part-${key}`);
      if (!rows) {
        box?.remove();
        continue;
      }
      if (!box) {
        box = h("details", { id: `part-${key}`, open: this.open.has(key), toggle: (event) => this.open[event.target.open ? "add" : "delete"](key) }, h("summary"), h("div"));
        const after = SECTIONS.slice(SECTIONS.indexOf(key) + 1).map((one) => byId(`part-${one}`)).find(Boolean);
        boxes.insertBefore(box, after ?? null);
      }
      const [summary, inside] = box.children, { title, message, content } = this.part(key, rows);
      summary.replaceChildren(title, message ? h("span", { class: "note" }, ` ${message}`) : "");
      if (box.open) inside.replaceChildren(...content, told ? h("p", {}, h("button", { type: "button", click: () => download(`${key}.csv`, csv(answer.files[key] ?? rows), "text/csv") }, `Table as CSV`)) : "");
      box.ontoggle ??= () => box.open && this.tables();
    }
  }

  part(key, rows) {
    const { told, marked } = this, made = WORDS.tables[key], one = (columns, some = rows, caption = made?.title) => table(some, arranged(columns, some), { caption, told, marked });
    const note = (text) => h("p", { class: "note" }, coded(text));
    if (key === "variants") return { title: made.title, message: "", content: [one(made.columns), note(made.note), note(made.method)] };
    if (key === "compared") {
      const shifted = rows.some((row) => row.own === row.own && row.own !== undefined);
      const parts = Object.entries(WORDS.groupTitles).map(([group, title]) => [title, rows.filter((row) => row.group === group), group]).filter(([, some]) => some.length);
      const content = parts.flatMap(([title, some, group]) => {
        const shown = one([...WORDS.tables.compared, ...(group === "leaders" && shifted ? WORDS.tables.shifts : [])], some, title);
        return group === "leaders" || group === "game" ? [h("h3", {}, title), shown] : [h("details", {}, h("summary", {}, title), shown)];
      });
      return { title: "What the house rules change", message: "", content: [note(WORDS.paired), ...content] };
    }
    const content = [one(made.columns), made.note ? note(made.note) : "", made.method ? note(made.method) : ""];
    const { length } = this.answer;
    const message = {
      wonders: () => `${rows[0].wonder} is built most often: ${rate(rows[0].build_rate)} of its games`,
      agendas: () => "which are claimed, and when",
      length: () => `median ${half(length.median)} rounds; ${length.unfinished ? `${rate(length.unfinished_rate)} of the games left unfinished` : "every game was won"}`,
      order: () => "what each place is worth",
    }[key]?.() ?? "";
    if (key === "length" && length.unfinished) content.unshift(note("Orange: games that nobody won."));
    if (key === "length") content.unshift(figure("Games by the round in which they ended", rounds(rows, { label: "Games that ended in each round", width: Math.max(300, Math.min(720, byId("answer").clientWidth - 40)) })));
    return { title: made.title, message, content };
  }

  // --- To take along

  along() {
    const { question, done } = this, rows = this.rowsOf(question.box), written = variantsOf(question).map((changes, at) => [fileOf(question, at), changes]).filter(([, changes]) => Object.keys(changes).length), lines = commands({ ...question, games: done });
    const copied = h("span", { class: "note", role: "status" }), link = new URL(address({ ...question, games: done }), location.href).href;
    const copy = () => Promise.resolve(navigator.clipboard?.writeText(link) ?? Promise.reject()).then(
      () => copied.replaceChildren(question.pack ? " Copied: whoever opens it and your file plays the same games." : " Copied: whoever opens it plays the same games."),
      () => copied.replaceChildren(" This browser does not let the page copy; the link: ", h("a", { href: link }, link)));
    return [h("h2", {}, "Take it along"), h("p", {}, h("a", { id: "watch-one", href: `watch.html${link.slice(link.indexOf("#"))}` }, "Watch one of these games"), ", or see why a seat lost."),
      h("p", {}, h("button", { type: "button", id: "copy", click: copy }, "Copy the link to this question"), copied),
      ...written.map(([file, changes], at) => h("p", {}, h("button", { type: "button", id: at ? `yaml-${at}` : "yaml", click: () => download(file, yamlOf(question, rows, changes), "text/yaml") },
        several(question) ? `${LETTERS[at]} as YAML` : "House rules as YAML"), h("span", { class: "note" }, " for the lab's command line"))),
      h("h3", {}, "Open in the lab"), h("p", { class: "note" }, `The same games, to the byte, in a terminal with the lab installed${question.pack ? `; ${RULES_FILE} stands for the file that was packed` : ""}:`),
      h("pre", { tabindex: 0, "aria-label": "Commands of the lab" }, lines.join("\n"))];
  }
}

/** Return the number of games to go on to: no fewer than are said to decide, unless these are many times (`near`) those `done`. */
export function further(done, fewest, most) {
  const near = fewest <= NEAR * done, wanted = near ? Math.max(fewest, Math.min(most, FURTHER * done), done + 1) : FURTHER * done;
  return { next: Math.min(MOST_GAMES, roundUp(wanted)), near };
}

/** Return columns with the verdict beside the name, and without a unit that all rows share. */
function arranged(columns, rows) {
  const kept = columns.filter(({ name }) => name !== "unit" || new Set(rows.map((row) => row.unit)).size > 1);
  const verdicts = kept.filter(({ name }) => name === "verdict");
  return [kept[0], ...verdicts, ...kept.slice(1).filter((one) => !verdicts.includes(one))];
}

function changesOf(question, rowsOf) {
  const words = (changes) => Object.entries(changes).map(([path, value]) => changeWords(rowsOf(question.box).find((row) => row.key === path), value));
  if (several(question)) return variantsOf(question).map((changes, at) => `${LETTERS[at]}: ${words(changes).join(", ")}`);
  return [...(question.pack ? [question.pack.name] : []), ...words(question.changes)];
}

/** Return a sentence whose numbers of games stay in one line. */
const whole = (text) => text.replaceAll(/\(n = (?=[\d,]+\))/g, "(n\u00a0=\u00a0");
/** Return a question in words. */
export const asking = (question, rowsOf) => `${changesOf(question, rowsOf).join("; ") || "The printed rules"} · ${tableWords(question)}`;
const code = (text) => h("code", {}, text);

function sentences(findings) {
  const shown = findings.filter(Boolean);
  return shown.length ? [h("ul", { class: "findings" }, shown.map((one) => h("li", {}, whole(one.text), " ", h("span", { class: "certainty", title: WORDS.certainties[one.certainty][1] }, WORDS.certainties[one.certainty][0]))))] : [];
}

function figure(title, picture) {
  return h("figure", {}, h("figcaption", {}, h("h3", {}, title)), picture);
}

function tableWords(question) {
  const { players, strategies, leaders, seed } = question, who = [...new Set(strategies.names)].join(", ");
  const which = leaders.kind === "all" ? "all leaders" : `${leaders.kind === "pool" ? "leaders drawn from " : ""}${leaders.names.join(", ")}`;
  const best = aboutLeader(question) ? `the best has ${question.leader} nearest to its fair share; ` : "";
  return `${best}tables of ${players}, ${which}, played by ${who}, seed ${seed}`;
}

