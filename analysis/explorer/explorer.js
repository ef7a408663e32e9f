"use strict";
// The address after # is the whole state: VIEW?run=0&beside=1&CONDITION=VALUE…; going back and bookmarks work. Where the page is part
// of a file with its games, `newdawnDesk` answers in the place of the server, and its part of the address begins with `root`.

const VIEWS = [["leaders", "Leaders"], ["wonders", "World wonders"], ["victory", "Victory cards"], ["length", "Length"], ["expansion", "Terra Incognita"], ["focus", "Focus cards"], ["games", "Games"]];
const GROUPINGS = [["", "all together"], ["seat", "by seat"], ["order", "by turn order"], ["players", "by players"], ["strategy", "by strategy"]];
const NEEDLESS = ["run", "beside", "by", "from"];  // in an address, but no conditions
const byId = id => document.getElementById(id);
const desk = globalThis.newdawnDesk ?? null, ROOT = desk ? desk.root : "";
let about = null, asked = 0;

function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

function drawn(tag, options = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(options)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// ---------------------------------------------------------------- the address

function state() {
  const [view, query] = location.hash.slice(1 + ROOT.length).split("?");
  return {view: view || "leaders", query: new URLSearchParams(query || "")};
}

function address(view, query) {
  const text = query.toString();
  return "#" + ROOT + view + (text ? "?" + text : "");
}

function sides(query) {  // what stays when the view changes: runs and conditions
  const kept = new URLSearchParams(query);
  kept.delete("by"); kept.delete("from");
  return kept;
}

function gamesAddress(cell) {
  const query = new URLSearchParams(cell.games), now = state().query;
  query.set("run", (cell.side === 1 ? now.get("beside") : now.get("run")) || "0");
  return address("games", query);
}

async function fetched(path, method = "GET") {
  if (desk) return desk.answer(path);
  const answer = await fetch(path, {method});
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  return found;
}

// ---------------------------------------------------------------- the form

function options(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, text]) => element("option", {value}, text)));
  select.value = chosen ?? choices[0][0];
}

function fillForm() {
  const runs = about.runs.map((run, i) => [String(i), run.title]);
  const several = runs.length > 1;
  const now = state().query;
  options(byId("run"), several ? [...runs, ["all", "all runs pooled"]] : runs, now.get("run"));
  options(byId("beside"), [["", "nothing"], ...runs], now.get("beside") || "");
  byId("beside-label").hidden = byId("run-label").hidden = !several;
  byId("runs").textContent = about.runs.map(run =>
    `${run.title}: ${run.games.toLocaleString("en")}${run.games < run.planned ? " of " + run.planned.toLocaleString("en") : ""} games, ${run.players} players, ${run.rules}`).join(" · ");
  const numbers = (first, n) => Array.from({length: n}, (_, i) => String(first + i));
  const known = {
    table: about.leaders, leader: about.leaders, card: about.cards, winner: [...about.leaders, "nobody"], deck: about.wonders, built: about.wonders,
    claimed: about.agendas, strategy: about.strategies, seat: numbers(1, about.seats), order: numbers(1, about.seats), won: ["yes"],
    players: [...new Set(about.runs.map(run => String(run.players)))].sort(),
  };
  for (const field of document.querySelectorAll("[data-name]")) {
    if (field.tagName === "SELECT") options(field, [["", "any"], ...known[field.dataset.name].map(word => [word, word])]);
    else field.value = "";
  }
}

function change(name, value, add) {
  const {view, query} = state();
  query.delete("from");
  if (add) { if (!query.getAll(name).includes(value)) query.append(name, value); }
  else if (value) query.set(name, value);
  else query.delete(name);
  location.hash = address(view, query);
}

function remove(name, value) {
  const {view, query} = state();
  const left = query.getAll(name).filter(each => each !== value);
  query.delete(name); query.delete("from");
  left.forEach(each => query.append(name, each));
  location.hash = address(view, query);
}

function showConditions(query) {
  const words = {table: "at the table", card: "in play", deck: "in a deck", winner: "winner", rounds: "rounds", players: "players", leader: "leader",
    seat: "seat", order: "turn order", strategy: "strategy", built: "built", claimed: "claimed", won: "won"};
  const set = [...query].filter(([name]) => !NEEDLESS.includes(name));
  byId("set").replaceChildren(...set.map(([name, value]) =>
    element("li", {}, element("button", {type: "button", "aria-label": `remove ${words[name] || name}: ${value}`, onclick: () => remove(name, value)},
      `${words[name] || name}: ${value}`))));
  if (set.length > 1) byId("set").append(element("li", {}, element("a", {href: address(state().view, runsOnly(query))}, "clear all")));
}

function runsOnly(query) {
  const kept = new URLSearchParams();
  for (const name of ["run", "beside"]) if (query.has(name)) kept.set(name, query.get(name));
  return kept;
}

// ---------------------------------------------------------------- tables

function linked(cell, text) {
  if (cell.page) {
    const page = cell.page.startsWith("game/") ? new URLSearchParams() : sides(state().query);
    return element("a", {href: address(cell.page, page)}, text);
  }
  if (cell.games) return element("a", {href: gamesAddress(cell), title: "the games behind this figure"}, text);
  return text;
}

// Every bar of a rate is drawn on one scale, from `least` to `most`, which the axis below the heading names.
function bar(cell, [least, most]) {
  const at = value => 100 * Math.max(0, Math.min(1, (value - least) / (most - least)));
  const made = drawn("svg", {class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true"});
  if (cell.all) made.append(drawn("rect", {class: "all", x: at(cell.all[0]), y: 4.2, width: Math.max(0.8, at(cell.all[1]) - at(cell.all[0])), height: 1.6}));
  made.append(drawn("rect", {x: at(cell.low), y: 2, width: Math.max(0.8, at(cell.high) - at(cell.low)), height: 6, opacity: .45}));
  made.append(drawn("rect", {x: Math.max(0, at(cell.value) - .8), y: 0, width: 1.6, height: 10}));
  const mark = least < 0 ? 0 : cell.fair;
  if (mark !== undefined) made.append(drawn("line", {class: "fair", x1: at(mark), x2: at(mark), y1: 0, y2: 10}));
  return made;
}

function axisOf([least, most], unit) {
  const text = value => (value < 0 ? "−" + -value : least < 0 && value > 0 ? "+" + value : String(value)) + unit;
  const ticks = [least, (least + most) / 2, most].map(value => text(Number((unit ? 100 * value : value).toFixed(1))));
  return element("span", {class: "axis", "aria-hidden": "true"}, ...ticks.map(tick => element("span", {}, tick)));
}

function upTo(value, steps) {  // the next end of an axis
  return steps.find(step => step >= value - 1e-9) ?? value;
}

// The scale of each column with bars: all rates of a name have one, in every table of the view.
function scalesOf(sections) {
  const most = {};
  let far = 0;
  for (const {columns, rows, rate} of sections.filter(each => each.kind === "table")) {
    columns.forEach((column, i) => rows.forEach(({cells}) => {
      const {low, high, fair, all} = cells[i];
      if (column.signed) far = Math.max(far, Math.abs(low ?? 0), Math.abs(high ?? 0));
      else if (column.name === rate) most[rate] = Math.max(most[rate] ?? .01, high ?? 0, fair ?? 0, all ? all[1] : 0);
    }));
  }
  const ends = [.02, .04, .06, .08, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1];
  const end = upTo(far, [2, 4, 6, 8, 10, 20, 30, 40, 50, 60, 80, 100]);
  return column => column.signed ? [-end, end] : [0, upTo(most[column.name] ?? 1, ends)];
}

function tableOf(section, scales) {
  const {columns, rows} = section;
  const barred = columns.map(column => column.signed || column.name === section.rate);
  const cellOf = (row, cell, i) => {
    const column = columns[i];
    const long = column.text && cell.text.length > 34;
    const made = element(i === 0 ? "th" : "td", {scope: i === 0 ? "row" : null,
      class: [column.text ? "text" : "", long ? "long" : "", column.side === 1 ? "second" : "", cell.clear ? "clear" : ""].join(" ").trim() || null}, linked(cell, cell.text));
    if (cell.shade) made.style.backgroundColor = `color-mix(in srgb, var(${cell.shade > 0 ? "--first" : "--second"}) ${Math.round(28 * Math.abs(cell.shade))}%, transparent)`;
    if (i === section.keys - 1 && row.few) made.append(" ", element("span", {class: "few-mark", title: "fewer than 100 cases"}, "few"));
    if (barred[i] && cell.low !== null && cell.low !== undefined) made.append(bar(cell, scales(column)));
    return made;
  };
  const rowOf = row => element("tr", {class: row.few ? "few" : null}, ...row.cells.map((cell, i) => cellOf(row, cell, i)));
  const tiers = section.tiers && section.tiers.length ? section.tiers : [{title: "", rows: rows.map((_, i) => i)}];
  const bodies = tiers.map(() => element("tbody"));
  const draw = compare => tiers.forEach((tier, k) => {
    const inside = tier.rows.map(i => rows[i]);
    if (compare) inside.sort(compare);
    const words = element("span", {}, `${tier.title} (${tier.rows.length})`);
    const head = tier.title ? [element("tr", {class: "tier"}, element("th", {colspan: columns.length, scope: "rowgroup"}, words))] : [];
    bodies[k].replaceChildren(...head, ...inside.map(rowOf));
  });
  const heads = columns.map((column, i) => {
    const title = [column.meaning, column.unit && `(${column.unit})`].filter(Boolean).join(" ");
    const button = element("button", {type: "button", title: title || null, onclick: () => sort(i)}, column.label);
    const drawnBars = barred[i] && rows.some(row => row.cells[i].low !== null && row.cells[i].low !== undefined);
    return element("th", {scope: "col", class: column.text ? "text" : null}, button, drawnBars ? axisOf(scales(column), column.signed ? "" : "%") : null);
  });
  const sort = i => {
    const down = heads[i].getAttribute("aria-sort") !== "descending";
    heads.forEach(head => head.removeAttribute("aria-sort"));
    heads[i].setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => row.cells[i].value;
    draw((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      const less = typeof x === "string" ? x.localeCompare(y) : x - y;
      return down ? -less : less;
    });
  };
  draw(null);
  const top = [];
  if (columns.some(column => column.side === 1)) {
    const groups = [[null, 0]];
    for (const column of columns) {
      if (groups[groups.length - 1][0] !== column.side) groups.push([column.side, 0]);
      groups[groups.length - 1][1] += 1;
    }
    top.push(element("tr", {class: "sides"}, ...groups.filter(group => group[1]).map(([side, span]) =>
      element("th", {colspan: span, scope: "colgroup", class: side === 1 ? "second" : null}, side === null ? "" : sideTitle(side)))));
  }
  return element("div", {class: "scroll"}, element("table", {}, element("thead", {}, ...top, element("tr", {}, ...heads)), ...bodies));
}

// What two runs beside each other differ in, and what is alike.
function contrastOf(found) {
  if (!found) return [];
  const body = found.differs.map(([what, first, second]) => element("tr", {},
    element("th", {scope: "row", class: "text"}, what), element("td", {class: "text long"}, first), element("td", {class: "text long"}, second)));
  const heads = ["", sideTitle(0), sideTitle(1)].map((text, i) => element("th", {scope: "col", class: i === 2 ? "text second" : "text"}, text));
  const rules = found.rules.length ? [element("details", {}, element("summary", {}, `Changed values of the rules (${found.rules.length + found.more})`),
    element("ul", {}, ...found.rules.map(line => element("li", {}, line)), ...(found.more ? [element("li", {}, `${found.more} more`)] : [])))] : [];
  const differ = body.length ? element("table", {}, element("thead", {}, element("tr", {class: "sides"}, ...heads)), element("tbody", {}, ...body))
    : element("p", {}, "Nothing: these are the same games, or games of the same kind.");
  const named = found.differs.map(([what]) => what).join(", ") || "nothing";
  return [element("section", {class: "contrast", "aria-label": "what differs between the runs"},
    element("details", {}, element("summary", {}, `What differs between the runs: ${named}`),
      element("div", {class: "scroll"}, differ), ...rules, element("p", {class: "note"}, `Alike: ${found.alike.join(", ") || "nothing"}.`)),
    element("p", {class: "note"}, `Differences below are ${sideTitle(1)} minus ${sideTitle(0)}: above 0, it is higher in ${sideTitle(1)}.`))];
}

// What does not fit into half of a large screen gets the whole width; what then nearly fits is set tighter.
function fit() {
  for (const section of document.querySelectorAll(".parts > section")) {
    const box = section.querySelector(".scroll"), hidden = () => (box ? box.scrollWidth - box.clientWidth : 0);
    section.classList.remove("tight");
    section.classList.toggle("wide", !box);
    if (hidden() > 0) section.classList.add("wide");
    if (hidden() > 0 && hidden() < 0.2 * box.clientWidth) section.classList.add("tight");
  }
}

function sideTitle(side) {
  const run = state().query.get(side === 1 ? "beside" : "run") || "0";
  return run === "all" ? "all runs" : about.runs[Number(run)].title;
}

// ---------------------------------------------------------------- charts

function chartOf(section) {
  const bars = section.bars, several = section.n.length > 1;
  if (!section.n.some(n => n)) return element("p", {class: "note"}, "none");
  const width = 900, height = 190, left = 44, bottom = 22;
  const most = Math.max(...bars.flatMap(each => each.share)), step = (width - left) / bars.length;
  const y = share => (height - bottom) * (1 - share / most);
  const svg = drawn("svg", {viewBox: `0 -8 ${width} ${height + 8}`, role: bars.some(each => each.games) ? "group" : "img", "aria-label": section.title});
  for (const share of [0, most / 2, most]) {
    svg.append(drawn("line", {x1: left, x2: width, y1: y(share), y2: y(share), stroke: "var(--rule)"}));
    svg.append(drawn("text", {x: left - 4, y: y(share) + 4, "text-anchor": "end"}, (100 * share).toFixed(most < .1 ? 1 : 0) + "%"));
  }
  const every = Math.ceil(bars.length / 30);
  bars.forEach((each, i) => {
    const wide = Math.max(1, step * (several ? .4 : .8));
    each.share.forEach((share, side) => {
      const rect = drawn("rect", {class: side ? "two" : "one", x: left + i * step + side * wide + step * .1, width: wide, y: y(share), height: height - bottom - y(share)});
      const told = `round ${each.at}: ${each.n[side].toLocaleString("en")} ${each.n[side] === 1 ? section.unit.replace(/s$/, "") : section.unit}`;
      rect.append(drawn("title", {}, `${told} (${(100 * share).toFixed(1)}%)`));
      const holder = each.games && each.n[side] ? drawn("a", {href: gamesAddress({games: each.games, side}), "aria-label": told}, rect) : rect;
      svg.append(holder);
    });
    if (i % every === 0) svg.append(drawn("text", {x: left + i * step + step / 2, y: height - 6, "text-anchor": "middle"}, String(each.at)));
  });
  const words = section.n.map((n, side) => (several ? sideTitle(side) + ": " : "") + `n = ${n.toLocaleString("en")} ${section.unit}` + (n < 100 ? " (few)" : ""));
  return element("figure", {}, svg, element("figcaption", {class: "n"}, "round; share of all. " + words.join(" · ")));
}

// ---------------------------------------------------------------- views

function summaryOf(side, second) {
  const text = side.text;
  const facts = [`${text["games"]} games`, `${text["seats"]} seats counted`,
    ...(side.unfinished ? [`${text["unfinished"]} unfinished, ${text["unfinished rate"].trim()}`] : []), `rounds: mean ${text["rounds mean"].trim()}, half of the games ${text["rounds p25"].replace(/\.0$/, "")} to ${text["rounds p75"].replace(/\.0$/, "")}`];
  const made = element("div", {class: "summary" + (second ? " second" : "")}, element("strong", {}, side.title), ...(side.games ? facts : ["no game matches"]).map(fact => element("span", {}, fact)));
  if (side.games && side.small_sample) made.append(element("span", {class: "few-mark"}, "few"));
  return made;
}

function pager(found, query) {
  const go = (text, from) => {
    const there = new URLSearchParams(query);
    there.set("from", from);
    return from < 0 || from >= found.games ? null : element("a", {href: address("games", there)}, text);
  };
  const last = Math.min(found.from + found.page, found.games);
  return element("div", {class: "pages"}, go("← earlier", found.from && found.games ? Math.max(0, Math.min(found.from, found.games) - found.page) : -1),
    element("span", {}, found.from >= found.games && found.games ? `no more than ${found.games.toLocaleString("en")} games match` : found.games ? `games ${(found.from + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${found.games.toLocaleString("en")}` +
      `; ${found.seats.toLocaleString("en")} seats counted in them` : "no game matches"), go("later →", found.from + found.page));
}

function replayHere(game) {
  const told = element("div", {role: "status"});
  const watch = async () => {
    button.disabled = true;
    told.replaceChildren("Playing the game again …");
    try {
      const {why, shown, command} = await desk.replay(game);
      told.replaceChildren(...(why ? [`${why} `, element("code", {}, command)] : shown));
    } catch (error) {
      told.textContent = error.message;
      button.disabled = false;
    }
  };
  const button = element("button", {type: "button", id: "watch", onclick: watch}, "Replay this game");
  return element("section", {}, element("h3", {}, "Replay"), button, told);
}

function replayOf({run, game}) {
  if (desk) return replayHere(game);
  const told = element("p", {role: "status"});
  const path = `/api/film/${run}/${game}`;
  const show = film => {
    const command = element("code", {}, film.command);
    if (film.state === "ready") told.replaceChildren(...[film.message && film.message + " — ", element("a", {href: `/film/${run}/${game}`, target: "_blank", rel: "noopener"}, "watch it")].filter(Boolean));
    else if (film.state === "failed") told.replaceChildren(`This game could not be replayed here: ${film.message}. At the command line: `, command);
    else if (film.state === "none") told.replaceChildren("Replays the game and makes a page to watch. The first time, the engine is compiled, which may take a minute or more. At the command line: ", command);
    else told.replaceChildren(`${film.state === "waiting" ? "Waiting for another game" : "Replaying the game"} (${film.seconds} s); the first time, the engine is compiled, which may take a minute or more.`);
    button.disabled = ["waiting", "working", "ready"].includes(film.state);
    if (["waiting", "working"].includes(film.state) && told.isConnected) setTimeout(() => fetched(path).then(show, fail), 1000);
  };
  const fail = error => { told.textContent = error.message; };
  const button = element("button", {type: "button", id: "watch", onclick: () => fetched(path, "POST").then(show, fail)}, "Replay this game");
  fetched(path).then(show, fail);
  return element("section", {}, element("h3", {}, "Replay"), button, told);
}

// What is wrong with an address, and the way back.
function problem(message) {
  return [element("h2", {}, "Nothing is shown here"), element("p", {class: "warning", role: "alert"}, message),
    element("p", {}, "Go to ", element("a", {href: desk ? address("leaders", new URLSearchParams()) : location.pathname === "/" ? "#leaders" : "/#leaders"}, "the leaders"), ".")];
}

async function show() {
  const {view, query} = state();
  const number = ++asked, main = byId("main"), began = performance.now();
  byId("run").value = query.get("run") || "0";
  byId("beside").value = query.get("beside") || "";
  const kind = view.split("/")[0];
  const kept = kind === "game" ? new URLSearchParams() : sides(query);
  const shown = VIEWS.filter(([name]) => !["expansion", "focus"].includes(name) || about.runs.some(run => run[name]));
  byId("views").replaceChildren(...shown.map(([name, text]) => element("a", {href: address(name, kept), "aria-current": name === view ? "page" : null}, text)));
  showConditions(query);
  byId("filter").hidden = kind === "game";
  byId("by-label").hidden = view !== "leaders";
  options(byId("by"), GROUPINGS, query.get("by") || "");
  main.classList.add("busy");
  let found;
  try {
    const wanted = new URLSearchParams(query);
    if (kind === "games") wanted.delete("beside");
    found = await fetched(`/api/view/${view}?${wanted}`);
  } catch (error) {
    if (number === asked) { main.classList.remove("busy"); main.replaceChildren(...problem(error.message)); }
    return;
  }
  if (number !== asked) return;  // another question was asked meanwhile
  main.classList.remove("busy");
  const head = [element("h2", {}, found.title), ...found.summary.map((side, i) => summaryOf(side, i)),
    ...found.warnings.map(text => element("p", {class: "warning"}, text)), ...(found.facts || []).map(text => element("p", {}, text))];
  if (found.replay) head.push(replayOf(found.replay));
  head.push(...contrastOf(found.contrast));
  const scales = scalesOf(found.sections);
  const parts = found.sections.map(section => element("section", {id: section.name}, section.title ? element("h3", {}, section.title) : null,
    section.kind === "chart" ? chartOf(section) : section.rows.length ? tableOf(section, scales) : element("p", {class: "note"}, "none"),
    section.note ? element("p", {class: "note"}, section.note) : null));
  main.replaceChildren(...head, element("div", {class: "parts"}, ...parts));
  fit();
  if (kind === "games") { main.append(pager(found, query)); main.querySelector("h2").after(pager(found, query)); }
  byId("took").textContent = `Answered in ${((performance.now() - began) / 1000).toFixed(2)} s.`;
  document.title = `${found.title} – explorer`;
}

async function begin() {
  try {
    about = await fetched("/api/about");
  } catch (error) {
    byId("main").replaceChildren(element("p", {class: "warning", role: "alert"}, `The explorer does not answer: ${error.message}`));
    return;
  }
  if (byId("main").dataset.problem) {
    fillForm();
    byId("filter").hidden = true;
    byId("views").replaceChildren(...VIEWS.filter(([name]) => name !== "expansion" || about.runs.some(run => run.expansion)).map(([name, text]) => element("a", {href: "/" + address(name, new URLSearchParams())}, text)));
    byId("main").replaceChildren(...problem(byId("main").dataset.problem));
    return;
  }
  if (!location.hash && about.runs.length === 2) history.replaceState(null, "", "#leaders?run=0&beside=1");
  fillForm();
  byId("run").addEventListener("change", event => change("run", event.target.value));
  byId("beside").addEventListener("change", event => change("beside", event.target.value));
  byId("by").addEventListener("change", event => change("by", event.target.value));
  if (desk) {
    byId("look").hidden = true;
    byId("skip").after(element("a", {href: "#"}, "← the report"));
  }
  byId("look").addEventListener("click", async () => {
    about = await fetched("/api/look", "POST");
    fillForm();
    await show();
    byId("took").textContent = `${about.new.toLocaleString("en")} new games.`;
  });
  byId("skip").addEventListener("click", event => { event.preventDefault(); byId("main").focus(); });
  byId("filter").addEventListener("submit", event => event.preventDefault());
  for (const field of document.querySelectorAll("[data-name]")) {
    field.addEventListener("change", () => {
      if (!field.value || !field.checkValidity()) return;
      change(field.dataset.name, field.value, field.tagName === "SELECT");
      field.value = "";
    });
  }
  addEventListener("hashchange", show);
  addEventListener("resize", fit);
  await show();
}

begin();
